#pragma once

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/scales.hpp>
#include <picus/system.hpp>

#include <cmath>

namespace picus::solvers {

/// Energies below this fraction of the stiffness of the components are not distinguished from zero: it leaves six of the
/// digits of a singular matrix.
constexpr double indistinct_stiffness = 1e-10;

/// The motion of least strain energy.
struct SoftestMotion {
  bool found = false;  ///< false: the matrix cannot be factorised even with the added diagonal
  /// Natural layout; scaled so that the largest of translations over the model's size and of angles is 1.
  Vector x;
  double energy = 0.0;  ///< x^T K x
  double terms = 0.0;   ///< |x|^T |K| |x| + x^T stiffness x, with which the energy is compared
  Index dof = 0;        ///< the component with the largest motion
  /// Constraints and contacts leave no motion at all: this one violates them as far as their regularisation yields.
  bool is_held = false;
  bool is_small(double part) const { return !is_held && std::abs(energy) <= part * terms; }
};

/// Finds it by inverse iteration with the matrix [K -G^T k; -k G E] and a small fraction of `stiffness` (natural
/// layout, > 0) on its diagonal. Of several zero-energy motions the one driven by the forces `push` (natural layout) is
/// found; any if these are zero. `solver` has analysed the pattern of the matrix; its factors are overwritten.
SoftestMotion find_softest_motion(const System& system, const Scales& scales, const SparseMatrix& matrix,
                                  const Vector& stiffness, LinearSolver& solver, const Vector& push);

/// `x of node "bar"`, with the open contacts that would restrain the motion if closed, and those that
/// slide.
std::string describe_motion(const System& system, const Scales& scales, const SoftestMotion& motion,
                            const Gradients& contact_G, std::span<const ContactState> states);

}  // namespace picus::solvers
