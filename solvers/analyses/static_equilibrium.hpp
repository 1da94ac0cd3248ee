#pragma once

/// Static equilibrium under incremental loading: a TimeIntegrator whose time is the load factor l.
///
///     -f(q, v = 0, t = l) - G^T lambda - G_c^T P = 0,   g(q, t = l) = 0,
///     0 <= g_N _|_ P_N >= 0,   Coulomb's law between P_T and the tangential displacement since the last increment
///
/// Loads (Force::Traits::is_load) are multiplied by l; driven components and constraints that depend on time
/// follow their motions at t = l. simulate(model, statics, {.until = 1.0}, ...) records every increment.
///
/// In the State, v and the acceleration are zero, constraint_force is lambda, contact_impulse is the contact force
/// times 1 s, reaction is the reaction force of fixed and driven components. docs/analyses.md describes the method.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/time_integrator.hpp>

#include <memory>
#include <optional>

namespace picus {

/// Options of a static analysis.
struct StaticEquilibriumOptions {
  int increments = 10;      ///< from load factor 0 to 1, >= 1
  double tolerance = 1e-8;  ///< relative force residual, in (0, 1e-2]
  /// Newton iterations of an increment before it is halved, 1 to 1000; default: 30, plus 5 for each contact, up to 400.
  std::optional<int> max_iterations = std::nullopt;
  int cuts = 10;  ///< how often an increment may be halved, 0 to 30; it grows again after easy ones
  /// false: loads act in full from the start, and only prescribed motions follow the time.
  bool ramp_loads = true;
  /// Angular velocity of a frame of reference that rotates steadily about the origin, inertial axes, rad/s: centrifugal
  /// and gyroscopic forces are added (its square is ramped as a load), and positions are those in the frame.
  std::optional<Vec3> angular_velocity = std::nullopt;
  /// Whether rigid-body motions and mechanisms without stiffness are allowed, which then keep their positions;
  /// otherwise they are an error that names one.
  bool allow_free_motions = false;
  /// k = p of the augmented Lagrangian divided by the effective stiffness of a row, > 0.
  double scaling = 1.0;
  double regularization = 1e-8;  ///< proximal term on active multipliers, relative, in [0, 1e-4]
  LinearSolverKind linear_solver = LinearSolverKind::automatic;  ///< automatic: by symmetry and size
};

namespace solvers {
struct StaticWorkspace;
}

class StaticEquilibrium : public TimeIntegrator {
 public:
  /// Options of the constructor.
  using Options = StaticEquilibriumOptions;

  /// Throws OptionError for an option out of range.
  explicit StaticEquilibrium(const Options& options = {});
  ~StaticEquilibrium() override;

  std::string_view name() const override { return "static"; }
  /// Load factor of an increment.
  double step_size() const override { return 1.0 / options_.increments; }
  TextEntries options() const override;
  bool is_static() const override { return true; }
  SubproblemNames subproblem_names() const override { return {"static"}; }
  FallbackNames fallback_names() const override { return {"step cut"}; }

  /// The equilibrium at load factor 0, or under full loads if they are not ramped. The initial configuration of the
  /// model need not satisfy the constraints.
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  /// The equilibrium at the next increment. Throws SolverError that names an unrestrained motion, or the load factor
  /// beyond which no equilibrium is found.
  StepReport step(State& state) override;
  /// Redundant constraints and singular positions found at the start.
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  /// Contacts that friction did not hold, and an unstable equilibrium at the first load.
  std::vector<std::string> step_warnings() const override { return step_warnings_; }
  void watch_path(const PathWatch& watch) override;
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 private:
  void measure_stiffness(const State& state);
  void renew_workspace(const System& system);

  Options options_;
  StartFindings findings_;
  PathWatch path_watch_;
  std::vector<std::string> step_warnings_;
  std::unique_ptr<solvers::StaticWorkspace> workspace_;
};

/// Computes the equilibrium under full loads by start() and all increments.
State find_equilibrium(const System& system, const StaticEquilibriumOptions& options = {});

}  // namespace picus
