#pragma once

/// Small vibrations about an equilibrium: K x = w^2 M x + G^T mu, G x = 0, with
///
///     K = -df/dq - d(G^T lambda)/dq - d(G_c^T P)/dq
///
/// at the forces of the equilibrium (geometric stiffness, curvature of constraints), for instance that which a
/// static analysis ends with:
///
///     const picus::System system(model);
///     picus::StaticEquilibrium statics;
///     const picus::State state = picus::simulate(model, statics, {.until = 1.0}).final_state;
///     const picus::VibrationModes modes = picus::find_vibration_modes(system, state, {.count = 6});
///
/// Nodes without mass, constraints (redundant ones too), motions that nothing resists and multiple eigenvalues are
/// normal. Damping and, in a rotating frame, Coriolis forces are left out; find_rotating_modes() has the latter.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <optional>

namespace picus {

/// Which modes are sought, and of what.
struct VibrationModesOptions {
  int count = 10;  ///< how many, >= 1; fewer are found if there are no more
  /// w^2 near which they are sought, 1/s2; by default a small negative value: the lowest ones.
  std::optional<double> shift = std::nullopt;
  bool holds_contacts = true;  ///< closed contacts stick, those without friction slide; false: none acts
  /// Of the frame of reference in which the state is an equilibrium, rad/s; centrifugal stiffness is in K.
  std::optional<Vec3> angular_velocity = std::nullopt;
  LinearSolverKind linear_solver = LinearSolverKind::automatic;  ///< automatic: by symmetry and size
  /// With at most this many components that have mass, all modes at once; beyond, Lanczos.
  int dense_limit = 400;
};

struct VibrationModes {
  Vector eigenvalues;      ///< w^2, ascending, 1/s2; negative: unstable, x grows as exp(sqrt(-w^2) t)
  Vector frequencies;      ///< sqrt(w^2)/(2 pi), Hz; -sqrt(-w^2)/(2 pi) of unstable ones
  Eigen::MatrixXd shapes;  ///< a column each, all velocity components (Node::v), x^T M x = 1
  Vector residuals;        ///< |K x - w^2 M x - G^T mu| over the sum of the magnitudes of the terms
  /// Largest |K - K^T| over largest |K|; K is made symmetric. Follower loads are what makes it unsymmetric.
  double asymmetry = 0.0;
};

/// `state` is an equilibrium, as StaticEquilibrium leaves it. Throws OptionError for a bad option, SolverError for a
/// state out of balance, a singular matrix or a mode that misses its equation by more than 1e-6.
VibrationModes find_vibration_modes(const System& system, const State& state,
                                    const VibrationModesOptions& options = {});

/// Modes in a steadily rotating frame with Coriolis and other gyroscopic forces and with damping,
///
///     (s^2 M + s C + K) x = G^T mu,   G x = 0,   q(t) = q o Re(x exp(s t)).
///
/// Solved densely, in O(n^3) of all components.
struct RotatingModes {
  Eigen::VectorXcd eigenvalues;  ///< s with Im s >= 0, of ascending imaginary part, 1/s
  Vector frequencies;            ///< Im s/(2 pi), Hz
  Vector growth_rates;           ///< Re s, 1/s: > 0 is unstable
  Eigen::MatrixXcd shapes;       ///< all velocity components, x^H M x = 1
  Vector residuals;              ///< as those of VibrationModes
};
/// The equilibrium `state` of the frame that options.angular_velocity says; shift and dense_limit are not used. Throws
/// SolverError for a state out of balance, and where the eigenvalues are not found.
RotatingModes find_rotating_modes(const System& system, const State& state,
                                  const VibrationModesOptions& options);

}  // namespace picus
