#pragma once

/// Errors of signals over the step size, in the L1 norm of the thesis (equation 3.56), with the observed order and
/// the number of iterations for each step size.
///
/// The error of a run with an impact depends on where within a step the impact falls, which is chance: one run for each
/// step size gives orders that scatter. Phases average that out: each step size is run several times with the grid of
/// times shifted by random fractions of the step.

#include <picus/models/study/trial.hpp>

#include <functional>
#include <optional>

namespace picus::models {

struct ConvergencePlan {
  Scenario scenario;
  std::string scheme = "ds";
  SchemeOptions options;                   ///< the step is replaced
  std::optional<int> max_iterations = {};  ///< as in Trial
  std::vector<double> steps;               ///< s, in any order, all different
  double until = 0.0;                      ///< s
  std::vector<std::string> quantities;     ///< names or patterns of signals
  /// The step of the run that serves as reference for signals without an exact solution, s; 0: a hundredth of the
  /// smallest step. All steps must be multiples of it. It is not run if every signal has an exact solution.
  double reference_step = 0.0;
  std::string reference_scheme = "ds";
  /// Number of runs for each step size. With 1 the grid of times begins at the start. With more, the first step of a
  /// run is shorter, a random fraction of h, which shifts the grid, and h differs by up to 5 %: how many steps lie between
  /// two impacts belongs to h, and no shift changes that. There are about sqrt(phases) values of h, each with as many
  /// shifts, one in each of equal parts of (0, h]; with a reference run all are multiples of its step. Exact solutions
  /// are evaluated at the instants of each grid: nothing is interpolated. The random numbers are the same in every
  /// study, for all schemes.
  int phases = 1;
  const std::atomic<bool>* stop_request = nullptr;
};

/// The result for one step size, over all its phases. Errors are the mean of the L1 errors of the phases: the mean
/// over all shifts of a grid is the integral of |error| over time, so that it contains no error of sampling, and both an
/// impact that is late by a random part of a step and the instants at which velocities are those before it contribute
/// to it in proportion to h. A root mean square would have the same order, but its scatter that of the largest errors.
struct ConvergenceRow {
  double step;                 ///< s
  std::string failure;         ///< empty, or the message of what stopped the first run that failed
  std::vector<double> errors;  ///< of each quantity; empty after a failure
  std::array<double, 3> mean_iterations{};
  std::array<int, 3> worst_iterations{};
  double mean_total = 0.0;  ///< linear solves per step
  int worst_total = 0;
  std::int64_t fallbacks = 0;         ///< of all phases
  double wall_seconds = 0.0;          ///< mean of the phases
  double step_seconds = 0.0;          ///< CPU time of all steps, mean of the phases
  std::vector<std::string> warnings;  ///< RunSummary::warnings, each once
  std::vector<Finding> findings;      ///< empty after a failure
};

struct ConvergenceQuantity {
  std::string name;
  std::string unit;
  bool is_exact;  ///< whether the reference is an exact solution
  /// Slope of the least-squares line through all finite errors above rounding (> 1e-12); empty with fewer than two.
  std::optional<double> order;
  double order_error =
      0.0;  ///< standard error of the slope, from the scatter of the errors; 0 with two of them
};

struct ConvergenceResult {
  std::vector<ConvergenceQuantity> quantities;
  std::array<std::string, 3> subproblems;
  std::vector<ConvergenceRow> rows;             ///< from the largest step to the smallest
  int phases = 1;                               ///< of the plan
  double reference_step = 0.0;                  ///< s; 0 if all references are exact
  double reference_seconds = 0.0;               ///< wall time of the reference run
  std::vector<std::string> reference_warnings;  ///< its RunSummary::warnings
  std::vector<Finding> reference_findings;
};

/// The runs of a study, which are independent, and the result that they fill: run all tasks in any order, on any
/// threads, then call finish(). Copies share the result.
class ConvergenceStudy {
 public:
  /// Throws OptionError for a step that is not a multiple of the reference step, fewer than two steps, equal steps,
  /// no phases or quantities that match no signal.
  explicit ConvergenceStudy(ConvergencePlan plan);

  /// The same study for another scheme. Both share the reference run, which is a task of the first one only.
  ConvergenceStudy with_scheme(std::string scheme) const;

  struct Task {
    std::string label;  ///< "h = 0.001 s", "reference, h = 1e-05 s", "h = 0.001 s, phase 3"
    double cost;        ///< number of steps, so that the longest can start first
    std::function<void()> work;
  };
  std::vector<Task> tasks();

  /// Errors and orders. Rethrows the first exception of a run, in order; throws SolverError if the reference run
  /// failed, and Error if a run is missing.
  ConvergenceResult finish() const;

 private:
  struct Data;
  std::shared_ptr<Data> data_;
};

/// The whole study, up to `workers` runs at a time, each with `threads` threads (run_side_by_side); `done` is called
/// for each task that ended, one call at a time.
ConvergenceResult study_convergence(const ConvergencePlan& plan, unsigned workers = 1,
                                    const std::function<void(const std::string& label)>& done = {},
                                    int threads = 1);

}  // namespace picus::models
