#pragma once

#include <picus/system.hpp>

namespace picus::solvers {

/// The damping of all forces for small velocities along shapes (natural layout, one column each) at the initial
/// configuration: a symmetric matrix, from differences that leave out terms quadratic in the velocity. `eigenvalues`,
/// 1/s2, determine what counts as rounding error: the matrix is then exactly zero.
Eigen::MatrixXd project_damping(const System& system, const Eigen::MatrixXd& shapes,
                                const Vector& eigenvalues);

}  // namespace picus::solvers
