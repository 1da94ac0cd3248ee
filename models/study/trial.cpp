#include <picus/error.hpp>
#include <picus/models/study/thread_clock.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/name_pattern.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>

namespace picus::models {
namespace {

/// Stores the signals of a run, and the iterations of each step, even if the run fails.
class SignalRecorder : public Recorder {
 public:
  SignalRecorder(const Trial& trial, TrialResult& result) : trial_(trial), result_(result) {}

  void begin(const RunInfo& run) override {
    result_.summary.warnings = run.integrator.warnings();
    std::ranges::copy(run.integrator.fallback_names(), result_.summary.fallback_names.begin());
    Signals signals = choose(trial_.scenario.signals(run), trial_.signals);
    if (trial_.more_signals) std::ranges::move(trial_.more_signals(run), std::back_inserter(signals));
    for (Signal& signal : signals) {
      result_.series.push_back({signal.name, signal.unit, signal.meaning, {}, {}});
      signals_.push_back(std::move(signal));
    }
    constexpr double most = 1e7;  // a run with more steps hardly gets that far
    const double instants = std::min(run.until / run.integrator.step_size() + 2, most);
    result_.iterations.reserve(static_cast<std::size_t>(instants));
  }

  void record(const Snapshot& at) override {
    if (at.state.step > 0) count(at.report);
    look_at_limits(at);
    if (at.state.step % trial_.every != 0) return;
    result_.times.push_back(at.state.time);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      result_.series[i].values.push_back(signals_[i].value(at));
      if (signals_[i].exact) result_.series[i].exact.push_back(signals_[i].exact(at.state.time));
    }
  }

  void warn(std::span<const std::string> warnings) override {
    std::ranges::copy(warnings, std::back_inserter(result_.summary.warnings));
  }

  void finish(const std::string& /*outcome*/) override {}

  /// Set when the run is to end.
  const std::atomic<bool>& stop_request() const { return stop_request_; }

 private:
  void look_at_limits(const Snapshot& at) {
    if (trial_.stop_request != nullptr && *trial_.stop_request) stop_request_ = true;
    if (stop_request_ || !std::isfinite(trial_.longest)) return;
    // The CPU time is read only occasionally, as it takes a system call.
    const auto now = std::chrono::steady_clock::now();
    if (now - last_look_ < std::chrono::milliseconds(5)) return;
    last_look_ = now;
    if (thread_seconds() - cpu_begin_ <= trial_.longest) return;
    stop_request_ = result_.is_cut_short = true;
    result_.summary.final_state = at.state;
    result_.summary.energies = at.audit.energies(at.state);
  }

  static Signals choose(const Signals& all, const std::vector<std::string>& patterns) {
    std::vector<bool> is_chosen(all.size(), false);
    for (const std::string& pattern : patterns) {
      bool is_met = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!matches(pattern, all[i].name)) continue;
        is_chosen[i] = true;
        is_met = true;
      }
      if (is_met || pattern == "*") continue;
      std::vector<std::string> names;
      for (const Signal& signal : all) names.push_back(signal.name);
      throw OptionError(fmt::format("no quantity is called \"{}\"{}", pattern, suggestion(pattern, names)));
    }
    Signals chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_chosen[i]) chosen.push_back(all[i]);
    }
    return chosen;
  }

  void count(const StepReport& report) {
    std::array<std::uint8_t, 3> taken{};
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const SubproblemReport& solved = report.subproblems[i];
      taken[i] = static_cast<std::uint8_t>(std::clamp(solved.iterations, 0, 255));
      SubproblemStatistics& statistics = result_.summary.subproblems[i];
      statistics.name = solved.name;
      statistics.iterations += solved.iterations;
      statistics.worst_iterations = std::max(statistics.worst_iterations, solved.iterations);
      statistics.line_searches += solved.line_searches;
    }
    for (std::size_t i = 0; i < max_fallbacks; ++i) {
      result_.summary.fallbacks[i] += report.fallbacks[i];
    }
    result_.summary.worst_accepted_residual =
        std::max(result_.summary.worst_accepted_residual, report.accepted_residual);
    ++result_.summary.steps;
    result_.iterations.push_back(taken);
  }

  const Trial& trial_;
  TrialResult& result_;
  Signals signals_;
  std::atomic<bool> stop_request_ = false;
  std::chrono::steady_clock::time_point last_look_ = std::chrono::steady_clock::now();
  double cpu_begin_ = thread_seconds();
};

/// Wraps another scheme, whose steps it times by the wall clock: reading the CPU time of a thread is a system call,
/// which takes longer than a step of a small model. If `first` is given, its first step belongs to the start.
class TimedIntegrator : public TimeIntegrator {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimedIntegrator(TimeIntegrator& timed, TimeIntegrator* first = nullptr)
      : timed_(timed), first_(first) {}

  std::string_view name() const override { return timed_.name(); }
  double step_size() const override { return timed_.step_size(); }
  TextEntries options() const override { return timed_.options(); }
  bool is_static() const override { return timed_.is_static(); }
  SubproblemNames subproblem_names() const override { return timed_.subproblem_names(); }
  FallbackNames fallback_names() const override { return timed_.fallback_names(); }
  std::vector<std::string> warnings() const override { return timed_.warnings(); }
  std::vector<std::string> step_warnings() const override { return timed_.step_warnings(); }
  void watch_path(const PathWatch& watch) override { timed_.watch_path(watch); }
  State start(const System& system) override {
    if (first_ == nullptr) return timed_.start(system);
    State state = first_->start(system);
    state.found_contacts.assign(system.found_contacts().begin(), system.found_contacts().end());
    try {
      first_->step(state);
    } catch (const SolverError&) {
      has_failed_to_step_ = true;
      throw;
    }
    timed_.start(system);  // its own initial state is that before the first step
    state.step = 0;
    return state;
  }
  void change_contacts(const State& state) override { timed_.change_contacts(state); }
  std::span<const StepForces> step_forces() const override { return timed_.step_forces(); }
  std::vector<std::string> redundancies() const override { return timed_.redundancies(); }
  StepReport step(State& state) override {
    const Clock::time_point begin = Clock::now();
    const StepReport report = timed_.step(state);
    in_steps_ += Clock::now() - begin;
    return report;
  }

  double wall_seconds() const { return std::chrono::duration<double>(in_steps_).count(); }
  /// Whether the first step failed.
  bool has_failed_to_step() const { return has_failed_to_step_; }

 private:
  TimeIntegrator& timed_;
  TimeIntegrator* first_;
  bool has_failed_to_step_ = false;
  Clock::duration in_steps_{};
};

std::unique_ptr<TimeIntegrator> make_integrator_of(const Trial& trial) {
  if (trial.scheme == "static") {
    return std::make_unique<StaticEquilibrium>(
        StaticEquilibriumOptions{.increments = static_cast<int>(std::lround(1 / trial.options.step)),
                                 .tolerance = trial.options.tolerance,
                                 .max_iterations = trial.max_iterations});
  }
  SchemeOptions options = trial.options;
  options.max_iterations = trial.max_iterations.value_or(find_scheme(trial.scheme).max_iterations);
  return make_integrator(trial.scheme, options);
}

/// The integrator of a first step that is shorter than the others; null if it is not.
std::unique_ptr<TimeIntegrator> make_first_integrator_of(Trial trial) {
  if (!(trial.first_step > 0.0 && trial.first_step <= 1.0))
    throw OptionError(
        fmt::format("the first step is {} of the others, must be within (0, 1]", trial.first_step));
  if (trial.first_step == 1.0) return nullptr;
  if (trial.scheme == "static") throw OptionError("all increments of a static analysis are equal");
  trial.options.step *= trial.first_step;
  return make_integrator_of(trial);
}

/// The final time of simulate(), which counts from the end of a shorter first step.
double duration_of(const Trial& trial) {
  if (trial.first_step == 1.0) return trial.until;
  constexpr double slack = 1e-9;
  const double h = trial.options.step;
  return h * std::max(1.0, std::floor(trial.until / h - trial.first_step + slack));
}

double per_step(std::int64_t count, std::int64_t steps) {
  return steps == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(steps);
}

}  // namespace

const Series& TrialResult::find(std::string_view name) const {
  std::vector<std::string> names;
  for (const Series& one : series) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  throw OptionError(fmt::format("no quantity is called \"{}\"{}", name, suggestion(name, names)));
}

double TrialResult::mean_iterations() const {
  std::int64_t sum = 0;
  for (const SubproblemStatistics& statistics : summary.subproblems) sum += statistics.iterations;
  return per_step(sum, summary.steps);
}

int TrialResult::worst_iterations() const {
  int worst = 0;
  for (const auto& step : iterations) worst = std::max(worst, std::accumulate(step.begin(), step.end(), 0));
  return worst;
}

double TrialResult::mean_iterations(std::size_t subproblem) const {
  return per_step(summary.subproblems[subproblem].iterations, summary.steps);
}

int TrialResult::worst_iterations(std::size_t subproblem) const {
  return summary.subproblems[subproblem].worst_iterations;
}

std::int64_t TrialResult::fallback_count() const {
  return std::accumulate(summary.fallbacks.begin(), summary.fallbacks.end(), std::int64_t{0});
}

TrialResult run(const Trial& trial) {
  const Model model = trial.scenario.build();
  const std::unique_ptr<TimeIntegrator> integrator = make_integrator_of(trial);
  const std::unique_ptr<TimeIntegrator> first = make_first_integrator_of(trial);
  const std::unique_ptr<Observer> observer = trial.scenario.make_observer();

  TrialResult result;
  SignalRecorder recorder(trial, result);
  TimedIntegrator timed(*integrator, first.get());
  const auto begin = TimedIntegrator::Clock::now();
  const double cpu_begin = thread_seconds();
  try {
    result.summary =
        simulate(model, timed, {.until = duration_of(trial), .stop_request = &recorder.stop_request()},
                 {&recorder, observer.get()});
    result.is_cut_short = false;  // its last step passed the limit
    result.findings = observer->findings();
  } catch (const Interrupted&) {
    if (!result.is_cut_short) throw;
    result.findings = observer->findings();
    result.summary.wall_seconds =
        std::chrono::duration<double>(TimedIntegrator::Clock::now() - begin).count();
  } catch (const SolverError& error) {
    if (result.times.empty() && !timed.has_failed_to_step()) throw;  // the start failed, not a step
    result.failure = error.what();
    result.summary.wall_seconds =
        std::chrono::duration<double>(TimedIntegrator::Clock::now() - begin).count();
  }
  const double wall = std::chrono::duration<double>(TimedIntegrator::Clock::now() - begin).count();
  result.step_seconds = (thread_seconds() - cpu_begin) * timed.wall_seconds() / wall;
  return result;
}

}  // namespace picus::models
