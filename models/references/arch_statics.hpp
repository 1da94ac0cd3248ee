#pragma once

/// Whether a semicircular arch of n equal blocks, sectors of a ring with radii R -+ t/2, can stand under its own
/// weight: limit analysis by statics (safe theorem; Heyman 1966). Joints are plane, carry no tension and slide at mu.
///
/// By symmetry the forces of all joints follow from two quantities at the crown, the thrust H and its height. The
/// arch is stable if both can be chosen such that at every joint the resultant has a normal force N >= 0, passes
/// within the thickness, |M| <= N t/2 about the middle, and |T| <= mu N. These are half-planes in (H, M): for a fixed
/// H, bounds of M, whose distance is a concave function of H. For n to infinity t/R = 0.1075 (Milankovitch 1907).
/// With few blocks hinges cannot form at the critical positions, and thinner arches are stable.

#include <picus/types.hpp>

namespace picus::models {

struct ArchShape {
  Index blocks;      ///< n, even or odd; joints at the angles pi i/n
  double thickness;  ///< ratio of t to the mean radius R, in (0, 1]
  double mu;
};

bool can_stand(const ArchShape& shape);

/// The smallest t/R of a stable arch of n blocks, to 1e-9; friction must be sufficient for stability at t/R = 1.
double least_thickness(Index blocks, double mu);

/// Area of a sector of a ring with R = 1, distance of its centroid from the centre of the arch, and its polar moment
/// of area about the centroid.
struct ArchBlock {
  double area, centroid, polar_moment;
};
ArchBlock arch_block(Index blocks, double thickness);

}  // namespace picus::models
