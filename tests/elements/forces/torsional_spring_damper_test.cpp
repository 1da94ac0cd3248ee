#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus {
namespace {

using support::message_of;

class TorsionalSpringDamperTest : public ::testing::Test {
 protected:
  Handle<TorsionalSpringDamper> add(double stiffness, double damping, double free_angle = 0.25) {
    return model.add<TorsionalSpringDamper>({.name = "spring",
                                             .node = angle,
                                             .stiffness = stiffness,
                                             .damping = damping,
                                             .free_angle = free_angle});
  }
  std::string refusal(double stiffness, double damping, double free_angle = 0.25) {
    return message_of<ModelError>([&] { add(stiffness, damping, free_angle); });
  }

  Model model{"m"};
  ScalarNode angle = model.add_scalar("angle", {.value = 0.75});
  Vector v = Vector::Constant(1, 2.0);
};

TEST_F(TorsionalSpringDamperTest, OpposesAngleAndRate) {
  const auto spring = add(4.0, 0.5);
  EXPECT_EQ(support::force(*spring, model.initial_configuration(), v)[0], -4.0 * 0.5 - 0.5 * 2.0);
  EXPECT_EQ(spring->potential_energy(model.initial_configuration(), 0.0), 0.5 * 4.0 * 0.25);
  support::expect_exact_tangents(model, *spring);
}

TEST_F(TorsionalSpringDamperTest, LosesEnergyInItsDamperAlone) {
  const auto spring = add(4.0, 0.5);
  Vector elastic = Vector::Zero(1);
  spring->conservative_force(model.initial_configuration(), 0.0, {elastic.data(), 1});
  const Vector f = support::force(*spring, model.initial_configuration(), v);
  EXPECT_EQ((f - elastic).dot(v), -0.5 * 2.0 * 2.0);
  EXPECT_FALSE(spring->traits().is_conservative);
}

TEST_F(TorsionalSpringDamperTest, WithoutDampingIsConservative) {
  const auto spring = add(4.0, 0.0);
  EXPECT_TRUE(spring->traits().is_conservative);
  EXPECT_FALSE(spring->traits().depends_on_velocity);
  support::expect_exact_tangents(model, *spring);
}

TEST_F(TorsionalSpringDamperTest, MayBeADamperAlone) {
  const auto damper = add(0.0, 0.5);
  EXPECT_FALSE(damper->traits().depends_on_configuration);
  EXPECT_EQ(support::force(*damper, model.initial_configuration(), v)[0], -1.0);
  support::expect_exact_tangents(model, *damper);
}

TEST_F(TorsionalSpringDamperTest, FollowsAnyLaw) {
  const auto spring = model.add<TorsionalSpringDamper>(
      {.name = "pendulum",
       .node = angle,
       .free_angle = 0.25,
       .law = ScalarLaw::function([](double e) { return 5 * std::sin(e); },
                                  [](double e) { return 5 * std::cos(e); }),
       .damping_law =
           ScalarLaw::function([](double w) { return w * w * w; }, [](double w) { return 3 * w * w; })});
  EXPECT_NEAR(support::force(*spring, model.initial_configuration(), v)[0], -5 * std::sin(0.5) - 8.0, 1e-14);
  EXPECT_NEAR(spring->potential_energy(model.initial_configuration(), 0.0), 5 * (1 - std::cos(0.5)), 1e-14);
  support::expect_exact_tangents(model, *spring);
}

TEST_F(TorsionalSpringDamperTest, RefusesALawBesideConstants) {
  const auto with = [&](double stiffness, double damping) {
    return message_of<ModelError>([&] {
      model.add<TorsionalSpringDamper>({.name = "spring",
                                        .node = angle,
                                        .stiffness = stiffness,
                                        .damping = damping,
                                        .law = ScalarLaw::linear(1.0),
                                        .damping_law = ScalarLaw::linear(1.0)});
    });
  };
  EXPECT_EQ(with(1.0, 0.0), "torsional spring-damper \"spring\": both law and stiffness are given");
  EXPECT_EQ(with(0.0, 1.0), "torsional spring-damper \"spring\": both damping_law and damping are given");
}

TEST_F(TorsionalSpringDamperTest, RefusesNegativeConstants) {
  EXPECT_EQ(refusal(-4.0, 0.0),
            "torsional spring-damper \"spring\": stiffness is -4 N m/rad, must not be negative");
  EXPECT_EQ(refusal(4.0, -0.5),
            "torsional spring-damper \"spring\": damping is -0.5 N m s/rad, must not be negative");
  EXPECT_EQ(refusal(4.0, 0.5, std::numeric_limits<double>::quiet_NaN()),
            "torsional spring-damper \"spring\": free_angle is nan rad, must be a finite number");
  angle = {};
  EXPECT_EQ(refusal(4.0, 0.5), "torsional spring-damper \"spring\": node is not a node of model \"m\"");
}

}  // namespace
}  // namespace picus
