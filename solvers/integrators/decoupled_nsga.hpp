#pragma once

/// The decoupled nonsmooth generalized-alpha scheme (DS; Cosimo and others 2020, Galvez 2020 chapters 3 and
/// 4).
///
/// Each step solves three sub-problems one after another: the smooth motion (second order, bilateral
/// constraints at velocity level), the position correction (constraints, gaps and friction at position level)
/// and the velocity jump (constraints and impact law at velocity level). docs/theory.md writes them out as
/// implemented.

#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/time_integrator.hpp>

#include <memory>

namespace picus {

/// `automatic` reuses in sub-problems of some size, where a factorisation costs more than a few iterations.
/// With reuse a run that goes on from a saved state agrees to the tolerance of the sub-problems, without it
/// bit for bit.
enum class TangentReuse : std::uint8_t {
  automatic,  ///< from 5000 nonzeros on, in sub-problems with contacts from 1000 unknowns on
  never,      ///< every iteration has its own factors
  always,     ///< at any size
};

/// The scheme and two that the thesis compares with it.
enum class DecoupledVariant : std::uint8_t {
  complete,                   ///< DS, the scheme itself
  without_force_changes,      ///< DSn: f^p = f* = 0 (Galvez 2020, eq. 3.32)
  without_position_friction,  ///< NSGA-NP: friction at velocity level only (section 4.2.1); sticking bodies creep
};

/// What it has beside the options of all schemes.
struct DecoupledNsgaOptions {
  double rho_inf = 0.8;  ///< spectral radius at infinite frequency, in [0, 1]: 1 keeps, 0 annihilates
  /// Whether factors of earlier tangents, also of earlier steps, serve as long as the iterations converge
  /// well.
  TangentReuse reuse = TangentReuse::automatic;
  int step_cuts = 4;                                      ///< how often a step may be halved, 0 to 10
  DecoupledVariant variant = DecoupledVariant::complete;  ///< a scheme of its own to make_integrator()

  /// All but the variant as parameters.
  static const ParameterTable<DecoupledNsgaOptions>& table();
};

namespace solvers {
struct NsgaWorkspace;
}

class DecoupledNsga : public TimeIntegrator {
 public:
  /// Throws OptionError for an option out of its range.
  explicit DecoupledNsga(const SchemeOptions& options = {}, const DecoupledNsgaOptions& own = {});
  ~DecoupledNsga() override;

  /// "ds", or "dsn" and "ds-np" of the variants.
  std::string_view name() const override;
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"smooth", "position", "velocity"}; }
  ForceRule force_rule() const override;
  FallbackNames fallback_names() const override { return remedy_names; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  /// Redundant constraints and singular positions of the start.
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
