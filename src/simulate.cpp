#include "checkpoint_fit.hpp"
#include "printable.hpp"
#include "recorder_group.hpp"
#include "step_doubts.hpp"
#include "watch/run_watch.hpp"
#include "watch/trouble_watch.hpp"
#include <picus/archive.hpp>
#include <picus/error.hpp>
#include <picus/simulate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <optional>
#include <utility>

namespace picus {
namespace {

using detail::owner_text;
using detail::RecorderGroup;
using detail::refuse;
using Clock = std::chrono::steady_clock;

/// Words for the independent variable of a run: time, or the load factor in a static analysis.
struct TimeWords {
  std::string_view letter = "t =";
  std::string_view end = "final time";
  std::string_view unit = " s";  ///< after a number
};

TimeWords time_words_of(const TimeIntegrator& integrator) {
  if (integrator.is_static()) return {.letter = "load factor", .end = "final load factor", .unit = ""};
  return {};
}

/// The smallest n with n h >= duration, with a tolerance of 1e-9 h. Throws OptionError if it is too large.
std::int64_t count_steps(double duration, double h, const TimeWords& words) {
  constexpr double slack = 1e-9;
  constexpr double most = 9e15;  // beyond, n and n + 1 are the same double
  const double count = std::ceil(duration / h - slack);
  if (!(count <= most)) {
    throw OptionError(fmt::format("{}{} in steps of {}{} are more steps than can be counted", duration,
                                  words.unit, h, words.unit));
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
}

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
  for (std::size_t i = 0; i < max_fallbacks; ++i) summary.fallbacks[i] += report.fallbacks[i];
  summary.worst_accepted_residual = std::max(summary.worst_accepted_residual, report.accepted_residual);

  if (rows.violation.size() > 0)
    summary.worst_violation = std::max(summary.worst_violation, rows.violation.lpNorm<Eigen::Infinity>());
  for (const RowBlock<Contact>& contact : system.contacts())
    summary.worst_penetration = std::max(summary.worst_penetration, -rows.gaps[contact.first_row]);
}

void check_options(const SimulationOptions& options, const TimeWords& words) {
  if (!(options.until > 0) || !std::isfinite(options.until)) {
    throw OptionError(
        fmt::format("the {} is {}{}, must be positive and finite", words.end, options.until, words.unit));
  }
  const CheckpointOptions& checkpoint = options.checkpoint;
  if (checkpoint.file.empty()) {
    if (checkpoint.every != CheckpointOptions{}.every)
      throw OptionError(
          fmt::format("checkpoint.every is {}, but checkpoint.file is not given", checkpoint.every));
    return;
  }
  if (options.resume != nullptr)
    throw OptionError("a run that goes on from a checkpoint keeps that one; no other can be set");
  if (checkpoint.every < 1)
    throw OptionError(fmt::format("checkpoint.every is {}, must be at least 1 step", checkpoint.every));
  std::error_code unreadable;  // errors are reported on writing
  if (!checkpoint.overwrite && std::filesystem::exists(checkpoint.file, unreadable)) {
    throw FileError(fmt::format("file \"{}\" exists; allow overwriting (--force) to replace it",
                                checkpoint.file.string()));
  }
}

/// The data of a run that change from step to step.
class Run {
 public:
  /// At the start of the run; `begun` is the start of the wall time.
  Run(Stepper& stepper, TimeIntegrator& integrator, RunSummary& summary, Clock::time_point begun)
      : stepper_(stepper),
        system_(stepper.system()),
        integrator_(integrator),
        summary_(summary),
        begun_(begun),
        state_(summary.final_state),
        audit_(system_, state_, integrator.is_static() ? Process::quasi_static : Process::motion),
        rows_(system_, state_) {
    kept_.start_time = state_.time;
    if (!integrator.is_static()) watch_.emplace(system_, state_, rows_, audit_);
  }

  Snapshot snapshot() const {
    return {system_, state_, report_, audit_, rows_, integrator_.is_static() ? 1.0 : integrator_.step_size()};
  }

  /// Enables checkpoints, unless no file is given.
  void keep(const CheckpointOptions& options) {
    kept_.file = options.file;
    if (!keeps()) return;
    kept_.every = options.every;
    kept_.notes = options.notes;
    kept_.run = make_fingerprint(system_, integrator_);
  }

  /// Resumes from a checkpoint, and continues to write checkpoints with its options.
  void resume(const Checkpoint& checkpoint) {
    const std::string difference = difference_of(make_fingerprint(system_, integrator_), checkpoint.run);
    if (!difference.empty()) refuse(checkpoint, "it is of another run, " + difference);
    if (checkpoint.every < 1)
      refuse(checkpoint, fmt::format("it is one of every {} steps", checkpoint.every));
    Archive summary(checkpoint.summary, owner_text(checkpoint, "the summary"));
    serialize_summary(summary);
    summary.finish_reading();
    if (checkpoint.start_time != state_.time)
      refuse(checkpoint,
             fmt::format("its run began at {}{}", checkpoint.start_time, time_words_of(integrator_).unit));
    const bool finds_contacts = !system_.model().contact_sets().empty();
    if (finds_contacts || !checkpoint.state.found_contacts.empty()) take_contacts(checkpoint);
    const std::string misfit =
        detail::misfit_of(checkpoint.state, state_, system_, summary_.steps, integrator_.step_size());
    if (!misfit.empty()) refuse(checkpoint, misfit);
    Archive audit(checkpoint.audit, owner_text(checkpoint, "the energies"));
    audit_.serialize(audit);
    audit.finish_reading();
    kept_ = checkpoint;
    Configuration q = std::move(state_.q);  // belongs to the model, unlike that of the file
    state_ = checkpoint.state;
    q.assign({state_.q.data().begin(), state_.q.data().end()});
    state_.q = std::move(q);
    if (finds_contacts) stepper_.resume(state_);
    rows_.evaluate(system_, state_);
    if (watch_) watch_->restart(state_, rows_);
    earlier_seconds_ = summary_.wall_seconds;
  }

  void step() {
    const double h = integrator_.step_size();
    const std::int64_t misses = stepper_.statistics().misses;
    report_ = stepper_.step(state_);
    if (stepper_.has_changed_contacts()) follow_contacts();
    state_.time =
        kept_.start_time + static_cast<double>(summary_.steps + 1) * h;  // no accumulation of rounding errors
    detail::check_bounds(system_, state_);
    const Profile::Scope clock(system_.profile(), ProfilePart::energies);
    audit_.add_step(state_, h, integrator_.step_forces());
    rows_.evaluate(system_, state_);
    if (watch_) {
      SearchStatistics& search = stepper_.statistics();
      const double depth = watch_->record_step(state_, rows_, audit_, h);
      if (depth > 0) search.misses = misses + 1;
      search.worst_depth = std::max(search.worst_depth, depth);
    }
    add_step(system_, report_, rows_, summary_);
    troubles_.record_step(report_);
  }

  bool is_checkpoint_due() const { return keeps() && summary_.steps % kept_.every == 0; }

  void write_checkpoint(RecorderGroup& group) {
    const Profile::Scope clock(system_.profile(), ProfilePart::recording);
    stop_clock();
    kept_.recorders = group.keep();
    kept_.state = state_;
    Archive audit;
    audit_.serialize(audit);
    kept_.audit = audit.bytes();
    Archive summary;
    serialize_summary(summary);
    kept_.summary = summary.bytes();
    picus::write_checkpoint(kept_);
  }

  /// Restarts the integrator: its internal data is not stored in checkpoints, and a resumed run does not have it
  /// either.
  void forget() {
    std::ranges::move(integrator_.step_warnings(), std::back_inserter(step_warnings_));
    stepper_.resume(state_);
  }

  /// Adds the energies and the warnings to the summary; returns the warnings.
  std::vector<std::string> conclude() {
    summary_.energies = audit_.energies(state_);
    summary_.search = stepper_.statistics();
    std::vector<std::string> warnings = step_warnings_;
    for (std::string& warning : integrator_.step_warnings()) {
      if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(std::move(warning));
    }
    if (watch_) std::ranges::move(watch_->warnings(summary_.energies, state_), std::back_inserter(warnings));
    if (auto sentence = troubles_.warning(summary_.steps)) warnings.push_back(std::move(*sentence));
    if (auto sentence = detail::missed_contacts(summary_.search)) warnings.push_back(std::move(*sentence));
    summary_.warnings.insert(summary_.warnings.end(), warnings.begin(), warnings.end());
    return warnings;
  }
  /// The same for a run that has failed, possibly in a function called here.
  std::vector<std::string> final_message() {
    try {
      return conclude();
    } catch (...) {
      return {};
    }
  }
  /// Notes the wall time so far.
  void stop_clock() {
    summary_.wall_seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begun_).count();
  }

 private:
  bool keeps() const { return !kept_.file.empty(); }
  /// Sets the contacts of a checkpoint at the start, which determines all sizes.
  void take_contacts(const Checkpoint& checkpoint) {
    try {
      stepper_.change_contacts(state_, checkpoint.state.found_contacts);
    } catch (const ModelError& error) {
      refuse(checkpoint, error.what());
    }
    audit_.change_contacts(state_);
  }
  /// Continues sums over steps with the contacts of the last step, from its beginning.
  void follow_contacts() {
    const State& begin = stepper_.begin();
    audit_.change_contacts(begin);
    rows_.evaluate(system_, begin);
    if (watch_) watch_->restart(begin, rows_);
  }
  void serialize_summary(Archive& archive) {
    archive(summary_.steps, summary_.subproblems, summary_.fallbacks);
    archive.in_place(summary_.worst_accepted_residual, summary_.worst_violation, summary_.worst_penetration,
                     summary_.wall_seconds);
    if (watch_) archive(*watch_);
    archive(troubles_, stepper_.statistics());
    if (!archive.is_reading()) return;
    constexpr auto most = static_cast<std::int64_t>(9e15);  // upper bound of all counts
    const auto is_count = [](std::int64_t count) { return count >= 0 && count <= most; };
    archive.require(is_count(summary_.steps));
    for (const SubproblemStatistics& statistics : summary_.subproblems) {
      archive.require(is_count(statistics.iterations) && statistics.worst_iterations >= 0 &&
                      is_count(statistics.line_searches) &&
                      detail::printable(statistics.name) == statistics.name);
    }
    for (const std::int64_t count : summary_.fallbacks) archive.require(is_count(count));
    archive.require(troubles_.is_sound(summary_.steps));
    for (const auto& [name, count] : troubles_.culprits()) archive.require(detail::printable(name) == name);
  }

  Stepper& stepper_;
  const System& system_;
  TimeIntegrator& integrator_;
  RunSummary& summary_;
  Clock::time_point begun_;
  State& state_;
  StepReport report_;
  EnergyAudit audit_;
  RowValues rows_;
  std::optional<watch::RunWatch> watch_;  ///< only for dynamics
  watch::TroubleWatch troubles_;
  std::vector<std::string> step_warnings_;  ///< of the integrator before it was last restarted
  Checkpoint kept_;
  double earlier_seconds_ = 0.0;
};

}  // namespace

RunSummary simulate(const Model& model, TimeIntegrator& integrator, const SimulationOptions& options,
                    std::span<Recorder* const> recorders) {
  const TimeWords words = time_words_of(integrator);
  check_options(options, words);
  const Profile::Scope clock(options.profile, ProfilePart::rest);
  RecorderGroup group(recorders, options.profile);
  const auto begun = Clock::now();
  const std::int64_t step_count = count_steps(options.until, integrator.step_size(), words);

  Stepper stepper(model, integrator, options.threads, options.profile);
  const System& system = stepper.system();
  RunSummary summary;
  summary.final_state = stepper.start();
  summary.warnings = integrator.warnings();
  std::ranges::copy(integrator.fallback_names(), summary.fallback_names.begin());
  Run run(stepper, integrator, summary, begun);
  if (options.resume == nullptr) {
    run.keep(options.checkpoint);
  } else {
    run.resume(*options.resume);
    if (summary.steps > step_count) {
      throw OptionError(fmt::format("the {} is {:.6g}{}, the checkpoint already at {:.6g}{}", words.end,
                                    options.until, words.unit, summary.final_state.time, words.unit));
    }
  }
  const Snapshot snapshot = run.snapshot();

  try {
    const RunInfo info{.system = system,
                       .integrator = integrator,
                       .until = options.until,
                       .time_unit = integrator.is_static() ? "1" : "s",
                       .stop_request = options.stop_request,
                       .search = &stepper.statistics(),
                       .profile = options.profile};
    if (options.resume == nullptr) {
      group.begin(info);
      group.record(snapshot);
      if (run.is_checkpoint_due()) run.write_checkpoint(group);
    } else {
      group.resume(info, snapshot, *options.resume);
    }
    while (summary.steps < step_count) {
      if (options.stop_request != nullptr && options.stop_request->load(std::memory_order_relaxed)) {
        throw Interrupted(
            fmt::format("interrupted at {} {:.6g}{}", words.letter, summary.final_state.time, words.unit));
      }
      run.step();
      group.record(snapshot);
      if (!run.is_checkpoint_due()) continue;
      run.write_checkpoint(group);
      if (summary.steps < step_count) run.forget();
    }
  } catch (const Interrupted& error) {
    // Whether the results are in their file matters more than the interruption.
    if (const std::exception_ptr failure = group.finish(error.what(), run.final_message()))
      std::rethrow_exception(failure);
    throw;
  } catch (const std::bad_alloc&) {
    group.finish("out of memory", run.final_message());
    throw;
  } catch (const std::exception& error) {
    group.finish(error.what(), run.final_message());  // later failures are consequences
    throw;
  } catch (...) {
    group.finish("stopped by an unknown exception", run.final_message());
    throw;
  }
  const std::exception_ptr failure = group.finish("complete", run.conclude());
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
