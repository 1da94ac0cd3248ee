#pragma once

/// What `picus report` is asked to do: the words as typed, and the checked values they stand for.

#include <picus/models/benchmarks/benchmark.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

/// As typed; what is missing keeps its default.
struct ReportWords {
  std::vector<std::string> benchmarks;
  std::optional<std::string> workers, threads, out;
  bool quick = false;
  bool force = false;
};

/// Adds the options of `picus report` to its command.
void add_report_options(CLI::App& command, ReportWords& words);

struct ReportOptions {
  std::vector<models::Benchmark> benchmarks;
  models::Effort effort;
  unsigned workers;
  int threads;  ///< of each run; 0: all cores
  std::filesystem::path folder;
};

/// Throws OptionError that names the word that is wrong, FileError for a folder that holds a report.
ReportOptions read_report_options(const ReportWords& words);

}  // namespace picus::program
