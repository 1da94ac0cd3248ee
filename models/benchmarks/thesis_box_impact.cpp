#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models::thesis_box_impact_benchmark {
namespace {

/// The largest steps are those at which the coupled scheme needs most iterations (thesis, figure 3.3).
const std::vector<double> large_steps = {3e-3, 2e-3, 1e-3, 5e-4};
/// A step at which the position correction moves the corner by 5 cm while the box rotates by 0.3 rad.
constexpr double too_large_step = 4e-3;

std::string run_id(const std::string& scheme, double step) {
  return fmt::format("{}-h-{}", scheme, step);
}

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  // Tight, so that the remaining difference between the variants is due to the modelling.
  for (const char* variant : {"rigid-links", "body-points"}) {
    plan.runs.push_back({.id = variant,
                         .label = variant,
                         .model = "box-impact",
                         .settings = {std::string("variant=") + variant},
                         .step = 1e-3,
                         .tolerance = 1e-12});
  }
  for (const std::string scheme : {"ds", "cs"}) {
    for (const double step : large_steps) {
      plan.runs.push_back({.id = run_id(scheme, step),
                           .label = fmt::format("{}, h = {} s", scheme, step),
                           .model = "box-impact",
                           .scheme = scheme,
                           .step = step,
                           .signals = {"p.z", "floor[5].*"}});
    }
  }
  plan.runs.push_back({.id = run_id("ds", too_large_step),
                       .label = fmt::format("ds, h = {} s", too_large_step),
                       .model = "box-impact",
                       .step = too_large_step,
                       .signals = {"p.z"}});
  std::vector<double> steps = {2e-3, 1.2e-3, 1e-3,   8e-4, 6e-4, 5e-4, 4e-4, 3e-4, 2.4e-4,
                               2e-4, 1.6e-4, 1.2e-4, 1e-4, 8e-5, 6e-5, 5e-5, 4e-5};
  if (is_full) steps.insert(steps.end(), {3e-5, 2.4e-5, 2e-5});
  plan.studies = {{.id = "convergence",
                   .title = "Corner that hits first (thesis, figures 3.2b and 3.3)",
                   .model = "box-impact",
                   .settings = {"variant=body-points"},  // the same motion in a fraction of the time
                   .schemes = {"ds", "cs"},
                   .steps = steps,
                   .quantities = {"p.z", "p.vz"},
                   .reference_step = is_full ? 4e-7 : 1e-6,
                   .tolerance = 1e-11,
                   .phases = 20}};
  if (is_full) {
    Study links = plan.studies.front();
    links.id = "convergence-links";
    links.title = "The same with rigid links, single grids of times";
    links.settings = {"variant=rigid-links"};
    links.reference_step = 1e-6;
    links.phases = 1;  // 20 take minutes
    plan.studies.push_back(links);
  }
  plan.figures = {{.id = "gap",
                   .title = "Gap of corner x_p and its rate (thesis, figure 3.2a)",
                   .caption = "The spin carries the corner up and down before it hits at 0.415 s and leaves "
                              "with 0.8 of its speed.",
                   .panels = {{.y_label = "gap, m",
                               .curves = {{.run = run_id("ds", 1e-3), .y = "floor[5].gap"},
                                          {.run = run_id("cs", 1e-3), .y = "floor[5].gap"}}},
                              {.y_label = "gap rate, m/s",
                               .curves = {{.run = run_id("ds", 1e-3), .y = "floor[5].gap_rate"},
                                          {.run = run_id("cs", 1e-3), .y = "floor[5].gap_rate"}}}}}};
  return plan;
}

void add_large_steps(Rows& rows, const Experiments& outcomes) {
  for (const double step : large_steps) {
    const std::string id = run_id("ds", step);
    const TrialResult& ds = outcomes.run(id);
    rows.push_back(show(id + "-mean", fmt::format("mean iterations of a step, h = {} s (ds)", step),
                        ds.mean_iterations(), ""));
    // In each sub-problem two to satisfy the constraints, three if the active set changes.
    rows.push_back(expect_at_most(id + "-most", fmt::format("most iterations of a step, h = {} s (ds)", step),
                                  ds.worst_iterations(), 12, "", "thesis, figure 3.3",
                                  "small and not growing with h: four in each sub-problem"));
    rows.push_back(expect_at_most(id + "-fallbacks", fmt::format("fallbacks, h = {} s (ds)", step),
                                  static_cast<double>(ds.fallback_count()), 0, "", "design"));
  }
  const TrialResult& too_large = outcomes.run(run_id("ds", too_large_step));
  rows.push_back(show("too-large-most",
                      fmt::format("most iterations of a step, h = {} s (ds)", too_large_step),
                      too_large.worst_iterations(), "",
                      "the position correction of the impact is 5 cm: solved in two halves of the step"));
  rows.push_back(show("too-large-fallbacks", fmt::format("fallbacks, h = {} s (ds)", too_large_step),
                      static_cast<double>(too_large.fallback_count()), ""));
}

/// Mean and maximum iterations of cs grow with h, those of ds do not (figure 3.3).
void add_coupled(Rows& rows, const Experiments& outcomes) {
  for (const double step : large_steps) {
    const std::string id = run_id("cs", step);
    const TrialResult* const cs = find_complete_run(outcomes, id);
    const std::string mean = fmt::format("mean iterations of a step, h = {} s (cs)", step);
    const std::string most = fmt::format("most iterations of a step, h = {} s (cs)", step);
    if (cs == nullptr) {
      rows.push_back(expect_true(id + "-mean", mean, false, "thesis, figure 3.3", "a step failed"));
      continue;
    }
    rows.push_back(show(id + "-mean", mean, cs->mean_iterations(), ""));
    rows.push_back(show(id + "-most", most, cs->worst_iterations(), ""));
  }
  const std::string note = "the paper: both grow for cs, and stay small for ds";
  const std::string at = fmt::format("cs over ds, h = {} s", large_steps.front());
  const TrialResult& ds = outcomes.run(run_id("ds", large_steps.front()));
  if (const TrialResult* const cs = find_complete_run(outcomes, run_id("cs", large_steps.front()))) {
    rows.push_back(expect_at_least("cs-over-ds-mean", "mean iterations of a step, " + at,
                                   cs->mean_iterations() / ds.mean_iterations(), 1.5, "",
                                   "thesis, figure 3.3", note));
    rows.push_back(expect_at_least("cs-over-ds-most", "most iterations of a step, " + at,
                                   static_cast<double>(cs->worst_iterations()) / ds.worst_iterations(), 1.5,
                                   "", "thesis, figure 3.3", note));
  }
  for (const std::string quantity : {"p.z", "p.vz"}) {
    const std::string id = "error-cs-ds-" + quantity;
    const std::string claim = "error of cs over that of ds, " + quantity + ", mean over h";
    const auto ratio = error_ratio(outcomes, "convergence", "cs", "ds", quantity);
    rows.push_back(expect_within(id, claim, ratio, 1.0, 0.1, "", "thesis, figure 3.2b",
                                 "the paper: the same error; a tenth is not seen in the figure"));
  }
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  add_averaged_orders(rows, outcomes, "convergence");
  add_averaged_orders(rows, outcomes, "convergence", "cs");
  if (effort == Effort::full) {
    add_orders(rows, outcomes, "convergence-links", 0.95);
    add_orders(rows, outcomes, "convergence-links", 0.95, "cs");
  }

  const TrialResult& links = outcomes.run("rigid-links");
  const TrialResult& points = outcomes.run("body-points");
  const std::vector<double>& a = links.find("p.z").values;
  const std::vector<double>& b = points.find("p.z").values;
  double difference = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
  rows.push_back(expect_at_most(
      "variants", "largest difference of z of x_p between rigid links and body points", difference, 1e-9, "m",
      "same equations", "690 steps solved to 1e-12 of the motion in a step"));
  rows.push_back(expect_near("first-corner", "corner that hits first", *links.findings[0].value, 5, 0, "",
                             "thesis 3.3.1, x_p at (+, -, +) half edges"));
  rows.push_back(show("first-impact", "first impact at", *links.findings[1].value, "s"));
  add_large_steps(rows, outcomes);
  add_coupled(rows, outcomes);
  add_robustness(rows, outcomes, "convergence");
  add_soundness(rows, outcomes, "rigid-links");
  add_soundness(rows, outcomes, "body-points");
}

}  // namespace
}  // namespace picus::models::thesis_box_impact_benchmark

namespace picus::models {

Benchmark thesis_box_impact() {
  return {.name = "box-impact",
          .title = "A spinning rigid box hits the floor",
          .source = "Galvez 2020, section 3.3.1",
          .setting =
              "A homogeneous box of 46.8 kg and 0.1 x 0.2 x 0.3 m, its centre 1 m over the floor, R = I, v = "
              "(3, 0, "
              "0) m/s, Omega = (60, 60, 0) rad/s, g = 9.81 m/s2; eight frictionless contacts at the corners "
              "with e = "
              "0.8, corners on rigid links (and once more as points of the body). x_p is the corner that "
              "hits first, "
              "at (+, -, +) half edges; 0.69 s.",
          .reference = "own run, h = 4e-7 s (quick: 1e-6 s)",
          .plan = thesis_box_impact_benchmark::plan,
          .rows = {thesis_box_impact_benchmark::add_rows}};
}

}  // namespace picus::models
