#include <picus/convergence.hpp>
#include <picus/models/benchmarks/rezaei_schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::models::rezaei {
namespace {

const std::array<NamedBase, 4> implicit = {
    {{"alpha-1", "generalized-alpha, rho 1", "mixed:base=generalized-alpha,rho_inf=1"},
     {"alpha-0", "generalized-alpha, rho 0", "mixed:base=generalized-alpha,rho_inf=0"},
     {"bathe", "Bathe", "mixed:base=bathe"},
     {"ed-alpha", "ED-alpha", "mixed:base=ed-alpha,rho_inf=0"}}};

const std::array<NamedBase, 5> tables = {{{"moreau", "Moreau midpoint", "mixed:base=moreau-midpoint"},
                                          {"half-explicit", "half-explicit", "mixed:base=half-explicit"},
                                          {"alpha", "generalized-alpha", "mixed:base=generalized-alpha"},
                                          {"bathe", "Bathe", "mixed:base=bathe"},
                                          {"ed-alpha", "ED-alpha", "mixed:base=ed-alpha"}}};

std::string id_of(std::string_view id, std::string_view base) {
  return fmt::format("{}-{}", id, base);
}

}  // namespace

std::span<const NamedBase> implicit_bases() {
  return implicit;
}

std::span<const NamedBase> table_bases() {
  return tables;
}

void add_runs(Experiments& plan, const Run& run, std::span<const NamedBase> bases) {
  for (const NamedBase& base : bases) {
    Run one = run;
    one.id = id_of(run.id, base.id);
    one.label = base.label;
    one.scheme = base.scheme;
    plan.runs.push_back(std::move(one));
  }
}

const TrialResult& run_of(const Experiments& outcomes, std::string_view id, std::string_view base) {
  return outcomes.run(id_of(id, base));
}

std::vector<Curve> curves(std::string_view id, const Curve& shape, std::span<const NamedBase> bases,
                          bool with_exact) {
  std::vector<Curve> curves;
  if (with_exact) {
    curves.push_back(shape);
    curves.back().run = id_of(id, bases.front().id);
    curves.back().label = "exact";
    curves.back().exact = true;
  }
  for (const NamedBase& base : bases) {
    curves.push_back(shape);
    curves.back().run = id_of(id, base.id);
    curves.back().label = base.label;
  }
  return curves;
}

double largest_error(const TrialResult& run, std::string_view quantity, double from) {
  const Series& series = run.find(quantity);
  double worst = 0.0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] >= from) worst = std::max(worst, std::abs(series.values[i] - series.exact[i]));
  }
  return worst;
}

double distance(const TrialResult& run, const TrialResult& other, std::string_view quantity, double until) {
  const Series& series = run.find(quantity);
  const Series& reference = other.find(quantity);
  L1Error error;
  for (std::size_t i = 0; i < run.times.size() && run.times[i] <= until; ++i) {
    error.add(series.values[i], reference.values.at(i));
  }
  return error.value();
}

}  // namespace picus::models::rezaei
