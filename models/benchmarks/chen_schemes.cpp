#include <picus/models/benchmarks/chen_schemes.hpp>

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

void add_runs(Experiments& plan, const Run& run) {
  for (const NamedScheme& scheme : all) {
    Run one = run;
    one.id = id_of(run.id, scheme.name);
    one.label = run.label.empty() ? scheme.label : fmt::format("{}, {}", scheme.label, run.label);
    one.scheme = scheme.name;
    plan.runs.push_back(std::move(one));
  }
}

const TrialResult& run_of(const Experiments& outcomes, std::string_view id, std::string_view scheme) {
  return outcomes.run(id_of(id, scheme));
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

void add_orders(Rows& rows, const Experiments& outcomes, std::string_view study, double least) {
  for (const NamedScheme& scheme : all) {
    models::add_orders(rows, outcomes, study, least, scheme.name);
  }
}

void add_errors(Rows& rows, const Experiments& outcomes, std::string_view id,
                const std::vector<std::string>& quantities, double until) {
  for (const NamedScheme& scheme : all) {
    const TrialResult& run = run_of(outcomes, id, scheme.name);
    for (const std::string& quantity : quantities) {
      const std::string row_id = fmt::format("{}-{}-error-{}", id, scheme.name, quantity);
      const std::string claim =
          fmt::format("error of {} up to {} s ({})", quantity, number_text(until), scheme.label);
      rows.push_back(show(row_id, claim, error_until(run, quantity, until), ""));
    }
  }
}

void add_advantage(Rows& rows, std::string_view id, std::string_view what,
                   const std::function<double(const std::string& scheme)>& measure, std::string_view source,
                   std::string_view note) {
  const double own = measure("chen");
  for (const NamedScheme& scheme : all) {
    if (scheme.name != "moreau-jean" && scheme.name != "newmark-implicit") continue;
    const std::string row_id = fmt::format("{}-{}-over-chen", id, scheme.name);
    const std::string claim = fmt::format("{}, {} over NS generalized-alpha", what, scheme.label);
    rows.push_back(expect_at_least(row_id, claim, measure(scheme.name) / own, 1.0, "", std::string(source),
                                   std::string(note)));
  }
}

void add_relative_times(Rows& rows, const Experiments& outcomes, std::string_view id, std::string_view fine,
                        std::string_view source, const PublishedTimes& published) {
  const TrialResult& base = run_of(outcomes, id, "moreau-jean");
  const auto add = [&](const std::string& row_id, const std::string& what, const TrialResult& run,
                       std::optional<double> reference) {
    Row row =
        show(row_id, fmt::format("time of {} over that of Moreau-Jean", what),
             run.summary.wall_seconds / base.summary.wall_seconds, "", "wall time of one run, which varies");
    row.reference = reference;
    if (reference) row.source = source;
    rows.push_back(std::move(row));
  };
  for (const NamedScheme& scheme : all) {
    if (scheme.name == "moreau-jean") continue;
    std::optional<double> reference;
    if (scheme.name == "chen") reference = published.alpha;
    if (scheme.name == "newmark-implicit") reference = published.newmark;
    add(id_of(id, scheme.name) + "-time", scheme.label + ", same h,", run_of(outcomes, id, scheme.name),
        reference);
  }
  const TrialResult& fine_run = outcomes.run(fine);
  add(std::string(fine) + "-time",
      fmt::format("Moreau-Jean with h/{:.0f}",
                  static_cast<double>(fine_run.summary.steps) / static_cast<double>(base.summary.steps)),
      fine_run, published.fine_moreau_jean);
}

}  // namespace picus::models::chen
