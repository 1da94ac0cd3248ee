#pragma once

/// Forces at the ends of a rope that slides over a drum (Euler 1769; Eytelwein 1808).
///
/// For a rope of radius rho on a drum of radius R, with r = R + rho, friction acts at the surface of the drum, and
/// its moment about the axis of the rope is carried by a shear force V. Per unit angle phi, with the normal force p,
/// neglecting inertia and bending stiffness:
///
///     T' = mu p R/r,   V = mu p rho/r,   p = T - V'
///
/// so T_2/T_1 = exp(lambda theta) with lambda (1 + lambda mu rho/r) = mu R/r, which is mu for a thin rope.

namespace picus::models {

/// The exponent lambda of the sliding rope, 1/rad.
double capstan_exponent(double mu, double drum_radius, double rope_radius);

/// The same for a chain of equal straight links, each of which touches the drum at its midpoint and is rotated by
/// `angle` (rad, > 0) relative to the preceding one: sinh(lambda angle) = mu sin(angle), for links without thickness.
double capstan_exponent_of_chain(double mu, double angle);

}  // namespace picus::models
