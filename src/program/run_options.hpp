#pragma once

/// What `picus run` is asked to do: the words as typed, and the checked values they stand for.

#include <picus/hdf5_recorder.hpp>
#include <picus/models/registry.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

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
  std::string model;
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::vector<std::string> include, exclude;
  std::optional<std::string> step, until, rho_inf, tolerance, max_iterations, scaling, regularization;
  std::optional<std::string> linear_solver, every, out;
  bool force = false;
  bool quiet = false;
};

/// Adds the options of `picus run` to its command.
void add_run_options(CLI::App& command, RunWords& words);

struct RunOptions {
  models::Scenario scenario;
  DecoupledNsgaOptions integrator;
  double until;  ///< s
  std::filesystem::path out;
  Hdf5RecorderOptions results;
  bool quiet;
};

/// Throws OptionError that names the option or parameter that is wrong.
RunOptions read_run_options(const RunWords& words);

}  // namespace picus::program
