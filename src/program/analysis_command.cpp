/// `picus static MODEL` and `picus modes MODEL`: equilibrium under increasing loads, and vibrations about it.

#include "integrator_options.hpp"
#include "model_words.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "result_recorder.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include <picus/error.hpp>
#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/record_modes.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/vibration_modes.hpp>
#include <picus/system_at_state.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace picus::program {
namespace {

namespace fs = std::filesystem;

/// As typed; missing options have their defaults.
struct AnalysisWords {
  ModelWords model;
  std::optional<std::string> increments, until, tolerance, max_iterations, threads, out;
  std::optional<std::string> count, shift;
  std::vector<std::string> include, exclude;
  bool full_loads = false;
  bool free_motions = false;
  bool open_contacts = false;
  bool force = false;
  bool quiet = false;
};

struct AnalysisOptions {
  std::string name;  ///< name of the model
  Scenario scenario;
  StaticEquilibriumOptions statics;
  double until;  ///< load factor
  int threads;
  fs::path out;
  Hdf5RecorderOptions results;
};

/// Checks the names of a file and its companion for ParaView. Throws FileError if one of them exists, before anything
/// is computed.
void check_names(const fs::path& file, bool replaces) {
  check_name(file, replaces);
  check_name(fs::path(file).replace_extension(".xdmf"), replaces);
}

AnalysisOptions read_options(const AnalysisWords& words, const std::string& typed, std::string_view command,
                             const char* file_end) {
  const auto [model, scenario] = read_model(words.model, command);
  AnalysisOptions options{.name = model.info().name, .scenario = scenario};
  StaticEquilibriumOptions& statics = options.statics;
  statics.increments = integer_or(statics.increments, "--increments", words.increments, {.low = 1});
  statics.tolerance =
      real_or(statics.tolerance, "--tol", words.tolerance, {.low = 0, .high = 1e-2, .low_included = false});
  if (words.max_iterations)
    statics.max_iterations = read_integer("--max-iterations", *words.max_iterations, Range::between(1, 1000));
  statics.ramp_loads = !words.full_loads;
  statics.allow_free_motions = words.free_motions;
  options.until = real_or(1.0, "--until", words.until, Range::positive());
  options.threads = integer_or(0, "--threads", words.threads, Range::between(1, 256));
  options.out = words.out.value_or(options.name + file_end);
  if (options.out.empty()) throw OptionError("--out is \"\", must be the name of a file");
  options.results = {
      .overwrite = words.force, .command_line = typed, .include = words.include, .exclude = words.exclude};
  check_names(options.out, words.force);
  return options;
}

/// The node with the largest displacement from the start of the model, m.
std::string displacement_text(const Model& model, const State& state) {
  double largest = 0.0;
  std::string name;
  for (const Node& node : model.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    const double moved = (state.q.position(node) - model.initial_configuration().position(node)).norm();
    if (!name.empty() && !(moved > largest)) continue;
    largest = moved;
    name = model.node_name(node);
  }
  return name.empty() ? "none" : fmt::format("{:.6e} m, node {}", largest, name);
}

void print_equilibrium(const Model& model, const RunSummary& summary) {
  print("{}: equilibrium at load factor {:.6g}, {} increments in {:.3g} s\n\n", model.name(),
        summary.final_state.time, summary.steps, summary.wall_seconds);
  for (const std::string& warning : summary.warnings) print("warning: {}\n\n", warning);
  const SubproblemStatistics& newton = summary.subproblems[0];
  print("  iterations                    {}, at most {} in an increment\n", newton.iterations,
        newton.worst_iterations);
  print("  largest displacement          {}\n", displacement_text(model, summary.final_state));
  print("  largest constraint violation  {:.2e} m or rad\n", summary.worst_violation);
  print("  largest penetration           {:.2e} m\n\n", summary.worst_penetration);
}

void print_written(const Hdf5Recorder& results) {
  std::error_code unknown;
  const bool has_xdmf = fs::exists(results.xdmf_path(), unknown);
  print("written: {}{}\n", shown(results.path()),
        has_xdmf ? ", for ParaView " + shown(results.xdmf_path()) : "");
}

void find_equilibrium_of(const AnalysisOptions& options, bool is_quiet) {
  quit_on_stop_signals();  // until there is a result file
  const Model model = options.scenario.build();
  StaticEquilibrium statics(options.statics);
  ResultRecorder results(options.out, options.results);
  const RunSummary summary = simulate(
      model, statics, {.until = options.until, .stop_request = &stop_request(), .threads = options.threads},
      {&results});
  if (is_quiet) return;
  print_equilibrium(model, summary);
  print_written(results);
}

void find_modes_of(const AnalysisOptions& options, const VibrationModesOptions& sought, bool is_quiet) {
  quit_on_stop_signals();  // nothing is to be kept before there are modes
  const Model model = options.scenario.build();
  StaticEquilibrium statics(options.statics);
  const RunSummary summary =
      simulate(model, statics, {.until = options.until, .threads = options.threads}, {});
  const SystemAtState at(model, summary.final_state, options.threads);
  const VibrationModes modes = find_vibration_modes(at.system(), summary.final_state, sought);
  catch_stop_signals();  // the file is written to its end
  Hdf5Recorder results(options.out, options.results);
  record_modes(at.system(), summary.final_state, modes, {&results});
  if (is_quiet) return;

  print_equilibrium(model, summary);
  Table table({"mode", "frequency, Hz", "w^2, 1/s2", "residual"}, {true, true, true, true});
  for (Index i = 0; i < modes.eigenvalues.size(); ++i) {
    table.add({fmt::format("{}", i + 1), fmt::format("{:.6g}", modes.frequencies[i]),
               fmt::format("{:.6e}", modes.eigenvalues[i]), fmt::format("{:.1e}", modes.residuals[i])});
  }
  if (modes.eigenvalues.size() > 0)
    print("{}\n", table.text());
  else
    print("no vibration modes: nothing with mass is left free by constraints{}\n\n",
          sought.holds_contacts ? " and closed contacts (--open-contacts leaves these out)" : "");
  if (modes.eigenvalues.size() > 0 && modes.eigenvalues[0] < -modes.roundings[0])
    print("warning: modes of negative frequency grow: the equilibrium is unstable\n\n");
  print_written(results);
}

/// The options of both commands.
void add_options(CLI::App& command, AnalysisWords& words, const std::string& file) {
  add_model_options(command, words.model);
  const auto add = [&](const char* name, std::optional<std::string>& word, const char* type,
                       const std::string& help) { command.add_option(name, word, help)->type_name(type); };
  const auto add_flag = [&](const char* name, bool& flag, const char* help) {
    command.add_flag(name, flag, help)->disable_flag_override();
  };
  const auto add_patterns = [&](const char* name, std::vector<std::string>& patterns, const char* help) {
    command.add_option(name, patterns, help)->type_name("PATTERN")->allow_extra_args(false);
  };
  add("--increments", words.increments, "COUNT", "Increments from load factor 0 to 1 (10)");
  add("--until", words.until, "FACTOR", "Load factor of the equilibrium (1)");
  add_flag("--full-loads", words.full_loads, "Loads act in full from the start, only motions grow");
  add_flag("--free-motions", words.free_motions, "Motions that nothing resists stay where they are");
  add("--tol", words.tolerance, "NUMBER", "Residual over force, up to 0.01 (1e-8)");
  add("--max-iterations", words.max_iterations, "COUNT", "Iterations of an increment, then it is halved");
  add("--out", words.out, "FILE", "Result file (" + file + ")");
  add_patterns("--record", words.include, "Record only such data sets, e.g. 'nodes/*'; may be repeated");
  add_patterns("--omit", words.exclude, "Do not record such data sets; may be repeated");
  add("--threads", words.threads, "COUNT",
      "Threads that share the loops (all cores where the model is large enough)");
  add_flag("--force", words.force, "Replace the result file if it exists");
  add_flag("--quiet", words.quiet, "Print nothing but errors");
}

}  // namespace

void add_static_command(CLI::App& app, Models models, const std::string& typed, Action& action) {
  CLI::App* command =
      app.add_subcommand("static", "Find the static equilibrium of a model as its loads grow");
  const auto words = std::make_shared<AnalysisWords>();
  words->model.models = models;
  add_options(*command, *words, "MODEL-static.h5");
  command->final_callback([&action, words, typed] {
    action = [words, typed] {
      find_equilibrium_of(read_options(*words, typed, "static", "-static.h5"), words->quiet);
    };
  });
}

void add_modes_command(CLI::App& app, Models models, const std::string& typed, Action& action) {
  CLI::App* command =
      app.add_subcommand("modes", "Find vibration modes of a model about its static equilibrium");
  const auto words = std::make_shared<AnalysisWords>();
  words->model.models = models;
  add_options(*command, *words, "MODEL-modes.h5");
  command->add_option("--count", words->count, "Modes that are sought (10)")->type_name("COUNT");
  command->add_option("--shift", words->shift, "Those with w^2 nearest to this, 1/s2 (the lowest ones)")
      ->type_name("NUMBER");
  command->add_flag("--open-contacts", words->open_contacts, "Closed contacts do not hold")
      ->disable_flag_override();
  command->final_callback([&action, words, typed] {
    action = [words, typed] {
      VibrationModesOptions sought;
      sought.count = integer_or(sought.count, "--count", words->count, {.low = 1});
      if (words->shift) sought.shift = read_real("--shift", *words->shift);
      sought.holds_contacts = !words->open_contacts;
      find_modes_of(read_options(*words, typed, "modes", "-modes.h5"), sought, words->quiet);
    };
  });
}

}  // namespace picus::program
