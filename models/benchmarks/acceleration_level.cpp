#include <picus/models/benchmarks/measures.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models::acceleration_level_benchmark {
namespace {

const std::vector<std::string> schemes = {"ds", "ds-a"};
const std::vector<std::string> bases = {"", ":rho_inf=1", ":rho_inf=0"};
constexpr double bar_step = 1e-3;
/// The tip is on the wall from 0.5005 to 1.1672 s: most of this time without its ends, and part of the flight after it.
constexpr Window bar_closed{0.55, 1.15};
constexpr Window bar_open{1.2, 1.5};
constexpr Window pendulum_after{0.34, 0.45};
/// Starts on the upper guide, with the crank at 45 degrees.
const std::vector<std::string> on_guide = {"crank_angle=0.7853981633974483", "start_height=0.001",
                                           "crank_speed=20", "torque=5", "restitution=0"};
constexpr double guide_end = 0.02;  // s

std::string id_of(const std::string& what, const std::string& scheme) {
  return what + "-" + scheme;
}

Experiments plan(Effort effort) {
  Experiments plan;
  for (const std::string& scheme : schemes) {
    for (const std::string& base : bases) {
      plan.runs.push_back({.id = id_of("bar", scheme + base),
                           .label = scheme + base,
                           .model = "elastic-bar",
                           .scheme = scheme + base,
                           .step = bar_step});
      for (const auto& [id, relaxation] : {std::pair("pendulum", "0"), std::pair("damped", "1e-4")})
        plan.runs.push_back({.id = id_of(id, scheme + base),
                             .label = scheme + base,
                             .model = "flexible-pendulum",
                             .settings = {std::string("relaxation_time=") + relaxation},
                             .scheme = scheme + base,
                             .step = 1e-4,
                             .until = 0.45});
    }
    plan.runs.push_back({.id = id_of("guide", scheme),
                         .label = scheme,
                         .model = "crank-slider",
                         .settings = on_guide,
                         .scheme = scheme,
                         .step = 2e-4,
                         .until = guide_end});
  }
  for (const char* mu : {"0", "0.01"}) {
    std::vector<std::string> settings = on_guide;
    settings.push_back(std::string("mu=") + mu);
    std::vector<double> steps = {4e-4, 2e-4, 1e-4, 5e-5};
    if (effort == Effort::full) steps.insert(steps.end(), {2.5e-5, 1.25e-5});
    plan.studies.push_back({.id = std::string("guide-mu-") + mu,
                            .title = std::string("Slider on its guide, mu = ") + mu,
                            .model = "crank-slider",
                            .settings = settings,
                            .schemes = schemes,
                            .steps = steps,
                            .until = guide_end,
                            .quantities = {"guide.force", "crank.speed", "slider.x"},
                            .tolerance = 1e-11});
  }
  plan.figures = {
      {.id = "bar-force",
       .title = "Force of the wall on an elastic bar, rho_inf = 0.8",
       .caption = "The steps of the impact and of its waves are those of the mesh; what ds adds from step to "
                  "step ds-a does not.",
       .panels = {{.y_label = "force, N",
                   .curves = {{.run = "bar-ds", .y = "wall.force"},
                              {.run = "bar-ds-a", .y = "wall.force"},
                              {.run = "bar-ds", .y = "wall.force", .label = "exact", .exact = true}},
                   .x_range = std::pair(0.45, 1.25)}}},
      {.id = "pendulum-force",
       .title = "Force of the pivot of a flexible pendulum after the impact of its tip, rho_inf = 1",
       .caption = "A joint at velocity level changes its force from step to step.",
       .panels = {{.y_label = "force, N",
                   .curves = {{.run = "pendulum-ds:rho_inf=1", .y = "pivot.force"},
                              {.run = "pendulum-ds-a:rho_inf=1", .y = "pivot.force"}},
                   .x_range = std::pair(0.325, 0.36)}}},
      {.id = "guide-force",
       .title = "Force of the guide on the slider, h = 0.2 ms",
       .caption = "At the ends of steps: that of ds-a is the force there, the impulse of ds over h that in "
                  "the middle of the step.",
       .panels = {{.y_label = "force, N",
                   .curves = {{.run = "guide-ds", .y = "guide.force"},
                              {.run = "guide-ds-a", .y = "guide.force"},
                              {.run = "guide-ds", .y = "guide.force", .label = "exact", .exact = true}}}}}};
  return plan;
}

/// Oscillation of a quantity from step to step with both schemes, and the ratio.
void add_ringing(Rows& rows, const std::string& id, const std::string& what, const std::string& unit,
                 const std::string& base, double ds, double ds_a, const std::string& note) {
  rows.push_back(show(id_of(id, "ds" + base), fmt::format("{} (ds{})", what, base), ds, unit));
  rows.push_back(show(id_of(id, "ds-a" + base), fmt::format("{} (ds-a{})", what, base), ds_a, unit));
  rows.push_back(expect_at_most(id_of(id, "ratio" + base),
                                fmt::format("{}: that of ds-a{} over that of ds{}", what, base, base),
                                ds_a / ds, 1.0, "", "design", note));
}

const std::string of_ends =
    "forces of ds-a are those at the ends of steps, those of ds means over them, which are smoother";

void add_bar(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& base : bases) {
    const TrialResult& ds = outcomes.run(id_of("bar", "ds" + base));
    const TrialResult& ds_a = outcomes.run(id_of("bar", "ds-a" + base));
    add_ringing(rows, "bar-force", "elastic bar: error of the force of the wall while closed, rms", "N", base,
                rms_error(ds, "wall.force", bar_closed), rms_error(ds_a, "wall.force", bar_closed), of_ends);
    add_ringing(rows, "bar-tip", "elastic bar: error of the tip's velocity once it has left, rms", "m/s",
                base, rms_error(ds, "tip.vx", bar_open), rms_error(ds_a, "tip.vx", bar_open),
                "waves of the mesh");
  }
}

void add_pendulum(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const char* id : {"pendulum", "damped"}) {
    const std::string model = id == std::string("damped") ? "damped flexible pendulum" : "flexible pendulum";
    for (const std::string& base : bases) {
      const TrialResult& ds = outcomes.run(id_of(id, "ds" + base));
      const TrialResult& ds_a = outcomes.run(id_of(id, "ds-a" + base));
      const auto add = [&](const std::string& name, const std::string& what, const std::string& quantity,
                           const std::string& unit, const std::string& note) {
        add_ringing(rows, fmt::format("{}-{}", id, name),
                    fmt::format("{}: second difference of the {} after the impact", model, what), unit, base,
                    ripple(ds, quantity, pendulum_after), ripple(ds_a, quantity, pendulum_after), note);
      };
      add("pivot", "force of the pivot", "pivot.force", "N", "");
      add("wall", "force of the wall", "wall.force", "N", of_ends);
      add("tip", "tip's velocity", "tip.vy", "m/s", "");
    }
  }
}

void add_guide(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const char* mu : {"0", "0.01"}) {
    const std::string study = std::string("guide-mu-") + mu;
    for (const std::string& scheme : schemes) {
      for (const ConvergenceQuantity& quantity : outcomes.study(study, scheme).quantities) {
        const std::string claim = fmt::format(
            "slider on its guide, mu = {}: order of {} at the ends of steps ({})", mu, quantity.name, scheme);
        const double order = quantity.order.value_or(std::nan(""));
        const std::string id = fmt::format("{}-{}-{}", study, scheme, quantity.name);
        if (scheme == "ds" && quantity.name == "guide.force") {
          rows.push_back(
              show(id, claim, order, "", "the impulse over h is the force in the middle of the step"));
        } else {
          rows.push_back(expect_order(id, claim, quantity, 1.9, "equations in minimal coordinates"));
        }
      }
    }
  }
}

}  // namespace
}  // namespace picus::models::acceleration_level_benchmark

namespace picus::models {

Benchmark acceleration_level() {
  return {.name = "acceleration-level",
          .title = "Constraints at acceleration level beside those at velocity level: ds-a and ds",
          .source = "own comparison; models of Galvez 2020 and of Flores, Leine and Glocker 2010",
          .setting =
              "The elastic bar and the flexible pendulum (relaxation time 0.1 ms) of the thesis hit their "
              "walls. The slider "
              "of the rigid crank-slider with clearance starts on its upper guide and is pressed against it.",
          .reference = "exact solutions; equations in minimal coordinates",
          .plan = acceleration_level_benchmark::plan,
          .rows = {acceleration_level_benchmark::add_bar, acceleration_level_benchmark::add_pendulum,
                   acceleration_level_benchmark::add_guide}};
}

}  // namespace picus::models
