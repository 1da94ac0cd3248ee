#include <picus/models/benchmarks/chen_schemes.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::chen_crank_slider_benchmark {
namespace {

constexpr double h = 1e-4;
constexpr double until = 0.15;
/// The default 1e-8 of the velocities per step accumulates to more than the errors of the scheme below h = 5e-7 s.
constexpr double tight = 1e-11;
const std::vector<std::string> corners = {"lower_left", "lower_right", "upper_right", "upper_left"};

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  chen::add_runs(plan, {.id = "slider", .model = "crank-slider", .step = h, .until = until});
  plan.runs.push_back({.id = "slider-fine-moreau-jean",
                       .label = "Moreau-Jean, h = 0.01 ms",
                       .model = "crank-slider",
                       .scheme = "moreau-jean",
                       .step = 1e-5,
                       .until = until});
  // Before the first impact at 2.69 ms.
  plan.studies = {{.id = "free-motion",
                   .title = "Crank and slider before the first impact",
                   .model = "crank-slider",
                   .schemes = chen::scheme_names(),
                   .steps = chen::steps_between(1e-4, 1e-6, 9),
                   .until = 2.6e-3,
                   .quantities = {"crank.speed", "slider.x", "slider.y"}}};
  // Three impacts with the upper guide, a period of contact with it, and two impacts with the lower one.
  plan.studies.push_back({.id = "convergence",
                          .title = "Crank and slider with five impacts",
                          .model = "crank-slider",
                          .schemes = chen::scheme_names(),
                          .steps = chen::steps_between(1e-4, is_full ? 1e-6 : 2e-6, is_full ? 61 : 27),
                          .until = 0.03,
                          .quantities = {"crank.speed", "slider.y"},
                          .tolerance = tight});
  if (is_full) {
    plan.studies.push_back({.id = "two-turns",
                            .title = "Crank and slider over two revolutions",
                            .model = "crank-slider",
                            .schemes = chen::scheme_names(),
                            .steps = chen::steps_between(2e-5, 2e-7, 21),
                            .until = until,
                            .quantities = {"crank.speed", "slider.x", "slider.y"},
                            .tolerance = tight});
  }
  for (const std::string& corner : corners) {
    Panel panel{.y_label = corner + ", mm",
                .curves = chen::curves("slider", {.y = corner + ".gap", .x = "crank.turns", .y_factor = 1e3}),
                .x_label = "revolutions of the crank"};
    panel.curves.push_back(
        {.run = "slider-fine-moreau-jean", .y = corner + ".gap", .x = "crank.turns", .y_factor = 1e3});
    if (plan.figures.empty()) {
      plan.figures.push_back(
          {.id = "corners",
           .title = "Gaps between corners and guides, h = 0.1 ms (Chen 2013, figure 16)",
           .caption = "Impacts with the upper and the lower guide, each followed by a time on it. "
                      "Both corners on one side move together.",
           .panels = {}});
    }
    plan.figures.back().panels.push_back(std::move(panel));
  }
  const auto panel = [](const std::string& label, const std::string& y) {
    return Panel{.y_label = label,
                 .curves = chen::curves("slider", {.y = y, .x = "crank.turns"}, true),
                 .x_label = "revolutions of the crank"};
  };
  plan.figures.push_back({.id = "crank",
                          .title = "Crank speed and centre of the slider, h = 0.1 ms (Chen 2013, figure 17)",
                          .caption = "",
                          .panels = {panel("crank speed, rad/s", "crank.speed"),
                                     panel("slider x, m", "slider.x"), panel("slider y, m", "slider.y")}});
  plan.figures.push_back({.id = "energy",
                          .title = "Energy, h = 0.1 ms",
                          .caption = "Only impacts take energy.",
                          .panels = {panel("energy, J", "energy")}});
  return plan;
}

/// Index of the first kept instant with an impulse at any corner.
std::size_t first_impact(const TrialResult& run) {
  std::size_t first = run.times.size();
  for (const std::string& corner : corners) {
    const std::vector<double>& impulse = run.find(corner + ".impulse").values;
    const auto found = std::ranges::find_if(impulse, [](double value) { return value > 0.0; });
    first = std::min<std::size_t>(first, found - impulse.begin());
  }
  return first;
}

/// Time of the second full revolution of the crank, by linear interpolation between steps.
double two_revolutions(const std::vector<double>& times, const std::vector<double>& turns) {
  for (std::size_t i = 1; i < turns.size(); ++i) {
    if (turns[i] < 2.0) continue;
    return times[i - 1] + (times[i] - times[i - 1]) * (2.0 - turns[i - 1]) / (turns[i] - turns[i - 1]);
  }
  return times.back();
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  const TrialResult& ds = outcomes.run("slider-ds");

  // Before the first impact.
  const std::size_t impact = std::min(first_impact(ds), ds.times.size() - 1);
  const Series& speed = ds.find("crank.speed");
  const Series& height = ds.find("slider.y");
  const std::string free_motion = "minimal coordinates, Runge-Kutta";
  rows.push_back(expect_true("first-impact", "first impact in the step in which the slider reaches the guide",
                             impact > 0 && std::abs(height.exact[impact - 1]) < 1e-3 &&
                                 ds.times[impact] - h < 0.002693345 && 0.002693345 < ds.times[impact] + 1e-12,
                             free_motion + ": 2.693345 ms"));
  rows.push_back(expect_within("free-speed", "crank speed in the last step before it",
                               speed.values[impact - 1], speed.exact[impact - 1], 1e-3, "rad/s", free_motion,
                               "the study free-motion has an error of 1.1e-4 at this step, of second order"));
  models::add_orders(rows, outcomes, "free-motion", 1.95);

  // Over two revolutions.
  for (const std::string& corner : corners) {
    for (const chen::NamedScheme& scheme : chen::schemes()) {
      const std::string id = "hit-" + corner + (scheme.name == "ds" ? "" : "-" + scheme.name);
      const std::string claim = "largest impulse at " + corner + " (" + scheme.label + ")";
      const TrialResult& run = chen::run_of(outcomes, "slider", scheme.name);
      rows.push_back(expect_at_least(id, claim, largest(run.find(corner + ".impulse")), 1e-3, "N s",
                                     "Chen 2013, figure 16", "impacts occur at all four corners"));
    }
  }
  rows.push_back(expect_at_most(
      "parallel", "the slider stays parallel to its guides", largest(ds.find("slider.angle")), 1e-9, "rad",
      "symmetry", "no force has an arm about the pin, and both corners of a side hit together"));
  const Series& turns = ds.find("crank.turns");
  rows.push_back(
      expect_within("two-revolutions", "two revolutions after", two_revolutions(ds.times, turns.values),
                    two_revolutions(ds.times, turns.exact), 0.02, "s", free_motion + ", event to event"));
  chen::add_orders(rows, outcomes, "convergence", effort == Effort::full ? 0.95 : 0.9);
  if (effort == Effort::full) chen::add_orders(rows, outcomes, "two-turns", 0.95);
  chen::add_errors(rows, outcomes, "slider", {"crank.speed", "slider.x", "slider.y", "energy"}, until);
  add_soundness(rows, outcomes, "slider-ds");
}

}  // namespace
}  // namespace picus::models::chen_crank_slider_benchmark

namespace picus::models {

Benchmark chen_crank_slider() {
  return {.name = "chen-crank-slider",
          .title = "A rigid crank-slider mechanism with clearance",
          .source = "Chen 2013, section 5.6.1",
          .setting =
              "Crank (0.153 m), rod (0.306 m) and slider (0.05 m x 0.1 m) between guides 0.052 m apart, "
              "masses and moments "
              "of inertia of the paper, e = 0.4 at four corners, no friction, g = 10 m/s2. Start with crank "
              "and rod along "
              "x, slider centred and at rest, crank 150 rad/s, nothing drives it. Two revolutions of the "
              "crank. Without "
              "friction nothing turns the slider about its pin, so that both corners on one side always hit "
              "together. "
              "Schemes with joints at velocity level are of first order already in free motion and lose "
              "energy in it.",
          .reference = "own integration in minimal coordinates from event to event",
          .plan = chen_crank_slider_benchmark::plan,
          .rows = {chen_crank_slider_benchmark::add_rows}};
}

}  // namespace picus::models
