// The Schatzman-Paoli scheme without contacts: its difference equation, orders, drift, reactions, its state.

#include "runs.hpp"
#include "smooth_models.hpp"
#include <picus/error.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/guides.hpp>
#include <support/message.hpp>
#include <support/mixed_model.hpp>
#include <support/rods.hpp>

#include <algorithm>

namespace picus::schatzman_paoli_motion_test {
namespace {

constexpr double g = 9.81;

std::string with_theta(double theta) {
  return "schatzman-paoli:theta=" + std::to_string(theta);
}

TEST(SchatzmanPaoli, AnOscillatorObeysTheDifferenceEquation) {
  // (1 + theta W^2) q_{n+1} - (2 - (1 - theta) W^2) q_n + q_{n-1} = 0, W = w h: from theta = 1/2 on bounded for every W.
  for (const double theta : {0.0, 0.3, 0.5, 1.0}) {
    for (const double W : {0.1, 1.9, 20.0}) {
      if (theta == 0.3 && W > 3) continue;  // unstable from W = 2 / sqrt(1 - 2 theta) on
      if (theta == 0 && W > 2) continue;
      Model model;
      const auto s = model.add_scalar("s", {.value = 0.7, .rate = 0.3});
      model.add<support::Oscillator>({.name = "oscillator", .node = s, .stiffness = W * W});
      const System system(model);
      const auto integrator = make_integrator(with_theta(theta), {.step = 1.0});
      std::array<double, 3> q{};
      // q_{-1} from v_0 and a_0.
      q[2] = 0.7 - 0.3 - 0.5 * W * W * 0.7;
      q[1] = q[2];
      q[2] = 0.7;
      // From q_0 and q_{-1}, and the contribution of the rate.
      const double largest = 2 * (1 + W * W) * (0.7 + 0.3 / W);
      run(system, *integrator, 60, [&](const State& state, const StepReport&) {
        q = {q[1], q[2], state.q.value(s)};
        const double terms = (2 + W * W) * largest;
        EXPECT_NEAR((1 + theta * W * W) * q[2] - (2 - (1 - theta) * W * W) * q[1] + q[0], 0, 1e-8 * terms);
        EXPECT_NEAR(state.v[s.v], (q[2] - q[0]) / 2, 1e-12 * largest);
        EXPECT_LE(std::abs(q[2]), largest);
      });
      // The product of the roots is the factor by which a step reduces the squared amplitude.
      if (theta == 1) {
        // Residuals are solved to 100 roundings at the model's size, 1.
        EXPECT_LE(std::abs(q[2]), std::pow(1 + W * W, -30) * largest + 3e-14);
      }
    }
  }
}

/// A body off its centre of mass on a rod: large rotations, varying mass, a constraint.
Model make_tumbling_model() {
  support::Random random(4);
  Model model;
  const auto ground = model.add_point("ground");
  model.fix(ground);
  const auto body = model.add_frame(
      "body", {.position = {1, 0, 0.2}, .rotation = random.rotation(), .angular_velocity = {2, 0.5, -1}});
  model.add<support::OffsetBody>({.name = "mass",
                                  .node = body,
                                  .mass = 1.5,
                                  .inertia = {0.1, 0.2, 0.25},
                                  .centre = {0.1, 0.2, -0.15},
                                  .gravity = {0, 0, -g}});
  const MaterialPoint end(body, {-0.2, 0.1, 0.3});
  model.add<support::Rod>(
      {.name = "rod", .a = ground, .b = end, .length = end.position(model.initial_configuration()).norm()});
  return model;
}

struct Orders {
  double position, velocity, velocity_one_step_before;
};

/// Compared with the decoupled scheme at a step small enough for its error to be below 1e-3 of the smallest here.
Orders orders(const Model& model, double theta) {
  const System system(model);
  constexpr double until = 0.4;
  constexpr double finest = 1e-4;
  DecoupledNsga reference({.step = finest, .tolerance = 1e-11}, {.rho_inf = 1.0});
  std::vector<State> course;
  run(system, reference, static_cast<int>(std::lround(until / finest)),
      [&](const State& state, const StepReport&) { course.push_back(state); });
  std::vector<double> steps, positions, velocities, before;
  for (const double h : {0.008, 0.004, 0.002}) {
    const State state = run(system, with_theta(theta), {.step = h, .tolerance = 1e-10}, until);
    Vector apart = Vector::Zero(system.velocity_count());
    difference(system.nodes(), course.back().q, state.q, apart);
    steps.push_back(h);
    positions.push_back(apart.norm());
    velocities.push_back((state.v - course.back().v).norm());
    const auto back = static_cast<std::size_t>(std::lround(h / finest));
    before.push_back((state.v - course[course.size() - 1 - back].v).norm());
  }
  return {fitted_order(steps, positions), fitted_order(steps, velocities), fitted_order(steps, before)};
}

TEST(SchatzmanPaoli, TheExplicitSchemeIsOfSecondOrderAndItsVelocityThatOfOneStepBefore) {
  for (const Model& model : {make_free_model(), make_tumbling_model()}) {
    const Orders found = orders(model, 0.0);
    EXPECT_NEAR(found.position, 2.0, 0.1);
    EXPECT_NEAR(found.velocity, 1.0, 0.1);
    EXPECT_NEAR(found.velocity_one_step_before, 2.0, 0.1);
  }
}

TEST(SchatzmanPaoli, WithForcesAheadOfTheAccelerationItIsOfFirstOrder) {
  for (const Model& model : {make_free_model(), make_tumbling_model()}) {
    for (const double theta : {0.5, 1.0}) EXPECT_NEAR(orders(model, theta).position, 1.0, 0.15) << theta;
  }
}

/// A mass on a rod, released from the horizontal.
struct Pendulum {
  Pendulum() {
    const auto pivot = model.add_point("pivot");
    model.fix(pivot);
    bob = model.add_point("bob", {.position = {1, 0, 0}});
    model.add<support::PointMass>({.name = "mass", .node = bob, .mass = 2, .gravity = {0, -g, 0}});
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob});
  }
  Model model;
  PointNode bob;
};

TEST(SchatzmanPaoli, ConstraintsDoNotDrift) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  for (const double theta : {0.0, 0.5, 1.0}) {
    const auto integrator = make_integrator(with_theta(theta), {.step = 1e-3});
    double worst = 0;
    run(system, *integrator, 20000, [&](const State& state, const StepReport&) {
      worst = std::max(worst, std::abs(state.q.position(pendulum.bob).norm() - 1));
    });
    // 1e-8 of the motion of a step, 1e-3 s at up to 4.5 m/s.
    EXPECT_LE(worst, 1e-8 * 1e-3 * 4.5) << theta;
  }
}

TEST(SchatzmanPaoli, TheExplicitSchemeKeepsTheEnergyOfAPendulumAndTheOthersTakeIt) {
  // With theta = 0 it is SHAKE, which is symplectic: the energy of the velocity at t_n oscillates by the order of h^2.
  const Pendulum pendulum;
  const System system(pendulum.model);
  const auto lost = [&](double theta) {
    const auto integrator = make_integrator(with_theta(theta), {.step = 1e-3});
    double height = 0;
    double worst = 0;
    double last = 0;
    run(system, *integrator, 10000, [&](const State& state, const StepReport&) {
      last = -(state.v.squaredNorm() / 2 + g * height);
      worst = std::max(worst, std::abs(last));
      height = state.q.position(pendulum.bob).y();
    });
    return std::pair{last, worst};
  };
  EXPECT_LE(lost(0.0).second, 1e-6 * g * 10);
  EXPECT_GE(lost(0.5).first, 1e-3 * g);
  EXPECT_GE(lost(1.0).first, 1.5 * lost(0.5).first);
}

TEST(SchatzmanPaoli, FixedAndDrivenComponentsCarryWhatTheyHold) {
  Model model;
  const auto pivot = model.add_point("pivot");
  model.fix(pivot);
  const auto bob = model.add_point("bob", {.position = {0, 0, -0.7}});
  model.add<support::PointMass>({.name = "mass", .node = bob, .mass = 3, .gravity = {0, 0, -g}});
  model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob, .length = 0.7});
  const auto lift = model.add_point("lift", {.position = {1, 0, 0}});
  model.fix(lift, {Component::x, Component::y});
  model.drive(lift, Component::z, support::swing(0.3, 2.0));
  model.add<support::PointMass>({.name = "cabin", .node = lift, .mass = 5, .gravity = {0, 0, -g}});
  const System system(model);
  for (const double theta : {0.0, 0.5}) {
    constexpr double h = 1e-3;
    const State state = run(system, with_theta(theta), {.step = h}, 0.5);
    EXPECT_LE((state.reaction.segment<3>(pivot.v) - Vec3(0, 0, 3 * g)).norm(), 1e-6);
    EXPECT_NEAR(-state.constraint_impulse[0] / h, 3 * g, 1e-6);
    // z = 0.3 sin 2t; the second difference is its acceleration at t_n to h^2/12 of its fourth derivative.
    EXPECT_NEAR(state.q.position(lift).z(), 0.3 * std::sin(1.0), 1e-12);
    EXPECT_NEAR(state.v[lift.v + 2], 0.6 * std::cos(1.0), 1e-12);
    EXPECT_NEAR(state.reaction[lift.v + 2], 5 * (g - 1.2 * std::sin(2 * (0.5 - h))), 5 * h * h);
  }
}

TEST(SchatzmanPaoli, MasslessComponentsFollowTheirConstraints) {
  // A massless knot between two rods; ds, which supports it, is the reference.
  Model model;
  const auto top = model.add_point("top");
  model.fix(top);
  const auto knot = model.add_point("knot", {.position = {1, 0, 0}});
  const auto bob = model.add_point("bob", {.position = {1, -1, 0}});
  model.add<support::PointMass>({.name = "mass", .node = bob, .gravity = {0, -g, 0}});
  for (const auto& [name, a, b] : {std::tuple{"upper", top, knot}, {"lower", knot, bob}})
    model.add<support::Rod>({.name = name, .a = a, .b = b});
  // The third direction, which the rods do not constrain.
  model.fix(knot, {Component::z});
  model.fix(bob, {Component::z});
  model.add<support::Spring>({.name = "spring", .a = top, .b = knot, .length = 0.8, .stiffness = 5});
  const System system(model);
  const double h = 1e-3;
  const State reference = run(system, {.step = h}, 0.3);
  const State state = run(system, "schatzman-paoli", {.step = h}, 0.3);
  EXPECT_LE((state.q.position(bob) - reference.q.position(bob)).norm(), 5 * h);
  EXPECT_LE((state.q.position(knot) - reference.q.position(knot)).norm(), 5 * h);
  const Vector force = reference.constraint_force + reference.constraint_impulse / h;
  EXPECT_LE((state.constraint_impulse / h - force).norm(), 0.05 * force.norm());
}

TEST(SchatzmanPaoli, AnotherIntegratorGoesOnToTheSameBits) {
  support::Random random(1);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  SchatzmanPaoli integrator({.step = 2e-3}, {.theta = 0.5});
  State state = run(system, integrator, 200);
  State handed_over = state;
  for (int i = 0; i < 100; ++i) integrator.step(state);
  SchatzmanPaoli other({.step = 2e-3}, {.theta = 0.5});
  other.start(system);
  for (int i = 0; i < 100; ++i) other.step(handed_over);
  EXPECT_TRUE(identical(state, handed_over));
}

TEST(SchatzmanPaoli, AStepThatDoesNotConvergeNamesItselfAndLeavesTheState) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  SchatzmanPaoli integrator({.step = 0.3, .max_iterations = 1}, {.theta = 0.5});
  State state = integrator.start(system);
  const State before = state;
  const std::string message = support::message_of<SolverError>([&] { integrator.step(state); });
  EXPECT_EQ(message.find("step from t = 0 s with h = 0.3 s: the position-level problem was not solved"), 0u)
      << message;
  EXPECT_TRUE(identical(state, before));
}

}  // namespace
}  // namespace picus::schatzman_paoli_motion_test
