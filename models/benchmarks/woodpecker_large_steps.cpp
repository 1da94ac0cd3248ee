#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

namespace picus::models {
namespace woodpecker_large_steps_benchmark {
namespace {

constexpr double until = 2.0;

struct Toy {
  std::string id, label;
  double step;  ///< s
  std::vector<std::string> settings;
};

std::vector<Toy> toys() {
  std::vector<Toy> all;
  for (const double step : {1e-3, 2e-3}) {
    const int milliseconds = static_cast<int>(step * 1000 + 0.5);
    const auto add = [&](const std::string& name, const std::vector<std::string>& settings) {
      all.push_back({fmt::format("{}-{}ms", name, milliseconds),
                     fmt::format("case {}, h = {} ms", name, milliseconds), step, settings});
    };
    add("I", {"case=I"});
    add("II", {"case=II"});
    add("II-points", {"case=II", "variant=body-points"});
    add("I-all", {"case=I", "all_contacts=yes"});
  }
  return all;
}

Experiments plan(Effort /*effort*/) {
  Experiments plan;
  for (const Toy& toy : toys())
    plan.runs.push_back({.id = toy.id,
                         .label = toy.label,
                         .model = "woodpecker",
                         .settings = toy.settings,
                         .step = toy.step,
                         .until = until});
  plan.figures = {
      {.id = "bird",
       .title = "The bird at ten and twenty times the step of the thesis",
       .caption = "Impacts are resolved to a step: the cycles drift apart, jams and falls stay.",
       .panels = {{.y_label = "rotation, rad",
                   .curves = {{.run = "II-1ms", .y = "bird.angle"}, {.run = "II-2ms", .y = "bird.angle"}}}}}};
  return plan;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Toy& toy : toys()) {
    const TrialResult& run = outcomes.run(toy.id);
    rows.push_back(expect_at_most(toy.id + "-most", toy.label + ": most iterations of a solve",
                                  worst_iterations(run), 15, "", "design"));
    rows.push_back(show(toy.id + "-mean", toy.label + ": mean iterations of a step, all three solves",
                        run.mean_iterations(), ""));
    add_soundness(rows, outcomes, toy.id);
  }
}

}  // namespace
}  // namespace woodpecker_large_steps_benchmark

Benchmark woodpecker_large_steps() {
  return {
      .name = "woodpecker-large-steps",
      .title = "The woodpecker toy at ten and twenty times its step",
      .source = "model of Galvez 2020, section 5.3; own claim",
      .setting =
          "The woodpecker of the thesis, whose step is 1e-4 s, for 2 s at 1e-3 s and 2e-3 s: contacts close "
          "while others stick. Rigid links (cases I, II and I with contacts 4 and 5) and body-fixed points. "
          "Step cuts count as fallbacks.",
      .reference = "none: iterations and fallbacks",
      .plan = woodpecker_large_steps_benchmark::plan,
      .rows = {woodpecker_large_steps_benchmark::add_rows}};
}

}  // namespace picus::models
