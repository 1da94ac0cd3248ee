#include <picus/convergence.hpp>
#include <picus/error.hpp>
#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

std::size_t place_of_quantity(const ConvergenceResult& result, std::string_view quantity) {
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

double distance_of_means(const TrialResult& run, const TrialResult& reference,
                         const std::vector<std::string>& quantities, Window window, double mean_over) {
  const std::size_t count = std::min(run.times.size(), reference.times.size());
  std::vector<double> ours(count, 0.0), theirs(count, 0.0);
  for (const std::string& quantity : quantities) {
    const std::vector<double>& one = run.find(quantity).values;
    const std::vector<double>& other = reference.find(quantity).values;
    for (std::size_t i = 0; i < count; ++i) {
      ours[i] += one[i];
      theirs[i] += other[i];
    }
  }
  const auto steps = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::llround(mean_over / (run.times.at(1) - run.times.at(0)))));
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 1; i + steps <= count; i += steps) {
    if (run.times[i] <= window.from || run.times[i + steps - 1] > window.to) continue;
    double mean = 0.0, reference_mean = 0.0;
    for (std::size_t k = i; k < i + steps; ++k) {
      mean += ours[k];
      reference_mean += theirs[k];
    }
    difference += std::abs(mean - reference_mean);
    size += std::abs(reference_mean);
  }
  return difference / size;
}

double rms_error(const TrialResult& run, std::string_view quantity, Window window) {
  const Series& series = run.find(quantity);
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] <= window.from || run.times[i] > window.to) continue;
    const double error = series.values[i] - series.exact.at(i);
    sum += error * error;
    ++count;
  }
  return std::sqrt(sum / count);
}

double ripple(const TrialResult& run, std::string_view quantity, Window window) {
  const std::vector<double>& values = run.find(quantity).values;
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 2; i < values.size(); ++i) {
    if (run.times[i - 2] <= window.from || run.times[i] > window.to) continue;
    sum += std::abs(values[i] - 2 * values[i - 1] + values[i - 2]);
    ++count;
  }
  return sum / count;
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
  const std::size_t q = place_of_quantity(study, quantity);
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
  const std::size_t place = place_of_quantity(outcomes.study(study, worse), quantity);
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
