#pragma once

/// Small vibrations about an equilibrium: K x = w^2 M x + G^T mu, G x = 0, with
///
///     K = -df/dq - d(G^T lambda)/dq - d(G_c^T P)/dq
///
/// with the forces of the equilibrium (geometric stiffness, curvature of constraints), for instance the final state of
/// a static analysis:
///
///     const picus::System system(model);
///     picus::StaticEquilibrium statics;
///     const picus::State state = picus::simulate(model, statics, {.until = 1.0}).final_state;
///     const picus::VibrationModes modes = picus::find_vibration_modes(system, state, {.count = 6});
///
/// Massless nodes, constraints (including redundant ones), zero-energy motions (rigid bodies, mechanisms) and multiple
/// eigenvalues are allowed. Damping and, in a rotating frame, Coriolis forces are neglected; find_rotating_modes()
/// includes them.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <optional>

namespace picus {

/// Options of a modal analysis.
struct VibrationModesOptions {
  int count = 10;  ///< number of modes, >= 1; fewer are found if there are no more
  /// w^2 near which modes are sought, 1/s2; by default a small negative value: the lowest modes.
  std::optional<double> shift = std::nullopt;
  /// Closed contacts stick, frictionless ones slide; false: contacts are ignored.
  bool holds_contacts = true;
  /// Angular velocity of the frame of reference in which the state is an equilibrium, rad/s; K includes centrifugal
  /// stiffness.
  std::optional<Vec3> angular_velocity = std::nullopt;
  LinearSolverKind linear_solver = LinearSolverKind::automatic;  ///< automatic: by symmetry and size
  /// Up to this many components with mass all modes are computed by a dense solver; beyond, the Lanczos method is used.
  int dense_limit = 400;
};

struct VibrationModes {
  Vector eigenvalues;      ///< w^2, ascending, 1/s2; negative: unstable, x grows as exp(sqrt(-w^2) t)
  Vector frequencies;      ///< sqrt(w^2)/(2 pi), Hz; -sqrt(-w^2)/(2 pi) for unstable modes
  Eigen::MatrixXd shapes;  ///< one column per mode, all velocity components (Node::v), x^T M x = 1
  /// |K x - w^2 M x - G^T mu| over the sum of the magnitudes of the terms, or over 1e-6 of the shift times M x if that
  /// is larger: motions that nothing resists leave rounding errors of it.
  Vector residuals;
  /// Rounding error of the eigenvalue of a motion without stiffness, 1/s2: w^2 within +-roundings[i] cannot be
  /// distinguished from 0.
  Vector roundings;
  /// Largest |K - K^T| over largest |K| before K is symmetrised. Follower loads make it unsymmetric.
  double asymmetry = 0.0;
};

/// `state` is an equilibrium, as computed by StaticEquilibrium. Throws OptionError for an invalid option, SolverError
/// for a state that is not an equilibrium, a singular matrix or a mode with a residual above 1e-6.
VibrationModes find_vibration_modes(const System& system, const State& state,
                                    const VibrationModesOptions& options = {});

/// Modes in a steadily rotating frame, with Coriolis and other gyroscopic forces and with damping,
///
///     (s^2 M + s C + K) x = G^T mu,   G x = 0,   q(t) = q o Re(x exp(s t)).
///
/// Solved by a dense method, O(n^3) in the number of components.
struct RotatingModes {
  Eigen::VectorXcd eigenvalues;  ///< s with Im s >= 0, in order of ascending imaginary part, 1/s
  Vector frequencies;            ///< Im s/(2 pi), Hz
  Vector growth_rates;           ///< Re s, 1/s; > 0: unstable
  Eigen::MatrixXcd shapes;       ///< all velocity components, x^H M x = 1
  Vector residuals;              ///< as in VibrationModes
};
/// `state` is an equilibrium in the frame with options.angular_velocity; shift and dense_limit are not used. Throws
/// SolverError for a state that is not an equilibrium, and where the eigenvalues are not found.
RotatingModes find_rotating_modes(const System& system, const State& state,
                                  const VibrationModesOptions& options);

}  // namespace picus
