#include <picus/models/benchmarks/chen_schemes.hpp>

#include <fmt/format.h>

#include <cmath>

namespace picus::models::chen_elastic_bar_benchmark {
namespace {

const std::vector<std::string> settings = {"gap=5"};
const std::vector<std::string> signals = {"tip.x", "wall.force", "energy", "kinetic", "end.x"};
constexpr double h = 2e-3;
constexpr double until = 2.0;
const std::string source = "Chen 2013, section 5.3";

/// The smaller steps that the paper uses for Moreau-Jean, and the same for DS.
std::vector<double> smaller_steps(Effort effort) {
  return effort == Effort::full ? std::vector{2e-4, 2e-5} : std::vector{2e-4};
}

Experiments plan(Effort effort) {
  Experiments plan;
  const Run run{.id = "bar",
                .model = "elastic-bar",
                .settings = settings,
                .step = h,
                .until = until,
                .signals = signals};
  chen::add_runs(plan, run);
  for (const double step : smaller_steps(effort)) {
    for (const chen::NamedScheme& scheme : chen::schemes()) {
      if (scheme.name != "moreau-jean" && scheme.name != "ds") continue;
      Run fine = run;
      fine.id = fmt::format("fine-{}-{}", scheme.name, number_text(step));
      fine.label = fmt::format("{}, h = {} s", scheme.label, number_text(step));
      fine.scheme = scheme.name;
      fine.step = step;
      fine.every = std::llround(2e-4 / step);
      plan.runs.push_back(fine);
    }
  }
  const auto panel = [](const std::string& label, const std::string& y) {
    return Panel{.y_label = label, .curves = chen::curves("bar", {.y = y}, true), .x_range = {{0.4, 1.6}}};
  };
  Figure energy{
      .id = "energy",
      .title = "Total energy, h = 2 ms (Chen 2013, figure 10)",
      .caption = "The exact bar loses none. What a scheme loses is in the vibrations that a front leaves.",
      .panels = {panel("energy, J", "energy")}};
  for (const Run& fine : plan.runs) {
    if (fine.id.starts_with("fine-")) energy.panels.front().curves.push_back({.run = fine.id, .y = "energy"});
  }
  plan.figures = {
      {.id = "tip",
       .title = "Tip and force of the wall, h = 2 ms (Chen 2013, figure 9)",
       .caption = "Closed for 2/3 s under 300 N; the section of 1 m2 makes that the pressure in Pa, too.",
       .panels = {panel("position, m", "tip.x"), panel("force, N", "wall.force")}},
      energy};
  return plan;
}

struct Contact {
  double from;   ///< end of the first step with a force, s
  double until;  ///< end of the last one
  double force;  ///< mean over the middle half of the contact, N
};

Contact contact_of(const TrialResult& run) {
  const std::vector<double>& force = run.find("wall.force").values;
  Contact contact{.from = 0.0, .until = 0.0, .force = 0.0};
  for (std::size_t i = 0; i < force.size(); ++i) {
    if (force[i] <= 0.0) continue;
    if (contact.from == 0.0) contact.from = run.times[i];
    contact.until = run.times[i];
  }
  const double quarter = 0.25 * (contact.until - contact.from);
  int count = 0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    if (run.times[i] < contact.from + quarter || run.times[i] > contact.until - quarter) continue;
    contact.force += force[i];
    ++count;
  }
  contact.force /= count;
  return contact;
}

/// Relative energy loss by the end.
double energy_loss(const TrialResult& run) {
  const std::vector<double>& energy = run.find("energy").values;
  return 1.0 - energy.back() / energy.front();
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort effort) {
  for (const chen::NamedScheme& scheme : chen::schemes()) {
    const auto id = [&](const std::string& what) { return scheme.name + "-" + what; };
    const auto claim = [&](const std::string& what) { return what + " (" + scheme.label + ")"; };
    const TrialResult& run = chen::run_of(outcomes, "bar", scheme.name);
    const Contact contact = contact_of(run);
    rows.push_back(expect_near(id("closes"), claim("closes at"), contact.from, 0.5, 1.5 * h, "s", "exact",
                               "found up to a step late, and 0.5 s is itself the end of a step"));
    rows.push_back(expect_within(id("force"), claim("mean force in the middle half of the contact"),
                                 contact.force, 300.0, 0.01, "N", "exact, rho c v_0 A"));
    rows.push_back(show(id("opens"), claim("last force at (exact: 1.16667 s)"), contact.until, "s"));
    rows.push_back(show(id("error"), claim("error of the tip's position up to 1.6 s"),
                        error_until(run, "tip.x", 1.6), ""));
    rows.push_back(show(id("energy"), claim("energy lost up to 2 s"), 100.0 * energy_loss(run), "%"));
  }
  const auto run_of = [&](const std::string& scheme) -> const TrialResult& {
    return chen::run_of(outcomes, "bar", scheme);
  };
  for (const std::string quantity : {"tip.x", "wall.force"}) {
    chen::add_advantage(
        rows, "error-" + quantity, "error of " + quantity + " up to 1.6 s",
        [&](const std::string& scheme) { return error_until(run_of(scheme), quantity, 1.6); },
        "Chen 2013, figure 9", "the paper: better, in particular near and after the take-off");
  }
  chen::add_advantage(
      rows, "loss", "energy lost up to 2 s",
      [&](const std::string& scheme) { return energy_loss(run_of(scheme)); }, "Chen 2013, figure 10");
  double coarser = energy_loss(run_of("moreau-jean"));
  for (const double step : smaller_steps(effort)) {
    const TrialResult& fine = outcomes.run(fmt::format("fine-moreau-jean-{}", number_text(step)));
    rows.push_back(expect_at_most(
        fmt::format("moreau-jean-loss-{}", number_text(step)),
        fmt::format("energy lost up to 2 s, h = {} s (Moreau-Jean)", number_text(step)),
        100.0 * energy_loss(fine), 100.0 * coarser, "%", "Chen 2013, figure 10",
        "the paper: tends to no dissipation; the bound is the loss with a step ten times larger"));
    coarser = energy_loss(fine);
  }
  add_soundness(rows, outcomes, "bar-ds");
}

}  // namespace
}  // namespace picus::models::chen_elastic_bar_benchmark

namespace picus::models {

Benchmark chen_elastic_bar() {
  return {.name = "chen-elastic-bar",
          .title = "An elastic bar that bounces on rigid ground",
          .source = chen_elastic_bar_benchmark::source,
          .setting =
              "A bar of 10 m (E = 900 Pa, 1 kg/m3, 200 linear elements, no gravity) flies with 10 m/s "
              "against the "
              "ground, 5 m away, e = 0. Its section, which does not matter, is 1 m2.",
          .reference = "exact motion of the continuous bar (Doyen, Ern and Piperno 2011)",
          .plan = chen_elastic_bar_benchmark::plan,
          .rows = {chen_elastic_bar_benchmark::add_rows}};
}

}  // namespace picus::models
