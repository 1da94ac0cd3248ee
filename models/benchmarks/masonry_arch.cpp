#include <picus/models/arch.hpp>
#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/references/arch_statics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace masonry_arch_benchmark {
namespace {

/// Relative distance from the static limit, on either side.
constexpr double distance_from_limit = 0.01;

std::vector<Index> counts(Effort effort) {
  return effort == Effort::full ? std::vector<Index>{7, 15, 31} : std::vector<Index>{15};
}

std::string thickness_setting(double thickness) {
  return fmt::format("thickness={}", thickness);
}

Experiments plan(Effort effort) {
  Experiments plan;
  for (const Index blocks : counts(effort)) {
    const std::string count = fmt::format("blocks={}", blocks);
    const double limit = least_thickness(blocks, Arch().mu);
    plan.runs.push_back({.id = fmt::format("thick-{}", blocks),
                         .label = fmt::format("{} blocks, t/R = 0.2", blocks),
                         .model = "arch",
                         .settings = {count, "thickness=0.2"},
                         .step = 1e-3,
                         .until = 0.5});
    plan.runs.push_back({.id = fmt::format("stands-{}", blocks),
                         .label = fmt::format("{} blocks, 1 % above the limit", blocks),
                         .model = "arch",
                         .settings = {count, thickness_setting(limit * (1 + distance_from_limit))},
                         .step = 1e-3,
                         .until = 1.0});
    plan.runs.push_back({.id = fmt::format("falls-{}", blocks),
                         .label = fmt::format("{} blocks, 1 % below the limit", blocks),
                         .model = "arch",
                         .settings = {count, thickness_setting(limit * (1 - distance_from_limit))},
                         .step = 1e-3,
                         .until = 1.0});
  }
  plan.figures = {
      {.id = "crown",
       .title = "Crown of an arch of 15 blocks beside its limit",
       .caption = "One hundredth thicker than statics asks it stands, one thinner it falls.",
       .panels = {{.y_label = "displacement of the crown, m",
                   .curves = {{.run = "stands-15", .y = "crown"}, {.run = "falls-15", .y = "crown"}}}}}};
  return plan;
}

/// The largest number of iterations of a sub-problem in a step after the first one.
double worst_later_iterations(const TrialResult& run) {
  int most = 0;
  for (std::size_t i = 1; i < run.iterations.size(); ++i) {
    for (const std::uint8_t count : run.iterations[i]) most = std::max<int>(most, count);
  }
  return most;
}

double later_fallbacks(const TrialResult& run) {
  const std::vector<double>& fallbacks =
      run.find("fallbacks").values;  // at the start, in the first step, ...
  double sum = 0;
  for (std::size_t i = 2; i < fallbacks.size(); ++i) sum += fallbacks[i];
  return sum;
}

double motion(const TrialResult& run) {
  return std::ranges::max(run.find("motion").values);
}

void add_standing(Rows& rows, const TrialResult& run, const std::string& id, const std::string& label) {
  rows.push_back(expect_at_most(id + "-most", label + ": most iterations of a solve after the first step",
                                worst_later_iterations(run), 5, "", "design"));
  rows.push_back(expect_at_most(id + "-fallbacks", label + ": fallbacks after the first step",
                                later_fallbacks(run), 0, "", "design"));
  rows.push_back(show(id + "-first-fallbacks", label + ": fallbacks in the first step",
                      run.find("fallbacks").values.at(1), ""));
  rows.push_back(expect_at_most(id + "-motion", label + ": largest motion of a block", motion(run), 1e-9, "m",
                                "limit analysis", "the tolerance of positions, 1e-9 of a metre"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const Index blocks : counts(effort)) {
    const double limit = least_thickness(blocks, Arch().mu);
    rows.push_back(show(fmt::format("limit-{}", blocks),
                        fmt::format("least t/R of an arch of {} blocks, by statics", blocks), limit, ""));
    const auto named = [&](const char* kind) { return fmt::format("{}-{}", kind, blocks); };
    const auto label = [&](const std::string& id) { return outcomes.find(id).label; };
    add_standing(rows, outcomes.run(named("thick")), named("thick"), label(named("thick")));
    add_standing(rows, outcomes.run(named("stands")), named("stands"), label(named("stands")));
  }
}

void add_falls(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const Index blocks : counts(effort)) {
    const std::string id = fmt::format("falls-{}", blocks);
    const TrialResult& falls = outcomes.run(id);
    rows.push_back(expect_at_least(id + "-motion", outcomes.find(id).label + ": largest motion in 1 s",
                                   motion(falls), 0.01, "m", "limit analysis",
                                   "ten million times what stands may move"));
    rows.push_back(show(id + "-fallbacks", outcomes.find(id).label + ": fallbacks in all",
                        static_cast<double>(falls.fallback_count()), ""));
  }
}

}  // namespace
}  // namespace masonry_arch_benchmark

Benchmark masonry_arch() {
  return {
      .name = "arch",
      .title = "A masonry arch stands, or falls where it is too thin",
      .source = "Milankovitch 1907; Heyman 1966",
      .setting =
          "A semicircular arch of n blocks, sectors of a ring of mean radius 1 m, 2000 kg/m3, mu = 0.7, "
          "e = 0. t/R = 0.2, and t/R 1 % above and below the least with which an arch of n blocks stands. "
          "For many blocks that is 0.1075.",
      .reference = "limit analysis by statics, half-planes of thrust and moment at the crown",
      .plan = masonry_arch_benchmark::plan,
      .rows = {masonry_arch_benchmark::add_rows, masonry_arch_benchmark::add_falls}};
}

}  // namespace picus::models
