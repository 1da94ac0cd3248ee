// The schemes with constraints at velocity level in smooth motion: order, drift, special cases, reactions.

#include "runs.hpp"
#include "smooth_models.hpp"
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/dense_algebra.hpp>
#include <support/mixed_model.hpp>
#include <support/rods.hpp>

#include <algorithm>

namespace picus::velocity_level_motion_test {
namespace {

constexpr double g = 9.81;

TEST(VelocityLevel, ChenWithoutRowsIsTheGeneralizedAlphaMethod) {
  const Model model = make_free_model();
  const System system(model);
  for (const double rho : {0.0, 0.5, 1.0}) {
    const SchemeOptions options{.step = 0.02, .tolerance = 1e-12};
    const std::string value = number_text(rho);
    // Both solve the same equations to 1e-12 of the motion of a step, fifty times.
    EXPECT_LE(distance(system, run(system, "chen:rho_inf=" + value, options, 1.0),
                       run(system, "ds:rho_inf=" + value, options, 1.0)),
              1e-10);
  }
}

TEST(VelocityLevel, TheTrapezoidalRuleIsASpecialCaseOfBothFamilies) {
  // Chen 2013, section 3: theta = 1/2 is alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2, constraints included.
  support::Random random(11);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  const SchemeOptions options{.step = 5e-3, .tolerance = 1e-12};
  const State theta = run(system, "moreau-jean:theta=0.5", options, 0.5);
  const State newmark = run(system, "newmark-implicit:gamma=0.5,beta=0.25", options, 0.5);
  EXPECT_LE(distance(system, theta, newmark), 1e-9);
  EXPECT_LE((theta.constraint_impulse - newmark.constraint_impulse).lpNorm<Eigen::Infinity>(), 1e-9);
}

/// The mixed model with its constraints, half a second.
State mixed_motion(const System& system, std::string_view scheme) {
  return run(system, scheme, {.step = 5e-3, .tolerance = 1e-12}, 0.5);
}

TEST(VelocityLevel, NamedSchemesAreMembersOfNewmarksFamily) {
  support::Random random(12);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  EXPECT_TRUE(identical(mixed_motion(system, "newmark:gamma=1,beta=0.5625"),
                        mixed_motion(system, "newmark-implicit")));
  EXPECT_TRUE(identical(mixed_motion(system, "hht:alpha=0"), mixed_motion(system, "newmark")));
  EXPECT_TRUE(identical(mixed_motion(system, "newmark"), mixed_motion(system, "newmark:beta=0.25")));
  EXPECT_FALSE(identical(mixed_motion(system, "newmark:gamma=0.6"), mixed_motion(system, "newmark")));
}

TEST(VelocityLevel, AcarysVariantOfTheThetaMethodIsNewmarkWithBetaHalfOfGamma) {
  // h (v_n + v)/2 with v of theta and vd is h v_n + h^2/2 ((1 - theta) vd_n + theta vd) + h/2 W.
  support::Random random(13);
  const Model model = support::make_mixed_model(random, false);
  const System system(model);
  for (const char* theta : {"0.5", "0.8", "1"}) {
    const State variant = mixed_motion(system, std::string("moreau-jean:dissipates=yes,theta=") + theta);
    const State newmark = mixed_motion(system, std::string("newmark:gamma=") + theta);
    EXPECT_LE(distance(system, variant, newmark), 1e-9) << theta;
    EXPECT_LE((variant.constraint_impulse - newmark.constraint_impulse).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

double order_in_smooth_motion(std::string_view scheme) {
  const Model model = make_free_model();
  const System system(model);
  const State reference = run(system, "ds:rho_inf=1", {.step = 1e-4, .tolerance = 1e-12}, 0.5);
  std::vector<double> steps, errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    steps.push_back(h);
    errors.push_back(distance(system, run(system, scheme, {.step = h, .tolerance = 1e-11}, 0.5), reference));
  }
  return fitted_order(steps, errors);
}

TEST(VelocityLevel, OrdersInSmoothMotionAreThoseOfTheUnderlyingMethods) {
  // The reference is a hundred times finer than the largest step; its own error is 1e-4 of the largest.
  EXPECT_NEAR(order_in_smooth_motion("chen"), 2.0, 0.1);
  EXPECT_NEAR(order_in_smooth_motion("moreau-jean:theta=0.5"), 2.0, 0.1);
  EXPECT_NEAR(order_in_smooth_motion("newmark"), 2.0, 0.1);
  EXPECT_NEAR(order_in_smooth_motion("hht:alpha=0.3"), 2.0, 0.1);
  EXPECT_NEAR(order_in_smooth_motion("moreau-jean:theta=0.5,dissipates=yes"), 2.0, 0.1);
  EXPECT_NEAR(order_in_smooth_motion("newmark-implicit"), 1.0, 0.15);
  EXPECT_NEAR(order_in_smooth_motion("newmark:gamma=0.7"), 1.0, 0.15);
  EXPECT_NEAR(order_in_smooth_motion("moreau-jean:dissipates=yes"), 1.0, 0.15);
  EXPECT_NEAR(order_in_smooth_motion("moreau-jean"), 1.0, 0.15);
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
  /// The largest error of the length over two seconds.
  double drift(std::string_view scheme, double h) const {
    const System system(model);
    const auto integrator = make_integrator(scheme, {.step = h});
    double worst = 0;
    run(system, *integrator, static_cast<int>(std::lround(2 / h)),
        [&](const State& state, const StepReport&) {
          worst = std::max(worst, std::abs(state.q.position(bob).norm() - 1));
        });
    return worst;
  }
  Model model;
  PointNode bob;
};

/// Spectral radius of a step for an oscillator, with wh the frequency times the step, which maps q, v/w and a/w^2.
double spectral_radius(std::string_view scheme, double wh) {
  Model model;
  const auto s = model.add_scalar("s", {.value = 1});
  model.add<support::Oscillator>({.name = "oscillator", .node = s, .stiffness = wh * wh});
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = 1.0});
  Mat3 step;
  for (Index column = 0; column < 3; ++column) {
    State state = integrator->start(system);
    state.q.value(s) = column == 0 ? 1 : 0;
    state.v[s.v] = column == 1 ? wh : 0;
    state.auxiliary[s.v] = column == 2 ? wh * wh : 0;
    state.acceleration[s.v] = -wh * wh * state.q.value(s);
    integrator->step(state);
    step.col(column) << state.q.value(s), state.v[s.v] / wh, state.auxiliary[s.v] / (wh * wh);
  }
  return support::spectral_radius(step);
}

TEST(VelocityLevel, HhtTakesFromHighFrequenciesWhatAlphaSays) {
  // (1 - alpha)/(1 + alpha) at infinite frequency (Hughes 1987). There two roots merge, so that at w h = 1e3 their
  // distance is of the order of 1/(w h).
  for (const auto& [scheme, alpha] : {std::pair{"hht:alpha=0.1", 0.1}, {"hht:alpha=0.3", 0.3}}) {
    EXPECT_NEAR(spectral_radius(scheme, 1e3), (1 - alpha) / (1 + alpha), 1e-3);
    EXPECT_GE(spectral_radius(scheme, 0.1), 0.9998) << "low frequencies stay";
  }
  EXPECT_NEAR(spectral_radius("newmark", 1e3), 1.0, 1e-6);
}

TEST(VelocityLevel, DriftIsOfFirstOrderForImplicitEulerAndOfSecondForChen) {
  // With theta = 1 the bob moves along the tangent at the end of a step, which adds (h v)^2 / 2 each time. With the
  // mean of both tangents only a third power remains.
  const Pendulum pendulum;
  std::vector<double> steps{8e-3, 4e-3, 2e-3, 1e-3};
  const auto order = [&](std::string_view scheme) {
    std::vector<double> drifts;
    for (const double h : steps) drifts.push_back(pendulum.drift(scheme, h));
    return fitted_order(steps, drifts);
  };
  EXPECT_NEAR(order("moreau-jean"), 1.0, 0.1);
  EXPECT_GE(order("chen"), 1.9);
  EXPECT_GE(pendulum.drift("moreau-jean", 1e-3), 100 * pendulum.drift("chen", 1e-3));
}

TEST(VelocityLevel, AProjectionKeepsConstraints) {
  const Pendulum pendulum;
  for (const char* scheme :
       {"chen:projection=yes", "newmark-implicit:projection=yes", "moreau-jean:projection=yes",
        "newmark:projection=yes", "hht:projection=yes", "moreau-jean:dissipates=yes,projection=yes"}) {
    // 1e-8 of the motion of a step, 1e-3 s at up to 4.5 m/s.
    EXPECT_LE(pendulum.drift(scheme, 1e-3), 1e-10) << scheme;
  }
}

TEST(VelocityLevel, TheImpulseOfAConstraintAtTheEndOfAStepTakesEnergy) {
  // v~ = v + h g is projected onto the tangent at the end, which the step rotates by d = h v: v cos d is left of v,
  // and the weight does work along that tangent, not along the mean one: both are of second order in a step,
  //   dE = -v^2 d^2 / 2 - h v g_r d / 2,   g_r the radial part of the weight.
  const Pendulum pendulum;
  const System system(pendulum.model);
  for (const char* scheme : {"chen", "chen:projection=yes"}) {
    for (const double h : {2e-3, 1e-3}) {
      const auto integrator = make_integrator(scheme, {.step = h});
      double predicted = 0;
      const State end = run(system, *integrator, static_cast<int>(std::lround(2 / h)),
                            [&](const State& state, const StepReport&) {
                              const double square = state.v.squaredNorm();
                              const double radial = -g * state.q.position(pendulum.bob).y();
                              predicted += h * h * square * (square + radial) / 2;
                            });
      const double loss = -(end.v.squaredNorm() / 2 + g * end.q.position(pendulum.bob).y());
      // The rest is of higher order in h, 2e-3 times a few rad/s.
      EXPECT_NEAR(loss, predicted, 0.02 * predicted) << scheme << ", h = " << h;
    }
  }
}

TEST(VelocityLevel, MasslessComponentsFollowTheirConstraints) {
  // A massless knot between two rods and a spring; ds, which supports it, is the reference.
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
  for (const char* scheme : {"chen", "newmark-implicit", "moreau-jean:theta=0.5"}) {
    const State state = run(system, scheme, {.step = h}, 0.3);
    EXPECT_LE((state.q.position(bob) - reference.q.position(bob)).norm(), 5 * h) << scheme;
    EXPECT_LE((state.q.position(knot) - reference.q.position(knot)).norm(), 5 * h) << scheme;
    const Vector force = reference.constraint_force + reference.constraint_impulse / h;
    EXPECT_LE((state.constraint_impulse / h - force).norm(), 0.05 * force.norm()) << scheme;
  }
}

TEST(VelocityLevel, FixedComponentsCarryWhatTheyHold) {
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
  for (const char* scheme : {"chen", "newmark-implicit", "moreau-jean"}) {
    const State state = run(system, scheme, {.step = 1e-3}, 0.5);
    EXPECT_LE((state.reaction.segment<3>(pivot.v) - Vec3(0, 0, 3 * g)).norm(), 1e-6) << scheme;
    // z = 0.3 sin 2t.
    EXPECT_NEAR(state.reaction[lift.v + 2], 5 * (g - 1.2 * std::sin(2 * 0.5)), 1e-6) << scheme;
  }
}

TEST(VelocityLevel, AStepThatDoesNotConvergeNamesItselfAndLeavesTheState) {
  const Pendulum pendulum;
  const System system(pendulum.model);
  const auto integrator = make_integrator("chen", {.step = 0.3, .max_iterations = 1});
  State state = integrator->start(system);
  const State before = state;
  try {
    integrator->step(state);
    FAIL() << "one iteration is not enough for a step of 0.3 s";
  } catch (const SolverError& error) {
    EXPECT_NE(std::string(error.what()).find("the velocity-level problem was not solved"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(identical(state, before));
}

}  // namespace
}  // namespace picus::velocity_level_motion_test
