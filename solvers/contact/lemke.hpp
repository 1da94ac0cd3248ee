#pragma once

/// The linear complementarity problem by complementary pivoting.

#include <picus/types.hpp>

#include <vector>

namespace picus {

enum class LemkeStatus : std::uint8_t {
  solved,
  ray,  ///< ray termination: for copositive-plus A (a compliance) no solution exists, for others none was found
  stuck,  ///< the limit on pivots was reached, which only rounding errors can cause
};

struct LemkeReport {
  LemkeStatus status = LemkeStatus::solved;
  int pivots = 0;
};

/// Finds z >= 0 with w = b + A z >= 0 and w z = 0 (Lemke 1965; Cottle, Pang and Stone, The Linear Complementarity
/// Problem, algorithm 4.4.5, covering vector of ones). Ties are broken lexicographically (section 4.9), so that
/// degenerate problems do not cycle. Solves every problem with a P-matrix or a strictly copositive matrix, and one with
/// a copositive-plus matrix (symmetric positive semidefinite, for example) whenever it is feasible. Rows should be of
/// similar scale.
class Lemke {
 public:
  /// For problems with up to `size` unknowns; solving allocates nothing.
  explicit Lemke(Index size);

  /// A is square, b and z have the same number of entries, at most `size`. z receives the solution, and is unchanged if
  /// there is none.
  LemkeReport solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Vector>& b,
                    Eigen::Ref<Vector> z);

 private:
  /// The row that blocks the variable `entering` first, -1 if none does.
  Index leaving_row(Index n, Index entering) const;
  void pivot(Index n, Index row, Index entering);

  /// Columns: right-hand side, w (initially the unit matrix, whose transformed rows break ties), z, covering variable.
  Eigen::MatrixXd tableau_;
  std::vector<Index> basis_;  ///< column of the basic variable of each row
};

}  // namespace picus
