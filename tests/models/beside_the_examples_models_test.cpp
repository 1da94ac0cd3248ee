// The driven linkage, the shaken pendulum, the moved scene and the twisted shaft.

#include <picus/models/driven_linkage.hpp>
#include <picus/models/flexible_cube.hpp>
#include <picus/models/moved_scene.hpp>
#include <picus/models/shaken_pendulum.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/models/twisted_shaft.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models::beside_the_examples_models_test {
namespace {

TrialResult run_of(const RegisteredModel& model, const std::vector<std::string>& settings = {},
                   double until = 0.0) {
  return run({.scenario = model.configure(settings),
              .options = {.step = model.info().step},
              .until = until > 0 ? until : model.info().until});
}

TEST(DrivenLinkage, LosesNothingWithoutDampers) {
  const std::vector<std::string> settings = {"damping=0", "relaxation_time=0"};
  const TrialResult result = run_of(registered_driven_linkage(), settings);
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_EQ(result.find("work_of_dampers").values.back(), 0.0);
  // The motor gives all energy but what the scheme takes from vibrations of the beam that it does not resolve.
  const std::vector<double>& energy = result.find("energy").values;
  const double work = result.find("work_of_motor").values.back();
  EXPECT_GT(work, 1.0);
  EXPECT_NEAR(energy.back() - energy.front(), work + result.find("balance").values.back(), 1e-9 * work);
}

TEST(DrivenLinkage, IsAsSlowAsItsMotor) {
  const std::vector<std::string> settings = {"speed=1e-3", "gravity=0", "elements=3"};
  const TrialResult result = run_of(registered_driven_linkage(), settings);
  ASSERT_TRUE(result.is_complete()) << result.failure;
  // The crank turns by less than 1 mrad, the rocker by less than the crank, whose pivot is nearer to its end.
  const double turned = std::abs(result.find("rocker").values.back());
  EXPECT_GT(turned, 1e-6);
  EXPECT_LT(turned, 1e-3);
  EXPECT_LE(std::ranges::max(result.find("work_of_dampers").values), 0.0);
}

// phi = -m c/J (x + O(x^3)) while the arm is hardly inclined.
TEST(ShakenPendulumReference, IsThatOfSmallMotions) {
  const ShakenPendulum p{.mass = 3.0, .arm = 0.25, .radius = 0.05, .amplitude = 1e-5, .frequency = 5.0};
  const auto reference = shaken_pendulum_reference(p);
  const double ratio = p.arm / (0.4 * p.radius * p.radius + p.arm * p.arm);
  for (const double t : {0.2, 0.6283, 2.0}) {
    EXPECT_NEAR(reference(t).angle, -ratio * p.amplitude * (1 - std::cos(p.frequency * t)), 1e-11);
    EXPECT_NEAR(reference(t).rate, -ratio * p.amplitude * p.frequency * std::sin(p.frequency * t), 1e-11);
  }
}

TEST(ShakenPendulum, FollowsItsReference) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{}, {"acceleration=yes"}, {"arm=0.3", "radius=0.2", "frequency=9"}}) {
    const TrialResult result = run_of(registered_shaken_pendulum(), settings);
    ASSERT_TRUE(result.is_complete()) << result.failure;
    EXPECT_EQ(result.fallback_count(), 0);
    // Of second order: h^2 times a third derivative of up to 1e3 and 0.8 s.
    for (const Series& series : result.series) {
      if (series.exact.empty()) continue;
      for (std::size_t i = 0; i < series.values.size(); ++i)
        ASSERT_NEAR(series.values[i], series.exact[i], 1e-3) << series.name << " in step " << i;
    }
  }
}

TEST(MovedScene, IsTheSameElsewhere) {
  const TrialResult here = run_of(registered_moved_scene());
  const std::vector<std::string> settings = {"y=1000", "wheel=yes"};
  const TrialResult there = run_of(registered_moved_scene(), settings);
  ASSERT_TRUE(here.is_complete()) << here.failure;
  ASSERT_TRUE(there.is_complete()) << there.failure;
  for (const Series& series : here.series)
    EXPECT_NEAR(there.find(series.name).values.back(), series.values.back(), 1e-9) << series.name;
}

TEST(MovedScene, HitsFloorAndBall) {
  const TrialResult result = run_of(registered_moved_scene());
  EXPECT_NEAR(std::ranges::min(result.find("a.z").values), 0.1, 1e-10);
  const std::vector<double>& hit = result.find("b.x").values;
  EXPECT_GT(hit.back() - hit.front(), 0.05);
  EXPECT_LT(hit.back(), 0.5);
}

TEST(TwistedShaft, IsTwistedEvenlyInEquilibrium) {
  const std::vector<std::string> settings = {"load=moment", "elements=3", "torque=9"};
  const TrialResult result = run({.scenario = registered_twisted_shaft().configure(settings),
                                  .scheme = "static",
                                  .options = {.step = 0.25},
                                  .until = 1.0});
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_NEAR(result.find("twist").values.back(), 4.5, 1e-8);
  EXPECT_NEAR(result.find("element").values.back(), 1.5, 1e-8);
  EXPECT_EQ(result.find("twist").exact.back(), 4.5);
}

TEST(TwistedShaft, TurnsWithItsMotorToTheLimitOfAnElement) {
  const std::vector<std::string> settings = {"elements=3", "speed=-0.5"};
  const TrialResult result = run_of(registered_twisted_shaft(), settings);
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_NEAR(result.find("twist").values.back(), -2.0, 1e-9);
  const std::vector<std::string> one = {"elements=1", "speed=-2"};
  const TrialResult end = run_of(registered_twisted_shaft(), one);
  EXPECT_NE(end.failure.find("\"shaft[0]\""), std::string::npos) << end.failure;
  EXPECT_NEAR(end.find("twist").values.back(), -3.0, 0.04);
}

TEST(FlexibleCube, KnowsItsLowestNode) {
  const std::vector<std::string> settings = {"divisions=2", "height=0.02"};
  const TrialResult result = run(
      {.scenario = registered_flexible_cube().configure(settings), .options = {.step = 2e-4}, .until = 0.08});
  ASSERT_TRUE(result.is_complete()) << result.failure;
  const std::vector<double>& lowest = result.find("lowest").values;
  EXPECT_EQ(lowest.front(), 0.02);
  EXPECT_NEAR(std::ranges::min(lowest), 0.0, 1e-9);
}

}  // namespace
}  // namespace picus::models::beside_the_examples_models_test
