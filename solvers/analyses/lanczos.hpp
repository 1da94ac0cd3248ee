#pragma once

#include <picus/types.hpp>

#include <functional>

namespace picus::solvers {

/// Eigenvalues nearest to the shift first, with B-orthonormal eigenvectors as columns.
struct LanczosResult {
  Vector eigenvalues;
  Eigen::MatrixXd vectors;
};

/// Computes the `count` eigenvalues of A x = w B x nearest to `shift`, A and B symmetric, B positive semidefinite, by
/// the Lanczos method for (A - shift B)^-1 B [Ericsson and Ruhe 1980], with vectors of `size` entries. solve(b, x)
/// applies (A - shift B)^-1, which may impose constraints on x.
///
/// A Krylov space contains only one vector of each eigenspace. Therefore the iteration is repeated in the complement of
/// the vectors found until no nearer eigenvalue appears: multiple eigenvalues are found with their full multiplicity.
/// Fewer than `count` are returned if there are no more.
LanczosResult solve_lanczos(Index size, Index count, double shift,
                            const std::function<void(const Vector&, Vector&)>& solve,
                            const std::function<void(const Vector&, Vector&)>& multiply_B);

}  // namespace picus::solvers
