#pragma once

/// Options of `picus report`: as typed, and the checked values.

#include <picus/models/benchmarks/benchmark.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace picus::program {

/// As typed; missing options have their defaults.
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
  int threads;  ///< threads of each run; 0: all cores
  std::filesystem::path folder;
};

/// Checks the options. Throws OptionError that names the invalid one, FileError for a folder that contains a report.
ReportOptions read_report_options(const ReportWords& words);

}  // namespace picus::program
