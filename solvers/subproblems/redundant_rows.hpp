#pragma once

/// The part of the rows of redundant constraints that no motion can change.
///
/// Where y^T G = 0 the residual y^T (G v + g_t) is what it is, whatever v. On the constraints it vanishes (redundant
/// constraints that contradict each other are refused at the start), but at predicted positions, off them by O(h^2), it
/// is of O(h^3), and at large steps it stands above the tolerance of the other rows. It is taken out of their residual.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/types.hpp>

#include <span>

namespace picus {

class RedundantRows {
 public:
  /// Knows none.
  void forget() { is_known_ = false; }
  bool is_known() const { return is_known_; }

  /// Finds a basis Y of the rows' left null space near the present configuration: from those of the start by two inverse
  /// iterations with the factors of the tangent that `solver` holds, in which the null space weighs 1 / epsilon (the
  /// proximal term) and all else 1. `rows` are the constraint rows that are solved for, scaled by `row_scale`, with their
  /// unknowns from `first_unknown` on. False where the start found no redundancy.
  bool find(LinearSolver& solver, Index unknowns, Index first_unknown, std::span<const Index> rows,
            const Vector& row_scale, std::span<const Redundancy> at_start);

  /// r -= Y Y^T r.
  void remove(Eigen::Ref<Vector> r) const;

 private:
  void orthonormalize();

  bool is_known_ = false;
  Eigen::MatrixXd basis_;  ///< a column for each redundancy
  Vector work_;
};

}  // namespace picus
