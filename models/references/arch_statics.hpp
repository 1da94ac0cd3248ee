#pragma once

/// Whether a semicircular arch of n equal blocks, sectors of a ring with radii R -+ t/2, can stand under its own weight: limit
/// analysis by statics (safe theorem; Heyman 1966). Joints are plane, bear no tension and slide at mu.
///
/// By symmetry the forces of all joints follow from two numbers at the crown, thrust H and its height. The arch stands where both can
/// be chosen so that at every joint the resultant has a pressure N >= 0, passes within the thickness, |M| <= N t/2 about the
/// middle, and |T| <= mu N. These are half-planes in (H, M): for a fixed H, bounds of M, whose gap is a concave function of H.
/// For n to infinity t/R = 0.1075 (Milankovitch 1907). With few blocks hinges cannot form where they would, and thinner
/// arches stand.

#include <picus/types.hpp>

namespace picus::models {

struct ArchShape {
  Index blocks;      ///< n, even or odd; joints at the angles pi i/n
  double thickness;  ///< t over the mean radius R, in (0, 1]
  double mu;
};

bool can_stand(const ArchShape& shape);

/// The least t/R with which an arch of n blocks stands, to 1e-9; friction must be enough to stand at t/R = 1.
double least_thickness(Index blocks, double mu);

/// Area, and distance of the centroid from the centre of the arch, of a sector of a ring with R = 1; its polar moment of area
/// about the centroid.
struct ArchBlock {
  double area, centroid, polar_moment;
};
ArchBlock arch_block(Index blocks, double thickness);

}  // namespace picus::models
