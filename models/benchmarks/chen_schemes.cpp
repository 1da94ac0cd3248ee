#include <picus/models/benchmarks/chen_schemes.hpp>
#include <picus/models/convergence.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::models::chen {
namespace {

const std::array<NamedScheme, 4> all = {{{"ds", "DS"},
                                         {"chen", "NS generalized-alpha"},
                                         {"moreau-jean", "Moreau-Jean"},
                                         {"newmark-implicit", "implicit Newmark"}}};

std::string id_of(std::string_view id, std::string_view scheme) {
  return fmt::format("{}-{}", id, scheme);
}

std::optional<std::size_t> place_of(const ConvergenceResult& result, std::string_view quantity) {
  const auto found = std::ranges::find(result.quantities, quantity, &ConvergenceQuantity::name);
  if (found == result.quantities.end()) return {};
  return static_cast<std::size_t>(found - result.quantities.begin());
}

}  // namespace

std::span<const NamedScheme> schemes() {
  return all;
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const NamedScheme& scheme : all) names.push_back(scheme.name);
  return names;
}

std::vector<double> steps_between(double largest, double smallest, int count) {
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) {
    steps.push_back(largest * std::pow(smallest / largest, static_cast<double>(i) / (count - 1)));
  }
  return steps;
}

void add_runs(Plan& plan, const PlannedRun& run) {
  for (const NamedScheme& scheme : all) {
    PlannedRun one = run;
    one.id = id_of(run.id, scheme.name);
    one.label = run.label.empty() ? scheme.label : fmt::format("{}, {}", scheme.label, run.label);
    one.scheme = scheme.name;
    plan.runs.push_back(std::move(one));
  }
}

const TrialResult* find_run(const Outcomes& outcomes, std::string_view id, std::string_view scheme) {
  const auto found = outcomes.runs.find(id_of(id, scheme));
  const bool is_there = found != outcomes.runs.end() && found->second.is_available;
  return is_there && found->second.result.is_complete() ? &found->second.result : nullptr;
}

std::vector<Curve> curves(std::string_view id, const Curve& shape, bool with_exact) {
  std::vector<Curve> curves;
  for (const NamedScheme& scheme : all) {
    curves.push_back(shape);
    curves.back().run = id_of(id, scheme.name);
    curves.back().label = scheme.label;
  }
  if (with_exact) {
    curves.push_back(shape);
    curves.back().run = id_of(id, all.front().name);
    curves.back().label = "exact";
    curves.back().exact = true;
  }
  return curves;
}

void add_orders(Rows& rows, const Outcomes& outcomes, std::string_view study, double least) {
  for (const NamedScheme& scheme : all) {
    if (outcomes.has_study(study, scheme.name)) {
      models::add_orders(rows, outcomes, study, least, scheme.name);
    } else {
      rows.push_back(pending(fmt::format("{}-{}-order", study, scheme.name),
                             fmt::format("order 1 ({})", scheme.label), scheme.name, "Chen 2013"));
    }
  }
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

void add_errors(Rows& rows, const Outcomes& outcomes, std::string_view id,
                const std::vector<std::string>& quantities, double until, std::string_view source) {
  for (const NamedScheme& scheme : all) {
    const TrialResult* const run = find_run(outcomes, id, scheme.name);
    for (const std::string& quantity : quantities) {
      const std::string row_id = fmt::format("{}-{}-error-{}", id, scheme.name, quantity);
      const std::string claim =
          fmt::format("error of {} up to {} s ({})", quantity, number_text(until), scheme.label);
      rows.push_back(run == nullptr ? pending(row_id, claim, scheme.name, std::string(source))
                                    : show(row_id, claim, error_until(*run, quantity, until), ""));
    }
  }
}

std::optional<double> error_ratio(const Outcomes& outcomes, std::string_view study, std::string_view worse,
                                  std::string_view better, std::string_view quantity) {
  if (!outcomes.has_study(study, worse) || !outcomes.has_study(study, better)) return {};
  const ConvergenceResult& first = outcomes.study(study, worse);
  const ConvergenceResult& second = outcomes.study(study, better);
  const auto place = place_of(first, quantity);
  if (!place) return {};
  double sum = 0.0;
  int count = 0;
  for (const ConvergenceRow& row : first.rows) {
    const auto other = std::ranges::find(second.rows, row.step, &ConvergenceRow::step);
    if (row.errors.empty() || other == second.rows.end() || other->errors.empty()) continue;
    sum += std::log(row.errors[*place] / other->errors[*place]);
    ++count;
  }
  if (count == 0) return {};
  return std::exp(sum / count);
}

void add_relative_times(Rows& rows, const Outcomes& outcomes, std::string_view id, std::string_view source,
                        double alpha, double newmark) {
  const TrialResult* const base = find_run(outcomes, id, "moreau-jean");
  for (const NamedScheme& scheme : all) {
    if (scheme.name == "moreau-jean") continue;
    const std::string row_id = id_of(id, scheme.name) + "-time";
    const std::string claim = fmt::format("time of {} over that of Moreau-Jean, same h", scheme.label);
    const TrialResult* const run = find_run(outcomes, id, scheme.name);
    if (base == nullptr || run == nullptr) {
      rows.push_back(
          pending(row_id, claim, run == nullptr ? scheme.name : "moreau-jean", std::string(source)));
      continue;
    }
    Row row = show(row_id, claim, run->summary.wall_seconds / base->summary.wall_seconds, "",
                   "wall time of one run, which varies");
    if (scheme.name == "chen") row.reference = alpha;
    if (scheme.name == "newmark-implicit") row.reference = newmark;
    if (row.reference) row.source = source;
    rows.push_back(std::move(row));
  }
}

}  // namespace picus::models::chen
