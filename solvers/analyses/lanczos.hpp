#pragma once

#include <picus/types.hpp>

#include <functional>

namespace picus::solvers {

/// B-orthonormal eigenvectors as columns, nearest to the shift first.
struct LanczosResult {
  Vector eigenvalues;
  Eigen::MatrixXd vectors;
};

/// Of A x = w B x, A and B symmetric, B positive semidefinite, the `count` eigenvalues nearest to `shift` by the
/// Lanczos method on (A - shift B)^-1 B [Ericsson and Ruhe 1980], with vectors of `size` entries. solve(b, x) is
/// (A - shift B)^-1, which may impose constraints on x.
///
/// A Krylov space holds one vector of each eigenspace only. So the iteration is repeated in the complement of what
/// is found until it finds nothing nearer: multiple eigenvalues come in full number. Fewer are returned when there
/// are no more.
LanczosResult solve_lanczos(Index size, Index count, double shift,
                            const std::function<void(const Vector&, Vector&)>& solve,
                            const std::function<void(const Vector&, Vector&)>& multiply_B);

}  // namespace picus::solvers
