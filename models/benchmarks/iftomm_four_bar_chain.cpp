#include <picus/models/benchmarks/measures.hpp>

#include <algorithm>

namespace picus::models::iftomm_four_bar_chain_benchmark {
namespace {

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  plan.runs = {{.id = "two", .label = "2 windows, h = 1 ms", .model = "four-bar-chain", .step = 1e-3},
               {.id = "coarse", .label = "2 windows, h = 10 ms", .model = "four-bar-chain", .step = 1e-2}};
  if (is_full) {
    plan.runs.push_back({.id = "forty",
                         .label = "40 windows, h = 1 ms",
                         .model = "four-bar-chain",
                         .settings = {"windows=40"},
                         .step = 1e-3});
  }
  plan.figures = {
      {.id = "motion",
       .title = "Place of B_0 (IFToMM A02)",
       .caption = "Every second the chain passes the positions in which all rods lie in a line.",
       .panels = {{.y_label = "position, m",
                   .curves = {{.run = "two", .y = "B0.x", .label = "x"},
                              {.run = "two", .y = "B0.x", .label = "x, reference", .exact = true},
                              {.run = "two", .y = "B0.y", .label = "y"},
                              {.run = "two", .y = "B0.y", .label = "y, reference", .exact = true}}}}}};
  return plan;
}

double error_of_place(const TrialResult& run) {
  return std::max(largest_error(run.find("B0.x")), largest_error(run.find("B0.y")));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  const TrialResult& two = outcomes.run("two");
  rows.push_back(expect_at_most("energy", "largest change of energy in 10 s, h = 1 ms",
                                largest_change(two.find("energy")), 1e-3, "J", "conserved",
                                "of 34 J that go to and fro; of second order in h"));
  rows.push_back(expect_at_most("place", "largest error of B_0 in 10 s, h = 1 ms", error_of_place(two), 1e-3,
                                "m", "reference", "a thousandth of a rod"));
  rows.push_back(expect_at_most("energy-coarse", "the same energy, h = 10 ms",
                                largest_change(outcomes.run("coarse").find("energy")), 0.1, "J", "conserved",
                                "of second order in h"));
  rows.push_back(
      show("place-coarse", "the same place, h = 10 ms", error_of_place(outcomes.run("coarse")), "m"));
  rows.push_back(show("time", "computing time of 10 s, h = 1 ms", two.step_seconds, "s"));
  add_soundness(rows, outcomes, "two");
  if (effort != Effort::full) return;
  const TrialResult& forty = outcomes.run("forty");
  rows.push_back(show("energy-forty", "largest change of energy of 40 windows, h = 1 ms",
                      largest_change(forty.find("energy")), "J"));
  rows.push_back(
      show("place-forty", "largest error of B_0 of 40 windows, h = 1 ms", error_of_place(forty), "m"));
  rows.push_back(expect_at_most("fallbacks-forty", "fallbacks and step cuts of 40 windows, h = 1 ms",
                                static_cast<double>(forty.fallback_count()), 0, "", "design",
                                "a proximal term of 1e-12 of independent rows"));
}

}  // namespace
}  // namespace picus::models::iftomm_four_bar_chain_benchmark

namespace picus::models {

Benchmark iftomm_four_bar_chain() {
  return {.name = "four-bar-chain",
          .title = "Four-bar linkages side by side, through positions without independent equations",
          .source =
              "IFToMM library of computational benchmark problems, A02; Gonzalez, Dopico, Lugris and "
              "Cuadrado 2006",
          .setting =
              "Two windows of five slender rods of 1 m and 1 kg, g = 9.81 m/s2; the uprights start vertical, "
              "and B_0 with "
              "1 m/s along x; 10 s. In a line of rods the degrees of freedom are three instead of one.",
          .reference = "the equation of its one angle, that of a pendulum, Runge and Kutta, steps of 0.1 ms",
          .plan = iftomm_four_bar_chain_benchmark::plan,
          .rows = {iftomm_four_bar_chain_benchmark::add_rows}};
}

}  // namespace picus::models
