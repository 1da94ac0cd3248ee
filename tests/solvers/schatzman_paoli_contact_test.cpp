// Impacts with the Schatzman-Paoli scheme.

#include "runs.hpp"
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/message.hpp>
#include <support/rods.hpp>

#include <algorithm>

namespace picus::schatzman_paoli_contact_test {
namespace {

constexpr double g = 9.81;

/// The contact normal is z.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

/// Balls that fall from their heights onto a floor at z = 0, each with its own restitution.
struct Balls {
  PointNode add(const std::string& name, double height, double e, double gravity = g,
                const Vec3& velocity = Vec3::Zero()) {
    const auto node = model.add_point(name, {.position = {0, 0, height}, .velocity = velocity});
    model.add<support::PointMass>({.name = name + " mass", .node = node, .gravity = {0, 0, -gravity}});
    model.add<support::PlaneContact>({.name = name + " on floor",
                                      .point = node,
                                      .axes = upwards(),
                                      .law = {.e_n = e, .friction_directions = 0}});
    return node;
  }
  Model model;
};

/// Height of a ball dropped from a height, bounce by bounce.
double bounce(double height, double e, double t) {
  double speed = std::sqrt(2 * g * height);
  double left = t - speed / g;
  if (left < 0) return height - g * t * t / 2;
  for (int i = 0; i < 1000; ++i) {
    speed *= e;
    if (left < 2 * speed / g) return speed * left - g * left * left / 2;
    left -= 2 * speed / g;
  }
  return 0.0;
}

TEST(SchatzmanPaoliContact, ABouncingBallIsOfFirstOrder) {
  Balls balls;
  const auto ball = balls.add("ball", 0.5, 0.8);
  const System system(balls.model);
  for (const char* scheme : {"schatzman-paoli", "schatzman-paoli:theta=0", "schatzman-paoli:theta=1"}) {
    std::vector<double> steps, errors;
    for (double h = 0.008; h > 2e-4; h /= 2) {
      const auto integrator = make_integrator(scheme, {.step = h});
      const int count = static_cast<int>(std::lround(1.6 / h));
      double error = 0;
      run(system, *integrator, count, [&](const State& state, const StepReport&) {
        error += std::abs(state.q.position(ball).z() - bounce(0.5, 0.8, state.time)) / count;
      });
      steps.push_back(h);
      errors.push_back(error);
    }
    // The position of an impact within its step is random, which scatters single errors by a factor.
    EXPECT_NEAR(fitted_order(steps, errors), 1.0, 0.25) << scheme;
  }
}

TEST(SchatzmanPaoliContact, EachContactReboundsWithItsOwnRestitutionWithinTwoSteps) {
  // Without weight: q_{n+1} = -e q_{n-1} where a step would go below that, and the velocity after the second step
  // is -e times that before the first one.
  Balls balls;
  constexpr double h = 1e-3;
  const std::vector<double> restitutions{0.0, 0.3, 0.7, 1.0};
  std::vector<PointNode> nodes;
  for (std::size_t i = 0; i < restitutions.size(); ++i) {
    const double speed = 2.0 + 0.37 * static_cast<double>(i);
    nodes.push_back(balls.add("ball " + std::to_string(i), 0.1, restitutions[i], 0.0, {0.1, 0, -speed}));
  }
  const System system(balls.model);
  const auto integrator = make_integrator("schatzman-paoli", {.step = h});
  std::array<int, 4> impacts{};
  std::array<double, 4> lowest{};
  const State end = run(system, *integrator, 100, [&](const State& state, const StepReport& report) {
    int closed = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (state.contact_state[i] != ContactState::gap) {
        ++impacts[i];
        ++closed;
      }
      lowest[i] = std::min(lowest[i], state.q.position(nodes[i]).z());
    }
    EXPECT_EQ(report.closed_contacts, closed);
  });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double speed = 2.0 + 0.37 * static_cast<double>(i);
    const double e = restitutions[i];
    EXPECT_NEAR(end.v[nodes[i].v + 2], e * speed, 1e-6 * speed) << "e = " << e;
    EXPECT_NEAR(end.v[nodes[i].v], 0.1, 1e-9);
    EXPECT_GE(impacts[i], 1);
    EXPECT_LE(impacts[i], e == 0 ? 100 : 2);
    // An impact takes q_{n-1} to -e q_{n-1}; q_{n-1} is below 2 h v/(1 + e), otherwise the step would have passed it.
    EXPECT_GE(lowest[i], -2 * e / (1 + e) * h * speed - 1e-8 * h * speed) << "e = " << e;
  }
}

TEST(SchatzmanPaoliContact, ARestingBodyIsCarriedAndAnInelasticOneNeverPenetrates) {
  for (const double e : {0.0, 0.5}) {
    Balls balls;
    const auto ball = balls.add("ball", 0.0, e);
    const auto falling = balls.add("falling", 0.3, 0.0);
    const System system(balls.model);
    constexpr double h = 1e-3;
    const auto integrator = make_integrator("schatzman-paoli", {.step = h});
    double lowest = 0;
    const State state = run(system, *integrator, 500, [&](const State& now, const StepReport&) {
      lowest = std::min(lowest, now.q.position(falling).z());
    });
    // To 1e-8 of the motion of a step, 1e-3 s at up to 2.5 m/s.
    EXPECT_GE(lowest, -1e-8 * h * 2.5);
    EXPECT_NEAR(state.q.position(ball).z(), 0, 1e-12);
    EXPECT_NEAR(state.contact_impulse[0], g * h, 1e-9);
    EXPECT_EQ(state.position_multiplier[0], h * state.contact_impulse[0]);
    EXPECT_NE(state.contact_state[0], ContactState::gap);
  }
}

/// A box on a rod that hits the floor with its four corners, without friction.
Model make_knocking_box() {
  Model model;
  const auto pivot = model.add_frame("pivot", {.position = {0, 0, 1}});
  model.fix(pivot);
  const auto box = model.add_frame("box", {.position = {0.8, 0, 0.25},
                                           .rotation = so3::exp({0.2, 0.1, 0}),
                                           .velocity = {0, 1.5, 0},
                                           .angular_velocity = {1, -2, 1}});
  model.add<support::OffsetBody>(
      {.name = "mass", .node = box, .mass = 2, .inertia = {0.02, 0.03, 0.04}, .gravity = {0, 0, -g}});
  const MaterialPoint hook(box, {0, 0, 0.1});
  const double length = (hook.position(model.initial_configuration()) - Vec3(0, 0, 1)).norm();
  model.add<support::Rod>({.name = "rod", .a = pivot, .b = hook, .length = length});
  for (int i = 0; i < 4; ++i) {
    model.add<support::PlaneContact>({.name = "corner " + std::to_string(i),
                                      .point = {box, {i % 2 == 0 ? -0.1 : 0.1, i < 2 ? 0.1 : -0.1, -0.1}},
                                      .axes = upwards(),
                                      .law = {.e_n = i < 2 ? 0.3 : 0.6}});
  }
  return model;
}

TEST(SchatzmanPaoliContact, ScalingAndRegularizationAreNotSeenInTheMotion) {
  const Model model = make_knocking_box();
  const System system(model);
  const auto end = [&](double scaling, double regularization) {
    return run(system, "schatzman-paoli",
               {.step = 1e-3, .tolerance = 1e-10, .scaling = scaling, .regularization = regularization}, 0.4);
  };
  const State reference = end(1.0, 1e-8);
  EXPECT_GT(reference.contact_slip.norm(), 0) << "corners should touch";
  for (const auto& [scaling, regularization] :
       {std::pair{1e-2, 1e-8}, {10.0, 1e-8}, {1.0, 0.0}, {1.0, 1e-6}}) {
    const State other = end(scaling, regularization);
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), reference.q, other.q, apart);
    // Impacts amplify the effect of the tolerance, by a factor of about ten each.
    EXPECT_LE(apart.lpNorm<Eigen::Infinity>(), 1e-6) << scaling << ", " << regularization;
  }
}

TEST(SchatzmanPaoliContact, UnitsAreNotSeenInTheMotion) {
  // The same drop in tonnes instead of kilograms: all residuals are scaled with masses of the model.
  Balls balls;
  Balls heavy;
  const auto one = balls.add("ball", 0.2, 0.5);
  const auto node = heavy.model.add_point("ball", {.position = {0, 0, 0.2}});
  heavy.model.add<support::PointMass>({.name = "mass", .node = node, .mass = 1e6, .gravity = {0, 0, -g}});
  heavy.model.add<support::PlaneContact>(
      {.name = "floor", .point = node, .axes = upwards(), .law = {.e_n = 0.5, .friction_directions = 0}});
  const State light = run(System(balls.model), "schatzman-paoli", {.step = 1e-3}, 0.5);
  const State large = run(System(heavy.model), "schatzman-paoli", {.step = 1e-3}, 0.5);
  EXPECT_NEAR(light.q.position(one).z(), large.q.position(node).z(), 1e-12);
}

TEST(SchatzmanPaoliContact, RefusesFrictionByTheNameOfTheContact) {
  Model model = make_knocking_box();
  const auto ball = model.add_point("ball", {.position = {3, 0, 1}});
  model.add<support::PointMass>({.name = "mass of ball", .node = ball});
  for (const char* name : {"rough floor", "rough wall"})
    model.add<support::PlaneContact>({.name = name, .point = ball, .axes = upwards(), .law = {.mu = 0.3}});
  const System system(model);
  const auto integrator = make_integrator("schatzman-paoli", {});
  EXPECT_EQ(support::message_of<SolverError>([&] { integrator->start(system); }),
            "scheme \"schatzman-paoli\" has no friction, but contact \"rough floor\" has mu = 0.3");
}

}  // namespace
}  // namespace picus::schatzman_paoli_contact_test
