/// `picus run MODEL`: a simulation from its start to its result file, summary and findings.

#include "../committed_file.hpp"
#include "command_line.hpp"
#include "contact_problems.hpp"
#include "new_file.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "result_recorder.hpp"
#include "run_options.hpp"
#include "stop_signals.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include <picus/error.hpp>
#include <picus/simulate.hpp>

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <system_error>

namespace picus::program {
namespace {

/// Records that the preceding recorders have begun: from then on there is a result file.
class BeginWitness : public Recorder {
 public:
  void begin(const RunInfo& /*run*/) override { has_begun_ = true; }
  void record(const Snapshot& /*snapshot*/) override {}
  void finish(const std::string& /*outcome*/) override {}
  bool has_begun() const { return has_begun_; }

 private:
  bool has_begun_ = false;
};

/// Detects whether a file is written from now on.
class WriteWitness {
 public:
  explicit WriteWitness(std::filesystem::path file) : file_(std::move(file)), before_(written_at()) {}
  bool is_written() const {
    const auto now = written_at();
    return now && now != before_;
  }

 private:
  std::optional<std::filesystem::file_time_type> written_at() const {
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(file_, missing);
    return missing ? std::nullopt : std::optional(time);
  }

  std::filesystem::path file_;
  std::optional<std::filesystem::file_time_type> before_;
};

std::string file_text(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(file, unknown);
  const std::string size = unknown ? "" : fmt::format(" ({})", file_size_text(static_cast<double>(bytes)));
  return shown(file) + size;
}

/// Builds the model. Parameters from a checkpoint may be invalid, but are not the user's input.
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
  // The recorders also reject these, but only after the start has been computed, or a file has been replaced.
  if (!options.resumed) check_name(options.out, options.results.overwrite);
  if (!options.contact_problems.empty()) check_folder(options.contact_problems);
  quit_on_stop_signals();
  const Model model = build(options);
  const std::unique_ptr<TimeIntegrator> integrator =
      make_integrator(options.integrator.scheme, options.integrator.options);

  const std::unique_ptr<Observer> observer = options.scenario.make_observer();
  Hdf5RecorderOptions kept = options.results;
  kept.findings = [&observer] { return observer->findings(); };
  ResultRecorder results(options.out, std::move(kept));
  const WriteWitness xdmf(results.xdmf_path());
  const WriteWitness checkpoint(options.checkpoint.file);
  BeginWitness witness;
  ProgressDisplay progress;
  std::vector<Recorder*> recorders = {&results, observer.get(), &witness};
  std::optional<ContactProblemFiles> contact_problems;
  if (!options.contact_problems.empty()) {
    contact_problems.emplace(options.contact_problems, options.results.every,
                             options.results.overwrite || options.resumed);
    recorders.push_back(&*contact_problems);
  }
  if (!options.quiet) recorders.push_back(&progress);

  Profile profile;
  RunSummary summary;
  try {
    summary = simulate(model, *integrator,
                       {.until = options.until,
                        .stop_request = &stop_request(),
                        .threads = options.threads,
                        .checkpoint = options.checkpoint,
                        .resume = options.resumed ? &*options.resumed : nullptr,
                        .profile = options.profile ? &profile : nullptr},
                       recorders);
  } catch (const results::ForeignChange&) {
    throw;  // what was computed is not in the file
  } catch (const Error& error) {
    std::error_code unknown;
    if (!witness.has_begun() || !std::filesystem::exists(options.out, unknown)) throw;
    const bool can_go_on = options.resumed || checkpoint.is_written();
    const std::string remedy = can_go_on ? fmt::format("; {} run --resume {} goes on from its checkpoint",
                                                       program_name(), options.out.string())
                                         : "";
    throw Error(
        fmt::format("{}\nwhat was computed is in {}{}", error.what(), file_text(options.out), remedy));
  }
  const std::vector<Finding> found = observer->findings();
  if (options.quiet) {
    for (const std::string& warning : warnings_of(summary.warnings, found))
      write_error_text(fmt::format("{}: warning: {}\n", program_name(), warning));
    return;
  }
  print("{}\n", summary_text(model, integrator->step_size(), summary));
  const std::string findings = findings_text(found);
  if (!findings.empty()) print("{}\n", findings);
  if (options.profile) print("{}\n", profile_text(profile));
  const std::string drawn = xdmf.is_written() ? ", for ParaView " + shown(results.xdmf_path()) : "";
  print("written: {}{}\n", file_text(results.path()), drawn);
}

}  // namespace

void add_run_command(CLI::App& app, Models models, const std::string& typed, Action& action) {
  CLI::App* command = app.add_subcommand("run", "Simulate a model and write its result file");
  const auto words = std::make_shared<RunWords>();
  words->model.models = models;
  add_run_options(*command, *words);
  command->final_callback(
      [&action, words, typed] { action = [words, typed] { run(read_run_options(*words, typed)); }; });
}

}  // namespace picus::program
