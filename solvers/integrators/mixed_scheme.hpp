#pragma once

/// Mixed timestepping (Rezaei and Schindler; after Schindler and Acary 2013): a base scheme advances the system through
/// the step as if there were no impacts, with forces in joints and in contacts that are already closed. If a contact
/// has closed within the step, an impact at its end corrects the velocity,
///
///     M(q) (v - v^-) - G^T Lambda_b - G_c^T Lambda = 0,    G v + g_t = 0,
///     contact conditions between G_c v + e G_c v^- and Lambda for all closed contacts
///
/// with the v^- of the base scheme (eqs. 46 to 51). Positions are never corrected: constraints drift and contacts
/// penetrate by the amount of a step. A step that does not converge tries the remedies for contacts (remedies.hpp), and
/// throws SolverError if they fail.

#include <picus/solvers/integrators/mixed_base_step.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>

namespace picus {

class MixedScheme : public TimeIntegrator {
 public:
  /// Throws OptionError for an option out of range.
  explicit MixedScheme(const SchemeOptions& options = {}, const MixedOptions& own = {});

  std::string_view name() const override { return "mixed"; }
  std::span<const StepForces> step_forces() const override;
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"base", "impact"}; }
  FallbackNames fallback_names() const override { return remedy_names_of_mixed; }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 private:
  struct Workspace : SchemeWorkspace {
    Workspace(const System& system, const SchemeOptions& options, const MixedOptions& own,
              const Configuration& q);
    Solvable<PositionProblem> projection;  ///< projection of the initial state
    Solvable<VelocityProblem> impact;
    MixedBaseStep base;
    MixedBase::Motion motion;
    Vector gaps, rate_before, rate_shift;
    std::vector<char> active;
    std::vector<ContactState> closed, law;
  };
  void choose_pivots(const State& state);
  /// Whether a contact has closed in the step; lists all contacts closed at its end in `closed`.
  bool find_closed(const State& state);
  void solve_impact(StepReport& report);
  void commit(State& state, bool has_impact) const;

  SchemeOptions options_;
  MixedOptions own_;
  StartFindings findings_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace picus
