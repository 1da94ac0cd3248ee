#pragma once

/// The linear frictional contact problem solved by projected Gauss-Seidel sweeps: slow, but it does not cycle
/// where a Newton method does.

#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/types.hpp>

#include <span>

namespace picus {

struct GaussSeidelOptions {
  int max_sweeps = 2000;
  double tolerance = 1e-12;  ///< change of P in a sweep, relative to the largest P
};

/// Finds P with y = b + A P that satisfies, contact by contact, 0 <= y_N, P_N >= 0, y_N P_N = 0 and Coulomb's
/// law between y_T and P_T (A: compliance of the contact rows, symmetric positive semidefinite; a disabled
/// cone keeps P = 0). P holds the start and receives the outcome. Returns the sweeps made.
int solve_gauss_seidel(std::span<const ContactCone> cones, const Eigen::MatrixXd& A, const Vector& b,
                       Vector& P, const GaussSeidelOptions& options = {});

}  // namespace picus
