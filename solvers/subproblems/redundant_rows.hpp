#pragma once

/// The component of the residual of redundant constraints that no motion can change.
///
/// If y^T G = 0 the residual y^T (G v + g_t) is independent of v. It vanishes for positions that satisfy the
/// constraints (incompatible redundant constraints are rejected at the start), but at predicted positions, which
/// violate them by O(h^2), it is O(h^3), and with large steps it exceeds the tolerance of the rows. It is removed from
/// their residual.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/types.hpp>

#include <span>

namespace picus {

class RedundantRows {
 public:
  /// Discards the basis.
  void forget() { is_known_ = false; }
  bool is_known() const { return is_known_; }

  /// Computes a basis Y of the left null space of the rows at the present configuration, from that of the start by two
  /// inverse iterations with the factors of the tangent held by `solver`, which amplify the null space by 1 / epsilon
  /// (the proximal term) and all else by 1. `rows` are the active constraint rows, scaled by `row_scale`, with their
  /// unknowns from `first_unknown` on. False if no redundancy was found at the start.
  bool find(LinearSolver& solver, Index unknowns, Index first_unknown, std::span<const Index> rows,
            const Vector& row_scale, std::span<const Redundancy> at_start);

  /// r -= Y Y^T r.
  void remove(Eigen::Ref<Vector> r) const;

 private:
  void orthonormalize();

  bool is_known_ = false;
  Eigen::MatrixXd basis_;  ///< one column per redundancy
  Vector work_;
};

}  // namespace picus
