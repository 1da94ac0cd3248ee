#pragma once

/// The frictional contact problem by block Gauss-Seidel: each contact in turn (contact_order.hpp) is solved exactly with the others as
/// they are, and
/// sweeps are combined by Anderson's acceleration (Walker and Ni 2011): the combination of the last ones whose change is least.
/// Of heaps of spheres most problems take some dozens of sweeps to ten digits; plain sweeps, which gain a digit in hundreds, do not end.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/contact/contact_order.hpp>
#include <picus/solvers/contact/delassus_operator.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

struct GaussSeidelOptions {
  int max_sweeps = 200;
  double tolerance = 1.0;  ///< of the residual of the law, weighted
  /// It ends where so many sweeps have not halved the least residual.
  int patience = 40;
  const Threads* threads = nullptr;  ///< share the sweeps; null: there are none
};

struct GaussSeidelReport {
  bool converged = false;
  int sweeps = 0;
  double residual = 0.0;  ///< of the law, weighted, before the last sweep
};

/// Solves for P from the P given; cones in the order of the contacts of W, their first_row is not used. `weight`: 1 over the tolerance
/// of each row of the equations of the law (augmented_law.hpp).
class GaussSeidel {
 public:
  GaussSeidelReport solve(std::span<const ContactCone> cones, const DelassusOperator& W, const Vector& b,
                          const Vector& weight, Vector& P, const GaussSeidelOptions& options = {});

 private:
  static constexpr int depth = 15;  ///< sweeps that are combined

  double sweep(const Threads* threads);
  double solve_contact(Index contact);
  void accelerate();

  std::span<const ContactCone> cones_;
  const DelassusOperator* W_ = nullptr;
  ContactOrder order_;
  std::vector<double> worst_;  ///< residual of each task of the order
  const Vector* b_ = nullptr;
  const Vector* weight_ = nullptr;
  Vector* P_ = nullptr;
  Vector scale_;                                       ///< of P, so that changes are energies
  Vector start_, change_, last_change_, last_result_;  ///< of a sweep, scaled
  Eigen::MatrixXd changes_, results_;                  ///< differences of the last sweeps, scaled
  Eigen::MatrixXd gram_;
  int stored_ = 0, next_ = 0;
  bool has_last_ = false;
};

}  // namespace picus::solvers
