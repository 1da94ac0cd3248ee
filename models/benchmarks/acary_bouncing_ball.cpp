#include <picus/models/benchmarks/chen_schemes.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::acary_bouncing_ball_benchmark {
namespace {

constexpr double h = 1e-3;
constexpr double e = 0.9;
constexpr double gravity = 9.81;
constexpr double until = 3.0;
const std::string source = "Acary's slides, a first naive approach";
const std::string consistent = "newmark:gamma=1,beta=0.5,smooth=yes";
const std::string inconsistent = "newmark:gamma=0.5,beta=0.25,smooth=yes";
const std::string split = "newmark:gamma=0.5,beta=0.25";
const std::string at_position = "newmark:gamma=1,beta=0.5,smooth=yes,position=yes";
const std::vector<std::string> heights = {"1", "1.01"};

std::vector<std::string> settings(const std::string& height) {
  return {"gravity=9.81", "restitution=0.9", "height=" + height};
}

Experiments plan(Effort effort) {
  Experiments plan;
  const auto add = [&](const std::string& id, const std::string& label, const std::string& scheme,
                       const std::string& height) {
    plan.runs.push_back({.id = id,
                         .label = label,
                         .model = "bouncing-ball",
                         .settings = settings(height),
                         .scheme = scheme,
                         .step = h,
                         .until = until});
  };
  add("gamma-1", "forces, γ = 1, β = 1/2", consistent, "1");
  add("gamma-half", "forces, γ = 1/2, β = 1/4", inconsistent, "1");
  add("split", "impulses split off, γ = 1/2, β = 1/4", split, "1");
  for (const std::string& height : heights)
    add("position-" + height, "position level, from " + height + " m", at_position, height);
  plan.studies = {{.id = "convergence",
                   .title = "Height and velocity against the exact solution",
                   .model = "bouncing-ball",
                   .settings = settings("1"),
                   .schemes = {split, consistent, inconsistent, at_position},
                   .steps = effort == Effort::full ? chen::steps_between(3e-4, 1e-5, 41)
                                                   : chen::steps_between(3e-4, 3e-5, 25),
                   .until = until,
                   .quantities = {"ball.y", "ball.vy"}}};
  const auto panels_of = [](const std::vector<std::string>& runs, const std::string& exact) {
    std::vector<Panel> panels;
    for (const auto& [label, y] : {std::pair{"height, m", "ball.y"}, std::pair{"velocity, m/s", "ball.vy"}}) {
      Panel panel{.y_label = label, .curves = {}};
      for (const std::string& run : runs) panel.curves.push_back({.run = run, .y = y});
      panel.curves.push_back({.run = exact, .y = y, .label = "exact", .exact = true});
      panels.push_back(panel);
    }
    return panels;
  };
  plan.figures = {
      {.id = "velocity-level",
       .title = "Constraints at velocity level as forces of Newmark's formulas, γ = 1",
       .caption = "Consistent, because the force of a step has no part in the next one.",
       .panels = panels_of({"gamma-1", "split"}, "gamma-1")},
      {.id = "velocity-level-half",
       .title = "The same with γ = 1/2",
       .caption =
           "Half of the impulse comes a second time: the ball leaves 1 + 2 e times as fast as it came.",
       .panels = panels_of({"gamma-half"}, "gamma-half")},
      {.id = "position-level",
       .title = "Constraints at position level, γ = 1, from 1 m and from 1.01 m",
       .caption = "How the ball bounces depends on where in the step it meets the floor, not on e.",
       .panels = panels_of({"position-1", "position-1.01"}, "position-1")}};
  return plan;
}

/// The first upward velocity after the fall.
double first_rebound(const TrialResult& run) {
  const std::vector<double>& v = run.find("ball.vy").values;
  const auto up = std::ranges::find_if(v, [](double value) { return value > 0.0; });
  // Includes the part of the impulse that acts one step later.
  return up == v.end() ? 0.0 : std::max(*up, up + 1 == v.end() ? *up : *(up + 1));
}

void add_rebounds(Rows& rows, const Experiments& outcomes) {
  const double fall = std::sqrt(2.0 * 1.0 / gravity);
  const double speed = gravity * fall;
  const auto add = [&](const std::string& id, const std::string& text, double factor,
                       const std::string& reference) {
    const std::string claim = "first rebound over the velocity of the impact, " + text;
    const TrialResult& run = outcomes.run(id);
    rows.push_back(expect_near(id + "-rebound", claim, first_rebound(run) / speed, factor,
                               3.0 * gravity * h / speed, "", reference,
                               "gravity changes velocities by g h a step"));
  };
  add("gamma-1", "forces, γ = 1", e, "exact, e");
  add("split", "impulses split off, γ = 1/2", e, "exact, e");
  add("gamma-half", "forces, γ = 1/2", e + (1.0 + e), "e + (1 - γ)/γ (1 + e), what the formulas make of it");
  for (const std::string& height : heights) {
    const double h_0 = std::stod(height);
    const double n = std::floor(std::sqrt(2.0 * h_0 / gravity) / h);
    const double gap = h_0 - gravity * n * h * n * h / 2.0;
    const double v = -gravity * n * h;
    const std::string id = "position-" + height;
    const std::string claim =
        "first rebound over the velocity of the impact, position level, from " + height + " m";
    const TrialResult& run = outcomes.run(id);
    rows.push_back(expect_near(id + "-rebound", claim, first_rebound(run) / std::abs(v),
                               std::abs(v + 2.0 * gap / h) / std::abs(v), 1e-5, "",
                               "|v_n + 2 g_n/h|, what the formulas make of the gap before the impact",
                               "the tolerance of the gap, 1e-8 of the motion in a step, over h"));
  }
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  add_rebounds(rows, outcomes);
  for (const std::string& scheme : {split, consistent}) {
    add_orders(rows, outcomes, "convergence", effort == Effort::full ? 0.95 : 0.9, scheme);
  }
  for (const std::string& scheme : {inconsistent, at_position}) {
    const std::string id = "inconsistent-" + scheme;
    const std::string claim = "smallest error of the height of all steps (" + scheme + ")";
    double least = 1e300;
    for (const ConvergenceRow& row : outcomes.study("convergence", scheme).rows) {
      if (row.failure.empty()) least = std::min(least, row.errors.front());
    }
    rows.push_back(
        expect_at_least(id, claim, least, 0.1, "", source, "not consistent: no step makes it small"));
  }
}

}  // namespace
}  // namespace picus::models::acary_bouncing_ball_benchmark

namespace picus::models {

Benchmark acary_bouncing_ball() {
  return {.name = "acary-bouncing-ball",
          .title = "A bouncing ball: Newmark's formulas with and without impulses split off",
          .source = acary_bouncing_ball_benchmark::source,
          .setting =
              "A ball of 1 kg falls from rest, 1 m or 1.01 m over the floor, e = 0.9, g = 9.81 m/s2, h = 1 "
              "ms. Contacts as forces of Newmark's formulas at velocity and at position level, and split off "
              "as the nonsmooth schemes do.",
          .reference = "exact solution (Chen 2013, appendix A); closed forms of the wrong rebounds",
          .plan = acary_bouncing_ball_benchmark::plan,
          .rows = {acary_bouncing_ball_benchmark::add_rows}};
}

}  // namespace picus::models
