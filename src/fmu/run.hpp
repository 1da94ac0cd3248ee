#pragma once

/// A run of a model in an FMU: from one communication point to the next by steps of its own.

#include "outputs.hpp"
#include <picus/model.hpp>
#include <picus/simulate.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace picus::fmu {

struct RunOptions {
  std::string scheme = "ds";         ///< NAME or NAME:KEY=VALUE,...
  double step = 1e-3;                ///< step size h of the scheme, s
  int threads = 1;                   ///< as for System
  std::vector<std::string> outputs;  ///< names or patterns of outputs; empty: all
};

/// The steps between two communication points.
struct StepPlan {
  std::int64_t count = 1;
  double size = 0.0;  ///< s
};
/// Steps of size h if the duration is an integer multiple of h (to 1e-9), otherwise the smallest number of equal steps
/// that are not longer than h. Throws OptionError for a duration that is not positive and finite, or of too many steps.
StepPlan plan_steps(double duration, double h);

class Run {
 public:
  /// Starts the model at t = 0 and samples its outputs there. Throws what Stepper, make_integrator() and Outputs throw.
  Run(Model model, std::function<Signals(const RunInfo&)> signals, RunOptions options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  const Outputs& outputs() const;
  /// Time since the start, s.
  double time() const;
  /// Warnings of the scheme about the model, one sentence each.
  std::vector<std::string> warnings() const;
  /// Reasons to doubt the results so far, as at the end of simulate().
  std::vector<std::string> doubts() const;

  /// plan_steps() with the step of the options.
  StepPlan plan(double duration) const { return plan_steps(duration, options_.step); }
  /// Advances by `duration` s as plan() says and samples the outputs. Throws SolverError for a step that fails; the
  /// state is then that after the last step.
  void advance(double duration);

  /// All data that later steps depend on, bit for bit. The scheme is restarted at the present state, here and where the
  /// state is restored, so that the same steps follow (checkpoint.hpp).
  std::vector<std::byte> save();
  /// Goes back to a saved state. Throws FileError for bytes that are not a state of a run of this model, before
  /// anything is changed.
  void restore(std::span<const std::byte> bytes);

 private:
  class Engine;
  std::unique_ptr<Engine> make_engine(double h) const;
  void change_step(double h);

  Model model_;
  std::function<Signals(const RunInfo&)> signals_;
  RunOptions options_;
  std::unique_ptr<Engine> engine_;
  double begin_ = 0.0;      ///< time since which the step size is the present one, s
  std::int64_t count_ = 0;  ///< steps since then
};

}  // namespace picus::fmu
