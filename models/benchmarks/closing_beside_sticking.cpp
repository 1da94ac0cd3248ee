#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/rimless_wheel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace closing_beside_sticking_benchmark {
namespace {

struct Case {
  std::string id, title, model;
  std::vector<std::string> settings;
  double until;                     ///< s
  std::vector<std::string> places;  ///< positions with known values
};

const std::vector<Case>& cases() {
  static const std::vector<std::string> balls = {"first.x", "last.x"};
  static const std::vector<std::string> rod = {"inclination", "rod.x"};
  static const std::vector<Case> all = {
      {"wheel", "rimless wheel", "rimless-wheel", {}, 5.0, {"hub.x", "hub.y"}},
      {"balls", "ball into a row, e = 0", "sphere-chain", {}, 0.6, balls},
      {"balls-elastic", "ball into a row, e = 1", "sphere-chain", {"elastic=yes"}, 0.6, balls},
      {"balls-rough", "ball into a row, balls rough, too", "sphere-chain", {"mu_between=0.2"}, 0.6, {}},
      {"rod-one", "rod of Painleve, one solution", "painleve-rod", {"mu=1.2"}, 0.3, rod},
      {"rod-none", "rod of Painleve, none without a jump", "painleve-rod", {}, 0.3, rod},
      {"rod-lands", "rod of Painleve, it lands", "painleve-rod", {"height=0.05"}, 0.3, rod},
      {"rod-several", "rod of Painleve, several solutions", "painleve-rod", {"rate=6"}, 0.1, {}},
      {"toy", "woodpecker toy", "woodpecker", {}, 1.5, {}}};
  return all;
}

const std::vector<std::string> schemes = {"ds", "dsn", "ds-a", "cs", "moreau-jean"};

constexpr double step = 1e-3;  // s

std::string id_of(const Case& one, const std::string& scheme) {
  return one.id + "-" + scheme;
}

Experiments plan(Effort effort) {
  Experiments plan;
  for (const Case& one : cases()) {
    for (const std::string& scheme : schemes)
      plan.runs.push_back({.id = id_of(one, scheme),
                           .label = fmt::format("{} ({})", one.title, scheme),
                           .model = one.model,
                           .settings = one.settings,
                           .scheme = scheme,
                           .step = step,
                           .until = one.until});
    if (one.places.empty()) continue;
    std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
    if (effort == Effort::full) steps.insert(steps.end(), {1.25e-4, 6.25e-5});
    plan.studies.push_back({.id = one.id + "-errors",
                            .title = one.title,
                            .model = one.model,
                            .settings = one.settings,
                            .schemes = {"ds", "moreau-jean"},
                            .steps = steps,
                            .until = one.until,
                            .quantities = one.places});
  }
  plan.figures = {
      {.id = "wheel",
       .title = "A rimless wheel settles to its step",
       .caption = "Each impact keeps a fixed part of the rate; the largest tends to that of the closed form.",
       .panels = {{.y_label = "rate, rad/s",
                   .curves = {{.run = "wheel-ds", .y = "rate", .label = "Picus, h = 1 ms"},
                              {.run = "wheel-ds", .y = "rate", .label = "exact", .exact = true}}}}},
      {.id = "balls",
       .title = "A ball rolls into a row",
       .caption = "With e = 0 all go on together; the first pushes until all roll.",
       .panels = {{.y_label = "velocity, m/s",
                   .curves = {{.run = "balls-ds", .y = "first.vx", .label = "first"},
                              {.run = "balls-ds", .y = "last.vx", .label = "last"},
                              {.run = "balls-ds", .y = "first.vx", .label = "first, exact", .exact = true},
                              {.run = "balls-ds", .y = "last.vx", .label = "last, exact", .exact = true}}}}},
      {.id = "rod",
       .title = "A rod in the paradox of Painleve",
       .caption = "Without a solution the slip stops at once; with one it stops soon.",
       .panels = {{.y_label = "velocity of the lower end, m/s",
                   .curves = {{.run = "rod-none-ds", .y = "end.vx", .label = "mu = 1.6"},
                              {.run = "rod-one-ds", .y = "end.vx", .label = "mu = 1.2"}}}}}};
  return plan;
}

void add_run(Rows& rows, const Experiments& outcomes, const Case& one, const std::string& scheme) {
  const std::string id = id_of(one, scheme);
  const TrialResult& run = outcomes.run(id);
  const auto claim = [&](const std::string& what) {
    return fmt::format("{}: {} ({})", one.title, what, scheme);
  };
  rows.push_back(expect_at_most(id + "-most", claim("most iterations of a solve"), worst_iterations(run), 15,
                                "", "design"));
  rows.push_back(expect_at_most(id + "-fallbacks", claim("fallbacks"),
                                static_cast<double>(run.fallback_count()), 0, "", "design",
                                "step cuts included"));
  for (const std::string& place : one.places)
    rows.push_back(expect_at_most(id + "-" + place, claim("L1 error of " + place),
                                  error_until(run, place, one.until), 0.01, "", "closed form",
                                  "impacts are in time to a step: of first order in h"));
}

void add_runs(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Case& one : cases()) {
    for (const std::string& scheme : schemes) {
      // If one fails, the rows of the others remain.
      if (find_complete_run(outcomes, id_of(one, scheme)) != nullptr) {
        add_run(rows, outcomes, one, scheme);
      } else {
        rows.push_back(expect_true(id_of(one, scheme) + "-complete",
                                   fmt::format("{}: is complete ({})", one.title, scheme), false, "design",
                                   outcomes.find(id_of(one, scheme)).result.failure));
      }
    }
  }
}

void add_orders_of(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Case& one : cases()) {
    if (one.places.empty()) continue;
    for (const char* scheme : {"ds", "moreau-jean"}) {
      for (const ConvergenceQuantity& quantity : outcomes.study(one.id + "-errors", scheme).quantities) {
        const std::string id = fmt::format("{}-{}-order-{}", one.id, scheme, quantity.name);
        const std::string claim = fmt::format("{}: order of {} ({})", one.title, quantity.name, scheme);
        const double order = quantity.order.value_or(std::nan(""));
        if (one.id == "rod-none" || one.id == "rod-one") {
          rows.push_back(expect_order(id, claim, quantity, scheme == std::string_view("ds") ? 1.9 : 0.9,
                                      "closed form", "the jump is in the first step, the rest is smooth"));
        } else {
          rows.push_back(show(id, claim, order, "", "what decides is where in a step its few impacts fall"));
        }
      }
    }
  }
}

void add_wheel(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const double limit = rimless_wheel_reference({}).limit_rate();
  for (const std::string& scheme : schemes) {
    const TrialResult& run = outcomes.run("wheel-" + scheme);
    const Series& rate = run.find("rate");
    double largest_late = 0.0;
    double largest_exact = 0.0;
    for (std::size_t i = 0; i < rate.values.size(); ++i) {
      if (run.times[i] < 4.0) continue;
      largest_late = std::max(largest_late, rate.values[i]);
      largest_exact = std::max(largest_exact, rate.exact[i]);
    }
    rows.push_back(expect_within("wheel-" + scheme + "-limit",
                                 fmt::format("largest rate of the wheel in the last second ({})", scheme),
                                 largest_late, largest_exact, 0.01, "rad/s", "closed form",
                                 "the rate grows by 0.3 % in a step before an impact"));
    if (scheme == schemes.front())
      rows.push_back(
          show("wheel-limit", "the rate before impacts that the closed form tends to", limit, "rad/s"));
  }
}

/// Which of several solutions a scheme selects.
void add_several(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const std::string& scheme : schemes) {
    const TrialResult& run = outcomes.run("rod-several-" + scheme);
    rows.push_back(show("rod-several-" + scheme + "-gap",
                        fmt::format("several solutions: gap of the lower end after 50 ms ({})", scheme),
                        run.find("floor.gap").values.at(50), "m",
                        "0: it slides on or jumps; else it leaves the floor"));
    rows.push_back(show("rod-several-" + scheme + "-slip",
                        fmt::format("several solutions: velocity of the lower end after 2 ms ({})", scheme),
                        run.find("end.vx").values.at(2), "m/s", "0: it jumps"));
  }
}

}  // namespace
}  // namespace closing_beside_sticking_benchmark

Benchmark closing_beside_sticking() {
  return {
      .name = "closing-beside-sticking",
      .title =
          "A contact closes while another sticks: rimless wheel, row of balls, rod of Painleve, woodpecker",
      .source =
          "McGeer 1990; Newton's law of impact; Painleve 1895; Genot and Brogliato 1999; Galvez 2020, "
          "section 5.3",
      .setting =
          "A wheel of 8 spokes of 1 m, 1 kg and 0.1 kg m2 at the hub, on a slope of 0.08 rad with mu = 1, "
          "for 5 "
          "s. A ball of 1 kg and 50 mm rolls with 1 m/s into a row of four alike on a floor with mu = 0.3. A "
          "thin rod of 1 kg and 1 m slides with 1 m/s on its lower end, tan(phi) = 2: mu = 1.2 has one "
          "solution, "
          "mu = 1.6 none without a jump, also where it lands from 50 mm, and several while it swings with 6 "
          "rad/s. The woodpecker toy for 1.5 s. h = 1 ms throughout.",
      .reference =
          "closed forms between impacts and of impacts; for the rod equations with the forces of the "
          "contact written out, Runge and Kutta, steps of 10 us",
      .plan = closing_beside_sticking_benchmark::plan,
      .rows = {closing_beside_sticking_benchmark::add_runs, closing_beside_sticking_benchmark::add_orders_of,
               closing_beside_sticking_benchmark::add_wheel, closing_beside_sticking_benchmark::add_several}};
}

}  // namespace picus::models
