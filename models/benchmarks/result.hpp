#pragma once

/// What the execution of a benchmark gave: all that a report shows of it, and nothing that it does not.

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
  std::string missing = {};  ///< why there is nothing, or not all, to draw
};

struct DrawnPanel {
  Panel panel;  ///< without its curves
  std::vector<DrawnCurve> curves;
};

struct DrawnFigure {
  std::string id, title, caption;
  std::vector<DrawnPanel> panels;
};

/// A line of the table of all benchmarks.
struct BenchmarkSummary {
  struct Number {
    double value;
    std::string of;  ///< which of its numbers it is, "ball.vy, h = 3.8e-05 s"
  };
  /// The largest error of the main study at its smallest step that went through, or, without a study, the
  /// largest relative difference between a row and its reference. The main study is the first, with scheme ds
  /// where that is among its schemes.
  std::optional<Number> error;
  std::optional<Number> order;  ///< the smallest of the main study
  /// Linear solves in a step with scheme ds: of all runs together, or of the largest step of the main study that
  /// went through where there is no run.
  std::optional<double> mean_iterations;
  std::optional<int> worst_iterations;
  /// Runs that a failed step ended, those of studies included, by scheme; zero for a scheme without.
  std::map<std::string, std::int64_t> failed_steps;
  std::int64_t fallbacks = 0;  ///< with scheme ds
  double cpu_seconds = 0.0;
};

struct BenchmarkResult {
  Benchmark benchmark;
  Ending ending = Ending::complete;   ///< complete, not_run when any part of it threw, or interrupted
  std::vector<std::string> failures;  ///< what threw, "run case-I: there is no model ..."
  Rows rows;                          ///< none when interrupted or without a plan
  Experiments experiments;            ///< with what they gave
  std::vector<DrawnFigure> figures;
  BenchmarkSummary summary;

  std::int64_t count(Verdict verdict) const;
};

/// The line of a benchmark whose rows, runs and studies are there; the CPU time is left at zero.
BenchmarkSummary summarize(const BenchmarkResult& result);

/// value - reference, relative to |reference| unless that is zero; empty for a row without the two.
struct Difference {
  double value;
  bool is_relative;
};
std::optional<Difference> difference(const Row& row);

}  // namespace picus::models
