#include <picus/convergence.hpp>
#include <picus/error.hpp>
#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

std::size_t place_of(const ConvergenceResult& result, std::string_view quantity) {
  const auto found = std::ranges::find(result.quantities, quantity, &ConvergenceQuantity::name);
  if (found == result.quantities.end())
    throw Error(fmt::format("the study has no quantity \"{}\"", quantity));
  return found - result.quantities.begin();
}

/// Rows of the step sizes that both schemes completed, in descending order. Throws Error if there are none.
std::vector<std::pair<const ConvergenceRow*, const ConvergenceRow*>> common_rows(const Experiments& outcomes,
                                                                                 std::string_view study,
                                                                                 std::string_view one,
                                                                                 std::string_view other) {
  std::vector<std::pair<const ConvergenceRow*, const ConvergenceRow*>> common;
  const ConvergenceResult& second = outcomes.study(study, other);
  for (const ConvergenceRow& row : outcomes.study(study, one).rows) {
    const auto found = std::ranges::find(second.rows, row.step, &ConvergenceRow::step);
    if (found == second.rows.end() || !row.failure.empty() || !found->failure.empty()) continue;
    common.emplace_back(&row, &*found);
  }
  if (common.empty())
    throw Error(fmt::format("study \"{}\" has no step that {} and {} completed", study, one, other));
  return common;
}

}  // namespace

const TrialResult* find_complete_run(const Experiments& outcomes, std::string_view id) {
  const TrialResult& result = outcomes.find(id).result;
  return result.is_complete() ? &result : nullptr;
}

double error_until(const TrialResult& run, std::string_view quantity, double until) {
  const Series& series = run.find(quantity);
  L1Error error;
  for (std::size_t i = 0; i < run.times.size() && run.times[i] <= until; ++i) {
    error.add(series.values[i], series.exact[i]);
  }
  return error.value();
}

double distance_until(const TrialResult& run, const TrialResult& finer, std::string_view quantity,
                      double until) {
  const Series& series = run.find(quantity);
  const Series& reference = finer.find(quantity);
  const auto stride = static_cast<std::size_t>(
      std::llround((run.times[1] - run.times[0]) / (finer.times[1] - finer.times[0])));
  L1Error error;
  for (std::size_t i = 0; i < run.times.size() && run.times[i] <= until; ++i) {
    error.add(series.values[i], reference.values.at(i * stride));
  }
  return error.value();
}

double largest(const Series& series) {
  double worst = 0.0;
  for (const double value : series.values) worst = std::max(worst, std::abs(value));
  return worst;
}

double largest_error(const Series& series) {
  double worst = 0.0;
  for (std::size_t i = 0; i < series.values.size(); ++i)
    worst = std::max(worst, std::abs(series.values[i] - series.exact.at(i)));
  return worst;
}

double largest_change(const Series& series) {
  double worst = 0.0;
  for (const double value : series.values) worst = std::max(worst, std::abs(value - series.values.front()));
  return worst;
}

int worst_iterations(const TrialResult& run) {
  int most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, run.worst_iterations(i));
  return most;
}

std::optional<double> step_for(const ConvergenceResult& study, std::string_view quantity, double error) {
  const std::size_t q = place_of(study, quantity);
  std::optional<std::pair<double, double>> larger;
  for (const ConvergenceRow& row : study.rows) {
    if (row.errors.empty()) continue;
    if (row.errors[q] > error) {
      larger = std::pair{row.step, row.errors[q]};
    } else if (larger) {
      const double part = std::log(error / row.errors[q]) / std::log(larger->second / row.errors[q]);
      return row.step * std::pow(larger->first / row.step, part);
    } else {
      return row.step;
    }
  }
  return {};
}

double error_ratio(const Experiments& outcomes, std::string_view study, std::string_view worse,
                   std::string_view better, std::string_view quantity) {
  const auto common = common_rows(outcomes, study, worse, better);
  const std::size_t place = place_of(outcomes.study(study, worse), quantity);
  double sum = 0.0;
  for (const auto& [first, second] : common) sum += std::log(first->errors[place] / second->errors[place]);
  return std::exp(sum / static_cast<double>(common.size()));
}

IterationRatio iteration_ratio(const Experiments& outcomes, std::string_view study, std::string_view more,
                               std::string_view fewer) {
  const auto common = common_rows(outcomes, study, more, fewer);
  const auto& [first, second] = common.front();
  return {.step = first->step,
          .mean = first->mean_total / second->mean_total,
          .worst = static_cast<double>(first->worst_total) / second->worst_total};
}

void add_iteration_ratio(Rows& rows, const Experiments& outcomes, std::string_view study,
                         std::string_view more, std::string_view fewer, double least_mean, double least_worst,
                         std::string_view source, std::string_view note) {
  const std::string of = fmt::format("{}-{}-over-{}", study, more, fewer);
  const IterationRatio ratio = iteration_ratio(outcomes, study, more, fewer);
  const std::string at = fmt::format("{} over {}, h = {} s, the largest step that both completed", more,
                                     fewer, number_text(ratio.step));
  rows.push_back(expect_at_least(of + "-mean-solves", "mean linear solves in a step, " + at, ratio.mean,
                                 least_mean, "", std::string(source), std::string(note)));
  rows.push_back(expect_at_least(of + "-most-solves", "most linear solves in a step, " + at, ratio.worst,
                                 least_worst, "", std::string(source), std::string(note)));
}

}  // namespace picus::models
