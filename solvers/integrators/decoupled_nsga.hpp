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

/// The remedies that a step may need, in the order in which they are tried.
enum class Fallback : std::uint8_t {
  open_contacts,    ///< restart without contact multipliers, where those of the last step mislead
  smaller_scaling,  ///< the same with k and p a hundred times smaller
  interior_point,   ///< the problem of the contacts alone by an interior-point method
  no_restitution,   ///< the same without restitution, which redundant contacts may not admit
  step_cut,         ///< the step in two halves
  accepted,         ///< the best iterate of all attempts, above its tolerance
};
/// As results and summaries call them, in the order of Fallback.
inline constexpr FallbackNames remedy_names = {"open contacts",  "smaller scaling",
                                               "interior point", "no restitution",
                                               "step cut",       "accepted above tolerance"};
/// The same of schemes that do not cut their steps.
inline constexpr FallbackNames remedy_names_without_cuts = {
    "open contacts", "smaller scaling", "interior point", "no restitution", "", "accepted above tolerance"};

/// Which remedies a stalled solve may use; all by default.
struct FallbackPolicy {
  bool open_contacts =
      true;  ///< the solve again from open contacts, not from the multipliers of the last step
  bool smaller_scaling = true;  ///< the same with k and p divided by 100
  bool interior_point = true;   ///< the solve again, condensed to its contacts, by an interior-point method
  /// The same without the law of impact, at first of contacts that were closed before, then of all: redundant ones may
  /// demand what none of them can give.
  bool no_restitution = true;
  int step_cuts = 4;  ///< how often a step may be halved, 0 to 10; of the decoupled scheme
  /// The best iterate of all attempts is accepted, as the last of the remedies, if its residual is at most so many
  /// times its tolerance: 1 (never) to 1e6.
  double accepted_residual = 1000.0;
};

/// `automatic` reuses in sub-problems of some size, where a factorisation costs more than a few iterations.
/// With reuse a run that goes on from a saved state agrees to the tolerance of the sub-problems, without it
/// bit for bit.
enum class TangentReuse : std::uint8_t {
  automatic,  ///< from 1000 unknowns on
  never,      ///< every iteration has its own factors
  always,     ///< at any size
};

/// The scheme and two that the thesis compares with it.
enum class DecoupledVariant : std::uint8_t {
  complete,                   ///< DS, the scheme itself
  without_force_changes,      ///< DSn: f^p = f* = 0 (Galvez 2020, eq. 3.32)
  without_position_friction,  ///< NSGA-NP: friction at velocity level only (section 4.2.1); sticking bodies creep
};

/// Step, tolerances and remedies, of this and of the other schemes.
struct DecoupledNsgaOptions {
  double step = 1e-4;            ///< h, s, > 0
  double rho_inf = 0.8;          ///< spectral radius at infinite frequency, in [0, 1]: 1 keeps, 0 annihilates
  double tolerance = 1e-8;       ///< of each sub-problem, relative to the motion over a step, in (0, 1e-2]
  int max_iterations = 25;       ///< Newton iterations of a solve before fallbacks, 1 to 1000
  double scaling = 1.0;          ///< k = p of the augmented Lagrangian over the effective mass of a row, > 0
  double regularization = 1e-8;  ///< proximal term on active multipliers, relative, in [0, 1e-2]
  LinearSolverKind linear_solver = LinearSolverKind::automatic;  ///< automatic: by symmetry and size
  /// Whether factors of earlier tangents, also of earlier steps, serve as long as the iterations converge
  /// well.
  TangentReuse reuse = TangentReuse::automatic;
  FallbackPolicy fallbacks;                               ///< what to do when a solve does not converge
  DecoupledVariant variant = DecoupledVariant::complete;  ///< of the scheme
  /// Wraps each linear solver when it is made, e.g. to record the matrices of a run; empty: no wrapping. Returning null makes
  /// start() throw OptionError.
  std::function<std::unique_ptr<LinearSolver>(std::unique_ptr<LinearSolver>)> wrap_linear_solver;
};

struct NsgaWorkspace;

class DecoupledNsga : public TimeIntegrator {
 public:
  /// What the constructor takes.
  using Options = DecoupledNsgaOptions;

  /// Throws OptionError for an option out of its range.
  explicit DecoupledNsga(const Options& options = {});
  ~DecoupledNsga() override;

  /// "ds", or "dsn" and "ds-np" of the variants.
  std::string_view name() const override;
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"smooth", "position", "velocity"}; }
  FallbackNames fallback_names() const override { return remedy_names; }
  State start(const System& system) override;
  StepReport step(State& state) override;
  /// Redundant constraints and singular positions of the start.
  std::vector<std::string> warnings() const override { return warnings_; }

  /// Statistics of the linear solver of sub-problem 0 (smooth), 1 (position) or 2 (velocity); after start().
  const LinearSolverStatistics& linear_statistics(int subproblem) const;

 private:
  Options options_;
  std::vector<std::string> warnings_;
  std::unique_ptr<NsgaWorkspace> workspace_;
};

}  // namespace picus
