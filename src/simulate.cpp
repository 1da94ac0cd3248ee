#include <picus/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

namespace picus {
namespace {

/// The smallest n with n h >= duration, where h may fall short by a billionth. Throws OptionError when it
/// cannot be counted.
std::int64_t count_steps(double duration, double h) {
  constexpr double slack = 1e-9;
  constexpr double most = 9e15;  // beyond, n and n + 1 are the same double
  const double count = std::ceil(duration / h - slack);
  if (!(count <= most)) {
    throw OptionError(fmt::format("{} s in steps of {} s are more steps than can be counted", duration, h));
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
}

/// The recorders of a run: all that began are finished exactly once.
class Audience {
 public:
  explicit Audience(std::span<Recorder* const> recorders) : recorders_(recorders) {}

  void begin(const RunInfo& run) {
    for (Recorder* const recorder : recorders_) {
      recorder->begin(run);
      ++begun_;
    }
  }

  void record(const Snapshot& snapshot) {
    for (Recorder* const recorder : recorders_) recorder->record(snapshot);
  }

  /// Returns the first failure, if any; every recorder gets its turn all the same.
  std::exception_ptr finish(const std::string& outcome) {
    std::exception_ptr failure;
    for (Recorder* const recorder : recorders_.first(std::exchange(begun_, 0))) {
      try {
        recorder->finish(outcome);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    return failure;
  }

 private:
  std::span<Recorder* const> recorders_;
  std::size_t begun_ = 0;
};

/// Gathers the summary, step by step, without allocating.
class Statistics {
 public:
  explicit Statistics(const System& system)
      : system_(system),
        violation_(Vector::Zero(system.row_count())),
        gaps_(Vector::Zero(system.contact_row_count())) {}

  void add(const StepReport& report, const State& state, RunSummary& summary) {
    ++summary.steps;
    for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
      const SubproblemReport& solved = report.subproblems[i];
      SubproblemStatistics& statistics = summary.subproblems[i];
      statistics.name = solved.name;
      statistics.iterations += solved.iterations;
      statistics.worst_iterations = std::max(statistics.worst_iterations, solved.iterations);
      statistics.line_searches += solved.line_searches;
    }
    for (std::size_t i = 0; i < fallback_count; ++i) summary.fallbacks[i] += report.fallbacks[i];

    if (violation_.size() > 0) {
      system_.evaluate_violation(state.q, state.time, violation_);
      summary.worst_violation = std::max(summary.worst_violation, violation_.lpNorm<Eigen::Infinity>());
    }
    if (gaps_.size() > 0) {
      system_.evaluate_gaps(state.q, state.q, gaps_);
      for (const RowBlock<Contact>& contact : system_.contacts()) {
        summary.worst_penetration = std::max(summary.worst_penetration, -gaps_[contact.first_row]);
      }
    }
  }

 private:
  const System& system_;
  Vector violation_;
  Vector gaps_;
};

}  // namespace

RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::span<Recorder* const> recorders) {
  if (!(options.until > 0) || !std::isfinite(options.until)) {
    throw OptionError(fmt::format("the final time is {} s, must be positive and finite", options.until));
  }
  const auto clock_start = std::chrono::steady_clock::now();
  const double h = integrator.step_size();
  const std::int64_t step_count = count_steps(options.until, h);

  const System system(model);
  RunSummary summary;
  State& state = summary.final_state;
  state = integrator.start(system);
  summary.warnings = integrator.warnings();
  const double start_time = state.time;
  StepReport report;
  EnergyAudit audit(system, state, integrator.is_static() ? Process::quasi_static : Process::motion);
  Statistics statistics(system);
  const Snapshot snapshot{system, state, report, audit};

  Audience audience(recorders);
  try {
    audience.begin({system, integrator, options.until});
    audience.record(snapshot);
    while (summary.steps < step_count) {
      if (options.stop_request != nullptr && options.stop_request->load(std::memory_order_relaxed)) {
        throw Interrupted(fmt::format("interrupted at t = {:.6g} s", state.time));
      }
      report = integrator.step(state);
      state.time = start_time + static_cast<double>(summary.steps + 1) * h;  // free of the sum's rounding
      audit.add_step(state, h);
      statistics.add(report, state, summary);
      audience.record(snapshot);
    }
  } catch (const std::exception& error) {
    audience.finish(error.what());  // what goes wrong from here on is a consequence
    throw;
  } catch (...) {
    audience.finish("stopped by an unknown exception");
    throw;
  }
  summary.energies = audit.energies(state);
  const std::exception_ptr failure = audience.finish("complete");
  if (failure) std::rethrow_exception(failure);
  summary.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  return summary;
}

RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::initializer_list<Recorder*> recorders) {
  return simulate(model, integrator, options,
                  std::span<Recorder* const>(std::data(recorders), recorders.size()));
}

}  // namespace picus
