#pragma once

/// An impact of one contact with Coulomb friction in a plane, in closed form, by the laws of Newton and of Poisson
/// (Glocker and Pfeiffer, Nonlinear Dynamics 7 (1995) 471, for one contact):
///
///     u = u_0 + W P,   u = (normal, tangential) rates, m/s,   P = (normal, tangential) impulses, N s
///
/// Each phase either sticks or slides to one side, and the assumption that holds is found by trying all.

#include <picus/impact_law.hpp>

#include <Eigen/Core>

namespace picus::models {

struct PlanarImpact {
  Eigen::Matrix2d W;    ///< 1/kg, symmetric, positive definite
  Eigen::Vector2d u_0;  ///< before; the normal rate is negative
  double mu = 0.0;
  double e = 0.0;

  /// The impulse by Newton's law (normal rate -e times that before) or Poisson's (normal impulse of the expansion at least
  /// e times that of the compression); throws Error for another law, and where no assumption holds.
  Eigen::Vector2d impulse(ImpactLaw::Kind law) const;
  /// Change of the kinetic energy, J.
  double energy_change(const Eigen::Vector2d& P) const { return P.dot(u_0) + 0.5 * P.dot(W * P); }
};

}  // namespace picus::models
