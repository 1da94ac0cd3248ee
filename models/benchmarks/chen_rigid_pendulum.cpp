#include <picus/models/benchmarks/chen_schemes.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::chen_rigid_pendulum_benchmark {
namespace {

constexpr double h = 1e-3;

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  chen::add_runs(plan, {.id = "pendulum", .model = "rigid-pendulum", .step = h, .until = 5.0});
  plan.runs.push_back({.id = "projected",
                       .label = "Moreau-Jean with projection",
                       .model = "rigid-pendulum",
                       .scheme = "moreau-jean:projection=yes",
                       .step = h,
                       .until = 5.0,
                       .signals = {"tip.x", "violation"}});
  plan.runs.push_back({.id = "pendulum-ds-tight",
                       .label = "DS, Newton to 1e-12",
                       .model = "rigid-pendulum",
                       .step = h,
                       .until = 5.0,
                       .signals = {"violation"},
                       .tolerance = 1e-12});
  plan.studies = {
      {.id = "convergence",
       .title = "Tip of the pendulum against the exact solution (Chen 2013, figure 15)",
       .model = "rigid-pendulum",
       .schemes = chen::scheme_names(),
       .steps = is_full ? chen::steps_between(1e-2, 1e-6, 41) : chen::steps_between(1e-2, 2e-5, 27),
       .until = 1.0,
       .quantities = {"tip.x", "tip.vx"}}};
  const auto panel = [](const std::string& label, const std::string& y, bool with_exact) {
    return Panel{.y_label = label, .curves = chen::curves("pendulum", {.y = y}, with_exact)};
  };
  plan.figures = {{.id = "motion",
                   .title = "Tip along x and drift, h = 1 ms (Chen 2013, figure 13)",
                   .caption = "The pendulum bounces until it leans on the wall. Schemes without constraints "
                              "at position level drift "
                              "off the joint.",
                   .panels = {panel("position, m", "tip.x", true), panel("velocity, m/s", "tip.vx", true),
                              panel("violation, m", "violation", false)}},
                  {.id = "impulses",
                   .title = "Impulses of joint and wall in each step, h = 1 ms (Chen 2013, figure 14)",
                   .caption = "Each impact on the wall goes through the pivot, too.",
                   .panels = {panel("pivot, x, N s", "pivot.impulse_x", false),
                              panel("pivot, y, N s", "pivot.impulse_y", false),
                              panel("wall, N s", "wall.impulse", false)}},
                  {.id = "energy",
                   .title = "Energy, h = 1 ms",
                   .caption = "Constant between impacts.",
                   .panels = {panel("energy, J", "energy", true)}}};
  for (std::size_t i : {0, 2}) {
    plan.figures.front().panels[i].curves.push_back(
        {.run = "projected", .y = i == 0 ? "tip.x" : "violation"});
  }
  return plan;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  chen::add_orders(rows, outcomes, "convergence", effort == Effort::full ? 0.95 : 0.9);
  const std::string source = "Chen 2013, section 5.5";
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const std::string id = "drift-" + scheme.name;
    const std::string claim = "drift of the joint, h = 1 ms (" + scheme.label + ")";
    const TrialResult& run = chen::run_of(outcomes, "pendulum", scheme.name);
    if (scheme.name == "ds") {
      rows.push_back(expect_at_most(id, claim, largest(run.find("violation")), 4e-11, "m", "design",
                                    "Newton ends at 1e-8 of the motion in a step, which is 4e-3 m at most"));
    } else if (scheme.name == "moreau-jean") {
      rows.push_back(expect_at_least(id, claim, largest(run.find("violation")), 5e-6, "m", source,
                                     "the paper: larger than those of the others"));
    } else {
      rows.push_back(expect_at_most(id, claim, largest(run.find("violation")), 5e-6, "m", source));
    }
  }
  rows.push_back(expect_at_most("drift-ds-tight", "drift of the joint, h = 1 ms, Newton to 1e-12 (DS)",
                                largest(outcomes.run("pendulum-ds-tight").find("violation")), 1e-14, "m",
                                "design", "rounding of positions of 1 m"));
  const std::string projected = "drift of the joint with projection (Moreau-Jean)";
  rows.push_back(expect_at_most("drift-projected", projected,
                                largest(outcomes.run("projected").find("violation")), 1e-9, "m", source,
                                "the tolerance of the projection"));

  const std::string claim =
      "error of Moreau-Jean over that of NS generalized-alpha, x of the tip, mean over h";
  const auto ratio = error_ratio(outcomes, "convergence", "moreau-jean", "chen", "tip.x");
  rows.push_back(expect_at_least("moreau-jean-over-chen", claim, ratio, 1.0, "", "Chen 2013, figure 15"));

  const std::string newmark = "error of Moreau-Jean over that of implicit Newmark, x of the tip, mean over h";
  const auto over = error_ratio(outcomes, "convergence", "moreau-jean", "newmark-implicit", "tip.x");
  rows.push_back(expect_at_least("moreau-jean-over-newmark", newmark, over, 1.0, "", "Chen 2013, figure 15"));

  chen::add_errors(rows, outcomes, "pendulum", {"tip.x", "tip.vx"}, 1.0);
  add_soundness(rows, outcomes, "pendulum-ds");
}

}  // namespace
}  // namespace picus::models::chen_rigid_pendulum_benchmark

namespace picus::models {

Benchmark chen_rigid_pendulum() {
  return {
      .name = "chen-rigid-pendulum",
      .title = "A rigid pendulum that bounces on a wall",
      .source = "Chen 2013, section 5.5",
      .setting =
          "A massless rod of 1 m with 1 kg and J = 0.1 kg m2 at its tip falls from the horizontal, at rest, "
          "on a "
          "wall at x = sqrt(2)/2 m, e = 0.8, g = 10 m/s2. The tip turns with the rod, so that J counts: the "
          "first impact is at 0.4201 s. Errors over [0, 1] s, with one impact.",
      .reference = "exact solution in elliptic functions",
      .plan = chen_rigid_pendulum_benchmark::plan,
      .rows = {chen_rigid_pendulum_benchmark::add_rows}};
}

}  // namespace picus::models
