/// The crank-slider mechanism: free motion, symmetry, and agreement between flexible and rigid bodies.

#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

TrialResult turn(double step, double until, const std::vector<std::string>& settings = {}) {
  Trial trial{.scenario = find_model("crank-slider").configure(settings)};
  trial.options.step = step;
  trial.until = until;
  return run(trial);
}

double largest(const Series& series) {
  double worst = 0.0;
  for (const double value : series.values) worst = std::max(worst, std::abs(value));
  return worst;
}

TEST(CrankSlider, MovesFreelyAsInMinimalCoordinates) {
  const TrialResult result = turn(1e-5, 2.6e-3);
  for (const char* name : {"crank.turns", "crank.speed", "slider.x", "energy"}) {
    const Series& series = result.find(name);
    for (std::size_t i = 0; i < result.times.size(); ++i) {
      // Second order: (150 rad/s h)^2 = 2e-6.
      EXPECT_NEAR(series.values[i], series.exact[i], 5e-6 * std::abs(series.exact[i]) + 1e-12)
          << name << ", t = " << result.times[i];
    }
  }
}

TEST(CrankSlider, FollowsTheEventsOfMinimalCoordinatesOverTwoRevolutions) {
  const TrialResult result = turn(5e-5, 0.14);
  const Series& y = result.find("slider.y");
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    // First order, a hundredth of the clearance of 1 mm for each step in 5 ms between impacts.
    ASSERT_NEAR(y.values[i], y.exact[i], 1e-4) << "t = " << result.times[i];
  }
  EXPECT_NEAR(result.find("crank.turns").values.back(), result.find("crank.turns").exact.back(), 2e-3);
}

class CrankSliderTest : public testing::TestWithParam<const char*> {
 protected:
  const std::string rods = std::string("rods=") + GetParam();
};

TEST_P(CrankSliderTest, KeepsJointsAndGuides) {
  const TrialResult result = turn(1e-4, 0.15, {rods});
  EXPECT_LT(result.summary.worst_violation, 1e-10);
  EXPECT_LT(result.summary.worst_penetration, 1e-10);
  EXPECT_EQ(result.fallback_count(), 0);
}

TEST_P(CrankSliderTest, KeepsTheSliderParallelWhileAllCornersHit) {
  const TrialResult result = turn(1e-4, 0.05, {rods});
  EXPECT_LT(largest(result.find("slider.angle")), 1e-12);
  for (const char* corner : {"lower_left", "lower_right", "upper_left", "upper_right"}) {
    EXPECT_GT(largest(result.find(std::string(corner) + ".impulse")), 1e-3) << corner;
  }
}

TEST_P(CrankSliderTest, MirrorsWithTheCrankAndWithoutGravity) {
  const TrialResult up = turn(1e-4, 0.01, {rods, "gravity=0"});
  const TrialResult down = turn(1e-4, 0.01, {rods, "gravity=0", "crank_speed=-150"});
  for (const auto& [one, other] :
       {std::pair{"upper_left", "lower_left"}, std::pair{"lower_right", "upper_right"}}) {
    const Series& a = up.find(std::string(one) + ".gap");
    const Series& b = down.find(std::string(other) + ".gap");
    // Newton's iteration stops at 1e-8 of the motion in a step, which is 3 mm.
    for (std::size_t i = 0; i < a.values.size(); ++i) EXPECT_NEAR(a.values[i], b.values[i], 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Rods, CrankSliderTest, testing::Values("rigid", "flexible"),
                         [](const auto& test) { return std::string(test.param); });

TEST(CrankSlider, StartsAsARigidMechanismWhereFlexible) {
  const TrialResult result = turn(1e-6, 1e-6, {"rods=flexible", "gravity=0"});
  // Thin rods m l^2/3 about their ends; rotary inertia of the section adds at most (0.005 m/l)^2 = 1e-3 of that of
  // the rod.
  const double crank = 7800.0 * 0.0064 * 0.005 * 0.153;
  const double rod = 7800.0 * 0.0032 * 0.005 * 0.306;
  const double pin = 150.0 * 0.153;
  const double exact = crank * pin * pin / 6.0 + rod * pin * pin / 6.0;
  EXPECT_NEAR(result.find("energy").values.front(), exact, 1e-3 * exact);
}

TEST(CrankSlider, HeldByAJointIsOfSecondOrder) {
  const auto error = [](double h) {
    const TrialResult result = turn(h, 0.05, {"guide=joint", "crank_angle=0.7", "torque=2"});
    const Series& x = result.find("slider.x");
    double worst = 0.0;
    for (std::size_t i = 0; i < result.times.size(); ++i) {
      worst = std::max(worst, std::abs(x.values[i] - x.exact[i]));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(2e-4) / error(1e-4)), 2.0, 0.1);
}

TEST(CrankSlider, StartsAtAnyAngleWithTheSliderOnItsLine) {
  for (const char* rods : {"rods=rigid", "rods=flexible", "rods=flexible-rod"}) {
    const TrialResult result = turn(1e-6, 1e-6, {rods, "crank_angle=2.5"});
    // The consistent start has nothing to correct.
    EXPECT_NEAR(result.find("slider.y").values.front(), 0.0, 1e-12) << rods;
    EXPECT_NEAR(result.find("slider.vy").values.front(), 0.0, 1e-9) << rods;
    EXPECT_NEAR(result.find("crank.speed").values.front(), 150.0, 1e-9) << rods;
    EXPECT_NEAR(result.find("crank.turns").values.front(), 2.5 / (2.0 * std::numbers::pi), 1e-12) << rods;
  }
}

TEST(CrankSlider, AStiffRodMovesAsARigidOneOfItsInertia) {
  // 0.038 kg (0.306^2 + 0.005^2) m2/12.
  const std::vector<std::string> rigid = {"guide=joint", "rod_inertia=2.966e-4"};
  const std::vector<std::string> stiff = {"guide=joint", "rods=flexible-rod", "elements=8", "modulus=2.1e14"};
  const TrialResult a = turn(2e-5, 0.02, rigid);
  const TrialResult b = turn(2e-5, 0.02, stiff);
  const Series& x = a.find("slider.x");
  const Series& y = b.find("slider.x");
  // A thousandth of the bending of a steel rod, some millimetres under its own inertia.
  for (std::size_t i = 0; i < x.values.size(); ++i) EXPECT_NEAR(x.values[i], y.values[i], 2e-5);
}

TEST(CrankSlider, FollowsTheEventsOfMinimalCoordinatesWithFriction) {
  const TrialResult result = turn(2e-5, 0.05, {"mu=0.3"});
  EXPECT_LT(largest(result.find("slider.angle")), 1e-9);
  const Series& y = result.find("slider.y");
  // First order, as without friction.
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    ASSERT_NEAR(y.values[i], y.exact[i], 5e-5) << "t = " << result.times[i];
  }
  const Series& energy = result.find("energy");
  EXPECT_NEAR(energy.values.back(), energy.exact.back(), 1e-2 * energy.exact.front());
  EXPECT_LT(energy.values.back(), turn(2e-5, 0.05).find("energy").values.back() - 0.5);
}

}  // namespace
}  // namespace picus::models
