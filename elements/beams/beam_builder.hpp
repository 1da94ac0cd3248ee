#pragma once

/// Beams of many elements: their nodes and elements in one call.
///
///     const BeamMesh arm = make_beam(model, {.name = "arm", .section = Section::circle(0.01, steel),
///                                            .to = Vec3(1, 0, 0), .elements = 10});
///     model.fix(arm.first());
///
/// Elements, and the nodes that are added, are named "arm[0]", "arm[1]" and so on. The axes of a node are those of its
/// section, (t, d1, d2) with t along the beam; where two legs of a polyline meet, those of the leg before.

#include <picus/elements/beams/beam.hpp>
#include <picus/model.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace picus {

/// Where a section is at the start, in the inertial frame.
struct SectionPlace {
  Vec3 position = Vec3::Zero();  ///< m
  Mat3 axes = Mat3::Identity();  ///< (t, d1, d2) as columns
};

/// A beam axis with its sections, s in [0, 1] from one end to the other; elements are cut at equal distances of s.
using Centreline = std::function<SectionPlace(double s)>;

/// The shape of an arc or a helix.
struct ArcOptions {
  Vec3 from = Vec3::Zero();    ///< its first point, off the axis
  Vec3 centre = Vec3::Zero();  ///< any point of the axis
  Vec3 axis = Vec3::UnitZ();   ///< about which it turns by the right-hand rule, of any length but zero
  double angle = 0.0;          ///< by which it goes round the axis, of either sign, any number of turns, rad
  double rise = 0.0;           ///< along the axis over the whole angle, m
};
/// A circular arc, or with `rise` a helix, about an axis through `centre`; d1 points to the axis.
Centreline arc(const ArcOptions& options);

/// The section of a beam with this tangent; d1 is the direction of the part of `orientation` normal to it.
SectionPlace section_place(const Vec3& position, const Vec3& tangent, const Vec3& orientation);

/// What make_beam() takes.
struct BeamOptions {
  std::string name;  ///< nodes and elements are called NAME[0], NAME[1] and so on
  Section section;   ///< the same all along

  /// The shape: from `from` (the origin unless given) to `to`; or `corners`, a polyline; or `centreline`; or `places`,
  /// all sections one after another.
  std::optional<Vec3> from = std::nullopt;
  std::optional<Vec3> to = std::nullopt;  ///< end of a straight beam, m
  std::vector<Vec3> corners = {};         ///< of a polyline, m, two at least
  Centreline centreline = nullptr;        ///< of any curve, such as arc()
  std::vector<SectionPlace> places = {};  ///< all sections, two at least

  int elements = 0;                  ///< >= 1; of each leg of a polyline; not to be given with places
  Vec3 orientation = Vec3::UnitY();  ///< d1 of straight legs, as of Beam

  /// Nodes that are there already and take the place of the first or the last one, to join beams and bodies.
  std::optional<FrameNode> first_node = std::nullopt;
  std::optional<FrameNode> last_node = std::nullopt;  ///< as first_node

  /// Rigid motion at the start, inertial axes: of the first point, m/s, and about it, rad/s.
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  ///< in inertial axes, rad/s

  BeamMass mass = BeamMass::consistent;  ///< how the mass of an element goes to its nodes
};

/// What make_beam() made.
struct BeamMesh {
  std::vector<FrameNode> nodes;        ///< along the beam, joined ones included
  std::vector<Handle<Beam>> elements;  ///< along the beam

  /// The node at the start.
  const FrameNode& first() const { return nodes.front(); }
  /// The node at the end.
  const FrameNode& last() const { return nodes.back(); }
  /// Along the beam, m.
  double length() const;
  /// The point of the section at this arc length from the first node at the start, m, at the offset y along d1 and z
  /// along d2, m. Throws ModelError when the beam is not so long.
  ContinuumPoint point(double arc_length, double y = 0.0, double z = 0.0) const;
  /// One for each node, for add_gravity().
  std::vector<MassPoint> mass_points() const;
};

/// Throws ModelError when the shape is missing or ambiguous, has no length or turns by more than 3 rad in one element,
/// and for all that Beam refuses.
BeamMesh make_beam(Model& model, const BeamOptions& options);

}  // namespace picus
