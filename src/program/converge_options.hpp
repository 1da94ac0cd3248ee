#pragma once

/// Options of `picus converge`: as typed, and the checked values.

#include "integrator_options.hpp"
#include "model_words.hpp"
#include <picus/models/study/convergence_study.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// As typed; missing options have their defaults.
struct ConvergeWords {
  ModelWords model;
  IntegratorWords integrator;
  std::vector<std::string> quantities;
  std::optional<std::string> steps, until, reference, reference_scheme, phases, workers, threads, out;
  bool force = false;
  bool quiet = false;
};

/// Adds the options of `picus converge` to its command.
void add_converge_options(CLI::App& command, ConvergeWords& words);

struct ConvergeOptions {
  std::string model;
  models::ConvergencePlan plan;
  unsigned workers;
  int threads;                   ///< threads of each run; 0: all cores
  std::filesystem::path table;   ///< STEM.csv
  std::filesystem::path figure;  ///< STEM.png
  bool quiet;
};

/// Checks the options. Throws OptionError that names the invalid option or parameter, FileError for files that exist.
ConvergeOptions read_converge_options(const ConvergeWords& words);

}  // namespace picus::program
