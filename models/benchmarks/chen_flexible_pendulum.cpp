#include <picus/models/benchmarks/chen_schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

const std::vector<std::string> settings = {"elements=4", "restitution=0.8", "gravity=10"};
constexpr double h = 5e-4;
constexpr double coarse = 1e-3;
constexpr double until = 2.0;
const std::string source = "Chen 2013, section 5.4";

Plan plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Plan plan;
  const PlannedRun run{
      .id = "pendulum", .model = "flexible-pendulum", .settings = settings, .step = h, .until = until};
  chen::add_runs(plan, run);
  PlannedRun with_large_step = run;
  with_large_step.id = "coarse";
  with_large_step.label = "h = 1 ms";
  with_large_step.step = coarse;
  chen::add_runs(plan, with_large_step);
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    if (scheme.name != "moreau-jean" && scheme.name != "ds") continue;
    PlannedRun fine = run;
    fine.id = "fine-" + scheme.name;
    fine.label = scheme.label + ", h = 0.02 ms";
    fine.scheme = scheme.name;
    fine.step = 2e-5;
    plan.runs.push_back(fine);
  }
  plan.studies = {
      {.id = "convergence",
       .title = "Tip of the pendulum",
       .model = "flexible-pendulum",
       .settings = settings,
       .schemes = chen::scheme_names(),
       .steps = is_full ? std::vector{1e-3, 8e-4, 5e-4, 4e-4, 2e-4, 1.6e-4, 1e-4, 8e-5, 5e-5, 4e-5, 2e-5}
                        : std::vector{1e-3, 8e-4, 5e-4, 4e-4, 2e-4, 1e-4},
       .until = 0.5,
       .quantities = {"tip.x", "tip.vx"},
       .reference_step = is_full ? 2e-6 : 1e-5}};
  const auto panel = [](const std::string& label, const std::string& y) {
    std::vector<Curve> curves = chen::curves("pendulum", {.y = y});
    curves.push_back({.run = "fine-moreau-jean", .y = y});
    curves.push_back({.run = "fine-ds", .y = y});
    return Panel{.y_label = label, .curves = curves};
  };
  plan.figures = {{.id = "tip",
                   .title = "Tip along x, h = 0.5 ms (Chen 2013, figure 11)",
                   .caption = "After an impact the beam vibrates; a damped scheme loses that.",
                   .panels = {panel("position, m", "tip.x"), panel("velocity, m/s", "tip.vx")}},
                  {.id = "energy",
                   .title = "Total energy, h = 0.5 ms (Chen 2013, figure 12)",
                   .caption = "Between impacts it is constant in truth.",
                   .panels = {panel("energy, J", "energy")}}};
  return plan;
}

Rows rows(const Outcomes& outcomes, Effort effort) {
  Rows rows;
  (void)effort;
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const bool should_converge = scheme.name == "ds" || scheme.name == "chen";
    const std::string id = "coarse-" + scheme.name;
    const std::string claim =
        fmt::format("{} at h = 1 ms ({})", should_converge ? "converges" : "fails", scheme.label);
    const auto found = outcomes.runs.find(id);
    if (!found->second.is_available) {
      rows.push_back(pending(id, claim, scheme.name, source));
      continue;
    }
    rows.push_back(expect_true(id, claim, found->second.result.is_complete() == should_converge, source,
                               found->second.result.failure));
  }
  add_soundness(rows, outcomes, "pendulum-ds");
  add_orders(rows, outcomes, "convergence", 0.95);
  return rows;
}

}  // namespace

Benchmark chen_flexible_pendulum() {
  return {
      .name = "chen-flexible-pendulum",
      .title = "A flexible pendulum that bounces on a wall",
      .source = source,
      .setting =
          "A steel beam of 1 m and 0.01 m x 0.01 m (E = 210 GPa, nu = 0.3, 7800 kg/m3), four elements, falls "
          "from "
          "the horizontal, at rest, and hits a wall at x = sqrt(2)/2 m with its tip, e = 0.8, g = 10 m/s2.",
      .reference = "own run with a smaller step; Moreau-Jean at h = 2e-5 s as in the paper",
      .plan = plan,
      .rows = rows};
}

}  // namespace picus::models
