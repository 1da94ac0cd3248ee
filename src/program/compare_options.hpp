#pragma once

/// Options of `picus compare`: as typed, and the checked values.

#include "model_words.hpp"
#include <picus/models/study/scheme_comparison.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace picus::program {

/// As typed; missing options have their defaults.
struct CompareWords {
  Models models = {};  ///< available models
  std::vector<std::string> names, schemes, settings;
  std::optional<std::string> step, until, limit, workers, out;
  bool force = false;
  bool quiet = false;
};

/// Adds the options of `picus compare` to its command.
void add_compare_options(CLI::App& command, CompareWords& words);

/// A model of the comparison.
struct ComparedModel {
  std::string name;
  models::SchemeComparison comparison;
};

struct CompareOptions {
  std::vector<ComparedModel> models;
  std::vector<std::string> schemes;
  double limit;  ///< CPU time of the run with the first scheme, s
  unsigned workers;
  std::filesystem::path table;  ///< empty: none
  bool quiet;
};

/// Checks the options. Throws OptionError that names the invalid option or parameter, FileError for files that exist.
CompareOptions read_compare_options(const CompareWords& words);

}  // namespace picus::program
