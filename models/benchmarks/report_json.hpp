#pragma once

/// Results of benchmarks as JSON: the content of the report page, also read by baselines.

#include <picus/models/benchmarks/result.hpp>

#include <span>
#include <string>
#include <vector>

namespace picus::models {

/// Provenance of a report, stored under "meta", separate from the results.
struct ReportMeta {
  std::string command_line;
  std::string date;  ///< "2026-11-21"
  Effort effort = Effort::full;
  unsigned cores = 1;
  unsigned workers = 1;
  double wall_seconds = 0.0;
};

/// The text of report.json, described in docs/benchmarks.md. Numbers that are not finite become null.
std::string report_json(const ReportMeta& meta, std::span<const BenchmarkResult> results);

}  // namespace picus::models
