#pragma once

/// Redundant constraints at positions that violate them.
///
/// On the constraints y^T G = 0 for each redundancy y, and the residual y^T (G v + g_t) vanishes for all v (incompatible
/// redundant constraints are rejected at the start). At a violation d of the constraints, y^T G is of the order of d:
/// the redundant equation becomes an additional one, with an inconsistency of the order of d h and in an arbitrary
/// direction, in which it stops the motion. Predicted positions violate constraints by O(h^2), those of schemes that
/// never correct positions by O(h) and more. Therefore the equations Y^T (G v + g_t) = 0 are left out, and Y^T x = 0
/// for the multipliers x of the rows takes their place:
///
///     [ A   -G^T   0 ] [ dv  ]   [ -r_v                ]
///     [ -G  -eps   Y ] [ dx  ] = [ -(I - Y Y^T) r_g    ]
///     [ 0    Y^T   0 ] [ tau ]   [ -Y^T x              ]

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
  /// Number of redundancies.
  Index count() const { return columns_of(basis_); }
  /// Y: one column per redundancy, orthonormal.
  const Eigen::MatrixXd& basis() const { return basis_; }

 private:
  void orthonormalize();

  bool is_known_ = false;
  Eigen::MatrixXd basis_;
  Vector work_;
};

/// Solves the bordered equations above from a solution without the border.
class RedundantBorder {
 public:
  /// Rows of one stage: their multipliers are unknowns from `first_unknown` on.
  struct Part {
    const RedundantRows* rows;
    Index first_unknown;
    Vector multipliers;  ///< x at the present iterate
  };

  /// Changes the solution `dx` for the residual r into that with the borders of all parts; `solver` holds the factors
  /// of the matrix without them.
  void apply(LinearSolver& solver, std::span<const Part> parts, Vector& dx);

 private:
  Eigen::MatrixXd response_;    ///< to a unit of each tau
  Eigen::MatrixXd multiplier_;  ///< Y^T dx of each response
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  Vector tau_;
};

}  // namespace picus
