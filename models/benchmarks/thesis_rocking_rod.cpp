#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/rocking_rod.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::models::thesis_rocking_rod_benchmark {
namespace {

constexpr std::array cases = {"I", "II", "III", "IV"};
constexpr double at_rest = 1.5;  // s, when the rod of case III has long been at rest

/// From 1e-3 s down, rounded to multiples of the reference step.
std::vector<double> steps_over(double decades, int per_decade, double reference) {
  std::vector<double> steps;
  for (int i = 0; i <= per_decade * decades; ++i) {
    const double step = 1e-3 * std::pow(10.0, -static_cast<double>(i) / per_decade);
    steps.push_back(reference * std::round(step / reference));
  }
  return steps;
}

std::string id_of(const std::string& name) {
  return "case-" + name;
}

Experiments plan(Effort effort) {
  Experiments plan;
  const double reference = effort == Effort::full ? 1e-7 : 4e-7;
  Figure gaps{.id = "gaps",
              .title = "Gaps of both supports, h = 1 ms (thesis, figure 4.9)",
              .caption = "No gap ever becomes negative.",
              .panels = {}};
  for (const std::string name : cases) {
    plan.runs.push_back(
        {.id = id_of(name), .label = "case " + name, .model = "rocking-rod", .settings = {"case=" + name}});
    plan.studies.push_back(
        {.id = "convergence-" + name,
         .title = "Case " + name,
         .model = "rocking-rod",
         .settings = {"case=" + name},
         .steps = effort == Effort::full ? steps_over(2.0, 20, reference) : steps_over(1.7, 15, reference),
         .quantities = {"rod.y", "rod.angle", "rod.vy", "rod.wz"},
         .reference_step = reference,
         .tolerance = 1e-12,
         .phases = 20});
    gaps.panels.push_back({.y_label = "case " + name + ", gap, m",
                           .curves = {{.run = id_of(name), .y = "support_1.gap", .label = "support 1"},
                                      {.run = id_of(name), .y = "support_2.gap", .label = "support 2"}}});
  }
  for (const auto& [id, step] : {std::pair("rest", 1e-3), {"rest-other", 1.1e-3}, {"rest-fine", 1e-5}}) {
    plan.runs.push_back({.id = id,
                         .label = "case III, h = " + number_text(1e3 * step) + " ms",
                         .model = "rocking-rod",
                         .settings = {"case=III"},
                         .step = step,
                         .until = at_rest,
                         .every = step < 1e-4 ? 100 : 1});
  }
  const auto forces = [](const std::string& run, const std::string& label) {
    return Panel{
        .y_label = label,
        .curves = {{.run = run, .y = "support_1.force", .label = "support 1, normal"},
                   {.run = run, .y = "support_2.force", .label = "support 2, normal"},
                   {.run = run, .y = "support_1.friction", .label = "support 1, friction", .y_factor = -1.0},
                   {.run = run, .y = "support_2.friction", .label = "support 2, friction", .y_factor = -1.0}},
        .x_range = {{0.0, 0.8}},
        .y_range = {{-1.0, 6.0}}};
  };
  plan.figures = {
      std::move(gaps),
      {.id = "forces",
       .title = "Case III: forces of the supports (thesis, figure 4.12)",
       .caption =
           "Impulses over h; impacts go beyond the axes. At rest the normal forces are 2.2 and 2.5 N and the "
           "friction forces have the sum 0.47 N, the split of which statics leave open.",
       .panels = {forces("rest", "h = 1 ms, N"), forces("rest-other", "h = 1.1 ms, N")}}};
  return plan;
}

struct Rest {
  double x, y, normal_1, normal_2, friction_1, friction_2;  // friction against the rod's x axis
};

Rest rest_of(const TrialResult& trial) {
  const auto last = [&trial](const std::string& name) { return trial.find(name).values.back(); };
  return {last("rod.x"),
          last("rod.y"),
          last("support_1.force"),
          last("support_2.force"),
          -last("support_1.friction"),
          -last("support_2.friction")};
}

void add_rest(Rows& rows, const Experiments& outcomes) {
  const Rest rest = rest_of(outcomes.run("rest"));
  const Rest other = rest_of(outcomes.run("rest-other"));
  const Rest fine = rest_of(outcomes.run("rest-fine"));
  const std::string source = "thesis 4.2.2";
  rows.push_back(
      expect_within("rest-normal-1", "case III at rest: N_1", rest.normal_1, 2.19, 0.01, "N", source));
  rows.push_back(
      expect_within("rest-normal-2", "case III at rest: N_2", rest.normal_2, 2.50, 0.01, "N", source));
  rows.push_back(expect_within("rest-tangential", "case III at rest: F_1 + F_2",
                               rest.friction_1 + rest.friction_2, 0.47, 0.01, "N", source,
                               "printed with two digits"));

  // The final position of the rod depends on all its impacts, the forces follow from it.
  const std::string of_start =
      "the rod slips through the last impacts at random phases of the steps: up to 1.3 mm "
      "between h = 0.9 and 1.1 ms";
  rows.push_back(expect_near("rest-x", "case III at rest: x of the centre", rest.x, 0.0134, 2e-3, "m", source,
                             of_start));
  rows.push_back(expect_near("rest-y", "case III at rest: y of the centre", rest.y, -0.0213, 2e-4, "m",
                             source, "a tenth of that, by the slope of the supports"));
  rows.push_back(show("rest-x-other", "the same x with h = 1.1 ms", other.x, "m"));
  rows.push_back(show("rest-x-fine", "the same x with h = 0.01 ms", fine.x, "m"));

  // Static equilibrium of the rod on both supports.
  const double weight = 0.48 * 9.8;
  const double slope = std::atan2(0.04, 0.4);
  const double distance = std::hypot(0.04, 0.4);
  const double share_2 = 0.5 + (rest.x / std::cos(slope)) / distance;
  rows.push_back(expect_near("rest-statics-1", "N_1 for where the rod is", rest.normal_1,
                             weight * std::cos(slope) * (1.0 - share_2), 1e-6, "N", "statics",
                             "1e-8 m v of an impulse over h, with velocities of a step of fall"));
  rows.push_back(expect_near("rest-statics-2", "N_2 for where the rod is", rest.normal_2,
                             weight * std::cos(slope) * share_2, 1e-6, "N", "statics", "the same"));
  rows.push_back(expect_near("rest-statics-t", "F_1 + F_2", rest.friction_1 + rest.friction_2,
                             weight * std::sin(slope), 1e-6, "N", "statics", "the same"));
  // Equilibrium also holds for F_1 + d and F_2 - d, as long as both stay within their friction cones.
  const RockingRod rod{.supports = RockingRod::Case::three};
  const double limit_1 = rod.mu_1() * rest.normal_1;
  const double limit_2 = rod.mu_2() * rest.normal_2;
  const double up = std::min(limit_1 - rest.friction_1, limit_2 + rest.friction_2);
  const double down = std::min(limit_1 + rest.friction_1, limit_2 - rest.friction_2);
  const std::string claim =
      "case III at rest: F_1 may be shifted to F_2, or back, with both sticking by at least";
  rows.push_back(expect_at_least("rest-split-open", claim, std::min(up, down), 0.01, "N",
                                 source + ": F_1 + F_2 = P_T has infinitely many solutions",
                                 "well beyond the accuracy of the forces"));
  rows.push_back(
      show("rest-split", "F_1", rest.friction_1, "N",
           "the split nearest to none: the proximal regularisation chooses it, also with other steps"));
  rows.push_back(show("rest-split-other", "F_1, h = 1.1 ms", other.friction_1, "N"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string name : cases) add_soundness(rows, outcomes, id_of(name));
  add_rest(rows, outcomes);
  add_soundness(rows, outcomes, "rest");
  for (const std::string name : cases) add_averaged_orders(rows, outcomes, "convergence-" + name);
}

}  // namespace
}  // namespace picus::models::thesis_rocking_rod_benchmark

namespace picus::models {

Benchmark thesis_rocking_rod() {
  return {.name = "rocking-rod",
          .title = "A rod that rocks on two supports",
          .source = "Galvez 2020, section 4.2.2",
          .setting =
              "A thin rod, m = 0.48 kg, J = 0.04 kg m2, falls from 0.104 m, tilted by 12 degrees "
              "counterclockwise, on two "
              "supports 0.4 m apart, g = 9.8 m/s2, e_N = 0.6262, e_T = 0. The face belongs to the rod, the "
              "supports are "
              "fixed points at (-0.2, 0) and (0.2, -h_2). h_2 = 0 in cases I and II and 0.04 m in III and IV "
              "(table 4.1 "
              "prints 0.4 m, which the printed rest position contradicts); mu is 0.1, 0.1 (I), 0, 0.1 (II), "
              "0.3, 0.3 (III) "
              "and 0, 0.3 (IV).",
          .reference = "own run with a step a hundredth of the smallest (quick: a fiftieth); statics at rest",
          .plan = thesis_rocking_rod_benchmark::plan,
          .rows = {thesis_rocking_rod_benchmark::add_rows}};
}

}  // namespace picus::models
