#include <picus/error.hpp>
#include <picus/models/benchmarks/drawing.hpp>
#include <picus/models/benchmarks/job.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/thread_clock.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

namespace picus::models {
namespace {

/// The text of the exception that is being handled.
std::string current_message() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

/// Of a step by the number of unknowns, and what a step costs without any.
double cost_of(double steps, const Scenario& scenario) {
  return steps * (10.0 + static_cast<double>(scenario.build().velocity_count()));
}

template <class Planned>
IntegratorOptions options_of(const Planned& planned, double step) {
  IntegratorOptions options;
  options.step = step;
  options.rho_inf = planned.rho_inf;
  options.tolerance = planned.tolerance;
  return options;
}

}  // namespace

Job::Job(const Benchmark& benchmark, const ExecutionOptions& options) : options_(options) {
  result_.benchmark = benchmark;
}

void Job::prepare() {
  const double begin = thread_seconds();
  try {
    plan_ = result_.benchmark.plan(options_.effort);
    for (PlannedRun& run : plan_.runs) prepare(run);
    for (PlannedStudy& study : plan_.studies) prepare(study);
    for (const PlannedSpectrum& spectrum : plan_.spectra) prepare(spectrum);
    has_plan_ = true;
  } catch (...) {
    note("plan", current_message());
  }
  left_ = tasks_.size();
  preparation_seconds_ = thread_seconds() - begin;
  if (tasks_.empty()) conclude();
}

void Job::run(Task& task) {
  const double begin = thread_seconds();
  task.work();
  task.cpu_seconds = thread_seconds() - begin;
  if (--left_ == 0) conclude();
}

bool Job::stop_is_requested() const {
  return options_.stop_request != nullptr && *options_.stop_request;
}

void Job::note(const std::string& what, const std::string& message) {
  result_.failures.push_back(fmt::format("{}: {}", what, message));
}

void Job::prepare(PlannedRun& run) {
  const auto [place, is_new] = outcomes_.runs.try_emplace(run.id);
  if (!is_new) throw Error(fmt::format("two runs are called \"{}\"", run.id));
  RunOutcome& outcome = place->second;
  const std::size_t number = runs_.size();
  runs_.push_back({.result = {.plan = run}, .outcome = &outcome, .task = {}});
  outcome.is_available = has_scheme(run.scheme);
  try {
    const RegisteredModel& model = find_model(run.model);
    if (run.step == 0.0) run.step = model.info().step;
    if (run.until == 0.0) run.until = model.info().until;
    runs_[number].result.plan = run;
    if (!outcome.is_available) return;
    const auto trial = std::make_shared<Trial>(Trial{.scenario = model.configure(run.settings),
                                                     .scheme = run.scheme,
                                                     .options = options_of(run, run.step),
                                                     .max_iterations = run.max_iterations,
                                                     .until = run.until,
                                                     .signals = run.signals,
                                                     .every = run.every,
                                                     .stop_request = options_.stop_request});
    const double cost = cost_of(run.until / run.step, trial->scenario);
    runs_[number].task = tasks_.size();
    tasks_.push_back({run.id, cost, [this, trial, number] { make_run(*trial, runs_[number]); }});
  } catch (...) {
    runs_[number].result.ending = Ending::not_run;
    outcome.result.failure = current_message();
  }
}

void Job::make_run(const Trial& trial, RunWork& work) {
  if (stop_is_requested()) return interrupt(work);
  try {
    work.outcome->result = models::run(trial);
  } catch (const Interrupted&) {
    interrupt(work);
  } catch (...) {
    work.result.ending = Ending::not_run;
    work.outcome->result.failure = current_message();
  }
}

void Job::interrupt(RunWork& work) {
  is_interrupted_ = true;
  work.result.ending = Ending::interrupted;
  work.outcome->result.failure = "interrupted";
}

void Job::prepare(const PlannedSpectrum& planned) {
  if (outcomes_.runs.contains(planned.id)) {
    throw Error(fmt::format("a run and a spectrum are called \"{}\"", planned.id));
  }
  const auto [place, is_new] = outcomes_.spectra.try_emplace(planned.id);
  if (!is_new) throw Error(fmt::format("two spectra are called \"{}\"", planned.id));
  SpectrumOutcome& outcome = place->second;
  outcome.is_available = has_scheme(planned.scheme);
  if (!outcome.is_available) return;
  const auto find = [planned, &outcome] {
    try {
      outcome.result = find_spectrum(planned.scheme, {.rho_inf = planned.rho_inf}, planned.h_over_period);
    } catch (...) {
      outcome.failure = current_message();
    }
  };
  tasks_.push_back({planned.id, 100.0 * static_cast<double>(planned.h_over_period.size()), find});
}

void Job::prepare(PlannedStudy& planned) {
  if (std::ranges::any_of(studies_, [&](const StudyWork& study) { return study.plan.id == planned.id; })) {
    throw Error(fmt::format("two studies are called \"{}\"", planned.id));
  }
  const auto scheme = std::ranges::find_if(planned.schemes, has_scheme);
  const bool is_available = scheme != planned.schemes.end() && has_scheme(planned.reference_scheme);
  std::optional<ConvergenceStudy> first;
  double unknowns = 0.0;
  std::string failure;
  try {
    const RegisteredModel& model = find_model(planned.model);
    if (planned.until == 0.0) planned.until = model.info().until;
    if (planned.steps.empty()) throw OptionError("it has no step sizes");
    const Scenario scenario = model.configure(planned.settings);
    unknowns = cost_of(1.0, scenario);
    if (is_available) {
      first.emplace(ConvergencePlan{.scenario = scenario,
                                    .scheme = *scheme,
                                    .options = options_of(planned, planned.steps.front()),
                                    .max_iterations = planned.max_iterations,
                                    .steps = planned.steps,
                                    .until = planned.until,
                                    .quantities = planned.quantities,
                                    .reference_step = planned.reference_step,
                                    .reference_scheme = planned.reference_scheme,
                                    .stop_request = options_.stop_request});
    }
  } catch (...) {
    failure = current_message();
  }

  StudyWork& work = studies_.emplace_back(StudyWork{planned, {}});
  for (const std::string& name : planned.schemes) {
    SchemeWork& one = work.schemes.emplace_back(SchemeWork{name, failure, {}});
    if (!first || !has_scheme(name)) continue;
    one.study = name == *scheme ? *first : first->with_scheme(name);
    for (const ConvergenceStudy::Task& task : one.study->tasks()) {
      tasks_.push_back({fmt::format("{} ({}), {}", planned.id, name, task.label), task.cost * unknowns,
                        [this, part = task.work] { make_part_of_study(part); }});
    }
  }
}

void Job::make_part_of_study(const std::function<void()>& work) {
  if (stop_is_requested()) {
    is_interrupted_ = true;
    return;
  }
  try {
    work();
  } catch (const Interrupted&) {
    is_interrupted_ = true;
  } catch (...) {
    // The study keeps it, and throws it again when it is finished.
  }
}

void Job::conclude() {
  const double begin = thread_seconds();
  try {
    conclude_runs();
    conclude_studies();
    for (const auto& [id, spectrum] : outcomes_.spectra) {
      if (!spectrum.failure.empty()) note(fmt::format("spectrum {}", id), spectrum.failure);
    }
    result_.figures = draw(plan_, outcomes_);
    if (has_plan_ && !is_interrupted_) result_.rows = judge(result_.benchmark, outcomes_, options_.effort);
    result_.summary = summarize(result_);
  } catch (...) {
    note("results", current_message());
  }
  if (!result_.failures.empty()) result_.ending = Ending::not_run;
  if (is_interrupted_) result_.ending = Ending::interrupted;

  // All signals go: those of runs, and those of studies, which their tasks hold too.
  outcomes_ = {};
  studies_.clear();
  for (Task& task : tasks_) task.work = {};

  result_.summary.cpu_seconds = preparation_seconds_ + thread_seconds() - begin;
  for (const Task& task : tasks_) result_.summary.cpu_seconds += task.cpu_seconds;
}

void Job::conclude_runs() {
  for (RunWork& work : runs_) {
    RunResult& run = work.result;
    const TrialResult& trial = work.outcome->result;
    run.failure = trial.failure;
    if (run.ending == Ending::not_run) note(fmt::format("run {}", run.plan.id), run.failure);
    if (run.ending == Ending::complete && !work.outcome->is_available) run.ending = Ending::no_scheme;
    if (run.ending == Ending::complete && !trial.is_complete()) run.ending = Ending::failed_step;
    run.steps = trial.summary.steps;
    run.mean_iterations = trial.mean_iterations();
    run.worst_iterations = trial.worst_iterations();
    run.fallbacks = trial.fallback_count();
    run.worst_violation = trial.summary.worst_violation;
    run.worst_penetration = trial.summary.worst_penetration;
    if (work.task) run.cpu_seconds = tasks_[*work.task].cpu_seconds;
    result_.runs.push_back(run);
  }
}

void Job::conclude_studies() {
  for (StudyWork& work : studies_) {
    StudyResult& study = result_.studies.emplace_back(StudyResult{work.plan, {}});
    for (SchemeWork& scheme : work.schemes) {
      const SchemeResult& one = study.schemes.emplace_back(conclude(work.plan.id, scheme));
      outcomes_.studies[work.plan.id][scheme.scheme] = {
          .is_available = one.ending != Ending::no_scheme, .failure = one.failure, .result = one.result};
    }
  }
}

SchemeResult Job::conclude(const std::string& id, SchemeWork& work) {
  SchemeResult scheme{.scheme = work.scheme, .failure = work.failure};
  if (!work.study && work.failure.empty()) {
    scheme.ending = Ending::no_scheme;
    return scheme;
  }
  if (work.study) {
    try {
      scheme.result = work.study->finish();
    } catch (...) {
      scheme.failure = current_message();
    }
  }
  if (scheme.failure.empty()) return scheme;
  if (is_interrupted_) {
    scheme.ending = Ending::interrupted;
    scheme.failure = "interrupted";
  } else {
    scheme.ending = Ending::not_run;
    note(fmt::format("study {} ({})", id, scheme.scheme), scheme.failure);
  }
  return scheme;
}

Rows judge(const Benchmark& benchmark, const Outcomes& outcomes, Effort effort) {
  Rows rows;
  try {
    rows = benchmark.rows(outcomes, effort);
  } catch (...) {
    return {
        expect_true("rows", "the runs that the rows need went through", false, "design", current_message())};
  }
  for (Row& row : rows) {
    if (!row.value || std::isfinite(*row.value)) continue;
    row.note += fmt::format("{}the value is {}", row.note.empty() ? "" : "; ", *row.value);
  }
  return rows;
}

}  // namespace picus::models
