#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>

#include <algorithm>
#include <cmath>

namespace picus::models::thesis_bouncing_ball_benchmark {
namespace {

/// Step sizes over this many decades below the largest.
std::vector<double> geometric(double largest, double decades, int count) {
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) steps.push_back(largest * std::pow(10.0, -decades * i / (count - 1)));
  return steps;
}

Experiments plan(Effort effort) {
  Experiments plan;
  plan.runs = {{.id = "ball", .label = "Picus, h = 1 ms", .model = "bouncing-ball"}};
  plan.studies = {{.id = "convergence",
                   .title = "Height and velocity against the exact solution",
                   .model = "bouncing-ball",
                   .steps = geometric(1.2e-3, 1.5, 16),
                   .quantities = {"ball.y", "ball.vy"},
                   .phases = effort == Effort::full ? 20 : 9}};
  if (effort == Effort::full) {
    Study fine = plan.studies.front();
    fine.id = "fine";
    fine.title = "The same at smaller steps";
    fine.steps = geometric(1e-5, 1.5, 11);
    fine.phases = 1;  // 20 of each step take half an hour
    plan.studies.push_back(fine);
  }
  plan.figures = {
      {.id = "motion",
       .title = "Height and velocity (thesis, figure 2.4)",
       .caption = "Impacts accumulate at 3.64 s; from there on the ball rests.",
       .panels = {{.y_label = "height, m",
                   .curves = {{.run = "ball", .y = "ball.y"},
                              {.run = "ball", .y = "ball.y", .label = "exact", .exact = true}}},
                  {.y_label = "velocity, m/s",
                   .curves = {{.run = "ball", .y = "ball.vy"},
                              {.run = "ball", .y = "ball.vy", .label = "exact", .exact = true}}}}}};
  return plan;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  add_averaged_orders(rows, outcomes, "convergence");
  for (Row& row : rows) {
    row.note =
        "An impact is earlier by a few steps more than the one before, and the smaller the step the more of "
        "the infinitely many are resolved: both orders come from below. Study \"fine\", at a hundredth of "
        "these steps, shows 1.0.";
  }
  if (effort == Effort::full) add_averaged_orders(rows, outcomes, "fine");
  const TrialResult& ball = outcomes.run("ball");
  const BouncingBallExact exact(0.8, 0.8, 9.8);
  const Series& height = ball.find("ball.y");
  const Series& speed = ball.find("ball.vy");
  double highest = 0.0;
  double fastest = 0.0;
  for (std::size_t i = 0; i < ball.times.size(); ++i) {
    if (ball.times[i] < exact.accumulation_time() + 0.01) continue;
    highest = std::max(highest, std::abs(height.values[i]));
    fastest = std::max(fastest, std::abs(speed.values[i]));
  }
  rows.push_back(expect_at_most("rest-height", "height after the accumulation point (+ 10 ms)", highest, 1e-9,
                                "m", "exact"));
  rows.push_back(expect_at_most("rest-speed", "speed after the accumulation point (+ 10 ms)", fastest, 1e-9,
                                "m/s", "exact"));
  add_soundness(rows, outcomes, "ball");
}

}  // namespace
}  // namespace picus::models::thesis_bouncing_ball_benchmark

namespace picus::models {

Benchmark thesis_bouncing_ball() {
  return {.name = "bouncing-ball",
          .title = "A ball that bounces until it rests",
          .source = "Galvez 2020, section 2.4",
          .setting = "A ball of 1 kg falls from 0.8 m on a rigid floor, e = 0.8, g = 9.8 m/s2.",
          .reference = "exact solution (Chen 2013, appendix A)",
          .plan = thesis_bouncing_ball_benchmark::plan,
          .rows = {thesis_bouncing_ball_benchmark::add_rows}};
}

}  // namespace picus::models
