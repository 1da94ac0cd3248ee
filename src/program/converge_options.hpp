#pragma once

/// What `picus converge` is asked to do: the words as typed, and the checked values they stand for.

#include "integrator_options.hpp"
#include "model_words.hpp"
#include <picus/models/study/convergence_study.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// As typed; what is missing keeps its default.
struct ConvergeWords {
  ModelWords model;
  IntegratorWords integrator;
  std::vector<std::string> quantities;
  std::optional<std::string> steps, until, reference, reference_scheme, workers, threads, out;
  bool force = false;
  bool quiet = false;
};

/// Adds the options of `picus converge` to its command.
void add_converge_options(CLI::App& command, ConvergeWords& words);

struct ConvergeOptions {
  std::string model;
  models::ConvergencePlan plan;
  unsigned workers;
  int threads;                   ///< of each run; 0: all cores
  std::filesystem::path table;   ///< STEM.csv
  std::filesystem::path figure;  ///< STEM.png
  bool quiet;
};

/// Throws OptionError that names the option or parameter that is wrong, FileError for files that exist.
ConvergeOptions read_converge_options(const ConvergeWords& words);

}  // namespace picus::program
