#include <picus/models/benchmarks/chen_schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models::chen_flexible_crank_slider_benchmark {
namespace {

const std::vector<std::string> settings = {"rods=flexible"};
constexpr double h = 1e-4;
constexpr double until = 0.15;
const std::vector<std::string> corners = {"lower_left", "lower_right", "upper_right", "upper_left"};
const std::string source = "Chen 2013, section 5.6.2";

double fine_step(Effort effort) {
  return effort == Effort::full ? 1e-6 : 1e-5;
}

/// The four schemes, and one of them with a much smaller step, over `x`.
std::vector<Curve> all_curves(const std::string& y, const std::string& x, double factor = 1.0) {
  std::vector<Curve> curves = chen::curves("slider", {.y = y, .x = x, .y_factor = factor});
  for (const std::string scheme : {"moreau-jean", "ds"}) {
    curves.push_back({.run = "fine-" + scheme, .y = y, .x = x, .y_factor = factor});
  }
  return curves;
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  const double fine = fine_step(effort);
  Experiments plan;
  chen::add_runs(plan,
                 {.id = "slider", .model = "crank-slider", .settings = settings, .step = h, .until = until});
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    if (scheme.name != "moreau-jean" && scheme.name != "ds") continue;
    plan.runs.push_back({.id = "fine-" + scheme.name,
                         .label = fmt::format("{}, h = {} s", scheme.label, number_text(fine)),
                         .model = "crank-slider",
                         .settings = settings,
                         .scheme = scheme.name,
                         .step = fine,
                         .until = until,
                         .every = is_full ? 20 : 2});
  }
  // Free motion and one impact, at 2.7 ms. Later impacts depend on the vibrations that earlier ones leave.
  plan.studies = {
      {.id = "convergence",
       .title = "Slider with one impact",
       .model = "crank-slider",
       .settings = settings,
       .schemes = chen::scheme_names(),
       .steps = is_full ? std::vector{2e-5, 1.6e-5, 1e-5, 8e-6, 5e-6, 4e-6, 2e-6, 1.6e-6, 1e-6, 8e-7, 5e-7}
                        : std::vector{2e-5, 1.6e-5, 1e-5, 8e-6, 5e-6, 4e-6, 2e-6},
       .until = 5e-3,
       .quantities = {"slider.x", "slider.y"},
       .reference_step = is_full ? 5e-8 : 2e-7,
       .tolerance = 1e-10}};
  Figure turns{.id = "corners",
               .title = "Gaps of the slider over revolutions, h = 0.1 ms (Chen 2013, figure 18a)",
               .caption = "Both corners on one side move together, so that one of each is drawn.",
               .panels = {}};
  Figure times{
      .id = "corners-in-time",
      .title = "Gaps of the slider over time, h = 0.1 ms (Chen 2013, figure 18b)",
      .caption =
          "The nearer a scheme keeps the vibrations of the rods, the longer it stays with the fine ones.",
      .panels = {}};
  for (const std::string corner : {"lower_left", "upper_left"}) {
    turns.panels.push_back({.y_label = corner + ", mm",
                            .curves = all_curves(corner + ".gap", "crank.turns", 1e3),
                            .x_label = "revolutions of the crank"});
    times.panels.push_back({.y_label = corner + ", mm", .curves = all_curves(corner + ".gap", "time", 1e3)});
  }
  plan.figures = {
      turns, times,
      Figure{.id = "speed-and-energy",
             .title = "Crank speed at the pivot and energy, h = 0.1 ms (Chen 2013, figure 19)",
             .caption = "Impacts set the rods vibrating.",
             .panels = {{.y_label = "crank speed, rad/s", .curves = all_curves("crank.speed", "time")},
                        {.y_label = "energy, J", .curves = all_curves("energy", "time")}}}};
  return plan;
}

/// The state of each scheme after one revolution, compared with Moreau-Jean at a small step.
void add_comparison(Rows& rows, const Experiments& outcomes, double fine) {
  const TrialResult& finest = outcomes.run("fine-moreau-jean");
  for (const std::string quantity : {"slider.x", "slider.y"}) {
    for (const chen::NamedScheme& scheme : chen::schemes()) {
      const std::string id = fmt::format("distance-{}-{}", scheme.name, quantity);
      const std::string claim = fmt::format("distance of {} ({}) from Moreau-Jean at h = {} s", quantity,
                                            scheme.label, number_text(fine));
      const TrialResult& run = chen::run_of(outcomes, "slider", scheme.name);
      rows.push_back(show(id, claim, distance_until(run, finest, quantity, until), ""));
    }
    chen::add_advantage(
        rows, "distance-" + quantity,
        fmt::format("distance of {} from Moreau-Jean at h = {} s", quantity, number_text(fine)),
        [&](const std::string& scheme) {
          return distance_until(chen::run_of(outcomes, "slider", scheme), finest, quantity, until);
        },
        "Chen 2013, figure 18", "the paper: matches much better");
  }
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  const TrialResult& ds = outcomes.run("slider-ds");
  const TrialResult& fine = outcomes.run("fine-ds");
  for (const std::string& corner : corners) {
    rows.push_back(expect_at_least("hit-" + corner, "largest impulse at " + corner,
                                   largest(ds.find(corner + ".impulse")), 1e-3, "N s", "Chen 2013, figure 18",
                                   "impacts occur at all four corners"));
  }
  rows.push_back(expect_at_most(
      "parallel", "the slider stays parallel to its guides", largest(ds.find("slider.angle")), 1e-9, "rad",
      "symmetry", "no force has an arm about the pin, and both corners of a side hit together"));
  for (const std::string quantity : {"crank.turns", "slider.x", "slider.y"}) {
    rows.push_back(
        show("own-distance-" + quantity,
             fmt::format("distance of {} (DS) from DS at h = {} s", quantity, number_text(fine_step(effort))),
             distance_until(ds, fine, quantity, until), ""));
  }
  add_comparison(rows, outcomes, fine_step(effort));
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const TrialResult& run = chen::run_of(outcomes, "slider", scheme.name);
    const std::string id = "energy-" + scheme.name;
    const std::string claim = fmt::format("energy left after {} s ({})", number_text(until), scheme.label);
    rows.push_back(show(id, claim, run.find("energy").values.back(), "J"));
  }
  rows.push_back(show("energy-fine-ds", "energy left (DS, fine)", fine.find("energy").values.back(), "J"));
  add_orders(rows, outcomes, "convergence", 0.95);
  chen::add_relative_times(rows, outcomes, "slider", "fine-moreau-jean", "Chen 2013, table II",
                           {.alpha = 1.07, .newmark = 1.05, .fine_moreau_jean = 88.24});
  add_soundness(rows, outcomes, "slider-ds");
}

}  // namespace
}  // namespace picus::models::chen_flexible_crank_slider_benchmark

namespace picus::models {

Benchmark chen_flexible_crank_slider() {
  return {
      .name = "chen-flexible-crank-slider",
      .title = "A flexible crank-slider mechanism with clearance",
      .source = chen_flexible_crank_slider_benchmark::source,
      .setting =
          "The rigid mechanism with crank and rod of two beam elements each: steel (E = 210 GPa, nu = 0.3, "
          "7800 "
          "kg/m3), sections 6.4 mm x 5 mm and 3.2 mm x 5 mm, the 5 mm in the plane. Masses are those of the "
          "rigid bodies; the moment of inertia of the rod is half of the printed one. Start velocities are "
          "those of the rigid mechanism.",
      .reference = "own runs with smaller steps; Moreau-Jean at h = 1e-6 s as in the paper",
      .plan = chen_flexible_crank_slider_benchmark::plan,
      .rows = {chen_flexible_crank_slider_benchmark::add_rows}};
}

}  // namespace picus::models
