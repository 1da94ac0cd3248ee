/// The cost of contact laws: a step with a constant coefficient of friction, with laws of the sliding speed, with
/// anisotropic friction, with resistance to drilling and rolling, and a step with an impact by each of the impact laws.
/// CPU time, the minimum of several runs, in which the laws alternate, and its ratio to that of the first law.

#include "scenes.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <limits>

namespace {

using namespace picus;

constexpr int repetitions = 5;

/// A user-defined law: friction falls with the sliding speed as a hyperbola.
class Hyperbola : public FrictionLaw {
 public:
  Value at(double speed) const override {
    return {.mu = 0.2 + 0.1 / (1 + speed), .slope = -0.1 / ((1 + speed) * (1 + speed))};
  }
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Steps of a run and what they take, s: of all, and of those that count.
struct Times {
  Index steps = 0;
  double seconds = 0.0;
  Index counted = 0;
  double counted_seconds = 0.0;
};

Times run_steps(const Model& model, double h, double until,
                const std::function<bool(const State&, const State&)>& counts) {
  DecoupledNsga integrator({.step = h});
  Stepper stepper(model, integrator);
  State state = stepper.start();
  State before = state;
  Times times;
  while (state.time < until - h / 2) {
    before = state;
    const double begin = cpu_seconds();
    stepper.step(state);
    const double seconds = cpu_seconds() - begin;
    ++times.steps;
    times.seconds += seconds;
    if (!counts(before, state)) continue;
    ++times.counted;
    times.counted_seconds += seconds;
  }
  return times;
}

/// A law, in a model that shows it.
struct Case {
  std::string name;
  Model model;
};

/// Prints the microseconds of a step that counts, the least of several runs.
void compare(const std::string& title, const std::vector<Case>& cases, double h, double until,
             const std::function<bool(const State&, const State&)>& counts) {
  std::vector<double> least(cases.size(), std::numeric_limits<double>::infinity());
  std::vector<Index> counted(cases.size(), 0);
  for (int k = 0; k < repetitions; ++k) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Times times = run_steps(cases[i].model, h, until, counts);
      counted[i] = times.counted;
      const double each = times.counted_seconds / static_cast<double>(std::max<Index>(times.counted, 1));
      least[i] = std::min(least[i], 1e6 * each);
    }
  }
  fmt::print("{:<50} {:>8} {:>6} {:>6}\n", title, "us", "ratio", "steps");
  for (std::size_t i = 0; i < cases.size(); ++i)
    fmt::print("{:<50} {:>8.1f} {:>6.2f} {:>6}\n", cases[i].name, least[i], least[i] / least[0], counted[i]);
  fmt::print("\n");
}

bool always(const State&, const State&) {
  return true;
}

/// A row of points on a floor, tied by springs, with initial velocities along and across the row.
Model make_sliders(const Friction& mu, double anisotropy) {
  Model model("sliders");
  std::vector<MassPoint> weights;
  for (Index i = 0; i < 20; ++i) {
    const PointNode node = model.add_point(
        fmt::format("mass[{}]", i), {.position = {static_cast<double>(i), 0, 0}, .velocity = {3, 2, 0}});
    weights.push_back(
        model.add<PointMass>({.name = fmt::format("mass[{}]", i), .node = node, .mass = 1.0})->mass_point());
    if (i > 0) {
      model.add<SpringDamper>({.name = fmt::format("spring[{}]", i),
                               .a = PointNode{model.find_node(fmt::format("mass[{}]", i - 1))},
                               .b = node,
                               .stiffness = 1e3});
    }
    model.add<NodeToFaceContact>({.name = fmt::format("floor[{}]", i),
                                  .slave = node,
                                  .face = {.normal = {0, 0, 1}, .tangent = Vec3(1, 0, 0)},
                                  .mu = mu,
                                  .anisotropy = anisotropy});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = weights});
  return model;
}

/// Balls that slide, spin and roll on a floor.
Model make_balls(double drilling_radius, double rolling_arm) {
  Model model("balls");
  const double r = 0.1;
  std::vector<MassPoint> weights;
  for (Index i = 0; i < 20; ++i) {
    const FrameNode node =
        model.add_frame(fmt::format("ball[{}]", i), {.position = {static_cast<double>(i), 0, r},
                                                     .velocity = {1, 0.5, 0},
                                                     .angular_velocity = {0, 0, 50}});
    weights.push_back(model
                          .add<RigidBody>({.name = fmt::format("ball[{}]", i),
                                           .node = node,
                                           .mass = 1.0,
                                           .inertia = 0.4 * r * r * Mat3::Identity()})
                          ->mass_point());
    model.add<SphereToFaceContact>({.name = fmt::format("floor[{}]", i),
                                    .centre = node,
                                    .radius = r,
                                    .face = {.normal = {0, 0, 1}},
                                    .mu = 0.3,
                                    .drilling_radius = drilling_radius,
                                    .rolling_arm = rolling_arm});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = weights});
  return model;
}

/// A ball hits a row of balls at rest between two walls; impacts travel back and forth.
Model make_cradle(Index balls, const ImpactLaw& law, double mu) {
  Model model("cradle");
  const double r = 0.05;
  PointNode last;
  for (Index i = 0; i < balls; ++i) {
    const double x = 2 * r * static_cast<double>(i) + (i == 0 ? -0.02 : 0.0);
    const PointNode node = model.add_point(fmt::format("ball[{}]", i),
                                           {.position = {x, 0, 0}, .velocity = {i == 0 ? 1.0 : 0.0, 0, 0}});
    model.add<PointMass>({.name = fmt::format("ball[{}]", i), .node = node, .mass = 1.0});
    if (i > 0) {
      model.add<SphereToSphereContact>({.name = fmt::format("contact[{}]", i),
                                        .a = {last, r},
                                        .b = {node, r},
                                        .e_n = 0.9,
                                        .impact_law = law});
    }
    last = node;
  }
  const auto wall = [&](const std::string& name, const PointNode& node, double x, double side) {
    model.add<NodeToFaceContact>(
        {.name = name,
         .slave = node,
         .face = {.point = {x, 0, 0}, .normal = {side, 0, 0}, .tangent = Vec3(0, 1, 0)},
         .mu = mu,
         .e_n = 0.9,
         .impact_law = law});
  };
  wall("left", PointNode{model.find_node("ball[0]")}, -0.1, 1);
  wall("right", last, 2 * r * static_cast<double>(balls) + 0.02, -1);
  return model;
}

}  // namespace

int main() {
  try {
    std::vector<Case> sliders;
    const auto slide = [&](const std::string& name, const Friction& mu, double anisotropy = 1.0) {
      sliders.push_back({name, make_sliders(mu, anisotropy)});
    };
    slide("mu = 0.3", 0.3);
    slide("stribeck", stribeck({.mu_at_rest = 0.3, .mu_sliding = 0.2, .speed = 0.1, .viscosity = 0.01}));
    slide("law of one's own", Hyperbola());
    slide("mu = 0.3, twice as much across", 0.3, 2.0);
    compare("20 points that slide, 0.2 s, h = 1e-3 s", sliders, 1e-3, 0.2, always);

    std::vector<Case> balls;
    balls.push_back({"sliding friction", make_balls(0, 0)});
    balls.push_back({"and drilling", make_balls(0.01, 0)});
    balls.push_back({"and rolling", make_balls(0, 0.002)});
    balls.push_back({"and both", make_balls(0.01, 0.002)});
    compare("20 balls that slide and spin, 0.2 s, h = 1e-3 s", balls, 1e-3, 0.2, always);

    // Without gravity a velocity changes by an impact alone.
    const auto is_impact = [](const State& before, const State& after) {
      return (after.v - before.v).norm() > 1e-3;
    };
    for (const Index count : {2, 5, 10}) {
      std::vector<Case> cradles;
      cradles.push_back({"Newton", make_cradle(count, ImpactLaw::newton(), 0.3)});
      cradles.push_back({"Poisson", make_cradle(count, ImpactLaw::poisson(), 0.3)});
      cradles.push_back({"lzb", make_cradle(count, ImpactLaw::lzb(), 0.3)});
      const std::string row = fmt::format("a row of {} balls, 2 s, h = 1e-3 s", count);
      compare(row + ", with an impact", cradles, 1e-3, 2.0, is_impact);
      compare(row + ", without", cradles, 1e-3, 2.0,
              [&](const State& before, const State& after) { return !is_impact(before, after); });
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_contact_laws: {}\n", error.what());
    return 1;
  }
  return 0;
}
