#pragma once

/// The decoupled nonsmooth generalized-alpha scheme (DS; Cosimo and others 2020, Galvez 2020 chapters 3 and
/// 4).
///
/// Each step solves three sub-problems one after another: the smooth motion (second order, bilateral constraints at
/// velocity level), the position correction (constraints, gaps and friction at position level) and the velocity jump
/// (constraints and impact law at velocity level). docs/theory.md gives their equations as implemented.

#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/time_integrator.hpp>

#include <memory>

namespace picus {

/// Reuse of factorised tangents (modified Newton). `automatic` reuses them in larger sub-problems, where a
/// factorisation costs more than a few iterations. With reuse a run resumed from a saved state agrees to the tolerance
/// of the sub-problems, without it bit for bit.
enum class TangentReuse : std::uint8_t {
  automatic,  ///< for 5000 nonzeros and more, in sub-problems with contacts for 1000 unknowns and more
  never,      ///< factorise in every iteration
  always,     ///< for any size
};

/// The scheme, two variants that the thesis compares with it, and one that it proposes.
enum class DecoupledVariant : std::uint8_t {
  complete,                   ///< DS, the scheme itself
  without_force_changes,      ///< DSn: f^p = f* = 0 (Galvez 2020, eq. 3.32)
  without_position_friction,  ///< NSGA-NP: friction at velocity level only (section 4.2.1); sticking bodies creep
  at_acceleration_level,      ///< DS-A: closed contacts in the smooth motion (section 6.2, reference [71])
};

/// Options of the scheme in addition to SchemeOptions.
struct DecoupledNsgaOptions {
  /// Spectral radius at infinite frequency, in [0, 1]; 1: no dissipation, 0: annihilation.
  double rho_inf = 0.8;
  /// Whether factors of earlier tangents, including those of earlier steps, are used as long as the iterations converge
  /// well.
  TangentReuse reuse = TangentReuse::automatic;
  int step_cuts = 4;                                      ///< how often a step may be halved, 0 to 10
  DecoupledVariant variant = DecoupledVariant::complete;  ///< a separate scheme name in make_integrator()

  /// All options except the variant as parameters.
  static const ParameterTable<DecoupledNsgaOptions>& table();
};

namespace solvers {
struct NsgaWorkspace;
}

class DecoupledNsga : public TimeIntegrator {
 public:
  /// Throws OptionError for an option out of range.
  explicit DecoupledNsga(const SchemeOptions& options = {}, const DecoupledNsgaOptions& own = {});
  ~DecoupledNsga() override;

  /// "ds", or "dsn", "ds-np" and "ds-a" for the variants.
  std::string_view name() const override;
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"smooth", "position", "velocity"}; }
  std::span<const StepForces> step_forces() const override;
  FallbackNames fallback_names() const override { return remedy_names; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  /// Redundant constraints and singular positions found at the start.
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

  /// Statistics of the linear solver of sub-problem 0 (smooth), 1 (position) or 2 (velocity); after start().
  const LinearSolverStatistics& linear_statistics(int subproblem) const;

 private:
  SchemeOptions options_;
  DecoupledNsgaOptions own_;
  StartFindings findings_;
  std::unique_ptr<solvers::NsgaWorkspace> workspace_;
};

}  // namespace picus
