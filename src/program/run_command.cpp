/// `picus run MODEL`: a simulation from its start to its result file, summary and findings.

#include "command_line.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "run_options.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include <picus/error.hpp>
#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <system_error>

namespace picus::program {
namespace {

/// Notes that the recorders before it have begun: from there on, there is a result file.
class BeginWitness : public Recorder {
 public:
  void begin(const RunInfo& /*run*/) override { has_begun_ = true; }
  void record(const Snapshot& /*snapshot*/) override {}
  void finish(const std::string& /*outcome*/) override {}
  bool has_begun() const { return has_begun_; }

 private:
  bool has_begun_ = false;
};

std::string file_text(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(file, unknown);
  const std::string size = unknown ? "" : fmt::format(" ({})", file_size_text(static_cast<double>(bytes)));
  return file.string() + size;
}

/// What a checkpoint names need not make a model; nobody has typed it now.
Model build(const RunOptions& options) {
  try {
    return options.scenario.build();
  } catch (const Error& error) {
    if (!options.resumed) throw;
    throw FileError(
        fmt::format("cannot go on from checkpoint \"{}\": {}", options.resumed->file.string(), error.what()));
  }
}

void run(const RunOptions& options) {
  // The recorder refuses it too, but only once the start is computed.
  if (!options.results.overwrite && !options.resumed && std::filesystem::is_regular_file(options.out)) {
    throw FileError(fmt::format("file \"{}\" exists; --force replaces it", options.out.string()));
  }
  const Model model = build(options);
  const std::unique_ptr<TimeIntegrator> integrator =
      make_integrator(options.integrator.scheme, options.integrator.options);

  Hdf5Recorder results(options.out, options.results);
  const std::unique_ptr<models::Observer> observer = options.scenario.make_observer();
  BeginWitness witness;
  ProgressDisplay progress;
  std::vector<Recorder*> recorders = {&results, observer.get(), &witness};
  if (!options.quiet) recorders.push_back(&progress);

  RunSummary summary;
  try {
    summary = simulate(model, *integrator,
                       {.until = options.until,
                        .stop_request = &catch_stop_signals(),
                        .checkpoint = options.checkpoint,
                        .resume = options.resumed ? &*options.resumed : nullptr},
                       recorders);
  } catch (const Error& error) {
    if (!witness.has_begun() || !std::filesystem::exists(options.out)) throw;
    const bool can_go_on = options.resumed || !options.checkpoint.file.empty();
    const std::string remedy =
        can_go_on ? fmt::format("; picus run --resume {} goes on from its checkpoint", options.out.string())
                  : "";
    throw Error(
        fmt::format("{}\nwhat was computed is in {}{}", error.what(), file_text(options.out), remedy));
  }
  if (options.quiet) return;
  print("{}\n", summary_text(model.name(), integrator->step_size(), summary));
  const std::string findings = findings_text(observer->findings());
  if (!findings.empty()) print("{}\n", findings);
  print("written: {}, for ParaView {}\n", file_text(results.path()), results.xdmf_path().string());
}

}  // namespace

void add_run_command(CLI::App& app, const std::string& typed, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Simulate a model and write its result file");
  const auto words = std::make_shared<RunWords>();
  add_run_options(*command, *words);
  command->final_callback(
      [&action, words, typed] { action = [words, typed] { run(read_run_options(*words, typed)); }; });
}

}  // namespace picus::program
