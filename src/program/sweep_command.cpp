/// `picus sweep MODEL`: a run for each of many values of its parameters, and a table of what they found.

#include "../results/hdf5_file.hpp"
#include "command_line.hpp"
#include "integrator_options.hpp"
#include "model_words.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "stop_signals.hpp"
#include "sweep_journal.hpp"
#include "sweep_plan.hpp"
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
#include <limits>
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

/// As typed; what is missing keeps its default.
struct SweepWords {
  ModelWords model;
  IntegratorWords integrator;
  std::optional<std::string> until, samples, sampling, seed, workers, threads, out;
  bool retry = false;
  bool force = false;
  bool quiet = false;
};

struct SweepOptions {
  const RegisteredModel* model;
  SweepPlan plan;
  IntegratorChoice integrator;
  double until;
  Index workers;
  int threads;
  fs::path table, data, journal;  ///< STEM.csv, STEM.h5, STEM.sweep
  std::string head;               ///< of the journal: what makes two sweeps the same
  bool retry, force, quiet;
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

/// What the results of a sweep depend on.
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
    read_model(words.model, "sweep");  // which says so; a sweep has no word that could be the model instead
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
  options.journal = stem + ".sweep";
  options.head = head_of(options, sampling, words.model.settings);
  options.retry = words.retry;
  options.force = words.force;
  options.quiet = words.quiet;
  check_name(options.table, words.force);
  check_name(options.data, words.force);
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
  } catch (const std::bad_alloc&) {
    outcome.failure = "out of memory";
  } catch (const std::exception& error) {
    outcome.failure = error.what();
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
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would want the answer
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    std::signal(signal, SIG_IGN);  // the parent ends it
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
  flush_output();  // or the child would have it, too
  const pid_t process = ::fork();
  if (process < 0) throw Error(fmt::format("no process for a run: {}", std::strerror(errno)));
  if (process == 0) be_a_worker(options, point, ends[1]);
  ::close(ends[1]);
  return {point, process, ends[0], {}, Clock::now()};
}

/// What a worker that has closed its pipe leaves: its answer, or how it was ended.
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

/// "12 of 40 done, 1 failed, 0:42 left", on a terminal in place, elsewhere every five seconds.
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

std::size_t count_failures(const SweepJournal& journal) {
  return static_cast<std::size_t>(std::ranges::count_if(
      journal.outcomes(), [](const auto& entry) { return !entry.second.failure.empty(); }));
}

/// Runs the points that are missing, in their order, `workers` at a time. On a request to stop the runs that have begun are lost.
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
    constexpr int look_interval = 100;  // at requests to stop, ms
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

/// A finding over all points, NaN where it is missing.
struct Column {
  std::string name, unit;
  std::vector<double> values;
};

std::vector<Column> columns_of(const SweepOptions& options, const SweepJournal& journal) {
  std::vector<Column> columns;
  for (const auto& [point, outcome] : journal.outcomes()) {
    for (const Finding& finding : outcome.findings) {
      auto column = std::ranges::find(columns, finding.quantity, &Column::name);
      if (column == columns.end()) {
        columns.push_back(
            {finding.quantity, finding.unit,
             std::vector<double>(options.plan.values.size(), std::numeric_limits<double>::quiet_NaN())});
        column = columns.end() - 1;
      }
      if (finding.value) column->values[point] = *finding.value;
    }
  }
  return columns;
}

/// A field of a CSV file (RFC 4180).
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string csv_text(const SweepOptions& options, const SweepJournal& journal,
                     const std::vector<Column>& columns) {
  std::string text = "point";
  for (const std::string& name : options.plan.names) text += ',' + quoted(name);
  for (const Column& column : columns)
    text +=
        ',' + quoted(column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit));
  text += ",steps,fallbacks,seconds,failure\n";
  for (const auto& [point, outcome] : journal.outcomes()) {
    text += fmt::format("{}", point);
    for (const std::string& value : options.plan.values[point]) text += ',' + quoted(value);
    for (const Column& column : columns)
      text += std::isnan(column.values[point]) ? "," : ',' + number_text(column.values[point]);
    text += fmt::format(",{},{},{:.6f},{}\n", outcome.steps, outcome.fallbacks, outcome.wall_seconds,
                        quoted(outcome.failure));
  }
  return text;
}

void write_data(const SweepOptions& options, const SweepJournal& journal,
                const std::vector<Column>& columns) {
  const results::QuietHdf5 quiet;
  results::Hdf5File file(options.data, true);
  file.set_attribute("", "title", fmt::format("Picus: sweep of {}", options.model->info().name));
  file.set_attribute("", "picus_version", std::string(version));
  file.set_attribute("", "integrator", options.integrator.scheme);
  file.set_attribute("", "step", options.integrator.options.step);
  file.set_attribute("", "until", options.until);
  const std::size_t count = options.plan.values.size();
  const auto path_of = [](const char* group, std::string name) {
    std::ranges::replace(name, '/', '|');  // which HDF5 takes for a group
    return fmt::format("{}/{}", group, name);
  };
  const auto infos = options.model->parameters();
  results::TextTable points{options.plan.names, options.plan.values};
  file.write_table("points", points);
  file.make_group("parameters");
  for (std::size_t k = 0; k < options.plan.names.size(); ++k) {
    const ParameterInfo& info = infos[find_parameter(options.plan.names[k], infos)];
    if (info.kind != ParameterKind::real && info.kind != ParameterKind::integer) continue;
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = read_real(info.name, options.plan.values[i][k]);
    file.write_array<double>(path_of("parameters", info.name), values);
    file.set_attribute(path_of("parameters", info.name), "unit", info.unit);
  }
  file.make_group("findings");
  for (const Column& column : columns) {
    file.write_array<double>(path_of("findings", column.name), column.values);
    file.set_attribute(path_of("findings", column.name), "unit", column.unit);
  }
  std::vector<double> seconds(count, std::numeric_limits<double>::quiet_NaN());
  std::vector<std::int64_t> steps(count, 0), fallbacks(count, 0);
  results::TextTable failures{{"failure"}, std::vector<std::vector<std::string>>(count, {"not run"})};
  for (const auto& [point, outcome] : journal.outcomes()) {
    seconds[point] = outcome.wall_seconds;
    steps[point] = outcome.steps;
    fallbacks[point] = outcome.fallbacks;
    failures.rows[point] = {outcome.failure};
  }
  file.write_array<double>("seconds", seconds);
  file.set_attribute("seconds", "unit", "s");
  file.write_array<std::int64_t>("steps", steps);
  file.write_array<std::int64_t>("fallbacks", fallbacks);
  file.write_table("failures", failures);
  file.close();
}

void print_summary(const SweepOptions& options, const SweepJournal& journal,
                   const std::vector<Column>& columns) {
  double seconds = 0.0;
  for (const auto& [point, outcome] : journal.outcomes()) seconds += outcome.wall_seconds;
  print("{}: {} of {} points, {} failed, {:.3g} s of runs\n\n", options.model->info().name,
        journal.outcomes().size(), options.plan.values.size(), count_failures(journal), seconds);
  if (!columns.empty()) {
    Table table({"quantity", "points", "smallest", "mean", "largest"}, {false, true, true, true, true});
    for (const Column& column : columns) {
      std::vector<double> known;
      std::ranges::copy_if(column.values, std::back_inserter(known),
                           [](double value) { return !std::isnan(value); });
      std::vector<std::string> cells = {column.name, fmt::format("{}", known.size()), "-", "-", "-"};
      if (!known.empty()) {
        const auto [low, high] = std::ranges::minmax(known);
        const double mean =
            std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
        const auto show = [&](double value) { return with_unit(fmt::format("{:.4g}", value), column.unit); };
        cells = {column.name, cells[1], show(low), show(mean), show(high)};
      }
      table.add(std::move(cells));
    }
    print("{}\n", table.text());
  }
  constexpr int most_shown = 5;
  int shown = 0;
  for (const auto& [point, outcome] : journal.outcomes()) {
    if (outcome.failure.empty() || shown++ >= most_shown) continue;
    const std::string settings = fmt::format("{}", fmt::join(options.plan.settings(point), ", "));
    print("point {} ({}) failed: {}\n", point, settings, outcome.failure);
  }
  if (shown > most_shown) print("{} more failed\n", shown - most_shown);
  if (shown > 0) print("\n");
}

void sweep(const SweepOptions& options) {
  SweepJournal journal(options.journal, options.head, options.force);
  if (options.retry) journal.forget_failures();
  if (!options.quiet && !journal.outcomes().empty())
    print("goes on: {} of {} points are done\n", journal.outcomes().size(), options.plan.values.size());
  run_points(options, journal);
  const std::vector<Column> columns = columns_of(options, journal);
  const std::size_t done = journal.outcomes().size();
  if (done < options.plan.values.size()) {
    throw Interrupted(
        fmt::format("interrupted: {} of {} points are done, and kept in {}; the same command goes on", done,
                    options.plan.values.size(), options.journal.string()));
  }
  NewFile table(options.table);
  write_data(options, journal, columns);
  table.publish(csv_text(options, journal, columns));
  if (!options.quiet) {
    print_summary(options, journal, columns);
    print("written: {}, {}\n", options.table.string(), options.data.string());
  }
  if (count_failures(journal) == done)
    throw Error(
        fmt::format("all {} points failed; the first: {}", done, journal.outcomes().begin()->second.failure));
  journal.remove();
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
      "Names of the files: STEM.csv, STEM.h5 and, until it is complete, STEM.sweep (MODEL-sweep)");
  command->add_flag("--retry", words->retry, "Run points again that failed before the sweep was interrupted")
      ->disable_flag_override();
  command->add_flag("--force", words->force, "Replace the files if they exist")->disable_flag_override();
  command->add_flag("--quiet", words->quiet, "Print nothing but errors")->disable_flag_override();
  command->final_callback([&action, words] { action = [words] { sweep(read_options(*words)); }; });
}

}  // namespace picus::program
