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
#include <random>

namespace picus::models {
namespace {

/// Errors below this are rounding, and do not show an order.
constexpr double rounding_error = 1e-12;

/// Largest relative change of a step from phase to phase. In the mean it changes the errors by 8e-4 at order 2, for all
/// step sizes alike.
constexpr double phase_step_range = 0.05;

/// Number of reference steps in a step; throws if it is not an integer.
std::int64_t multiple_of(double step, double reference) {
  const double ratio = step / reference;
  const double whole = std::round(ratio);
  if (whole < 1 || std::abs(ratio - whole) > 1e-6 * whole) {
    throw OptionError(fmt::format("step {} s is no multiple of the reference step {} s", step, reference));
  }
  return static_cast<std::int64_t>(whole);
}

/// The error of one signal; its i-th value belongs to the reference with index first + i * stride.
double error_of(const Series& computed, std::span<const double> reference, std::size_t first,
                std::size_t stride) {
  L1Error error;
  for (std::size_t i = 0; i < computed.values.size() && first + i * stride < reference.size(); ++i)
    error.add(computed.values[i], reference[first + i * stride]);
  return error.value();
}

/// The grid of times of a run.
struct Grid {
  double step;              ///< s
  double first_step = 1.0;  ///< as in Trial
};

/// Random numbers, one in each of `count` equal parts of (0, 1], which scatter less than independent ones; in ascending
/// order.
std::vector<double> one_in_each_part(int count, std::mt19937_64& random) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) {
    // Not std::uniform_real_distribution, whose numbers differ between standard libraries.
    const double part = (static_cast<double>(random() >> 11U) + 1.0) * 0x1p-53;
    numbers.push_back((i + part) / count);
  }
  return numbers;
}

/// Random grids about a step, with a `reference` step > 0 such that all their instants are multiples of it: about
/// sqrt(count) steps, each with as many shifts.
std::vector<Grid> random_grids(double step, int count, double reference, std::mt19937_64& random) {
  const int groups = static_cast<int>(std::sqrt(count));
  std::vector<Grid> grids;
  for (int group = 0; const double part : one_in_each_part(groups, random)) {
    const int members = count / groups + (group++ < count % groups ? 1 : 0);
    for (const double first_step : one_in_each_part(members, random)) {
      Grid grid{step * (1.0 + phase_step_range * (2.0 * part - 1.0)), first_step};
      if (reference > 0.0) {
        const double steps = std::max(1.0, std::round(grid.step / reference));
        grid = {reference * steps, std::ceil(grid.first_step * steps) / steps};
      }
      grids.push_back(grid);
    }
  }
  return grids;
}

/// The first kept instant of a run, in reference steps, of which its step has `stride`.
std::int64_t first_instant(const Grid& grid, std::int64_t stride) {
  return grid.first_step == 1.0 ? 0 : std::llround(grid.first_step * static_cast<double>(stride));
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
    kept.row.errors[k] = error_of(series, series.exact, 0, 1);
    series.values = {};
    series.exact.resize(1);
    series.exact.shrink_to_fit();
  }
  kept.series = std::move(trial.series);
  return kept;
}

/// Adds the result of one of `count` phases to those before it.
void add_phase(ConvergenceRow& sum, const ConvergenceRow& phase, int count) {
  if (sum.failure.empty()) sum.failure = phase.failure;
  if (!sum.failure.empty()) {
    sum.errors.clear();
    sum.findings.clear();
  } else {
    sum.errors.resize(phase.errors.size());
    for (std::size_t k = 0; k < sum.errors.size(); ++k) sum.errors[k] += phase.errors[k] / count;
    sum.findings.insert(sum.findings.end(), phase.findings.begin(), phase.findings.end());
  }
  for (std::size_t i = 0; i < sum.mean_iterations.size(); ++i) {
    sum.mean_iterations[i] += phase.mean_iterations[i] / count;
    sum.worst_iterations[i] = std::max(sum.worst_iterations[i], phase.worst_iterations[i]);
  }
  sum.mean_total += phase.mean_total / count;
  sum.worst_total = std::max(sum.worst_total, phase.worst_total);
  sum.fallbacks += phase.fallbacks;
  sum.wall_seconds += phase.wall_seconds / count;
  sum.step_seconds += phase.step_seconds / count;
  for (const std::string& warning : phase.warnings) {
    if (std::ranges::find(sum.warnings, warning) == sum.warnings.end()) sum.warnings.push_back(warning);
  }
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
  bool has_exact = false;                  ///< for all quantities
  std::int64_t every = 1;                  ///< the reference is kept every `every`-th step
  std::vector<std::vector<Grid>> grids;    ///< of each step size and phase
  std::vector<std::vector<Slot>> results;  ///< the same
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

  std::vector<std::vector<Slot>> empty_results() const {
    return {plan.steps.size(), std::vector<Slot>(static_cast<std::size_t>(plan.phases))};
  }

  void run_phase(std::size_t step, std::size_t phase) {
    Trial one = trial(grids[step][phase].step);
    one.first_step = grids[step][phase].first_step;
    results[step][phase].fill(one);
  }

  /// The errors of a phase, those against the reference run included.
  ConvergenceRow row_of(std::size_t step, std::size_t phase) const {
    const RunValues& kept = results[step][phase].get();
    ConvergenceRow row = kept.row;
    for (std::size_t k = 0; k < row.errors.size(); ++k) {
      if (!kept.series[k].exact.empty()) continue;
      const std::int64_t stride = multiple_of(grids[step][phase].step, plan.reference_step);
      const std::int64_t first = first_instant(grids[step][phase], stride);
      row.errors[k] =
          error_of(kept.series[k], reference->get().series[k].values, first / every, stride / every);
    }
    return row;
  }
};

ConvergenceStudy::ConvergenceStudy(ConvergencePlan plan) : data_(std::make_shared<Data>()) {
  std::ranges::sort(plan.steps, std::greater<>());
  if (plan.steps.size() < 2) throw OptionError("a convergence study needs at least two step sizes");
  if (std::ranges::adjacent_find(plan.steps) != plan.steps.end()) {
    throw OptionError("two step sizes of a convergence study are equal");
  }
  if (plan.phases < 1)
    throw OptionError(fmt::format("a convergence study takes at least one phase, not {}", plan.phases));
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
  }
  std::mt19937_64 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): studies are to be reproducible
  for (const double step : p.steps) {
    if (!data_->has_exact) multiple_of(step, p.reference_step);  // throws if it is none
    const double reference = data_->has_exact ? 0.0 : p.reference_step;
    data_->grids.push_back(p.phases == 1 ? std::vector{Grid{step}}
                                         : random_grids(step, p.phases, reference, random));
    if (data_->has_exact) continue;
    for (const Grid& grid : data_->grids.back()) {
      const std::int64_t stride = multiple_of(grid.step, p.reference_step);
      data_->every = std::gcd(data_->every, std::gcd(stride, first_instant(grid, stride)));
    }
  }
  data_->results = data_->empty_results();
}

ConvergenceStudy ConvergenceStudy::with_scheme(std::string scheme) const {
  ConvergenceStudy other = *this;
  other.data_ = std::make_shared<Data>(*data_);
  other.data_->plan.scheme = std::move(scheme);
  other.data_->results = data_->empty_results();
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
    for (std::size_t phase = 0; phase < data_->results[i].size(); ++phase) {
      std::string label = fmt::format("h = {} s", plan.steps[i]);
      if (plan.phases > 1) label += fmt::format(", phase {}", phase + 1);
      tasks.push_back({std::move(label), plan.until / data_->grids[i][phase].step,
                       [data = data_, i, phase] { data->run_phase(i, phase); }});
    }
  }
  return tasks;
}

ConvergenceResult ConvergenceStudy::finish() const {
  const ConvergencePlan& plan = data_->plan;
  ConvergenceResult result;
  result.phases = plan.phases;
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
    ConvergenceRow row{};
    row.step = plan.steps[i];
    for (std::size_t phase = 0; phase < data_->results[i].size(); ++phase) {
      add_phase(row, data_->row_of(i, phase), plan.phases);
      const RunValues& kept = data_->results[i][phase].get();
      for (std::size_t s = 0; s < 3; ++s) {
        if (!kept.subproblems[s].empty()) result.subproblems[s] = kept.subproblems[s];
      }
      if (!result.quantities.empty()) continue;
      for (const Series& series : kept.series) {
        result.quantities.push_back({series.name, series.unit, !series.exact.empty(), {}, 0.0});
      }
    }
    result.rows.push_back(std::move(row));
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
