#pragma once

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/scales.hpp>
#include <picus/system.hpp>

namespace picus::solvers {

/// The motion that a structure resists least.
struct SoftestMotion {
  bool found = false;  ///< false: the matrix cannot be factorised even with the added diagonal
  Vector x;  ///< natural layout; the largest of translations over the model's size and of angles is 1
  double energy = 0.0;  ///< |x^T K x|
  double terms = 0.0;   ///< |x|^T |K| |x| + x^T stiffness x, to which the energy is compared
  Index dof = 0;        ///< the component of the largest motion
  bool is_small(double part) const { return energy <= part * terms; }
};

/// By inverse iteration with the matrix [K -G^T k; -k G E] and a small part of `stiffness` (natural layout,
/// > 0) on its diagonal. Of several free motions the one is found that the forces `push` (natural layout) drive; zero:
/// any. `solver` has analysed the pattern of the matrix; its factors are lost.
SoftestMotion find_softest_motion(const System& system, const Scales& scales, const SparseMatrix& matrix,
                                  const Vector& stiffness, LinearSolver& solver, const Vector& push);

/// `nothing holds x of node "bar"`, with the contacts that are open and would.
std::string describe_free_motion(const System& system, const SoftestMotion& motion,
                                 const Gradients& contact_G, std::span<const ContactState> states);

}  // namespace picus::solvers
