#pragma once

#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/time_integrator.hpp>

#include <memory>

namespace picus {

/// Options of the scheme in addition to SchemeOptions.
struct SchatzmanPaoliOptions {
  /// Forces act at q_n o exp(theta d_{n+1}), in [0, 1]: 0 is the central difference method, stable for w h < 2 and of
  /// second order in smooth motion; from 1/2 on the scheme is stable for all steps and of first order.
  double theta = 0.5;

  /// All options as parameters.
  static const ParameterTable<SchatzmanPaoliOptions>& table();
};

/// The scheme of Schatzman and Paoli (2002; Acary's slides, eqs. 28 and 29) at position level, with two steps:
///
///     M (d_{n+1} - d_n) - h^2 f = G^T mu + G_c^T P,    q_{n+1} = q_n o exp(d_{n+1}),   v_{n+1} = (d_{n+1} + d_n)/(2 h)
///     g(q_{n+1}) = 0,      0 <= gap((q_{n+1} + e q_{n-1})/(1 + e))  _|_  P >= 0
///
/// with M, f and G at q_n o exp(theta d_{n+1}) and the velocity v_{n+1} (details: SchatzmanPaoliProblem). Constraints
/// are perfect: start() rejects friction. State::auxiliary is d_n / h; State::acceleration is the second difference of
/// q, including impacts and constraints. A step that does not converge tries the remedies for contacts (remedies.hpp),
/// and throws SolverError if they fail.
class SchatzmanPaoli : public TimeIntegrator {
 public:
  /// Throws OptionError for an option out of range.
  explicit SchatzmanPaoli(const SchemeOptions& options = {}, const SchatzmanPaoliOptions& own = {});
  ~SchatzmanPaoli() override;

  std::string_view name() const override { return "schatzman-paoli"; }
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"position-level"}; }
  FallbackNames fallback_names() const override { return remedy_names_without_cuts; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  std::span<const StepForces> step_forces() const override;
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 private:
  struct Workspace;
  void note_forces(const State& state);
  void begin(const State& state);
  void commit(State& state);

  SchemeOptions options_;
  SchatzmanPaoliOptions own_;
  StartFindings findings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace picus
