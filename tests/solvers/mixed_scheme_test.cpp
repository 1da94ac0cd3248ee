// Mixed timestepping: orders, constraints, impacts, friction, prescribed motions, refusals, for every base scheme.

#include "runs.hpp"
#include "smooth_models.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/mixed_model.hpp>
#include <support/rods.hpp>

#include <algorithm>
#include <string>

namespace picus::mixed_scheme_test {
namespace {

constexpr double g = 9.81;

std::string with_base(std::string_view base) {
  return "mixed:base=" + std::string(base);
}

/// The contact normal is z, the friction directions are x and y.
Mat3 upwards() {
  Mat3 axes;
  axes << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return axes;
}

double order_in_smooth_motion(std::string_view base, bool is_jointed) {
  const Model model = make_free_model(is_jointed);
  const System system(model);
  const State reference = run(system, "ds:rho_inf=1", {.step = 1e-4, .tolerance = 1e-12}, 0.5);
  std::vector<double> steps, errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    steps.push_back(h);
    errors.push_back(
        distance(system, run(system, with_base(base), {.step = h, .tolerance = 1e-11}, 0.5), reference));
  }
  return fitted_order(steps, errors);
}

TEST(MixedScheme, OrdersInSmoothMotionAreThoseOfTheBases) {
  // The reference, another scheme, is a hundred times finer than the largest step: its error is 1e-4 of the largest
  // one.
  for (const char* base : {"generalized-alpha", "bathe", "ed-alpha", "half-explicit"}) {
    EXPECT_NEAR(order_in_smooth_motion(base, false), 2.0, 0.1) << base;
    EXPECT_NEAR(order_in_smooth_motion(base, true), 2.0, 0.15) << base << ", with a rod";
  }
  // Forces use the velocity at t_n.
  EXPECT_NEAR(order_in_smooth_motion("moreau-midpoint", false), 1.0, 0.15);
  EXPECT_NEAR(order_in_smooth_motion("moreau-midpoint", true), 1.0, 0.15);
}

/// The error of an undamped oscillator of 1 rad/s after 10 s.
double oscillator_error(std::string_view scheme, double h) {
  Model model;
  const auto s = model.add_scalar("s", {.value = 1.0});
  model.add<support::Oscillator>({.name = "oscillator", .node = s, .stiffness = 1, .cubic = 0, .damping = 0});
  const State end = run(System(model), scheme, {.step = h, .tolerance = 1e-13}, 10.0);
  return std::hypot(end.q.value(s) - std::cos(10.0), end.v[s.v] + std::sin(10.0));
}

TEST(MixedScheme, EnergyDecayingOrdersOnTheLinearModel) {
  const auto order = [](std::string_view scheme, std::string_view rho_inf) {
    const std::string text = with_option(scheme, "rho_inf", rho_inf);
    const std::vector<double> steps{0.1, 0.05, 0.025};
    std::vector<double> errors;
    for (const double h : steps) errors.push_back(oscillator_error(text, h));
    return fitted_order(steps, errors);
  };
  // With alpha = 1/3 its rational function agrees with exp up to the third power, for rho_inf = 1 up to the fourth.
  EXPECT_NEAR(order("mixed:base=ed-alpha", "0"), 3.0, 0.05);
  EXPECT_NEAR(order("mixed:base=ed-alpha", "0.5"), 3.0, 0.1);
  EXPECT_NEAR(order("mixed:base=ed-alpha", "1"), 4.0, 0.05);
  EXPECT_NEAR(order("mixed:base=ed-alpha,alpha=0.5", "0.5"), 2.0, 0.05);
}

TEST(MixedScheme, DriftFallsWithTheOrderOfTheBase) {
  Model model;
  const auto pivot = model.add_point("pivot");
  model.fix(pivot);
  const auto bob = model.add_point("bob", {.position = {1, 0, 0}});
  model.add<support::PointMass>({.name = "mass", .node = bob, .mass = 2, .gravity = {0, -g, 0}});
  model.add<support::Rod>({.name = "rod", .a = pivot, .b = bob});
  const System system(model);
  for (const char* base : {"generalized-alpha", "bathe", "ed-alpha", "half-explicit", "moreau-midpoint"}) {
    std::vector<double> drifts;
    const std::vector<double> steps{8e-3, 4e-3, 2e-3, 1e-3};
    for (const double h : steps) {
      const auto integrator = make_integrator(with_base(base), {.step = h});
      double worst = 0;
      run(system, *integrator, static_cast<int>(std::lround(2 / h)),
          [&](const State& state, const StepReport&) {
            worst = std::max(worst, std::abs(state.q.position(bob).norm() - 1));
          });
      drifts.push_back(worst);
    }
    EXPECT_GE(fitted_order(steps, drifts), std::string_view(base) == "moreau-midpoint" ? 0.9 : 1.8) << base;
    EXPECT_GE(drifts.back(), 1e-12) << base << " has no correction at position level";
  }
}

/// A mass point above a floor at z = 0.
struct Mass {
  Mass(const Vec3& position, const Vec3& velocity, const Vec3& gravity, const ContactLaw& law) {
    node = model.add_point("mass", {.position = position, .velocity = velocity});
    model.add<support::PointMass>({.name = "point mass", .node = node, .gravity = gravity});
    model.add<support::PlaneContact>({.name = "floor", .point = node, .axes = upwards(), .law = law});
  }
  Model model;
  PointNode node;
};

class EveryBase : public testing::TestWithParam<const char*> {
 protected:
  std::string scheme = with_base(GetParam());
};

TEST_P(EveryBase, ReboundsWithTheRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Mass ball({0, 0, 0.5}, Vec3::Zero(), {0, 0, -g}, {.e_n = e, .friction_directions = 0});
    const System system(ball.model);
    const double h = 1e-3;
    const auto integrator = make_integrator(scheme, {.step = h});
    double before = 0;
    int impacts = 0;
    run(system, *integrator, 600, [&](const State& state, const StepReport& report) {
      const double speed = state.v[ball.node.v + 2];
      if (before < -1 && report.closed_contacts > 0) {
        // The weight acts during the step; Moreau's rule does not include its impulse in the velocity before.
        EXPECT_NEAR(speed, -e * before, e * g * h + 1e-7) << "e = " << e;
        EXPECT_GE(state.q.position(ball.node).z(), before * h);
        ++impacts;
      }
      before = speed;
    });
    EXPECT_GE(impacts, 1) << "e = " << e;
  }
}

TEST_P(EveryBase, ConvergesWithFirstOrderThroughImpacts) {
  // Dropped from 0.5 m with e = 0.8: the first impacts at 0.319 s and 0.830 s, evaluated until 1 s.
  const Mass ball({0, 0, 0.5}, Vec3::Zero(), {0, 0, -g}, {.e_n = 0.8, .friction_directions = 0});
  const System system(ball.model);
  const double t_1 = std::sqrt(2 * 0.5 / g);
  const double v_1 = std::sqrt(2 * g * 0.5);
  const auto height = [&](double t) {
    if (t < t_1) return 0.5 - g * t * t / 2;
    double u = 0.8 * v_1;
    double s = t - t_1;
    if (s > 2 * u / g) {
      s -= 2 * u / g;
      u *= 0.8;
    }
    return u * s - g * s * s / 2;
  };
  std::vector<double> steps, errors;
  for (double h = 0.008; h > 2e-4; h /= 1.3) {
    double error = 0;
    const auto integrator = make_integrator(scheme, {.step = h});
    const int count = static_cast<int>(1.0 / h);
    run(system, *integrator, count, [&](const State& state, const StepReport&) {
      error += std::abs(state.q.position(ball.node).z() - height(state.time)) / count;
    });
    steps.push_back(h);
    errors.push_back(error);
  }
  // The position of an impact within its step is random, which scatters single errors by a factor.
  EXPECT_NEAR(fitted_order(steps, errors), 1.0, 0.25);
}

TEST_P(EveryBase, ASlidingMassStopsWhereItShouldAndSticks) {
  const Vec3 v_0(1.2, -0.9, 0);
  const Mass block(Vec3::Zero(), v_0, {0, 0, -g}, {.mu = 0.3});
  const double distance = v_0.squaredNorm() / (2 * 0.3 * g);
  const State state = run(System(block.model), scheme, {.step = 1e-3}, 0.8);
  EXPECT_NEAR(state.q.position(block.node).norm(), distance, v_0.norm() * 1e-3);
  EXPECT_LE(state.v.norm(), 1e-8);
  EXPECT_EQ(state.contact_state[0], ContactState::stick);
  EXPECT_NEAR(state.contact_impulse[0], g * 1e-3, 1e-6);

  const Mass held(Vec3::Zero(), Vec3::Zero(), {2.5, 0, -g}, {.mu = 0.3});
  const State stuck = run(System(held.model), scheme, {.step = 1e-3}, 1.0);
  // 2.5 N against mu m g = 2.94 N.
  EXPECT_EQ(stuck.contact_state[0], ContactState::stick);
  EXPECT_NEAR(stuck.contact_impulse[1], -2.5e-3, 1e-6);
  EXPECT_LE(stuck.q.position(held.node).head<2>().norm(), 1e-5);
}

TEST_P(EveryBase, AMassThatPushesANeighbourHitsBoth) {
  // The lower mass lies on the floor and the upper one falls on it: the floor's impulse is part of the same impact.
  Model model;
  const auto low = model.add_point("low");
  const auto high = model.add_point("high", {.position = {0, 0, 0.2}, .velocity = {0, 0, -1}});
  for (const auto& [name, node] : {std::pair{"low mass", low}, {"high mass", high}})
    model.add<support::PointMass>({.name = name, .node = node, .mass = 2});
  model.add<support::PlaneContact>(
      {.name = "floor", .point = low, .axes = upwards(), .law = {.e_n = 0, .friction_directions = 0}});
  model.add<support::Rod>({.name = "rod", .a = low, .b = high});
  const System system(model);
  const State end = run(system, scheme, {.step = 1e-3}, 1e-2);
  // Both stop: the momentum of 2 kg m/s goes into the floor. Stages satisfy rates to 1e-8 of 1 m/s and, where
  // reactions still decay after the impact, to 1e-8 of their impulses.
  EXPECT_LE(end.v.norm(), 1e-6);
}

TEST_P(EveryBase, FixedAndDrivenComponentsCarryWhatTheyHold) {
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
  const State state = run(System(model), scheme, {.step = 1e-3}, 0.5);
  EXPECT_LE((state.reaction.segment<3>(pivot.v) - Vec3(0, 0, 3 * g)).norm(), 1e-6);
  EXPECT_NEAR(state.q.position(lift).z(), 0.3 * std::sin(1.0), 1e-12);
  EXPECT_NEAR(state.v[lift.v + 2], 0.6 * std::cos(1.0), 1e-12);
  // z = 0.3 sin 2t. Explicit rules hold the cabin with a mean over the step or a value before it.
  EXPECT_NEAR(state.reaction[lift.v + 2], 5 * (g - 1.2 * std::sin(1.0)), 5e-3);
}

TEST_P(EveryBase, GoesOnFromASavedStateToTheSameBits) {
  Model model = make_free_model(true);
  const auto ball = model.add_point("ball", {.position = {3, 0, 0.0006}, .velocity = {0.2, 0.1, -0.05}});
  model.add<support::PointMass>({.name = "mass of the ball", .node = ball, .gravity = {0, 0, -g}});
  model.add<support::PlaneContact>(
      {.name = "floor", .point = ball, .axes = upwards(), .law = {.mu = 0.2, .e_n = 0.3}});
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = 1e-3});
  State state = run(system, *integrator, 20);
  State copy = state;
  for (int i = 0; i < 10; ++i) integrator->step(state);
  for (int i = 0; i < 10; ++i) integrator->step(copy);
  EXPECT_TRUE(identical(state, copy));
}

INSTANTIATE_TEST_SUITE_P(Mixed, EveryBase,
                         testing::Values("generalized-alpha", "bathe", "ed-alpha", "half-explicit",
                                         "moreau-midpoint"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(MixedScheme, RefusesWhatItCannotDo) {
  const auto message_of = [](std::string_view text, const SchemeOptions& options = {}) -> std::string {
    try {
      make_integrator(text, options);
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of("mixed:base=bath"),
            "scheme \"mixed\": option base is \"bath\", must be one of generalized-alpha, bathe, ed-alpha, "
            "moreau-midpoint, half-explicit (did you mean \"bathe\"?)");
  EXPECT_EQ(message_of("mixed:base=ed-alpha,alpha=0"),
            "scheme \"mixed\": option alpha is 0, must lie in (0, 1]");
  EXPECT_EQ(message_of("mixed:base=bathe,alpha=0.2"),
            "scheme \"mixed\": alpha has no meaning when the base is not ed-alpha");
  EXPECT_EQ(
      message_of("mixed:base=bathe,rho_inf=0.8"),
      "scheme \"mixed\": rho_inf has no meaning when the base is neither generalized-alpha nor ed-alpha");
  EXPECT_EQ(message_of("mixed:rho_inf=0.5"), "");
  EXPECT_EQ(message_of("mixed:base=ed-alpha,rho_inf=0.5"), "");
}

TEST(MixedScheme, AStepThatDoesNotConvergeNamesItselfAndLeavesTheState) {
  const Model model = make_free_model(true);
  const System system(model);
  const auto integrator = make_integrator("mixed:base=bathe", {.step = 0.3, .max_iterations = 1});
  State state = integrator->start(system);
  const State before = state;
  try {
    integrator->step(state);
    FAIL() << "one iteration is not enough for a step of 0.3 s";
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("the stage to t = 0.15 s (base bathe) was not solved"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(identical(state, before));
}

}  // namespace
}  // namespace picus::mixed_scheme_test
