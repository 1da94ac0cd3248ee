#include <picus/models/belt.hpp>
#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/references/belt_exact.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models::thesis_belt_benchmark {
namespace {

constexpr double h = 1e-3;
constexpr double until = 3.0;

/// From 4e-3 s down, with the first impact at mid-step: the errors scatter with the position of the impacts within
/// their steps, mostly of the first. The error of vy still scatters by a factor of five, so its order needs many
/// steps.
std::vector<double> steps_over(double decades, int per_decade) {
  const double first_impact = BeltExact({}, until).stages().at(1).start;
  std::vector<double> steps;
  for (int i = 0; i <= per_decade * decades; ++i) {
    const double whole_steps =
        std::round(first_impact / 4e-3 * std::pow(10.0, static_cast<double>(i) / per_decade));
    steps.push_back(first_impact / (whole_steps + 0.5));
  }
  return steps;
}

Experiments plan(Effort effort) {
  Experiments plan;
  const bool is_full = effort == Effort::full;
  std::vector<std::string> quantities = {"block.x", "block.vx", "block.y"};
  if (is_full) quantities.emplace_back("block.vy");
  plan.runs = {{.id = "belt", .label = "Picus, h = 1 ms", .model = "belt", .step = h, .until = until},
               {.id = "fine", .label = "Picus, h = 0.1 ms", .model = "belt", .step = h / 10, .until = until}};
  plan.studies = {
      {.id = "convergence",
       .title = "Position and velocity against the event-driven solution",
       .model = "belt",
       .steps = is_full ? steps_over(2.5, 40) : steps_over(1.7, 20),
       .quantities = quantities,
       // A fraction of the motion in a step, for every step: with the default, 1e-8, the error of the flights exceeds
       // that of the impacts for h < 2e-5 s.
       .tolerance = 1e-12}};
  const auto panel = [](const std::string& label, const std::string& y) {
    return Panel{.y_label = label,
                 .curves = {{.run = "belt", .y = y, .label = "Picus"},
                            {.run = "belt", .y = y, .label = "event-driven", .exact = true}}};
  };
  plan.figures = {
      {.id = "motion",
       .title = "Position and velocity of the block, h = 1 ms (thesis, figure 4.14)",
       .caption = "It bounces until 0.69 s, moves along with the belt until 0.90 s, and slips from there on.",
       .panels = {panel("x, m", "block.x"), panel("y, m", "block.y"),
                  panel("velocity along x, m/s", "block.vx"), panel("velocity along y, m/s", "block.vy")}},
      {.id = "phase-portrait",
       .title = "Phase portrait (thesis, figure 4.15)",
       .caption = "The limit cycle is an ellipse that touches the velocity of the belt.",
       .panels = {
           {.y_label = "velocity along x, m/s",
            .curves =
                {{.run = "belt", .y = "block.vx", .label = "Picus", .x = "block.x"},
                 {.run = "belt", .y = "block.vx", .label = "event-driven", .x = "block.x", .exact = true}},
            .x_label = "x, m"}}}};
  return plan;
}

/// The stages of a run, from the states of the contact.
struct Stages {
  std::vector<double> impacts;  ///< the first instant of contact after each flight
  double bouncing_end = 0.0;    ///< the last instant in flight
  std::size_t stick = 0;        ///< indices in the series: the first stick afterwards,
  std::size_t slip = 0;         ///< and the first slip after that
};

Stages find_stages(const TrialResult& trial) {
  const Series& state = trial.find("contact.state");
  Stages stages;
  std::size_t last_flight = 0;
  for (std::size_t i = 1; i < state.values.size(); ++i) {
    if (state.values[i] == 0.0) last_flight = i;
    if (state.values[i] != 0.0 && state.values[i - 1] == 0.0) stages.impacts.push_back(trial.times[i]);
  }
  stages.bouncing_end = trial.times[last_flight];
  const auto find = [&state](std::size_t from, double wanted) {
    return static_cast<std::size_t>(
        std::find(state.values.begin() + static_cast<std::ptrdiff_t>(from), state.values.end(), wanted) -
        state.values.begin());
  };
  // A step of slip may still belong to the last bounces; the relevant stick persists.
  stages.stick = find(last_flight, 1.0);
  stages.slip = find(stages.stick, 2.0);
  while (stages.slip < state.values.size() && stages.slip - stages.stick < 10) {
    stages.stick = find(stages.slip, 1.0);
    stages.slip = find(stages.stick, 2.0);
  }
  return stages;
}

void add_stages(Rows& rows, const TrialResult& trial, const BeltExact& exact) {
  const Belt belt;
  const Stages stages = find_stages(trial);
  const std::string source = "event-driven solution";
  // Each impact is detected within a step; the errors of later ones add up.
  for (std::size_t i = 0; i < 3; ++i) {
    rows.push_back(expect_near(
        "impact-" + std::to_string(i + 1), "impact " + std::to_string(i + 1) + " at", stages.impacts.at(i),
        exact.stages().at(i + 1).start, static_cast<double>(2 * i + 1) * h, "s", source,
        "a step for each impact so far, and one for the flight that it shortens or prolongs"));
  }
  rows.push_back(
      expect_near("bouncing-end", "bouncing ends at", stages.bouncing_end, exact.bouncing_end(), 10 * h, "s",
                  source + "; thesis, read off: 0.65 s",
                  "a step for each of the nine bounces that last longer than a step, and their sum after"));
  rows.push_back(show("bounce-at-0.65", "height of the block at 0.65 s", 1e3 * exact.y(0.65), "mm",
                      "of the event-driven solution: by then the bounces are too small to be seen"));

  const Series& x = trial.find("block.x");
  const Series& vx = trial.find("block.vx");
  double difference = 0.0;
  for (std::size_t i = stages.stick; i < stages.slip; ++i) {
    difference = std::max(difference, std::abs(vx.values[i] - belt.speed));
  }
  rows.push_back(expect_at_most(
      "stick-velocity", "largest difference to the velocity of the belt while sticking", difference,
      1e-8 * belt.speed, "m/s", "thesis 4.2.3", "the tolerance of the velocity sub-problem"));
  rows.push_back(expect_near(
      "slip-pull", "pull of the spring when slip begins",
      belt.stiffness * (x.values[stages.slip] - belt.length), belt.mu * belt.mass * belt.gravity,
      2 * belt.stiffness * belt.speed * h, "N", "mu m g",
      "what the spring gains in two steps: one finds it, and forces act by their mean over a step"));
  rows.push_back(expect_near(
      "slip-start", "slip begins at", trial.times[stages.slip], exact.first_slip(), 2 * h, "s",
      source + "; thesis, read off: 0.94 s",
      "the block is carried at the right velocity between impacts: what counts is the first one"));
  rows.push_back(show("lag-at-0.94", "the block slower than the belt at 0.94 s by",
                      100.0 * (1.0 - exact.vx(0.94) / belt.speed), "%",
                      "of the event-driven solution: the slip begins so gently that it shows about then"));
}

/// The largest deviation of (omega (x - x_c), vx) from the circle of radius v_0.
double distance_from_cycle(const TrialResult& trial) {
  const Belt belt;
  const double omega = std::sqrt(belt.stiffness / belt.mass);
  const Series& x = trial.find("block.x");
  const Series& vx = trial.find("block.vx");
  double distance = 0.0;
  for (std::size_t i = find_stages(trial).slip; i < trial.times.size(); ++i) {
    const double radius = std::hypot(omega * (x.values[i] - belt.slip_length()), vx.values[i]);
    distance = std::max(distance, std::abs(radius / belt.speed - 1.0));
  }
  return distance;
}

void add_limit_cycle(Rows& rows, const TrialResult& trial, const TrialResult& fine) {
  const Belt belt;
  const double omega = std::sqrt(belt.stiffness / belt.mass);
  const auto add = [&](const std::string& id, const std::string& claim, const TrialResult& run, double step) {
    rows.push_back(
        expect_at_most(id, claim, distance_from_cycle(run), std::pow(omega * step, 2), "",
                       "ellipse about (l + mu m g / k, 0) with half axes v_0 / omega and v_0",
                       "(omega h)^2: slip begins within a step of the vertex, and smooth motion is of "
                       "second order"));
  };
  add("limit-cycle", "largest deviation from the limit cycle, relative to its size", trial, h);
  add("limit-cycle-fine", "the same with h = 0.1 ms", fine, h / 10);
  // After one cycle it returns to the velocity of the belt.
  const Series& vx = trial.find("block.vx");
  const Stages stages = find_stages(trial);
  const auto first = static_cast<std::ptrdiff_t>((trial.times[stages.slip] + std::numbers::pi / omega) / h);
  const auto top = std::max_element(vx.values.begin() + first, vx.values.end());
  const double period = trial.times[top - vx.values.begin()] - trial.times[stages.slip];
  rows.push_back(expect_near("period", "time from the first slip to the next equal velocities", period,
                             2.0 * std::numbers::pi / omega, 2 * h, "s", "2 pi sqrt(m/k)",
                             "a step for either end"));
}

void add_rows(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const BeltExact exact({}, until);
  const TrialResult& belt = outcomes.run("belt");
  add_stages(rows, belt, exact);
  add_limit_cycle(rows, belt, outcomes.run("fine"));
  add_orders(rows, outcomes, "convergence", 0.95);
  add_soundness(rows, outcomes, "belt");
  add_soundness(rows, outcomes, "fine");
}

}  // namespace
}  // namespace picus::models::thesis_belt_benchmark

namespace picus::models {

Benchmark thesis_belt() {
  return {.name = "belt",
          .title = "A block on a spring on a running belt",
          .source = "Galvez 2020, section 4.2.3",
          .setting =
              "A block of 3 kg, a point, falls from rest on a belt that runs with 1 m/s along x: mu = 1, e_N "
              "= 0.5, "
              "e_T = 0, g = 9.81 m/s2. A spring, k = 50 N/m, l = 1 m, unloaded at the start and tilted by "
              "pi/12 then, "
              "holds it to a point at the level of the belt. The belt is the face of a driven frame.",
          .reference = "event-driven solution (Taylor series between impacts)",
          .plan = thesis_belt_benchmark::plan,
          .rows = {thesis_belt_benchmark::add_rows}};
}

}  // namespace picus::models
