#pragma once

/// The linear complementarity problem by complementary pivoting.

#include <picus/types.hpp>

#include <vector>

namespace picus {

enum class LemkeStatus : std::uint8_t {
  solved,
  ray,  ///< no pivot is left: for copositive-plus A (a compliance) there is no solution, for others none was found
  stuck,  ///< the limit of pivots was reached, which only rounding errors can cause
};

struct LemkeReport {
  LemkeStatus status = LemkeStatus::solved;
  int pivots = 0;
};

/// Finds z >= 0 with w = b + A z >= 0 and w z = 0 (Lemke 1965; Cottle, Pang and Stone, The Linear Complementarity
/// Problem, algorithm 4.4.5, covering vector of ones). Ties are broken lexicographically (section 4.9), so that
/// degenerate problems do not cycle. Solves every problem with a P-matrix or a strictly copositive one, and one that is
/// copositive-plus (symmetric positive semidefinite, for example) whenever it is feasible. Rows should be scaled alike.
class Lemke {
 public:
  /// For problems up to `size` unknowns; solving allocates nothing.
  explicit Lemke(Index size);

  /// A is square, b and z have as many entries, at most `size`. z receives the outcome if it is solved and is left
  /// otherwise.
  LemkeReport solve(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Vector>& b,
                    Eigen::Ref<Vector> z);

 private:
  /// The row in which `entering` is blocked first, -1 if in none.
  Index leaving_row(Index n, Index entering) const;
  void pivot(Index n, Index row, Index entering);

  /// Columns: right-hand side, w (of a start they are the unit matrix, whose images break ties), z, covering variable.
  Eigen::MatrixXd tableau_;
  std::vector<Index> basis_;  ///< column of the variable that is basic in a row
};

}  // namespace picus
