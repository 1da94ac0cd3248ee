#pragma once

/// Forces at the ends of a rope that slides over a drum (Euler 1769; Eytelwein 1808).
///
/// Of a rope of radius rho on a drum of radius R, with r = R + rho, friction acts at the surface of the drum, and its moment
/// about the axis of the rope is carried by a shear force V. Per angle phi, with the normal force p and without inertia and stiffness
/// in bending:
///
///     T' = mu p R/r,   V = mu p rho/r,   p = T - V'
///
/// so T_2/T_1 = exp(lambda theta) with lambda (1 + lambda mu rho/r) = mu R/r, which is mu for a thin rope.

namespace picus::models {

/// lambda, 1/rad, of the sliding rope.
double capstan_exponent(double mu, double drum_radius, double rope_radius);

/// The same for each link of a chain of equal straight links, each of which touches a drum in its middle and turns by `angle`
/// (rad, > 0) against the one before it: sinh(lambda angle) = mu sin(angle), for links without thickness.
double capstan_exponent_of_chain(double mu, double angle);

}  // namespace picus::models
