#pragma once

/// The crank and the connecting rod of the crank-slider mechanism: rigid, beams, solids, and both reduced to shapes.

#include <picus/elements/beams/section.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus::models {

/// The frame and the supports of the modes to which a rod is reduced (Rezaei and Schindler, appendices C.8 and D).
enum class RodBoundary : std::uint8_t {
  held,     ///< both ends held, with static responses of the ends; mean axes (Craig and Bampton)
  clamped,  ///< the first end clamped, the last one free; the frame is that of the first end
  pinned,   ///< both ends on pins, with the static response of stretching; mean axes
  free,     ///< free ends; mean axes
};

/// A straight rod at the start, from one joint to the other, in the plane x-y.
struct Rod {
  std::string name;
  Vec3 from;      ///< first end, m
  double length;  ///< m
  double angle;   ///< to the x axis, rad
  double spin;    ///< rad/s
  Vec3 velocity;  ///< of its first end, m/s

  /// Its direction, and its last end.
  Vec3 direction() const;
  Vec3 to() const { return from + length * direction(); }
  Vec3 last_velocity() const;
};

/// Its nodes for joints and loads.
struct RodEnds {
  FrameNode body;  ///< the rod, its first section or the frame of its shapes
  MaterialPoint first;
  MaterialPoint last;
  std::vector<MassPoint> weights;  ///< empty if gravity acts on it already
};

/// Section of a flexible rod: `width` is out of the plane, m.
struct RodSection {
  double width;
  double height;
  BeamMaterial material;
};

RodEnds add_rigid_rod(Model& model, const Rod& rod, double mass, double inertia);

/// A rod of beam elements, whose nodes are called NAME[0] and so on.
RodEnds add_beam_rod(Model& model, const Rod& rod, const RodSection& section, Index elements);

/// The same reduced to `modes` modes.
RodEnds add_reduced_beam_rod(Model& model, const Rod& rod, const RodSection& section, Index elements,
                             Index modes, RodBoundary boundary, const Vec3& gravity);

/// A rod with `across` x `across` hexahedra in a section; end faces are rigid, with frames NAME.first and NAME.last.
RodEnds add_solid_rod(Model& model, const Rod& rod, const RodSection& section, Index elements, Index across);

/// The same reduced to its end faces and `modes` modes with both held.
RodEnds add_reduced_solid_rod(Model& model, const Rod& rod, const RodSection& section, Index elements,
                              Index across, Index modes, const Vec3& gravity);

}  // namespace picus::models
