#include <picus/convergence.hpp>
#include <picus/error.hpp>
#include <picus/models/study/convergence_study.hpp>
#include <picus/models/study/side_by_side.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <numeric>

namespace picus::models {
namespace {

/// Errors below this are rounding, and do not show an order.
constexpr double rounding_error = 1e-12;

/// Number of reference steps in a step; throws if it is not an integer.
std::int64_t multiple_of(double step, double reference) {
  const double ratio = step / reference;
  const double whole = std::round(ratio);
  if (whole < 1 || std::abs(ratio - whole) > 1e-6 * whole) {
    throw OptionError(fmt::format("step {} s is no multiple of the reference step {} s", step, reference));
  }
  return static_cast<std::int64_t>(whole);
}

/// The error of one signal; the reference was kept at multiples of `stride` of the trial's steps.
double error_of(const Series& computed, std::span<const double> reference, std::size_t stride) {
  L1Error error;
  const std::size_t count = std::min(computed.values.size(), (reference.size() + stride - 1) / stride);
  for (std::size_t i = 0; i < count; ++i) error.add(computed.values[i], reference[i * stride]);
  return error.value();
}

/// The stored results of a run, without step-by-step data: of a run with a million steps a few numbers remain, and the
/// values of signals that are compared with the reference run later.
struct RunValues {
  ConvergenceRow row;
  std::array<std::string, 3> subproblems;
  std::vector<Series> series;
};

RunValues keep(TrialResult trial, double step) {
  RunValues kept;
  kept.row.step = step;
  kept.row.failure = trial.failure;
  for (std::size_t i = 0; i < 3; ++i) {
    kept.row.mean_iterations[i] = trial.mean_iterations(i);
    kept.row.worst_iterations[i] = trial.worst_iterations(i);
    kept.subproblems[i] = trial.summary.subproblems[i].name;
  }
  kept.row.mean_total = trial.mean_iterations();
  kept.row.worst_total = trial.worst_iterations();
  kept.row.fallbacks = trial.fallback_count();
  kept.row.wall_seconds = trial.summary.wall_seconds;
  kept.row.step_seconds = trial.step_seconds;
  kept.row.warnings = std::move(trial.summary.warnings);
  kept.row.findings = std::move(trial.findings);
  if (trial.is_complete()) kept.row.errors.resize(trial.series.size());
  for (std::size_t k = 0; k < kept.row.errors.size(); ++k) {
    Series& series = trial.series[k];
    if (series.exact.empty()) continue;
    kept.row.errors[k] = error_of(series, series.exact, 1);
    series.values = {};
    series.exact.resize(1);
    series.exact.shrink_to_fit();
  }
  kept.series = std::move(trial.series);
  return kept;
}

/// The outcome of a task: before it has run, neither a result nor an exception.
struct Slot {
  std::optional<RunValues> kept;
  std::exception_ptr thrown;

  void fill(const Trial& trial) {
    try {
      kept = keep(run(trial), trial.options.step);
    } catch (...) {
      thrown = std::current_exception();
      throw;
    }
  }
  const RunValues& get() const {
    if (thrown) std::rethrow_exception(thrown);
    if (!kept) throw Error("a run of the convergence study was not made");
    return *kept;
  }
};

}  // namespace

struct ConvergenceStudy::Data {
  ConvergencePlan plan;
  bool has_exact = false;  ///< for all quantities
  std::int64_t every = 1;  ///< the reference is kept every `every`-th step
  std::vector<Slot> results;
  std::shared_ptr<Slot> reference = std::make_shared<Slot>();
  bool owns_reference = true;  ///< whether its run is a task of this study

  Trial trial(double step) const {
    Trial trial{.scenario = plan.scenario, .scheme = plan.scheme, .options = plan.options};
    trial.options.step = step;
    trial.max_iterations = plan.max_iterations;
    trial.until = plan.until;
    trial.signals = plan.quantities;
    trial.stop_request = plan.stop_request;
    return trial;
  }
};

ConvergenceStudy::ConvergenceStudy(ConvergencePlan plan) : data_(std::make_shared<Data>()) {
  std::ranges::sort(plan.steps, std::greater<>());
  if (plan.steps.size() < 2) throw OptionError("a convergence study needs at least two step sizes");
  if (std::ranges::adjacent_find(plan.steps) != plan.steps.end()) {
    throw OptionError("two step sizes of a convergence study are equal");
  }
  if (plan.quantities.empty()) plan.quantities = {"*"};

  data_->plan = std::move(plan);
  ConvergencePlan& p = data_->plan;
  // The initial state alone shows which quantities exist, and whether their exact solutions are known.
  Trial start = data_->trial(p.steps.front());
  start.until = p.steps.front();
  const TrialResult probe = run(start);
  data_->has_exact =
      std::ranges::none_of(probe.series, [](const Series& series) { return series.exact.empty(); });
  if (!data_->has_exact) {
    if (p.reference_step == 0.0) p.reference_step = p.steps.back() / 100;
    data_->every = 0;
    for (const double step : p.steps) {
      data_->every = std::gcd(data_->every, multiple_of(step, p.reference_step));
    }
  }
  data_->results.resize(p.steps.size());
}

ConvergenceStudy ConvergenceStudy::with_scheme(std::string scheme) const {
  ConvergenceStudy other = *this;
  other.data_ = std::make_shared<Data>(*data_);
  other.data_->plan.scheme = std::move(scheme);
  other.data_->results.assign(data_->results.size(), {});
  other.data_->owns_reference = false;
  return other;
}

std::vector<ConvergenceStudy::Task> ConvergenceStudy::tasks() {
  std::vector<Task> tasks;
  const ConvergencePlan& plan = data_->plan;
  if (!data_->has_exact && data_->owns_reference) {
    tasks.push_back({fmt::format("reference, h = {} s", plan.reference_step),
                     plan.until / plan.reference_step, [data = data_] {
                       Trial trial = data->trial(data->plan.reference_step);
                       trial.scheme = data->plan.reference_scheme;
                       trial.every = data->every;
                       data->reference->fill(trial);
                     }});
  }
  for (std::size_t i = plan.steps.size(); i-- > 0;) {
    tasks.push_back({fmt::format("h = {} s", plan.steps[i]), plan.until / plan.steps[i],
                     [data = data_, i] { data->results[i].fill(data->trial(data->plan.steps[i])); }});
  }
  return tasks;
}

ConvergenceResult ConvergenceStudy::finish() const {
  const ConvergencePlan& plan = data_->plan;
  ConvergenceResult result;
  if (!data_->has_exact) {
    const ConvergenceRow& reference = data_->reference->get().row;
    if (!reference.failure.empty()) {
      throw SolverError(fmt::format("the reference run failed: {}", reference.failure));
    }
    result.reference_step = plan.reference_step;
    result.reference_seconds = reference.wall_seconds;
    result.reference_warnings = reference.warnings;
    result.reference_findings = reference.findings;
  }

  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const RunValues& kept = data_->results[i].get();
    ConvergenceRow row = kept.row;
    for (std::size_t k = 0; k < row.errors.size(); ++k) {
      if (!kept.series[k].exact.empty()) continue;
      const std::int64_t stride = multiple_of(plan.steps[i], plan.reference_step) / data_->every;
      row.errors[k] = error_of(kept.series[k], data_->reference->get().series[k].values, stride);
    }
    for (std::size_t s = 0; s < 3; ++s) {
      if (!kept.subproblems[s].empty()) result.subproblems[s] = kept.subproblems[s];
    }
    result.rows.push_back(std::move(row));
    if (!result.quantities.empty()) continue;
    for (const Series& series : kept.series) {
      result.quantities.push_back({series.name, series.unit, !series.exact.empty(), {}, 0.0});
    }
  }

  for (std::size_t k = 0; k < result.quantities.size(); ++k) {
    std::vector<double> steps;
    std::vector<double> errors;
    for (const ConvergenceRow& row : result.rows) {
      if (row.errors.empty() || !std::isfinite(row.errors[k]) || row.errors[k] <= rounding_error) continue;
      steps.push_back(row.step);
      errors.push_back(row.errors[k]);
    }
    if (steps.size() < 2) continue;
    const OrderFit fit = fit_order(steps, errors);
    result.quantities[k].order = fit.order;
    result.quantities[k].order_error = fit.standard_error;
  }
  return result;
}

ConvergenceResult study_convergence(const ConvergencePlan& plan, unsigned workers,
                                    const std::function<void(const std::string& label)>& done, int threads) {
  ConvergenceStudy study(plan);
  std::mutex mutex;
  std::vector<std::function<void()>> tasks;
  for (const ConvergenceStudy::Task& task : study.tasks()) {
    tasks.emplace_back([&mutex, &done, task] {
      task.work();
      const std::lock_guard lock(mutex);
      if (done) done(task.label);
    });
  }
  run_side_by_side(tasks, workers, threads);
  return study.finish();
}

}  // namespace picus::models
