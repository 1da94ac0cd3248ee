#include <picus/models/benchmarks/chen_schemes.hpp>
#include <picus/models/references/bouncing_oscillator_exact.hpp>

#include <cmath>

namespace picus::models::chen_oscillator_benchmark {
namespace {

constexpr double h = 5e-4;
constexpr double compared_until = 1.0;  ///< before the third impact, as in the paper

Experiments plan(Effort effort) {
  const bool is_full = effort == Effort::full;
  Experiments plan;
  chen::add_runs(plan, {.id = "oscillator", .model = "bouncing-oscillator", .step = h, .until = 4.0});
  plan.runs.push_back({.id = "fine-moreau-jean",
                       .label = "Moreau-Jean, h = 0.05 ms",
                       .model = "bouncing-oscillator",
                       .scheme = "moreau-jean",
                       .step = h / 10,
                       .until = 4.0});
  // With larger steps the numerical damping of Moreau-Jean and implicit Newmark, w^2 h/2 = 1/s at 1e-4 s, leaves no
  // oscillation.
  plan.studies = {
      {.id = "convergence",
       .title = "Lower ball against the exact solution (Chen 2013, figure 7)",
       .model = "bouncing-oscillator",
       .schemes = chen::scheme_names(),
       .steps = is_full ? chen::steps_between(1e-4, 5e-7, 61) : chen::steps_between(1e-4, 4e-6, 21),
       .until = compared_until,
       .quantities = {"lower.y", "lower.vy"}}};
  const auto panel = [](const std::string& label, const std::string& y, std::pair<double, double> range) {
    return Panel{.y_label = label, .curves = chen::curves("oscillator", {.y = y}, true), .x_range = range};
  };
  plan.figures = {
      {.id = "motion",
       .title = "Lower ball, h = 0.5 ms (Chen 2013, figure 6)",
       .caption = "The spring throws the ball back on the floor at once: impacts come in pairs.",
       .panels = {panel("height, m", "lower.y", {0.35, 1.1}),
                  panel("velocity, m/s", "lower.vy", {0.35, 1.1})}},
      {.id = "long-motion",
       .title = "Lower ball up to the first accumulation of impacts, h = 0.5 ms",
       .caption = "Errors grow by eight powers of ten within 3 s: beyond 2.5 s each scheme and step size "
                  "bounces its own way.",
       .panels = {panel("height, m", "lower.y", {0.0, 3.46})}},
      {.id = "energy",
       .title = "Total energy, h = 0.5 ms (Chen 2013, figure 8)",
       .caption = "Between impacts the energy is constant in truth.",
       .panels = {panel("energy, J", "energy", {0.0, 4.0})}}};
  return plan;
}

/// Relative energy loss between 0.45 s and 1.0 s, where there is no contact with the floor.
double free_loss(const TrialResult& run) {
  const Series& energy = run.find("energy");
  const auto at = [&](double t) { return energy.values[std::llround(t / (run.times[1] - run.times[0]))]; };
  return (at(0.45) - at(1.0)) / at(0.45);
}

/// Number of steps with an impulse that follow one without.
int count_impacts(const TrialResult& run, double until) {
  const std::vector<double>& impulse = run.find("floor.impulse").values;
  int count = 0;
  for (std::size_t i = 1; i < impulse.size() && run.times[i] <= until; ++i) {
    if (impulse[i] > 0.0 && impulse[i - 1] == 0.0) ++count;
  }
  return count;
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  chen::add_orders(rows, outcomes, "convergence", effort == Effort::full ? 0.95 : 0.9);
  chen::add_errors(rows, outcomes, "oscillator", {"lower.y", "lower.vy"}, compared_until);
  for (const std::string quantity : {"lower.y", "lower.vy"}) {
    const std::string id = "moreau-jean-over-chen-" + quantity;
    const std::string claim =
        "error of Moreau-Jean over that of NS generalized-alpha, " + quantity + ", mean over h";
    const auto ratio = error_ratio(outcomes, "convergence", "moreau-jean", "chen", quantity);
    rows.push_back(expect_within(id, claim, ratio, 10.0, 0.5, "", "Chen 2013, section 5.2",
                                 "the paper: \"almost 10 times\", read off a logarithmic figure"));
  }

  const BouncingOscillatorExact exact(
      {.mass = 1.0, .stiffness = 1e4, .length = 1.0, .height = 0.801, .restitution = 0.8, .gravity = 10.0},
      4.0);
  rows.push_back(expect_near("third-impact", "the third impact, exact, which ends the comparison",
                             exact.impact_times()[2], 1.0, 0.01, "s", "Chen 2013, section 5.2",
                             "the paper gives one digit"));
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const std::string id = "free-loss-" + scheme.name;
    const std::string claim =
        "energy lost in the flight from 0.45 s to 1 s, h = 0.5 ms (" + scheme.label + ")";
    const TrialResult& run = chen::run_of(outcomes, "oscillator", scheme.name);
    rows.push_back(show(id, claim, 100.0 * free_loss(run), "%"));
  }
  chen::add_advantage(
      rows, "free-loss", "energy lost in that flight",
      [&](const std::string& scheme) { return free_loss(chen::run_of(outcomes, "oscillator", scheme)); },
      "Chen 2013, figures 6 and 8", "the paper: slight dissipation, comparatively larger for the others");
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const std::string id = "double-impact-" + scheme.name;
    const std::string claim = "impacts until 0.95 s, h = 0.5 ms (" + scheme.label + ")";
    const TrialResult& run = chen::run_of(outcomes, "oscillator", scheme.name);
    rows.push_back(expect_near(id, claim, count_impacts(run, 0.95), 2, 0, "", "exact; Chen 2013, section 5.2",
                               "the paper: double impacts in all methods"));
  }
  chen::add_relative_times(rows, outcomes, "oscillator", "fine-moreau-jean", "Chen 2013, table I",
                           {.alpha = 1.02, .newmark = 1.01, .fine_moreau_jean = 10.42});
  rows.push_back(show("fine-moreau-jean-error", "error of lower.y up to 1 s (Moreau-Jean, h = 0.05 ms)",
                      error_until(outcomes.run("fine-moreau-jean"), "lower.y", compared_until), "",
                      "the paper's comparison at about equal error"));
  add_soundness(rows, outcomes, "oscillator-ds");
}

}  // namespace
}  // namespace picus::models::chen_oscillator_benchmark

namespace picus::models {

Benchmark chen_oscillator() {
  return {
      .name = "chen-oscillator",
      .title = "Two balls on a spring that bounce on the floor",
      .source = "Chen 2013, section 5.2",
      .setting =
          "Two balls of 1 kg on a vertical spring (k = 1e4 N/m, 1 m without load) fall from rest, the lower "
          "one "
          "with its centre at 1.001 m (radius 0.2 m: 0.801 m to the first contact), e = 0.8, g = 10 m/s2. "
          "Errors over [0, 1] s, which ends before the third impact.",
      .reference = "exact solution from event to event (Chen 2013, appendix B, in closed form)",
      .plan = chen_oscillator_benchmark::plan,
      .rows = {chen_oscillator_benchmark::add_rows}};
}

}  // namespace picus::models
