#include <picus/models/benchmarks/result.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::models {
namespace {

constexpr std::string_view main_scheme = "ds";

/// The main study with its main scheme; null if there is none.
const ConvergenceResult* main_study(const BenchmarkResult& result) {
  for (const Study& study : result.experiments.studies) {
    const SchemeStudy* best = nullptr;
    for (const SchemeStudy& scheme : study.results) {
      if (scheme.ending != Ending::complete) continue;
      if (best == nullptr || scheme.scheme == main_scheme) best = &scheme;
    }
    if (best != nullptr) return &best->result;
  }
  return nullptr;
}

std::optional<BenchmarkSummary::Number> largest_error(const ConvergenceResult& study) {
  const auto finest = std::find_if(study.rows.rbegin(), study.rows.rend(),
                                   [](const ConvergenceRow& row) { return row.failure.empty(); });
  std::optional<BenchmarkSummary::Number> largest;
  if (finest == study.rows.rend()) return largest;
  for (std::size_t k = 0; k < finest->errors.size(); ++k) {
    if (largest && !(finest->errors[k] > largest->value)) continue;
    largest = {finest->errors[k], fmt::format("{}, h = {:.3g} s", study.quantities[k].name, finest->step)};
  }
  return largest;
}

std::optional<BenchmarkSummary::Number> largest_difference(const Rows& rows) {
  std::optional<BenchmarkSummary::Number> largest;
  for (const Row& row : rows) {
    const std::optional<Difference> found = difference(row);
    if (!found || !found->is_relative) continue;
    const double size = std::abs(found->value);
    if (!largest || size > largest->value) largest = {size, row.claim};
  }
  return largest;
}

std::optional<BenchmarkSummary::Number> smallest_order(const ConvergenceResult& study) {
  std::optional<BenchmarkSummary::Number> smallest;
  for (const ConvergenceQuantity& quantity : study.quantities) {
    if (!quantity.order || (smallest && *quantity.order >= smallest->value)) continue;
    smallest = {*quantity.order, quantity.name};
  }
  return smallest;
}

void count_iterations(const BenchmarkResult& result, const ConvergenceResult* study,
                      BenchmarkSummary& summary) {
  double solves = 0.0;
  double steps = 0.0;
  int worst = 0;
  for (const Run& run : result.experiments.runs) {
    if (run.scheme != main_scheme) continue;
    const auto steps_of_run = static_cast<double>(run.result.summary.steps);
    solves += run.result.mean_iterations() * steps_of_run;
    steps += steps_of_run;
    worst = std::max(worst, run.result.worst_iterations());
  }
  if (steps > 0.0) {
    summary.mean_iterations = solves / steps;
    summary.worst_iterations = worst;
  } else if (study != nullptr) {
    const auto largest =
        std::ranges::find_if(study->rows, [](const auto& row) { return row.failure.empty(); });
    if (largest == study->rows.end()) return;
    summary.mean_iterations = largest->mean_total;
    summary.worst_iterations = largest->worst_total;
  }
}

void count_failures(const BenchmarkResult& result, BenchmarkSummary& summary) {
  for (const Run& run : result.experiments.runs) {
    if (run.ending != Ending::complete && run.ending != Ending::failed_step) continue;
    summary.failed_steps[run.scheme] += run.ending == Ending::failed_step;
    if (run.scheme == main_scheme) summary.fallbacks += run.result.fallback_count();
  }
  for (const Study& study : result.experiments.studies) {
    for (const SchemeStudy& scheme : study.results) {
      if (scheme.ending != Ending::complete) continue;
      for (const ConvergenceRow& row : scheme.result.rows) {
        summary.failed_steps[scheme.scheme] += !row.failure.empty();
        if (scheme.scheme == main_scheme) summary.fallbacks += row.fallbacks;
      }
    }
  }
}

}  // namespace

std::string_view name_of(Ending ending) {
  constexpr std::array<std::string_view, 4> names = {"complete", "failed step", "not run", "interrupted"};
  return names[place_of(ending)];
}

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"met", "missed", "shown"};
  return names[place_of(verdict)];
}

std::int64_t BenchmarkResult::count(Verdict verdict) const {
  return std::ranges::count(rows, verdict, &Row::verdict);
}

BenchmarkSummary summarize(const BenchmarkResult& result) {
  BenchmarkSummary summary;
  const ConvergenceResult* study = main_study(result);
  if (study != nullptr) {
    summary.error = largest_error(*study);
    summary.order = smallest_order(*study);
  } else {
    summary.error = largest_difference(result.rows);
  }
  count_iterations(result, study, summary);
  count_failures(result, summary);
  return summary;
}

std::optional<Difference> difference(const Row& row) {
  if (!row.value || !row.reference) return {};
  const double difference = *row.value - *row.reference;
  if (*row.reference == 0.0) return Difference{difference, false};
  return Difference{difference / std::abs(*row.reference), true};
}

}  // namespace picus::models
