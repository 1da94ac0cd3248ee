/// The chain of three masses: properties of every scheme, for its three ends.

#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

TrialResult move(double step, double until, const std::vector<std::string>& settings,
                 const std::string& scheme = "ds") {
  Trial trial{.scenario = find_model("three-masses").configure(settings), .scheme = scheme};
  trial.options.step = step;
  trial.until = until;
  return run(trial);
}

double worst_error(const Series& series) {
  double worst = 0.0;
  for (std::size_t i = 1; i < series.values.size(); ++i) {
    worst = std::max(worst, std::abs(series.values[i] - series.exact[i]));
  }
  return worst;
}

class ThreeMassesTest : public testing::TestWithParam<const char*> {
 protected:
  const std::string end = std::string("end=") + GetParam();
};

TEST_P(ThreeMassesTest, FollowsTheModes) {
  // A spring at the wall that the step resolves.
  const TrialResult result = move(1e-3, 10.0, {end, "stiff=20"});
  for (const char* name : {"mass_1.x", "mass_2.x", "mass_3.x", "mass_1.vx", "mass_2.vx", "mass_3.vx"}) {
    // Second order, (w h)^2 = 2e-5 of a few metres.
    EXPECT_LT(worst_error(result.find(name)), 1e-4) << name;
  }
  // The force of joint and stop is the mean over a step: error h/2 times its rate, k_2 v_2 <= 3 N/s.
  EXPECT_LT(worst_error(result.find("wall.force")), 2e-3);
}

TEST_P(ThreeMassesTest, IsOfSecondOrder) {
  const auto error = [&](double h) { return worst_error(move(h, 5.0, {end, "stiff=20"}).find("mass_2.x")); };
  EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Ends, ThreeMassesTest, testing::Values("spring", "joint", "stop"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ThreeMasses, JointAndStopComeTogetherWhileTheStopPushes) {
  // In the first step the stop must remove the initial acceleration of mass 3: at most P h^2 of its position.
  const auto difference = [](double h) {
    const TrialResult joint = move(h, 10.0, {"end=joint"});
    const TrialResult stop = move(h, 10.0, {"end=stop"});
    EXPECT_GT(*std::ranges::min_element(stop.find("wall.force").exact), 0.0);
    double worst = 0.0;
    for (std::size_t i = 0; i < joint.times.size(); ++i) {
      worst = std::max(worst, std::abs(joint.find("mass_2.x").values[i] - stop.find("mass_2.x").values[i]));
    }
    return worst;
  };
  EXPECT_LT(difference(0.05), 5.0 * 0.05 * 0.05);
  EXPECT_LT(difference(0.01), 5.0 * 0.01 * 0.01);
}

TEST(ThreeMasses, HasNoExactMotionOnceTheStopWouldHaveToPull) {
  const TrialResult pulled = move(0.05, 10.0, {"end=stop", "preload=0"});
  EXPECT_TRUE(pulled.find("mass_1.x").exact.empty());
  // The joint pulls.
  EXPECT_FALSE(move(0.05, 10.0, {"end=joint", "preload=0"}).find("mass_1.x").exact.empty());
  EXPECT_LT(*std::ranges::min_element(pulled.find("mass_3.x").values), -0.1);
}

}  // namespace
}  // namespace picus::models
