#pragma once

/// The original nonsmooth generalized-alpha scheme of Bruels, Acary and Cardona (2014) as Galvez 2020 describes
/// it (CS; sections 3.2 and 3.3, smooth motion after eq. 3.5):
///
///     M(q) dv~ - f(q, v, t) - G(q)^T lambda = 0,    G(q) v~ + g_t = 0           at the total q and v
///     M(q) U - G^T nu = 0,        g(q) = 0,         contact conditions between gaps and nu
///     M(q) W - G^T Lambda = 0,    G v + g_t = 0,    contact conditions between rates and Lambda
///
/// with q = q~ o U and v = v~ + W. The three sub-problems are coupled. In each joint iteration every sub-problem that
/// is not solved yet makes one Newton step, with its own tangent only, one after another, until all three are solved.
/// If this has not converged after `max_iterations` joint iterations and there are contacts, they are solved in turn
/// with the remedies for contacts (remedies.hpp); if this also fails, the step throws SolverError.

#include <picus/solvers/integrators/scheme_options.hpp>
#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/time_integrator.hpp>

#include <memory>

namespace picus {

/// Options of the scheme in addition to SchemeOptions.
struct CoupledNsgaOptions {
  /// Spectral radius at infinite frequency, in [0, 1]; 1: no dissipation, 0: annihilation.
  double rho_inf = 0.8;

  /// All options as parameters.
  static const ParameterTable<CoupledNsgaOptions>& table();
};

namespace solvers {
struct NsgaWorkspace;
}

class CoupledNsga : public TimeIntegrator {
 public:
  /// Throws OptionError for an option out of range.
  explicit CoupledNsga(const SchemeOptions& options = {}, const CoupledNsgaOptions& own = {});
  ~CoupledNsga() override;

  std::string_view name() const override { return "cs"; }
  double step_size() const override { return options_.step; }
  TextEntries options() const override;
  SubproblemNames subproblem_names() const override { return {"smooth", "position", "velocity"}; }
  std::span<const StepForces> step_forces() const override;
  FallbackNames fallback_names() const override {
    return {"smaller scaling", "other first guess", "interior point", "no restitution", "least violation"};
  }
  State start(const System& system) override;
  void change_contacts(const State& state) override;
  StepReport step(State& state) override;
  std::vector<std::string> warnings() const override { return findings_.warnings; }
  std::vector<std::string> redundancies() const override { return findings_.redundancies; }

 private:
  SchemeOptions options_;
  CoupledNsgaOptions own_;
  StartFindings findings_;
  std::unique_ptr<solvers::NsgaWorkspace> workspace_;
};

}  // namespace picus
