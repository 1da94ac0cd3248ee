#include <picus/models/benchmarks/benchmark.hpp>

#include <algorithm>

namespace picus::models::thesis_spinning_top_benchmark {
namespace {

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  plan.runs = {{.id = "top", .label = "Picus, h = 0.5 ms", .model = "spinning-top", .step = 5e-4}};
  // Tighter than the default: the residuals accumulate over up to 100,000 steps.
  plan.studies = {
      {.id = "convergence",
       .title = "Position, velocity and multiplier against Euler's equations",
       .model = "spinning-top",
       .steps = is_full ? std::vector{1e-3, 7e-4, 5e-4, 3e-4, 2e-4, 1.4e-4, 1e-4, 7e-5, 5e-5, 3e-5, 2e-5}
                        : std::vector{1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 3e-5},
       .quantities = {"top.?", "top.v?", "pivot.?"},
       .tolerance = 1e-11}};
  const std::vector<std::string> axes = {"x", "y", "z"};
  const auto curves = [&](const std::string& prefix) {
    std::vector<Curve> all;
    for (const std::string& axis : axes) all.push_back({.run = "top", .y = prefix + axis, .label = axis});
    return all;
  };
  plan.figures = {
      {.id = "motion",
       .title = "Centre of mass and reaction of the pivot (thesis, section 2.9)",
       .caption = "The axis precesses and nods; the reaction carries the weight and turns with it.",
       .panels = {{.y_label = "position, m", .curves = curves("top.")},
                  {.y_label = "velocity, m/s", .curves = curves("top.v")},
                  {.y_label = "reaction, N", .curves = curves("pivot.")}}}};
  return plan;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  add_orders(rows, outcomes, "convergence", 1.95);
  const TrialResult& top = outcomes.run("top");
  rows.push_back(expect_at_most("orthogonality", "largest |R^T R - I|",
                                std::ranges::max(top.find("orthogonality").values), 1e-14, "", "thesis 2.9",
                                "rounding of the nine entries of R over one step; it does not grow"));
  const std::vector<double>& energy = top.find("energy").values;
  const auto [least, most] = std::ranges::minmax(energy);
  rows.push_back(
      show("energy", "range of the energy over 2 s", most - least, "J", "of 5.4 kJ; of second order in h"));
  add_soundness(rows, outcomes, "top");
}

}  // namespace
}  // namespace picus::models::thesis_spinning_top_benchmark

namespace picus::models {

Benchmark thesis_spinning_top() {
  return {
      .name = "spinning-top",
      .title = "A heavy top about a fixed point",
      .source = "Galvez 2020, sections 2.8.4 and 2.9",
      .setting =
          "The heavy top of Bruels and Cardona: 15 kg, J = diag(0.234375, 0.46875, 0.234375) kg m2 about the "
          "centre of mass, which starts at (0, 1, 0) m from the fixed point; g = 9.81 m/s2 along -z, R = I "
          "and "
          "Omega = (0, 150, -4.61538) rad/s at the start. A frame at the centre of mass is held by a "
          "spherical "
          "joint; 2 s.",
      .reference = "Euler's equations about the fixed point, Runge and Kutta, steps of 10 us",
      .plan = thesis_spinning_top_benchmark::plan,
      .rows = {thesis_spinning_top_benchmark::add_rows}};
}

}  // namespace picus::models
