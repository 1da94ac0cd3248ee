#include <picus/models/ball_on_ball.hpp>
#include <picus/models/benchmarks/benchmark.hpp>
#include <picus/models/benchmarks/measures.hpp>
#include <picus/models/sliding_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace picus::models {
namespace closed_contacts_benchmark {
namespace {

struct Case {
  std::string id, title, model;
  std::vector<std::string> settings;
  std::vector<std::string> positions, velocities;
  double until = 0.3;  ///< s
};

const std::vector<Case>& cases() {
  static const std::vector<std::string> rod_positions = {"inclination", "rod.x"};
  static const std::vector<std::string> rod_velocities = {"rate", "rod.vx"};
  static const std::vector<std::string> planar = {"point.x", "point.z"};
  static const std::vector<std::string> planar_rates = {"point.vx", "point.vz"};
  static const std::vector<std::string> spatial = {"point.x", "point.y"};
  static const std::vector<std::string> spatial_rates = {"point.vx", "point.vy"};
  static const std::vector<Case> all = {
      {"rod-smooth", "a rod on a smooth floor", "rod-on-floor", {"mu=0"}, {"inclination"}, {"rate"}},
      {"rod-rough", "a rod on a rough floor", "rod-on-floor", {"mu=0.2"}, rod_positions, rod_velocities},
      {"ball-smooth",
       "a ball slides on a ball without friction",
       "ball-on-ball",
       {"mu=0"},
       {"angle"},
       {"rate"}},
      {"ball-slides",
       "a ball slides on a ball with friction",
       "ball-on-ball",
       {"mu=0.05"},
       {"angle"},
       {"rate", "spin"}},
      {"ball-rolls",
       "a ball rolls on a ball",
       "ball-on-ball",
       {"mu=2", "rolls=yes"},
       {"angle"},
       {"rate", "spin"}},
      {"bowl-smooth", "a point in a bowl without friction", "sliding-point", {}, planar, planar_rates},
      {"bowl-rough", "a point in a bowl with friction", "sliding-point", {"mu=0.2"}, planar, planar_rates},
      {"bowl-circling",
       "a point circles in a bowl with friction",
       "sliding-point",
       {"mu=0.2", "across=1.5"},
       spatial,
       spatial_rates},
      {"sphere-smooth",
       "a point on a sphere without friction",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=0.8", "across=0.5"},
       spatial,
       spatial_rates},
      {"sphere-rough",
       "a point on a sphere with friction",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=0.8", "across=0.5", "mu=0.2"},
       spatial,
       spatial_rates},
      {"moving-smooth",
       "a point on a moving sphere without friction",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=0.8", "across=0.5", "amplitude=0.05", "omega=10"},
       spatial,
       spatial_rates,
       0.2},
      {"moving-rough",
       "a point on a moving sphere with friction",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=0.8", "across=0.5", "amplitude=0.05", "omega=10", "mu=0.2"},
       spatial,
       spatial_rates,
       0.2},
      {"paddle-smooth",
       "a bead on a turning paddle without friction",
       "sliding-point",
       {"face=paddle", "radius=0.5", "speed=0.2"},
       spatial,
       spatial_rates},
      {"paddle-rough",
       "a bead on a turning paddle with friction",
       "sliding-point",
       {"face=paddle", "radius=0.5", "speed=0.2", "mu=0.2"},
       planar,
       planar_rates},
  };
  return all;
}

const std::vector<std::string> second_order = {"ds", "dsn", "cs", "ds-a"};
const std::vector<std::string> first_order = {"chen", "moreau-jean"};

struct LiftOff {
  std::string id, title, model;
  std::vector<std::string> settings;
  double until;                 ///< s
  std::optional<double> angle;  ///< rad; none: that of the reference
  std::string source;
};

/// The balls and a point from rest, displaced from the top; with friction the point starts with a push.
const std::vector<LiftOff>& lift_offs() {
  constexpr double angle = 0.01;
  const BallOnBall ball{.angle = angle, .rate = 0};
  const SlidingPoint point{.face = SlidingPoint::Face::sphere, .angle = angle, .speed = 0};
  static const std::vector<LiftOff> all = {
      {"off-smooth",
       "a ball on a ball without friction",
       "ball-on-ball",
       {"mu=0", "angle=0.01", "rate=0"},
       2.0,
       ball.sliding_lift_off(),
       "exact, cos = 2/3 from rest at the top"},
      {"off-rolls",
       "a ball that rolls on a ball, mu = 100",
       "ball-on-ball",
       {"mu=100", "angle=0.01", "rate=0", "rolls=yes"},
       2.3,
       ball.rolling_lift_off(),
       "exact, cos = 10/17 from rest at the top"},
      {"off-point-smooth",
       "a point on a sphere without friction",
       "sliding-point",
       {"face=sphere", "angle=0.01", "speed=0"},
       2.0,
       point.lift_off(),
       "exact, cos = 2/3 from rest at the top"},
      {"off-point-rough",
       "a point on a sphere, mu = 0.2",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=1", "mu=0.2"},
       1.0,
       std::nullopt,
       "reference"},
      {"off-point-moving",
       "a point on a moving sphere, mu = 0.2",
       "sliding-point",
       {"face=sphere", "angle=0.2", "speed=1", "mu=0.2", "amplitude=0.05", "omega=10"},
       1.0,
       std::nullopt,
       "reference"}};
  return all;
}

/// A hundred periods of small swings; larger ones take longer.
constexpr double many_periods = 200.7;  // s
constexpr double swing_step = 5e-3;     // s

constexpr double lift_off_step = 1e-3;

Experiments plan(Effort effort) {
  Experiments plan;
  for (const LiftOff& one : lift_offs())
    plan.runs.push_back({.id = one.id,
                         .label = one.title,
                         .model = one.model,
                         .settings = one.settings,
                         .step = lift_off_step,
                         .until = one.until});
  plan.runs.push_back({.id = "swings",
                       .label = "a point circles in a bowl, 100 periods",
                       .model = "sliding-point",
                       .settings = {"across=1.5"},
                       .scheme = "ds:rho_inf=1",
                       .step = swing_step,
                       .until = many_periods,
                       .signals = {"energy"}});
  std::vector<std::string> schemes = second_order;
  schemes.insert(schemes.end(), first_order.begin(), first_order.end());
  schemes.emplace_back("mixed");
  for (const Case& one : cases()) {
    std::vector<std::string> quantities = one.positions;
    quantities.insert(quantities.end(), one.velocities.begin(), one.velocities.end());
    quantities.emplace_back("force");
    // The slip of points turns within 20 ms.
    std::vector<double> steps = {4e-3, 2e-3, 1e-3, 5e-4};
    if (one.model == "sliding-point") steps = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
    if (effort == Effort::full) steps.push_back(steps.back() / 2);
    plan.studies.push_back({.id = one.id,
                            .title = one.title,
                            .model = one.model,
                            .settings = one.settings,
                            .schemes = schemes,
                            .steps = steps,
                            .until = one.until,
                            .quantities = quantities,
                            .tolerance = 1e-11});
  }
  plan.figures = {
      {.id = "lift-off",
       .title = "A ball leaves a ball",
       .caption = "From rest at the top at cos = 2/3 without friction and 10/17 in rolling.",
       .panels = {{.y_label = "angle, rad",
                   .curves = {{.run = "off-smooth", .y = "angle"},
                              {.run = "off-rolls", .y = "angle"},
                              {.run = "off-smooth", .y = "angle", .label = "exact", .exact = true},
                              {.run = "off-rolls", .y = "angle", .label = "exact", .exact = true}}},
                  {.y_label = "normal force, N",
                   .curves = {{.run = "off-smooth", .y = "force"}, {.run = "off-rolls", .y = "force"}}}}}};
  return plan;
}

double order_of(const ConvergenceQuantity& quantity) {
  return quantity.order ? *quantity.order : std::nan("");
}

void add_orders_of(Rows& rows, const Experiments& outcomes, const Case& one, const std::string& scheme) {
  const bool is_second = std::ranges::count(second_order, scheme) > 0;
  const bool is_first = std::ranges::count(first_order, scheme) > 0;
  for (const ConvergenceQuantity& quantity : outcomes.study(one.id, scheme).quantities) {
    const std::string id = fmt::format("{}-{}-order-{}", one.id, scheme, quantity.name);
    const std::string claim = fmt::format("{}: order of {} ({})", one.title, quantity.name, scheme);
    const double order = order_of(quantity);
    if (quantity.name == "force" && scheme == "ds-a") {
      rows.push_back(show(id, claim, order, "", "its multipliers are forces at the ends of steps"));
    } else if (is_second) {
      rows.push_back(
          expect_near(id, claim, order, 2.0, 0.1, "", "design; exact solution",
                      quantity.name == "force" ? "the impulse over h, in the middle of the step" : ""));
    } else if (is_first) {
      rows.push_back(expect_near(id, claim, order, 1.0, 0.2, "", "exact solution",
                                 "a scheme of first order in closed contact"));
    } else {
      rows.push_back(show(id, claim, order, ""));
    }
  }
}

void add_studies(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const Case& one : cases()) {
    for (const Study& study : outcomes.studies) {
      if (study.id != one.id) continue;
      for (const std::string& scheme : study.schemes) add_orders_of(rows, outcomes, one, scheme);
    }
    for (const std::string& scheme : second_order) {
      const ConvergenceResult& study = outcomes.study(one.id, scheme);
      int most = 0;
      std::int64_t fallbacks = 0;
      for (const ConvergenceRow& row : study.rows) {
        most = std::max(most, *std::ranges::max_element(row.worst_iterations));
        fallbacks += row.fallbacks;
      }
      const std::string of = fmt::format("{}-{}", one.id, scheme);
      rows.push_back(show(of + "-most", fmt::format("{}: most iterations of a solve ({})", one.title, scheme),
                          most, ""));
      rows.push_back(expect_at_most(of + "-fallbacks", fmt::format("{}: fallbacks ({})", one.title, scheme),
                                    static_cast<double>(fallbacks), 0.0, "", "design"));
    }
  }
}

void add_lift_offs(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  for (const LiftOff& one : lift_offs()) {
    const TrialResult& run = outcomes.run(one.id);
    const std::vector<double>& state = run.find("contact.state").values;
    const std::vector<double>& force = run.find("force").exact;
    const Series& angle = run.find("angle");
    const auto first = [](const std::vector<double>& values, auto holds) {
      return std::find_if(values.begin() + 1, values.end(), holds) - values.begin();
    };
    const std::size_t opens = first(state, [](double s) { return s == 0.0; });
    const std::size_t exact = first(force, [](double f) { return f <= 0.0; });
    if (opens == state.size() || exact == force.size()) {
      rows.push_back(expect_true(one.id, one.title + ": lifts off", false, "exact"));
      continue;
    }
    const std::string note =
        "the contact opens with the step whose mean force would pull, or with the next one";
    rows.push_back(expect_near(one.id + "-time", one.title + ": lifts off at", run.times[opens],
                               run.times[exact] - lift_off_step / 2, 2 * lift_off_step, "s", "reference",
                               note));
    const double rate = run.find("rate").exact[exact];
    rows.push_back(expect_near(one.id + "-angle", one.title + ": angle of lift-off", angle.values[opens],
                               one.angle.value_or(angle.exact[exact]), 2 * lift_off_step * std::abs(rate),
                               "rad", one.source, note));
    if (one.angle)
      rows.push_back(
          show(one.id + "-reference-angle", "the same by the reference", angle.exact[exact], "rad"));
    add_soundness(rows, outcomes, one.id);
  }
}

// The contact does no work: the energy oscillates with the motion and does not drift.
void add_energy(Rows& rows, const Experiments& outcomes, Effort /*effort*/) {
  const std::vector<double>& energy = outcomes.run("swings").find("energy").values;
  const auto largest = [&](std::size_t from, std::size_t to) {
    double worst = 0;
    for (std::size_t i = from; i < to; ++i) worst = std::max(worst, std::abs(energy[i] - energy.front()));
    return worst;
  };
  const std::size_t tenth = energy.size() / 10;
  const double first = largest(0, tenth);
  rows.push_back(show("swings-energy",
                      "a point circles in a bowl: largest change of its energy in 10 periods", first, "J",
                      "with rho_inf = 1 and h = 5 ms"));
  rows.push_back(expect_at_most("swings-drift", "a point circles in a bowl: the same in the last 10 of 100",
                                largest(energy.size() - tenth, energy.size()) / first, 2.0, "",
                                "design, bounded", "over that of the first 10"));
  add_soundness(rows, outcomes, "swings");
}

}  // namespace
}  // namespace closed_contacts_benchmark

Benchmark closed_contacts() {
  return {
      .name = "closed-contacts",
      .title = "Contacts that stay closed: on a floor, on a ball, in a bowl, on a paddle",
      .source = "textbook problems",
      .setting =
          "A rod of 1 kg and 1 m falls over from 0.4 rad with 0.3 rad/s, its end on a floor with mu = 0 and "
          "0.2. A solid ball of 1 kg and 0.3 m on a fixed one of 0.7 m, from 0.2 rad with 1 rad/s: "
          "without friction, sliding with mu = 0.05, rolling with mu = 2; and from rest at 0.01 rad until it "
          "lifts off. A point of 1 kg with mu = 0 and 0.2: in a bowl of 1 m from 1 rad before its bottom; on "
          "a sphere of 1 m from 0.2 rad, at rest and shaken by 50 mm with 10 rad/s; along a paddle that "
          "turns with 3 rad/s, from 0.5 m. 0.3 s in the studies (shaken: 0.2 s), solved to 1e-11.",
      .reference =
          "equations with the forces of the contact written out, Runge and Kutta, steps of 10 us "
          "(points: 0.1 ms)",
      .plan = closed_contacts_benchmark::plan,
      .rows = {closed_contacts_benchmark::add_studies, closed_contacts_benchmark::add_lift_offs,
               closed_contacts_benchmark::add_energy}};
}

}  // namespace picus::models
