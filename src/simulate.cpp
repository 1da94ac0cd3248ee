#include <picus/archive.hpp>
#include <picus/error.hpp>
#include <picus/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <utility>

namespace picus {
namespace {

using Clock = std::chrono::steady_clock;

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

[[noreturn]] void refuse(const Checkpoint& checkpoint, const std::string& reason) {
  throw FileError(fmt::format("cannot go on from checkpoint \"{}\": {}", checkpoint.file.string(), reason));
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

  void resume(const RunInfo& run, const Snapshot& last, const Checkpoint& checkpoint) {
    const std::vector<std::vector<std::byte>>& kept = checkpoint.recorders;
    for (std::size_t i = recorders_.size(); i < kept.size(); ++i) {
      if (!kept[i].empty()) refuse(checkpoint, fmt::format("recorder {} of the run is missing", i + 1));
    }
    for (Recorder* const recorder : recorders_) {
      if (begun_ < kept.size() && !kept[begun_].empty()) {
        Archive archive(kept[begun_], fmt::format("recorder {}", begun_ + 1));
        recorder->resume(run, last, archive);
        ++begun_;
        archive.finish_reading();
      } else {
        recorder->begin(run);
        ++begun_;
      }
    }
  }

  void record(const Snapshot& snapshot) {
    for (Recorder* const recorder : recorders_) recorder->record(snapshot);
  }

  std::vector<std::vector<std::byte>> keep() {
    std::vector<std::vector<std::byte>> kept;
    for (Recorder* const recorder : recorders_) {
      Archive archive;
      recorder->serialize(archive);
      kept.push_back(archive.bytes());
    }
    return kept;
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

/// Adds a step to the summary. Allocates nothing.
void add_step(const System& system, const StepReport& report, const RowValues& rows, RunSummary& summary) {
  ++summary.steps;
  for (std::size_t i = 0; i < report.subproblems.size(); ++i) {
    const SubproblemReport& solved = report.subproblems[i];
    SubproblemStatistics& statistics = summary.subproblems[i];
    if (statistics.name != solved.name) statistics.name = solved.name;
    statistics.iterations += solved.iterations;
    statistics.worst_iterations = std::max(statistics.worst_iterations, solved.iterations);
    statistics.line_searches += solved.line_searches;
  }
  for (std::size_t i = 0; i < fallback_count; ++i) summary.fallbacks[i] += report.fallbacks[i];
  summary.worst_accepted_residual = std::max(summary.worst_accepted_residual, report.accepted_residual);

  if (rows.violation.size() > 0)
    summary.worst_violation = std::max(summary.worst_violation, rows.violation.lpNorm<Eigen::Infinity>());
  for (const RowBlock<Contact>& contact : system.contacts())
    summary.worst_penetration = std::max(summary.worst_penetration, -rows.gaps[contact.first_row]);
}

void check_options(const SimulationOptions& options) {
  if (!(options.until > 0) || !std::isfinite(options.until)) {
    throw OptionError(fmt::format("the final time is {} s, must be positive and finite", options.until));
  }
  const CheckpointOptions& checkpoint = options.checkpoint;
  if (checkpoint.file.empty()) return;
  if (options.resume != nullptr)
    throw OptionError("a run that goes on from a checkpoint keeps that one; no other can be set");
  if (checkpoint.every < 1)
    throw OptionError(fmt::format("checkpoint.every is {}, must be at least 1 step", checkpoint.every));
  std::error_code unreadable;  // writing it will say why
  if (!checkpoint.overwrite && std::filesystem::exists(checkpoint.file, unreadable)) {
    throw FileError(fmt::format("file \"{}\" exists; allow overwriting (--force) to replace it",
                                checkpoint.file.string()));
  }
}

/// Throws SolverError when velocities have grown until their squares are no numbers any more. Explicit schemes get
/// there without a residual that would tell.
void check_bounds(const System& system, const State& state) {
  if (std::isfinite(state.v.squaredNorm())) return;
  Index worst = 0;
  for (Index i = 0; i < state.v.size(); ++i) {
    if (!(std::abs(state.v[i]) <= std::abs(state.v[worst]))) worst = i;
    if (std::isnan(state.v[i])) break;
  }
  throw SolverError(
      fmt::format("step to t = {} s: the motion has grown beyond all bounds; the rate of {} is {:.3g}",
                  state.time, system.describe_dof(worst), state.v[worst]));
}

/// A run between two steps: everything that changes as it goes on.
class Run {
 public:
  /// The start. `begun` is when the clock was set going.
  Run(const System& system, TimeIntegrator& integrator, RunSummary& summary, Clock::time_point begun)
      : system_(system),
        integrator_(integrator),
        summary_(summary),
        begun_(begun),
        state_(summary.final_state),
        audit_(system, state_, integrator.is_static() ? Process::quasi_static : Process::motion),
        rows_(system, state_) {
    kept_.start_time = state_.time;
  }

  Snapshot snapshot() const { return {system_, state_, report_, audit_, rows_}; }

  /// Checkpoints are kept from now on, none if no file is named.
  void keep(const CheckpointOptions& options) {
    kept_.file = options.file;
    if (!keeps()) return;
    kept_.every = options.every;
    kept_.notes = options.notes;
    kept_.run = make_fingerprint(system_, integrator_);
  }

  /// Goes over to the state of a checkpoint, and keeps more of the same.
  void take_up(const Checkpoint& checkpoint) {
    const std::string difference = difference_of(make_fingerprint(system_, integrator_), checkpoint.run);
    if (!difference.empty()) refuse(checkpoint, "it is of another run, " + difference);
    kept_ = checkpoint;
    state_ = checkpoint.state;
    rows_.evaluate(system_, state_);
    Archive audit(checkpoint.audit, "the energies");
    audit_.serialize(audit);
    audit.finish_reading();
    Archive summary(checkpoint.summary, "the summary");
    serialize_summary(summary);
    summary.finish_reading();
    earlier_seconds_ = summary_.wall_seconds;
  }

  void step() {
    const double h = integrator_.step_size();
    report_ = integrator_.step(state_);
    state_.time =
        kept_.start_time + static_cast<double>(summary_.steps + 1) * h;  // free of the sum's rounding
    check_bounds(system_, state_);
    audit_.add_step(state_, h);
    rows_.evaluate(system_, state_);
    add_step(system_, report_, rows_, summary_);
  }

  bool is_checkpoint_due() const { return keeps() && summary_.steps % kept_.every == 0; }

  void write_checkpoint(Audience& audience) {
    stop_clock();
    kept_.recorders = audience.keep();
    kept_.state = state_;
    Archive audit;
    audit_.serialize(audit);
    kept_.audit = audit.bytes();
    Archive summary;
    serialize_summary(summary);
    kept_.summary = summary.bytes();
    picus::write_checkpoint(kept_);
  }

  /// What the integrator has learnt on the way is in no checkpoint: it goes on without, as it has to after one.
  void forget() { integrator_.start(system_); }

  Energies energies() const { return audit_.energies(state_); }
  /// Notes the wall time so far.
  void stop_clock() {
    summary_.wall_seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begun_).count();
  }

 private:
  bool keeps() const { return !kept_.file.empty(); }
  void serialize_summary(Archive& archive) {
    archive(summary_.steps, summary_.subproblems, summary_.fallbacks, summary_.worst_accepted_residual,
            summary_.worst_violation, summary_.worst_penetration, summary_.wall_seconds);
  }

  const System& system_;
  TimeIntegrator& integrator_;
  RunSummary& summary_;
  Clock::time_point begun_;
  State& state_;
  StepReport report_;
  EnergyAudit audit_;
  RowValues rows_;
  Checkpoint kept_;
  double earlier_seconds_ = 0.0;
};

}  // namespace

RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::span<Recorder* const> recorders) {
  check_options(options);
  const auto begun = Clock::now();
  const std::int64_t step_count = count_steps(options.until, integrator.step_size());

  const System system(model);
  RunSummary summary;
  summary.final_state = integrator.start(system);
  summary.warnings = integrator.warnings();
  Run run(system, integrator, summary, begun);
  if (options.resume == nullptr) {
    run.keep(options.checkpoint);
  } else {
    run.take_up(*options.resume);
    if (summary.steps > step_count) {
      throw OptionError(fmt::format("the final time is {:.6g} s, the checkpoint already at {:.6g} s",
                                    options.until, summary.final_state.time));
    }
  }
  const Snapshot snapshot = run.snapshot();

  Audience audience(recorders);
  try {
    const RunInfo info{system, integrator, options.until};
    if (options.resume == nullptr) {
      audience.begin(info);
      audience.record(snapshot);
      if (run.is_checkpoint_due()) run.write_checkpoint(audience);
    } else {
      audience.resume(info, snapshot, *options.resume);
    }
    while (summary.steps < step_count) {
      if (options.stop_request != nullptr && options.stop_request->load(std::memory_order_relaxed)) {
        throw Interrupted(fmt::format("interrupted at t = {:.6g} s", summary.final_state.time));
      }
      run.step();
      audience.record(snapshot);
      if (!run.is_checkpoint_due()) continue;
      run.write_checkpoint(audience);
      if (summary.steps < step_count) run.forget();
    }
  } catch (const std::exception& error) {
    audience.finish(error.what());  // what goes wrong from here on is a consequence
    throw;
  } catch (...) {
    audience.finish("stopped by an unknown exception");
    throw;
  }
  summary.energies = run.energies();
  const std::exception_ptr failure = audience.finish("complete");
  if (failure) std::rethrow_exception(failure);
  run.stop_clock();
  return summary;
}

RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::initializer_list<Recorder*> recorders) {
  return simulate(model, integrator, options,
                  std::span<Recorder* const>(std::data(recorders), recorders.size()));
}

}  // namespace picus
