#include <picus/error.hpp>
#include <picus/models/benchmarks/drawing.hpp>
#include <picus/models/benchmarks/job.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/thread_clock.hpp>
#include <picus/models/surface_depth.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <set>

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

/// Cost of the steps as a function of the number of unknowns, including a constant part per step.
double cost_of(double steps, const Scenario& scenario) {
  return steps * (10.0 + static_cast<double>(scenario.build().velocity_count()));
}

template <class Experiment>
SchemeOptions options_of(const Experiment& planned, double step) {
  return {.step = step, .tolerance = planned.tolerance};
}

/// The signal "depth" of surfaces, if it is requested.
std::function<Signals(const RunInfo&)> sampling_of(const Run& run) {
  if (run.sampled_instants == 0) return {};
  const std::int64_t every =
      std::max<std::int64_t>(1, std::llround(run.until / run.step) / run.sampled_instants);
  return [every, n = run.sampled_intervals](const RunInfo& info) {
    return Signals{sampled_depth(info, every, n)};
  };
}

}  // namespace

Job::Job(const Benchmark& benchmark, const ExecutionOptions& options) : options_(options) {
  result_.benchmark = benchmark;
}

void Job::prepare() {
  const double begin = thread_seconds();
  Experiments& experiments = result_.experiments;
  try {
    experiments = result_.benchmark.plan(options_.effort);
    check_names();
    for (Run& run : experiments.runs) prepare(run);
    for (Study& study : experiments.studies) prepare(study);
    for (SpectrumRun& spectrum : experiments.spectra) prepare(spectrum);
  } catch (...) {
    experiments = {};
    result_.benchmark.rows.clear();
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
  if (task.run_seconds != nullptr) *task.run_seconds = task.cpu_seconds;
  if (--left_ == 0) conclude();
}

bool Job::stop_is_requested() const {
  return options_.stop_request != nullptr && *options_.stop_request;
}

void Job::note(const std::string& what, const std::string& message) {
  result_.failures.push_back(fmt::format("{}: {}", what, message));
}

/// Throws Error if two runs, spectra or studies have the same name, or if a curve refers to none.
void Job::check_names() const {
  const Experiments& experiments = result_.experiments;
  std::set<std::string_view> drawn, studies;
  for (const Run& run : experiments.runs) {
    if (!drawn.insert(run.id).second) throw Error(fmt::format("two runs are called \"{}\"", run.id));
  }
  for (const SpectrumRun& spectrum : experiments.spectra) {
    if (!drawn.insert(spectrum.id).second)
      throw Error(fmt::format("a run or a spectrum beside another is called \"{}\"", spectrum.id));
  }
  for (const Study& study : experiments.studies) {
    if (!studies.insert(study.id).second) throw Error(fmt::format("two studies are called \"{}\"", study.id));
  }
  for (const Figure& figure : experiments.figures) {
    for (const Panel& panel : figure.panels) {
      for (const Curve& curve : panel.curves) {
        if (!drawn.contains(curve.run))
          throw Error(fmt::format("figure \"{}\" shows \"{}\", which is no run", figure.id, curve.run));
      }
    }
  }
}

void Job::prepare(Run& run) {
  try {
    const RegisteredModel& model = find_model(run.model);
    if (run.step == 0.0) run.step = model.info().step;
    if (run.until == 0.0) run.until = model.info().until;
    const auto trial = std::make_shared<Trial>(Trial{.scenario = model.configure(run.settings),
                                                     .scheme = run.scheme,
                                                     .options = options_of(run, run.step),
                                                     .max_iterations = run.max_iterations,
                                                     .until = run.until,
                                                     .signals = run.signals,
                                                     .more_signals = sampling_of(run),
                                                     .every = run.every,
                                                     .stop_request = options_.stop_request});
    const double cost = cost_of(run.until / run.step, trial->scenario);
    tasks_.push_back({run.id, cost, [this, trial, &run] { make_run(*trial, run); }, &run.cpu_seconds});
  } catch (...) {
    run.ending = Ending::not_run;
    run.result.failure = current_message();
  }
}

void Job::make_run(const Trial& trial, Run& run) {
  try {
    if (stop_is_requested()) throw Interrupted("");
    run.result = models::run(trial);
    if (!run.result.is_complete()) run.ending = Ending::failed_step;
  } catch (const Interrupted&) {
    is_interrupted_ = true;
    run.ending = Ending::interrupted;
    run.result.failure = "interrupted";
  } catch (...) {
    run.ending = Ending::not_run;
    run.result.failure = current_message();
  }
}

void Job::prepare(SpectrumRun& spectrum) {
  const auto find = [&spectrum] {
    try {
      spectrum.result = find_spectrum(spectrum.scheme, spectrum.h_over_period);
    } catch (...) {
      spectrum.failure = current_message();
    }
  };
  tasks_.push_back({spectrum.id, 100.0 * static_cast<double>(spectrum.h_over_period.size()), find});
}

void Job::prepare(Study& study) {
  for (const std::string& scheme : study.schemes) study.results.push_back({.scheme = scheme});
  try {
    const RegisteredModel& model = find_model(study.model);
    if (study.until == 0.0) study.until = model.info().until;
    if (study.steps.empty()) throw OptionError("it has no step sizes");
    const Scenario scenario = model.configure(study.settings);
    const double unknowns = cost_of(1.0, scenario);
    const ConvergenceStudy first({.scenario = scenario,
                                  .scheme = study.schemes.front(),
                                  .options = options_of(study, study.steps.front()),
                                  .max_iterations = study.max_iterations,
                                  .steps = study.steps,
                                  .until = study.until,
                                  .quantities = study.quantities,
                                  .reference_step = study.reference_step,
                                  .reference_scheme = study.reference_scheme,
                                  .phases = study.phases,
                                  .stop_request = options_.stop_request});
    for (SchemeStudy& one : study.results) {
      const bool is_first = &one == &study.results.front();
      StudyAtWork& work =
          studies_.emplace_back(StudyAtWork{&one, is_first ? first : first.with_scheme(one.scheme)});
      for (const ConvergenceStudy::Task& task : work.study.tasks()) {
        tasks_.push_back({fmt::format("{} ({}), {}", study.id, one.scheme, task.label), task.cost * unknowns,
                          [this, part = task.work] { make_part_of_study(part); }});
      }
    }
  } catch (...) {
    for (SchemeStudy& one : study.results) one.failure = current_message();
  }
}

void Job::make_part_of_study(const std::function<void()>& work) {
  try {
    if (stop_is_requested()) throw Interrupted("");
    work();
  } catch (const Interrupted&) {
    is_interrupted_ = true;
  } catch (...) {
    // The study stores the exception and rethrows it in finish().
  }
}

void Job::conclude() {
  const double begin = thread_seconds();
  Experiments& experiments = result_.experiments;
  try {
    conclude_runs();
    conclude_studies();
    result_.figures = draw(experiments);
    if (!is_interrupted_) result_.rows = judge(result_.benchmark, experiments, options_.effort);
    result_.summary = summarize(result_);
  } catch (...) {
    note("results", current_message());
  }
  if (!result_.failures.empty()) result_.ending = Ending::not_run;
  if (is_interrupted_) result_.ending = Ending::interrupted;

  // All signals are freed: those of runs, and those of studies, which their tasks also hold.
  for (Run& run : experiments.runs) {
    run.result.times = {};
    run.result.series = {};
  }
  studies_.clear();
  for (Task& task : tasks_) task.work = {};

  result_.summary.cpu_seconds = preparation_seconds_ + thread_seconds() - begin;
  for (const Task& task : tasks_) result_.summary.cpu_seconds += task.cpu_seconds;
}

void Job::conclude_runs() {
  for (const Run& run : result_.experiments.runs) {
    if (run.ending == Ending::not_run) note(fmt::format("run {}", run.id), run.result.failure);
  }
  for (const SpectrumRun& spectrum : result_.experiments.spectra) {
    if (!spectrum.failure.empty()) note(fmt::format("spectrum {}", spectrum.id), spectrum.failure);
  }
}

void Job::conclude_studies() {
  for (StudyAtWork& work : studies_) {
    try {
      work.result->result = work.study.finish();
    } catch (...) {
      work.result->failure = current_message();
    }
  }
  for (Study& study : result_.experiments.studies) {
    for (SchemeStudy& one : study.results) {
      if (one.failure.empty()) continue;
      one.ending = is_interrupted_ ? Ending::interrupted : Ending::not_run;
      if (is_interrupted_) {
        one.failure = "interrupted";
      } else {
        note(fmt::format("study {} ({})", study.id, one.scheme), one.failure);
      }
    }
  }
}

Rows judge(const Benchmark& benchmark, const Experiments& outcomes, Effort effort) {
  Rows rows;
  for (std::size_t i = 0; i < benchmark.rows.size(); ++i) {
    try {
      benchmark.rows[i](rows, outcomes, effort);
    } catch (...) {
      rows.push_back(expect_true(fmt::format("rows-{}", i + 1),
                                 "the runs that these claims need went through", false, "design",
                                 current_message()));
    }
  }
  for (Row& row : rows) {
    if (!row.value || std::isfinite(*row.value)) continue;
    row.note += fmt::format("{}the value is {}", row.note.empty() ? "" : "; ", *row.value);
  }
  return rows;
}

}  // namespace picus::models
