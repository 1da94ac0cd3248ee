/// `picus sweep MODEL`: a run for each of many parameter values, and a table of their findings.

#include "command_line.hpp"
#include "integrator_options.hpp"
#include "model_words.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "scripts.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include "sweep_journal.hpp"
#include "sweep_results.hpp"
#include "terminal.hpp"
#include <picus/error.hpp>
#include <picus/models/study/side_by_side.hpp>
#include <picus/simulate.hpp>
#include <picus/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <numeric>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace picus::program {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// As typed; missing options have their defaults.
struct SweepWords {
  ModelWords model;
  IntegratorWords integrator;
  std::optional<std::string> until, samples, sampling, seed, workers, threads, out;
  bool retry = false;
  bool no_figure = false;
  bool force = false;
  bool quiet = false;
};

std::optional<Sampling> read_sampling(const SweepWords& words) {
  if (!words.samples) {
    if (words.sampling || words.seed)
      throw OptionError(fmt::format("{} is for --samples alone", words.sampling ? "--sampling" : "--seed"));
    return std::nullopt;
  }
  Sampling sampling;
  sampling.count = read_integer("--samples", *words.samples, Range::between(1, 1e6));
  if (words.sampling)
    sampling.is_latin = read_choice("--sampling", *words.sampling, {"latin", "random"}) == 0;
  sampling.seed = static_cast<std::uint64_t>(integer_or(1, "--seed", words.seed, {.low = 0}));
  return sampling;
}

/// Everything that the results of a sweep depend on.
std::string head_of(const SweepOptions& options, const std::optional<Sampling>& sampling,
                    const std::vector<std::string>& settings) {
  std::string head = fmt::format("sweep of {}\t{}\tuntil {}\tPicus {}", options.model->info().name,
                                 options.integrator.scheme, number_text(options.until), version);
  const SchemeOptions& own = options.integrator.options;
  for (const auto& [name, value] : SchemeOptions::table().write(own))
    head += fmt::format("\t{}={}", name, value);
  head += fmt::format("\tsolvers {} {}", static_cast<int>(own.linear_solver),
                      static_cast<int>(own.contact_solver));
  for (const std::string& setting : settings) head += '\t' + setting;
  if (sampling) {
    head += fmt::format("\t{} samples {} seed {}", sampling->count, sampling->is_latin ? "latin" : "random",
                        sampling->seed);
  }
  std::ranges::replace(head, '\n', ' ');
  return head;
}

SweepOptions read_options(const SweepWords& words) {
  if (words.model.name.empty())
    read_model(words.model, "sweep");  // throws; a sweep has no word that could be the model instead
  const RegisteredModel& model = find_model(words.model.models, words.model.name, list_command());
  SweepOptions options{.model = &model};
  const std::optional<Sampling> sampling = read_sampling(words);
  try {
    options.plan = plan_sweep(words.model.settings, model.parameters(), sampling);
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("model \"{}\": {}", model.info().name, error.what()));
  }
  for (std::size_t i = 0; i < options.plan.values.size(); ++i) model.configure(options.plan.settings(i));
  options.integrator = read_integrator_options(words.integrator, model.info().step);
  options.until = real_or(model.info().until, "--until", words.until, Range::positive());
  options.workers = integer_or(static_cast<Index>(models::available_workers()), "--workers", words.workers,
                               Range::between(1, 1024));
  options.threads =
      integer_or(options.workers > 1 ? 1 : 0, "--threads", words.threads, Range::between(1, 256));
  const std::string stem = words.out.value_or(model.info().name + "-sweep");
  if (stem.empty()) throw OptionError("--out is \"\", must be the beginning of file names");
  options.table = stem + ".csv";
  options.data = stem + ".h5";
  if (!words.no_figure) options.figure = stem + ".png";
  options.journal = stem + ".sweep";
  options.head = head_of(options, sampling, words.model.settings);
  options.retry = words.retry;
  options.force = words.force;
  options.quiet = words.quiet;
  check_name(options.table, words.force);
  check_name(options.data, words.force);
  if (!options.figure.empty()) check_name(options.figure, words.force);
  check_name(options.journal, true);
  return options;
}

SweepOutcome run_point(const SweepOptions& options, std::size_t point) {
  SweepOutcome outcome;
  const Clock::time_point begin = Clock::now();
  try {
    const Scenario scenario = options.model->configure(options.plan.settings(point));
    const Model model = scenario.build();
    const std::unique_ptr<TimeIntegrator> integrator =
        make_integrator(options.integrator.scheme, options.integrator.options);
    const std::unique_ptr<Observer> observer = scenario.make_observer();
    const RunSummary summary =
        simulate(model, *integrator, {.until = options.until, .threads = options.threads}, {observer.get()});
    outcome.steps = summary.steps;
    outcome.fallbacks = std::accumulate(summary.fallbacks.begin(), summary.fallbacks.end(), std::int64_t{0});
    outcome.findings = observer->findings();
    outcome.warnings = warnings_of(summary.warnings, outcome.findings);
  } catch (const std::bad_alloc&) {
    outcome.failure = "out of memory";
  } catch (const std::exception& error) {
    outcome.failure = error.what();
    outcome.is_refused = dynamic_cast<const OptionError*>(&error) != nullptr ||
                         dynamic_cast<const ModelError*>(&error) != nullptr;
  } catch (...) {
    outcome.failure = "an unknown exception";
  }
  outcome.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

/// A process that runs one point and writes its outcome into a pipe.
struct Worker {
  std::size_t point;
  pid_t process;
  int answer;
  std::string text;
  Clock::time_point begun;
};

[[noreturn]] void be_a_worker(const SweepOptions& options, std::size_t point, int answer) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // the result would be unused
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    std::signal(signal, SIG_IGN);  // terminated by the parent
  const std::string text = run_point(options, point).text() + '\n';
  for (std::string_view left = text; !left.empty();) {
    const ssize_t count = ::write(answer, left.data(), left.size());
    if (count < 0 && errno != EINTR) break;
    if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
  }
  ::_exit(0);
}

Worker start_worker(const SweepOptions& options, std::size_t point) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", std::strerror(errno)));
  flush_output();  // otherwise the child would inherit buffered output
  const pid_t process = ::fork();
  if (process < 0) throw Error(fmt::format("no process for a run: {}", std::strerror(errno)));
  if (process == 0) be_a_worker(options, point, ends[1]);
  ::close(ends[1]);
  return {point, process, ends[0], {}, Clock::now()};
}

/// The result of a worker that has closed its pipe: its answer, or how it was terminated.
SweepOutcome collect(const Worker& worker) {
  ::close(worker.answer);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (worker.text.ends_with('\n')) {
    if (auto outcome = SweepOutcome::read(std::string_view(worker.text).substr(0, worker.text.size() - 1)))
      return *std::move(outcome);
  }
  SweepOutcome lost;
  lost.wall_seconds = std::chrono::duration<double>(Clock::now() - worker.begun).count();
  lost.failure = WIFSIGNALED(status) ? fmt::format("its process was ended by {}", strsignal(WTERMSIG(status)))
                                     : std::string("its process ended without an answer");
  return lost;
}

/// "12 of 40 done, 1 failed, 0:42 left", on a terminal in place, otherwise every five seconds.
class SweepProgress {
 public:
  SweepProgress(std::size_t all, std::size_t before, bool is_quiet)
      : all_(all), before_(before), is_quiet_(is_quiet), on_terminal_(stderr_is_terminal()) {}

  void show(std::size_t done, std::size_t failed, const std::string& model) {
    const Clock::time_point now = Clock::now();
    if (is_quiet_ || (!on_terminal_ && now - last_ < std::chrono::seconds(5))) return;
    last_ = now;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    std::string text = fmt::format("{} of {} done, {} failed", done, all_, failed);
    if (done > before_) {
      const double each = elapsed / static_cast<double>(done - before_);
      text += fmt::format(", {} left", duration_text(each * static_cast<double>(all_ - done)));
    }
    if (on_terminal_)
      draw_status_line(static_cast<double>(done) / static_cast<double>(all_), text);
    else
      write_error_text(fmt::format("{}: {}: {}\n", program_name(), model, text));
    is_drawn_ = on_terminal_;
  }
  ~SweepProgress() {
    if (is_drawn_) wipe_status_line();
  }

 private:
  std::size_t all_, before_;
  bool is_quiet_, on_terminal_;
  bool is_drawn_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

/// Runs the missing points, in order, `workers` at a time. On a request to stop unfinished runs are lost.
void run_points(const SweepOptions& options, SweepJournal& journal) {
  const std::atomic<bool>& stop = catch_stop_signals();
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < options.plan.values.size(); ++i) {
    if (!journal.outcomes().contains(i)) missing.push_back(i);
  }
  std::vector<Worker> workers;
  struct End {  // also when something is thrown
    std::vector<Worker>& workers;
    ~End() {
      for (const Worker& worker : workers) {
        ::kill(worker.process, SIGKILL);
        collect(worker);
      }
    }
  } const end{workers};
  SweepProgress progress(options.plan.values.size(), journal.outcomes().size(), options.quiet);
  auto next = missing.begin();
  while (!stop && (next != missing.end() || !workers.empty())) {
    while (next != missing.end() && count_of(workers) < options.workers)
      workers.push_back(start_worker(options, *next++));
    std::vector<pollfd> events;
    for (const Worker& worker : workers)
      events.push_back({.fd = worker.answer, .events = POLLIN, .revents = 0});
    constexpr int look_interval = 100;  // between checks for requests to stop, ms
    if (::poll(events.data(), events.size(), look_interval) > 0) {
      for (std::size_t i = workers.size(); i-- > 0;) {
        if (events[i].revents == 0) continue;
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(workers[i].answer, buffer.data(), buffer.size());
        if (count > 0) workers[i].text.append(buffer.data(), static_cast<std::size_t>(count));
        if (count > 0 || (count < 0 && errno == EINTR)) continue;
        const Worker done = std::move(workers[i]);
        workers.erase(workers.begin() + static_cast<std::ptrdiff_t>(i));
        journal.add(done.point, collect(done));
      }
    }
    progress.show(journal.outcomes().size(), count_failures(journal), options.model->info().name);
  }
}

/// Draws the findings; the data are complete even if this fails.
void draw(const SweepOptions& options, const std::vector<SweepColumn>& columns) {
  const auto is_known = [](double value) { return !std::isnan(value); };
  const bool has_findings = std::ranges::any_of(
      columns, [&](const SweepColumn& column) { return std::ranges::any_of(column.values, is_known); });
  if (options.figure.empty() || !has_findings) return;
  run_script("plot_sweep.py", {options.data.string(), options.figure.string()});
  if (!options.quiet) print("drawn:   {}\n", shown(options.figure));
}

void sweep(const SweepOptions& options) {
  SweepJournal journal(options.journal, options.head, options.force);
  if (options.retry) journal.forget_failures();
  if (!options.quiet && !journal.outcomes().empty())
    print("goes on: {} of {} points are done\n", journal.outcomes().size(), options.plan.values.size());
  run_points(options, journal);
  const std::vector<SweepColumn> columns = columns_of(options, journal);
  const std::size_t done = journal.outcomes().size();
  if (done < options.plan.values.size()) {
    throw Interrupted(
        fmt::format("interrupted: {} of {} points are done, and kept in {}; the same command goes on", done,
                    options.plan.values.size(), options.journal.string()));
  }
  const bool is_refused =
      std::ranges::all_of(journal.outcomes(), [](const auto& entry) { return entry.second.is_refused; });
  if (is_refused) {
    journal.take_back();  // wrong usage leaves files as they were
  } else {
    NewFile table(options.table);
    write_data(options, journal, columns);
    table.publish(csv_text(options, journal, columns));
  }
  if (!options.quiet) {
    print_summary(options, journal, columns);
    if (!is_refused) print("written: {}, {}\n", shown(options.table), shown(options.data));
  } else if (const std::string warned = sweep_warnings_text(options, journal); !warned.empty()) {
    write_error_text(fmt::format("{}: warning: {}", program_name(), warned));
  }
  if (count_failures(journal) == done)
    throw Error(
        fmt::format("all {} points failed; the first: {}", done, journal.outcomes().begin()->second.failure));
  journal.remove();
  draw(options, columns);
}

}  // namespace

void add_sweep_command(CLI::App& app, Models models, Action& action) {
  CLI::App* command = app.add_subcommand("sweep", "Run a model for many values of its parameters");
  const auto words = std::make_shared<SweepWords>();
  words->model.models = models;
  command
      ->add_option("MODEL", words->model.name,
                   fmt::format("Name of the model, as `{}` prints it", list_command()))
      ->type_name("");
  command
      ->add_option("--set", words->model.settings,
                   "Values of a parameter: V, V1,V2,..., FIRST:LAST:COUNT or FIRST:LAST:COUNT:log; may be "
                   "repeated: all "
                   "combinations are run")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const char* help) { command->add_option(name, word, help)->type_name(type); };
  add("--samples", words->samples, "COUNT", "Draw so many points from ranges FIRST:LAST and lists instead");
  add("--sampling", words->sampling, "NAME", "latin (a Latin hypercube) or random (latin)");
  add("--seed", words->seed, "NUMBER", "Of the samples: equal seeds draw equal points (1)");
  add("--step", words->integrator.step, "SECONDS", "Step size; by default that of the model");
  add("--until", words->until, "SECONDS", "Final time; by default that of the model");
  add_integrator_options(*command, words->integrator);
  add("--workers", words->workers, "COUNT", "Processes at the same time (number of cores)");
  add("--threads", words->threads, "COUNT", "Threads of each run (1; all cores for --workers 1)");
  add("--out", words->out, "STEM",
      "Names of the files: STEM.csv, STEM.h5, STEM.png and, until it is complete, STEM.sweep (MODEL-sweep)");
  command->add_flag("--no-figure", words->no_figure, "Draw no STEM.png")->disable_flag_override();
  command->add_flag("--retry", words->retry, "Run points again that failed before the sweep was interrupted")
      ->disable_flag_override();
  command->add_flag("--force", words->force, "Replace the files if they exist")->disable_flag_override();
  command->add_flag("--quiet", words->quiet, "Print nothing but errors")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { sweep(read_options(*words)); }; });
}

}  // namespace picus::program
