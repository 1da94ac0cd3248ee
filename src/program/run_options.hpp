#pragma once

/// Options of `picus run`: as typed, and the checked values.

#include "integrator_options.hpp"
#include "model_words.hpp"
#include <picus/checkpoint.hpp>
#include <picus/hdf5_recorder.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

/// As typed; missing options have their defaults.
struct RunWords {
  ModelWords model;
  IntegratorWords integrator;
  std::vector<std::string> include, exclude;
  std::optional<std::string> until, every, frames, out, contact_problems, threads, checkpoint, resume;
  bool energy_details = false;
  bool force = false;
  bool profile = false;
  bool quiet = false;
};

/// Adds the options of `picus run` to its command.
void add_run_options(CLI::App& command, RunWords& words);

struct RunOptions {
  Scenario scenario;
  IntegratorChoice integrator;
  double until;  ///< s
  int threads;   ///< 0: all cores where the model is large enough
  std::filesystem::path out;
  Hdf5RecorderOptions results;
  std::filesystem::path contact_problems;  ///< folder; empty: not written
  CheckpointOptions checkpoint;            ///< of a new run
  std::optional<Checkpoint> resumed;       ///< from which to resume
  bool profile;                            ///< print a profile
  bool quiet;
};

/// Checks the options. Throws OptionError that names the invalid option or parameter. `typed` is the full command line,
/// which is stored in results. A resumed run has all options except --until, --profile and --quiet from its checkpoint;
/// throws FileError if this cannot be read.
RunOptions read_run_options(const RunWords& words, const std::string& typed);

}  // namespace picus::program
