/// `picus sweep MODEL`: a run for each of many parameter values, and a table of their findings.

#include "command_line.hpp"
#include "integrator_options.hpp"
#include "model_words.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "scripts.hpp"
#include "sweep_journal.hpp"
#include "sweep_results.hpp"
#include "sweep_runs.hpp"
#include "terminal.hpp"
#include <picus/error.hpp>
#include <picus/models/study/side_by_side.hpp>
#include <picus/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

namespace picus::program {
namespace {

/// As typed; missing options have their defaults.
struct SweepWords {
  ModelWords model;
  IntegratorWords integrator;
  std::optional<std::string> until, samples, sampling, seed, workers, threads, out;
  std::optional<std::string> scheduler, program, point;
  std::vector<std::string> of_each_point;  ///< options, as typed, that the run of a point depends on
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

/// The options that were typed, each as one word, except those that determine where and how often points are
/// run.
std::vector<std::string> options_of_each_point(const CLI::App& command) {
  constexpr std::array others = {"workers", "scheduler", "program", "point", "out",
                                 "retry",   "no-figure", "force",   "quiet"};
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty()) continue;  // MODEL
    const std::string& name = option->get_lnames().front();
    if (std::ranges::find(others, name) != others.end()) continue;
    const bool is_flag = option->get_expected_max() == 0;
    for (const std::string& value : option->results())
      words.push_back(is_flag ? "--" + name : fmt::format("--{}={}", name, value));
  }
  return words;
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

/// How the runs are distributed: over processes of this machine, or by a scheduler over the machines of its workers.
void read_workers(const SweepWords& words, SweepOptions& options) {
  const bool is_remote = words.scheduler.has_value();
  if (is_remote && words.scheduler->empty())
    throw OptionError("--scheduler is \"\", must be an address such as tcp://10.0.0.1:8786");
  if (is_remote && words.workers)
    throw OptionError("--workers is for runs on this machine; a scheduler has workers of its own");
  if (words.program && !is_remote) throw OptionError("--program is for --scheduler alone");
  options.workers = integer_or(static_cast<Index>(models::available_workers()), "--workers", words.workers,
                               Range::between(1, 1024));
  const bool is_shared = is_remote || words.point || options.workers > 1;
  options.threads = integer_or(is_shared ? 1 : 0, "--threads", words.threads, Range::between(1, 256));
  if (!is_remote) return;
  options.scheduler = *words.scheduler;
  options.worker_command = {words.program.value_or(std::filesystem::read_symlink("/proc/self/exe").string()),
                            "sweep", words.model.name};
  options.worker_command.insert(options.worker_command.end(), words.of_each_point.begin(),
                                words.of_each_point.end());
}

/// The names of files. Throws FileError for those that exist.
void read_names(const SweepWords& words, SweepOptions& options) {
  std::string stem = words.out.value_or(options.model->info().name + "-sweep");
  for (const std::string_view ending : {".csv", ".h5"}) {  // the name of one of the files
    if (stem.ends_with(ending)) stem.resize(stem.size() - ending.size());
  }
  if (stem.empty()) throw OptionError("--out is \"\", must be the beginning of file names");
  options.table = stem + ".csv";
  options.data = stem + ".h5";
  if (!words.no_figure) options.figure = stem + ".png";
  options.journal = stem + ".sweep";
  check_name(options.table, words.force);
  check_name(options.data, words.force);
  if (!options.figure.empty()) check_name(options.figure, words.force);
  check_name(options.journal, true);
}

/// The points that are run: all, or one for a scheduler.
std::vector<std::size_t> chosen_points(const SweepWords& words, const SweepPlan& plan) {
  std::vector<std::size_t> points(plan.values.size());
  std::iota(points.begin(), points.end(), std::size_t{0});
  if (!words.point) return points;
  const auto last = static_cast<double>(points.size() - 1);
  return {static_cast<std::size_t>(read_integer("--point", *words.point, Range::between(0, last)))};
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
  for (const std::size_t point : chosen_points(words, options.plan))
    model.configure(options.plan.settings(point));
  options.integrator = read_integrator_options(words.integrator, model.info().step);
  options.until = real_or(model.info().until, "--until", words.until, Range::positive());
  read_workers(words, options);
  options.head = head_of(options, sampling, words.model.settings);
  options.retry = words.retry;
  options.force = words.force;
  options.quiet = words.quiet;
  if (!words.point) read_names(words, options);
  return options;
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
  (options.scheduler.empty() ? run_points : run_points_by_scheduler)(options, journal);
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
    journal.restore_previous();  // wrong usage leaves files as they were
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
                       const char* help) { return command->add_option(name, word, help)->type_name(type); };
  add("--samples", words->samples, "COUNT", "Draw so many points from ranges FIRST:LAST and lists instead");
  add("--sampling", words->sampling, "NAME", "latin (a Latin hypercube) or random (latin)");
  add("--seed", words->seed, "NUMBER", "Of the samples: equal seeds draw equal points (1)");
  add("--step", words->integrator.step, "SECONDS", "Step size; by default that of the model");
  add("--until", words->until, "SECONDS", "Final time; by default that of the model");
  add_integrator_options(*command, words->integrator);
  add("--workers", words->workers, "COUNT", "Processes at the same time (number of cores)");
  add("--threads", words->threads, "COUNT", "Threads of each run (1; all cores for --workers 1)");
  add("--scheduler", words->scheduler, "ADDRESS",
      "Scheduler of Dask, tcp://HOST:PORT, whose workers make the runs, on other machines as well");
  add("--program", words->program, "PATH",
      "This program on the machines of the workers (the same path as here)");
  add("--point", words->point, "NUMBER", "One point, for a scheduler")->group("");
  add("--out", words->out, "STEM",
      "Names of the files: STEM.csv, STEM.h5, STEM.png and, until it is complete, STEM.sweep (MODEL-sweep)");
  command->add_flag("--no-figure", words->no_figure, "Draw no STEM.png")->disable_flag_override();
  command->add_flag("--retry", words->retry, "Run points again that failed before the sweep was interrupted")
      ->disable_flag_override();
  command->add_flag("--force", words->force, "Replace the files if they exist")->disable_flag_override();
  command->add_flag("--quiet", words->quiet, "Print nothing but errors")->disable_flag_override();
  command->final_callback([&action, words, command] {
    words->of_each_point = options_of_each_point(*command);
    action = [words] {
      const SweepOptions options = read_options(*words);
      if (words->point)
        answer_point(options, chosen_points(*words, options.plan).front());
      else
        sweep(options);
    };
  });
}

}  // namespace picus::program
