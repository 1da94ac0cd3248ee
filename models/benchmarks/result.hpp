#pragma once

/// The outcome of a benchmark: exactly what a report shows of it.

#include <picus/models/benchmarks/benchmark.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace picus::models {

/// "complete", "failed step", ...
std::string_view name_of(Ending ending);
/// "met", "missed", ...
std::string_view name_of(Verdict verdict);

struct DrawnCurve {
  std::string label;
  bool is_exact = false;
  std::vector<double> x, y;
  std::string missing = {};  ///< why nothing, or not everything, can be drawn
};

struct DrawnPanel {
  Panel panel;  ///< without its curves
  std::vector<DrawnCurve> curves;
};

struct DrawnFigure {
  std::string id, title, caption;
  std::vector<DrawnPanel> panels;
};

/// A line of the summary table of all benchmarks.
struct BenchmarkSummary {
  struct Number {
    double value;
    std::string of;  ///< the number it refers to, "ball.vy, h = 3.8e-05 s"
  };
  /// The largest error of the main study at the smallest step that was completed, or, without a study, the largest
  /// relative difference between a row and its reference. The main study is the first one, with scheme ds if it is
  /// among its schemes.
  std::optional<Number> error;
  std::optional<Number> order;  ///< the smallest one of the main study
  /// Linear solves per step with scheme ds: over all runs, or, if there are no runs, at the largest step of the main
  /// study that was completed.
  std::optional<double> mean_iterations;
  std::optional<int> worst_iterations;
  /// Number of runs ended by a failed step, including those of studies, by scheme; zero for a scheme without any.
  std::map<std::string, std::int64_t> failed_steps;
  std::int64_t fallbacks = 0;  ///< with scheme ds
  double cpu_seconds = 0.0;
};

struct BenchmarkResult {
  Benchmark benchmark;
  Ending ending = Ending::complete;   ///< complete, not_run if any part of it threw, or interrupted
  std::vector<std::string> failures;  ///< messages of exceptions, "run case-I: there is no model ..."
  Rows rows;                          ///< empty if interrupted or without a plan
  Experiments experiments;            ///< with the results
  std::vector<DrawnFigure> figures;
  BenchmarkSummary summary;

  std::int64_t count(Verdict verdict) const;
};

/// The line of a benchmark that has its rows, runs and studies; the CPU time is left at zero.
BenchmarkSummary summarize(const BenchmarkResult& result);

/// value - reference, relative to |reference| unless that is zero; empty for a row that lacks either.
struct Difference {
  double value;
  bool is_relative;
};
std::optional<Difference> difference(const Row& row);

}  // namespace picus::models
