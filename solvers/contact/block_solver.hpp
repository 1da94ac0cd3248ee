#pragma once

/// Solves systems with the block matrices of contact problems: KLU for small ones, UMFPACK for others.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

#include <memory>
#include <vector>

namespace picus::solvers {

class BlockSolver {
 public:
  /// `refinements`: number of iterative refinement steps in each solve.
  explicit BlockSolver(int refinements = 0) : refinements_(refinements) {}

  /// Orders the unknowns, unless the pattern is that of the last call.
  void analyze(const SparseMatrix& matrix);
  /// Factorises a matrix with the analysed pattern, which solve() also uses; false if a pivot is zero or a value not
  /// finite.
  bool factorize(const SparseMatrix& matrix);
  /// Overwrites b with the solution.
  void solve(Vector& b);

 private:
  int refinements_;
  std::unique_ptr<LinearSolver> solver_;
  std::vector<Index> column_start_, row_;
  const SparseMatrix* matrix_ = nullptr;
  Vector b_, residual_;
};

}  // namespace picus::solvers
