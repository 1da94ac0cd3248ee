#pragma once

/// Builds a beam of many elements: its nodes and elements in one call.
///
///     const BeamMesh arm = make_beam(model, {.name = "arm", .section = Section::circle(0.01, steel),
///                                            .to = Vec3(1, 0, 0), .elements = 10});
///     model.fix(arm.first());
///
/// Elements and added nodes are named "arm[0]", "arm[1]" and so on. The axes of a node are those of its section, (t,
/// d1, d2) with t along the beam; where two legs of a polyline meet, they are those of the preceding leg.

#include <picus/elements/beams/beam.hpp>
#include <picus/model.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace picus {

/// Initial position and axes of a section, in the inertial frame.
struct SectionPose {
  Vec3 position = Vec3::Zero();  ///< m
  Mat3 axes = Mat3::Identity();  ///< (t, d1, d2) as columns
};

/// A beam axis with its sections, s in [0, 1] from one end to the other; elements are of equal length in s.
using Centreline = std::function<SectionPose(double s)>;

/// The shape of an arc or a helix.
struct ArcOptions {
  Vec3 from = Vec3::Zero();    ///< its first point, off the axis
  Vec3 centre = Vec3::Zero();  ///< any point of the axis
  Vec3 axis = Vec3::UnitZ();   ///< axis of rotation (right-hand rule), any length but zero
  double angle = 0.0;          ///< swept angle, either sign, any number of turns, rad
  double rise = 0.0;           ///< advance along the axis over the whole angle, m
};
/// A circular arc, or with `rise` a helix, about an axis through `centre`; d1 points towards the axis.
Centreline arc(const ArcOptions& options);

/// The section of a beam with this tangent; d1 is along the component of `orientation` normal to it.
SectionPose section_pose(const Vec3& position, const Vec3& tangent, const Vec3& orientation);

/// The arguments of make_beam().
struct BeamOptions {
  std::string name;  ///< nodes and elements are called NAME[0], NAME[1] and so on
  Section section;   ///< the same over the whole length

  /// The shape is one of: a straight line from `from` (the origin unless given) to `to`; `corners`, a polyline;
  /// `centreline`; or `poses`, all sections in order.
  std::optional<Vec3> from = std::nullopt;
  std::optional<Vec3> to = std::nullopt;  ///< end of a straight beam, m
  std::vector<Vec3> corners = {};         ///< vertices of a polyline, m, at least two
  Centreline centreline = nullptr;        ///< any curve, such as arc()
  std::vector<SectionPose> poses = {};    ///< all sections, at least two

  int elements = 0;                  ///< >= 1, per leg of a polyline; not to be given with poses
  Vec3 orientation = Vec3::UnitY();  ///< d1 of straight legs, as for Beam

  /// Existing nodes to use as the first or last node, for joining beams and bodies.
  std::optional<FrameNode> first_node = std::nullopt;
  std::optional<FrameNode> last_node = std::nullopt;  ///< as first_node

  /// Initial rigid motion: velocity of the first point, inertial axes, m/s.
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< about the first point, inertial axes, rad/s

  BeamMass mass = BeamMass::consistent;  ///< distribution of the mass of an element to its nodes
};

/// The result of make_beam().
struct BeamMesh {
  std::vector<FrameNode> nodes;        ///< along the beam, existing ones included
  std::vector<Handle<Beam>> elements;  ///< along the beam

  /// The first node.
  const FrameNode& first() const { return nodes.front(); }
  /// The last node.
  const FrameNode& last() const { return nodes.back(); }
  /// The length along the beam, m.
  double length() const;
  /// The point of the section at this initial arc length from the first node, m, offset by y along d1 and z along d2,
  /// m. Throws ModelError if the beam is not that long.
  ContinuumPoint point(double arc_length, double y = 0.0, double z = 0.0) const;
  /// One for each node, for add_gravity().
  std::vector<MassPoint> mass_points() const;
};

/// Throws ModelError if the shape is missing or ambiguous, has no length or rotates by more than 3 rad within one
/// element, and for everything that Beam refuses.
BeamMesh make_beam(Model& model, const BeamOptions& options);

}  // namespace picus
