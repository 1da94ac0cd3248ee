#pragma once

/// Penetration of surfaces of a model into each other, sampled at points all over them: a check of contact detection. It
/// shares no code with search, gaps and closest points; only the geometry of a Surface is used.
///
/// Points of each surface are tried against all surfaces of other bodies:
///
///     convex body      least distance below its planes        capsule, rope, ball   radius - distance from its axis
///     cylinder, cone   least distance below side and ends     triangles             distance from the nearest one,
///                                                                                   where the winding number is 1
///
/// For triangles that do not enclose a body, such as terrain or a part of a solid, a point is inside if it is below a
/// triangle, within its boundary and nearer than a tenth of their size.

#include <picus/elements/contacts/surface.hpp>
#include <picus/signal.hpp>

#include <string>
#include <vector>

namespace picus::models {

/// A penetration.
struct SurfaceDepth {
  double depth =
      0.0;  ///< m, of the point that is deepest in comparison with the size of its surface; 0: none
  double relative = 0.0;  ///< depth over the diagonal of the box about the surface that has the point
  std::string point_of;   ///< the surface that has the point
  std::string inside;     ///< the surface that it is in
};

class SurfaceSampler {
 public:
  /// `n` intervals along each edge of a triangle, of a box and of a hull, at least 1, and as many along a round
  /// surface and in a quarter of a turn about it. The model must outlive it.
  explicit SurfaceSampler(const Model& model, int n = 6);

  /// The worst penetration in this configuration.
  SurfaceDepth deepest(const Configuration& q) const;
  /// Points on the surface called `name`, m. Throws ModelError if there is none.
  std::vector<Vec3> points(const std::string& name, const Configuration& q) const;

 private:
  std::vector<const Surface*> surfaces_;
  int n_;
};

/// "depth": the worst penetration relative to the size of its surface, every `every`-th step; in between the last one.
Signal sampled_depth(const RunInfo& run, std::int64_t every, int n = 6);

}  // namespace picus::models
