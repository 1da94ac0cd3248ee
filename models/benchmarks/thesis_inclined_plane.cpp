#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/inclined_plane.hpp>
#include <picus/models/references/inclined_plane_exact.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::thesis_inclined_plane_benchmark {
namespace {

constexpr double h = 1e-3;
constexpr double until = 2.0;

InclinedPlaneExact exact_solution() {
  const InclinedPlane plane;
  return {plane.speed, plane.slope, plane.mu, plane.gravity};
}

/// From about 0.01 s down to 0.1 ms, with the end of slip at mid-step.
std::vector<double> step_sizes() {
  const double slip_end = exact_solution().slip_end();
  std::vector<double> steps;
  for (int i = 0; i <= 10; ++i) {
    const double whole_steps = std::round(slip_end / 1e-2 * std::pow(10.0, i / 5.0));
    steps.push_back(slip_end / (whole_steps + 0.5));
  }
  return steps;
}

Experiments plan(Effort /*effort*/) {
  Experiments plan;
  plan.runs = {{.id = "plane", .label = "Picus", .model = "inclined-plane", .step = h, .until = until},
               {.id = "np",
                .label = "NSGA-NP",
                .model = "inclined-plane",
                .scheme = "ds-np",
                .step = h,
                .until = until},
               {.id = "np-half",
                .label = "NSGA-NP, h = 0.5 ms",
                .model = "inclined-plane",
                .scheme = "ds-np",
                .step = h / 2,
                .until = until}};
  plan.studies = {{.id = "convergence",
                   .title = "Distance and velocity against the exact solution",
                   .model = "inclined-plane",
                   .steps = step_sizes(),
                   .quantities = {"block.s", "block.vs"},
                   .tolerance = 1e-12}};
  const Curve position{.run = "plane", .y = "block.s", .label = "Picus"};
  const Curve exact_position{.run = "plane", .y = "block.s", .label = "exact", .exact = true};
  const Curve velocity{.run = "plane", .y = "block.vs", .label = "Picus"};
  const Curve exact_velocity{.run = "plane", .y = "block.vs", .label = "exact", .exact = true};
  plan.figures = {
      {.id = "motion",
       .title = "Distance and velocity uphill, h = 1 ms (thesis, figure 4.5)",
       .caption = "The block slips until 0.3716 s and stays from there on.",
       .panels = {{.y_label = "distance, m", .curves = {position, exact_position}},
                  {.y_label = "velocity, m/s", .curves = {velocity, exact_velocity}}}},
      {.id = "creep",
       .title = "Without friction at position level the block creeps (thesis, figure 4.6)",
       .caption = "NSGA-NP slides downhill by h^2 g sin(slope)/2 a step, though its velocity is zero.",
       .panels = {{.y_label = "distance, m",
                   .curves = {position,
                              exact_position,
                              {.run = "np", .y = "block.s"},
                              {.run = "np-half", .y = "block.s"}},
                   .x_range = {{0.3, until}},
                   .y_range = {{0.364, 0.374}}},
                  {.y_label = "velocity, m/s",
                   .curves = {velocity, exact_velocity, {.run = "np", .y = "block.vs"}},
                   .x_range = {{0.3, 0.6}},
                   .y_range = {{-0.05, 0.45}}}}},
      {.id = "impulses",
       .title = "Impulses of a step, h = 1 ms (thesis, figure 4.7)",
       .caption = "Where the block stops, friction changes its sign: it no longer brakes, it holds.",
       .panels = {
           {.y_label = "impulse, N s",
            .curves = {{.run = "plane", .y = "plane.impulse", .label = "normal"},
                       {.run = "plane", .y = "plane.friction_impulse", .label = "friction, uphill"}}}}}};
  return plan;
}

/// The value of the series that differs most from `expected` during [from, to].
double farthest(const TrialResult& trial, const std::string& name, double expected, double from, double to) {
  const Series& series = trial.find(name);
  double result = expected;
  for (std::size_t i = 0; i < trial.times.size(); ++i) {
    if (trial.times[i] < from || trial.times[i] > to) continue;
    if (std::abs(series.values[i] - expected) > std::abs(result - expected)) result = series.values[i];
  }
  return result;
}

void add_motion(Rows& rows, const TrialResult& trial, const InclinedPlaneExact& exact) {
  const InclinedPlane plane;
  const Series& state = trial.find("plane.state");
  double slip_end = 0.0;
  for (std::size_t i = 0; i < trial.times.size(); ++i) {
    if (state.values[i] == 2.0) slip_end = trial.times[i];
  }
  rows.push_back(expect_near("slip-end", "slip ends at", slip_end, exact.slip_end(), h, "s",
                             "exact, v_0 / (g (sin + mu cos)); thesis 0.374 s", "a step"));
  const double braking = exact.sticking_force() - exact.slipping_force();  // per unit mass
  rows.push_back(
      expect_near("distance", "distance uphill", trial.find("block.s").values.back(), exact.position(until),
                  braking * h * h / 8, "m", "exact",
                  "the step in which slip ends is one of slip or of stick: at most a h^2 / 8 of error"));
  const double stop = exact.slip_end() + h;
  const double final = trial.find("block.s").values.back();
  const double creep = std::abs(farthest(trial, "block.s", final, stop, until) - final);
  rows.push_back(expect_at_most("creep", "motion after the stop", creep, 1e-9, "m", "thesis 4.2.1",
                                "2 mm without friction at position level, of which the proximal "
                                "regularisation, 1e-8, leaves its part"));

  const double impulse = plane.mass * h;
  const double accuracy = 1e-8 * plane.mass * plane.speed;
  const std::string note = "the tolerance of the velocity sub-problem, 1e-8 m v_0";
  rows.push_back(expect_near("normal-impulse", "normal impulse of a step, farthest of all",
                             farthest(trial, "plane.impulse", impulse * exact.normal_force(), h / 2, until),
                             impulse * exact.normal_force(), accuracy, "N s", "exact; thesis 9.48e-3 N s",
                             note));
  rows.push_back(expect_near(
      "slipping-impulse", "friction impulse of a step while slipping, uphill, farthest",
      farthest(trial, "plane.friction_impulse", impulse * exact.slipping_force(), h / 2,
               exact.slip_end() - h),
      impulse * exact.slipping_force(), accuracy, "N s", "exact; thesis 2.84e-3 N s in size", note));
  rows.push_back(expect_near(
      "sticking-impulse", "friction impulse of a step while sticking, uphill, farthest",
      farthest(trial, "plane.friction_impulse", impulse * exact.sticking_force(), stop, until),
      impulse * exact.sticking_force(), accuracy, "N s", "exact; thesis 2.54e-3 N s, the other way", note));
}

void add_convergence(Rows& rows, const Experiments& outcomes) {
  const ConvergenceResult& study = outcomes.study("convergence");
  double velocity_error = 0.0;
  for (const ConvergenceRow& row : study.rows) velocity_error = std::max(velocity_error, row.errors.at(1));
  rows.push_back(expect_order("convergence-ds-order-block.s", "order of block.s (ds)", study.quantities[0],
                              1.9, "exact solution",
                              "The motion is piecewise quadratic and integrated without error but for the "
                              "step in which slip ends. Its "
                              "error is h^2 times a number that depends on where in the step that is, "
                              "always the middle here: order 2, not "
                              "the 1 of figure 4.7."));
  rows.push_back(
      expect_at_most("velocity-error", "largest error of block.vs of all steps (ds)", velocity_error, 1e-8,
                     "", "exact solution",
                     "no order to measure: what is left is the proximal regularisation, 1e-8 of the "
                     "friction impulse (5e-15 without it)"));
}

void add_without_position_level(Rows& rows, const Experiments& outcomes, const InclinedPlaneExact& exact) {
  const std::string claim = "distance crept downhill from the stop to the end, h = ";
  const auto add = [&](const std::string& run, double step, const std::string& text) {
    const Series& s = outcomes.run(run).find("block.s");
    const double creep = std::abs(*std::ranges::max_element(s.values) - s.values.back());
    rows.push_back(expect_within(run + "-creep", claim + text + " (ds-np)", creep,
                                 exact.sticking_force() * step / 2 * (until - exact.slip_end()), 0.01, "m",
                                 "h^2 g sin(slope)/2 a step, of which only the normal part is corrected",
                                 "the steps around the stop are not of this kind"));
    rows.push_back(expect_at_most(
        run + "-velocity", "largest velocity after the stop, h = " + text + " (ds-np)",
        std::abs(farthest(outcomes.run(run), "block.vs", 0.0, exact.slip_end() + step, until)), 1e-8, "m/s",
        "thesis, figure 4.6", "the position moves although the velocity is zero; the tolerance, 1e-8 v_0"));
  };
  add("np", h, "1 ms");
  add("np-half", h / 2, "0.5 ms");
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const InclinedPlaneExact exact = exact_solution();
  add_motion(rows, outcomes.run("plane"), exact);
  add_convergence(rows, outcomes);
  add_without_position_level(rows, outcomes, exact);
  add_soundness(rows, outcomes, "plane");
}

}  // namespace
}  // namespace picus::models::thesis_inclined_plane_benchmark

namespace picus::models {

Benchmark thesis_inclined_plane() {
  return {.name = "inclined-plane",
          .title = "A block that slides up an inclined plane and sticks",
          .source = "Galvez 2020, section 4.2.1",
          .setting =
              "A block of 1 kg is kicked uphill with 2 m/s on a plane tilted by pi/12, mu = 0.3, e = 0, "
              "g = 9.81 m/s2. It is a point node against a face; it stays where it stops because mu > "
              "tan(pi/12).",
          .reference = "exact solution",
          .plan = thesis_inclined_plane_benchmark::plan,
          .rows = {thesis_inclined_plane_benchmark::add_rows}};
}

}  // namespace picus::models
