#pragma once

/// What `picus run` is asked to do: the words as typed, and the checked values they stand for.

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

/// As typed; what is missing keeps its default.
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
  std::filesystem::path contact_problems;  ///< folder; empty: none are written
  CheckpointOptions checkpoint;            ///< of a new run
  std::optional<Checkpoint> resumed;       ///< where to go on
  bool profile;                            ///< tell where the time went
  bool quiet;
};

/// Throws OptionError that names the option or parameter that is wrong. `typed` is the whole command line, which results carry
/// along. A run that goes on takes all but --until, --profile and --quiet from its checkpoint; FileError when that cannot
/// be read.
RunOptions read_run_options(const RunWords& words, const std::string& typed);

}  // namespace picus::program
