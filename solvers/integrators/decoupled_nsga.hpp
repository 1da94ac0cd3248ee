#pragma once

/// The decoupled nonsmooth generalized-alpha scheme (DS; Cosimo and others 2020, Galvez 2020 chapters 3 and
/// 4).
///
/// Each step solves three sub-problems one after another: the smooth motion (second order, bilateral
/// constraints at velocity level), the position correction (constraints, gaps and friction at position level)
/// and the velocity jump (constraints and impact law at velocity level). docs/theory.md writes them out as
/// implemented.

#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/time_integrator.hpp>

#include <functional>
#include <memory>

namespace picus {

/// Which remedies a stalled solve may use; all by default.
struct FallbackPolicy {
  bool smaller_scaling = true;
  bool last_active_set = true;
  bool first_order = true;
  int step_cuts = 4;  ///< how often a step may be halved, 0 to 10
};

/// `automatic` reuses in sub-problems of some size, where a factorisation costs more than a few iterations.
/// With reuse a run that goes on from a saved state agrees to the tolerance of the sub-problems, without it
/// bit for bit.
enum class TangentReuse : std::uint8_t { automatic, never, always };

struct DecoupledNsgaOptions {
  double step = 1e-4;            ///< h, s, > 0
  double rho_inf = 0.8;          ///< spectral radius at infinite frequency, in [0, 1]: 1 keeps, 0 annihilates
  double tolerance = 1e-8;       ///< of each sub-problem, relative to the motion over a step, in (0, 1e-2]
  int max_iterations = 25;       ///< Newton iterations of a solve before fallbacks, 1 to 1000
  double scaling = 1.0;          ///< k = p of the augmented Lagrangian over the effective mass of a row, > 0
  double regularization = 1e-8;  ///< proximal term on active multipliers, relative, in [0, 1e-2]
  LinearSolverKind linear_solver = LinearSolverKind::automatic;
  /// Whether factors of earlier tangents, also of earlier steps, serve as long as the iterations converge
  /// well.
  TangentReuse reuse = TangentReuse::automatic;
  FallbackPolicy fallbacks;
  /// Wraps each linear solver when it is made, e.g. to record the matrices of a run; empty: no wrapping.
  std::function<std::unique_ptr<LinearSolver>(std::unique_ptr<LinearSolver>)> wrap_linear_solver;
};

class DecoupledNsga : public TimeIntegrator {
 public:
  using Options = DecoupledNsgaOptions;

  /// Throws OptionError for an option out of its range.
  explicit DecoupledNsga(const Options& options = {});
  ~DecoupledNsga() override;

  std::string_view name() const override { return "ds"; }
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  State start(const System& system) override;
  StepReport step(State& state) override;
  /// Redundant constraints and singular positions of the start.
  std::vector<std::string> warnings() const override { return warnings_; }

  /// Statistics of the linear solver of sub-problem 0 (smooth), 1 (position) or 2 (velocity); after start().
  const LinearSolverStatistics& linear_statistics(int subproblem) const;

  struct Workspace;

 private:
  Options options_;
  std::vector<std::string> warnings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace picus
