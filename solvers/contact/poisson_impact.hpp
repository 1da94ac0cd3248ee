#pragma once

/// Impacts after Poisson in two phases with Coulomb friction (Glocker and Pfeiffer, Nonlinear Dynamics 7 (1995) 471):
///
///     compression   u_C = u_0 + W P_C,   0 <= P_C,N  perpendicular to  u_C,N >= 0,   |P_C,T| <= mu P_C,N
///     expansion     u = u_C + W P_E,     P_E,N >= a = e P_C,N,   perpendicular to  u_N >= 0,   |P_E,T| <= mu P_E,N
///
/// where friction opposes the sliding at the end of its phase. The second problem has the cones of the first with apexes
/// moved to a. Compression never gains energy. With different e, or friction, the expansion may give back more than
/// was lost (Glocker 2001); then a = s e P_C,N with the largest s < 1 for which the impact does not gain energy.
///
/// Both problems have solutions: W and u_0 are those of a body that moves, so that impulses that jam it do no work. Where the
/// solvers of heaps do not find one (mechanisms with as few degrees of freedom as contacts, with much friction), pyramids
/// in place of the cones give a start from which Newton's method does.

#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/contact/friction_pyramids.hpp>
#include <picus/solvers/contact/impact.hpp>

#include <vector>

namespace picus::solvers {

struct PoissonReport {
  bool converged = false;  ///< both phases were solved
  double restored = 1.0;   ///< s
};

class PoissonImpact {
 public:
  /// Computes the impulses P of both phases.
  PoissonReport solve(const Impact& impact, Vector& P);

 private:
  void begin(const Impact& impact);
  bool compress(const Impact& impact);
  /// Solves the expansion with a = s e P_C,N.
  bool expand(const Impact& impact, double s);
  /// Solves from friction pyramids; P is replaced only by a better solution. Returns the residual at P.
  double solve_from_pyramids(const Impact& impact, const Vector& u, double before, Vector& P);
  /// Largest weighted residual of the law with u + W P; infinite if P is not a number or so large that rates are
  /// rounding errors.
  double residual(const Vector& u, const Vector& P);

  DelassusOperator W_;
  std::vector<ContactCone> cones_;
  ContactSolver compression_;
  GaussSeidel sweeps_;
  ContactNewton newton_;
  FrictionPyramids pyramids_;
  std::vector<double> apexes_;
  double speed_ = 0.0;  ///< largest before the impact
  Vector diagonal_;     ///< of W
  Vector P_C_, P_E_, u_C_, weight_, best_, start_, y_, r_;
};

}  // namespace picus::solvers
