#include "report_options.hpp"

#include "integrator_options.hpp"
#include <picus/error.hpp>
#include <picus/models/study/side_by_side.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace picus::program {
namespace {

std::vector<models::Benchmark> read_benchmarks(const std::vector<std::string>& names) {
  if (names.empty()) return models::benchmarks();
  std::vector<models::Benchmark> benchmarks;
  for (const std::string& name : names) {
    if (std::ranges::count(names, name) > 1) {
      throw OptionError(fmt::format("benchmark \"{}\" is named twice", name));
    }
    benchmarks.push_back(models::find_benchmark(name));
  }
  return benchmarks;
}

}  // namespace

void add_report_options(CLI::App& command, ReportWords& words) {
  command.add_option("BENCHMARK", words.benchmarks, "Names as `picus list` prints them; all by default")
      ->type_name("");
  command.add_flag("--quick", words.quick, "Fewer and shorter runs: whether all is well, in a few minutes")
      ->disable_flag_override();
  command.add_option("--out", words.out, "Folder of report.html and report.json (picus-report)")
      ->type_name("FOLDER");
  command.add_option("--workers", words.workers, "Runs at the same time (number of cores)")
      ->type_name("COUNT");
  command.add_option("--threads", words.threads, "Threads of each run (1; all cores for --workers 1)")
      ->type_name("COUNT");
  command.add_flag("--force", words.force, "Replace the report that the folder holds")
      ->disable_flag_override();
}

ReportOptions read_report_options(const ReportWords& words) {
  // Not within the braces, where GCC 12 destroys too many objects if one of the calls throws.
  std::vector<models::Benchmark> benchmarks = read_benchmarks(words.benchmarks);
  const Index workers =
      integer_or(models::available_workers(), "--workers", words.workers, Range::between(1, 1024));
  const Index threads = integer_or(workers > 1 ? 1 : 0, "--threads", words.threads, Range::between(1, 256));
  ReportOptions options{.benchmarks = std::move(benchmarks),
                        .effort = words.quick ? models::Effort::quick : models::Effort::full,
                        .workers = static_cast<unsigned>(workers),
                        .threads = threads,
                        .folder = words.out.value_or("picus-report")};
  if (options.folder.empty()) throw OptionError("--out is \"\", must be the name of a folder");
  for (const char* name : {"report.html", "report.json"}) {
    std::error_code unknown;
    if (!words.force && std::filesystem::exists(options.folder / name, unknown)) {
      throw FileError(
          fmt::format("folder \"{}\" holds a report; --force replaces it", options.folder.string()));
    }
  }
  return options;
}

}  // namespace picus::program
