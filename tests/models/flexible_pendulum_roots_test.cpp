/// A stiff beam after an impact, with steps far larger than its vibrations: the equations of a step have several roots.

#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus::models {
namespace {

class FlexiblePendulumRootsTest : public testing::TestWithParam<double> {};

TEST_P(FlexiblePendulumRootsTest, NoStepEndsAtARootWithMoreEnergy) {
  const std::vector<std::string> settings = {"elements=4", "restitution=0.8", "gravity=10"};
  Trial trial{.scenario = find_model("flexible-pendulum").configure(settings)};
  trial.options.step = GetParam();
  trial.until = 0.9;
  const TrialResult result = run(trial);
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_EQ(result.fallback_count(), 0);
  // It starts at rest with zero energy; 2.8 J are released on the way down. A wrong root at h = 3e-4 s has 2000 J.
  const std::vector<double>& energy = result.find("energy").values;
  EXPECT_LT(*std::max_element(energy.begin(), energy.end()), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Steps, FlexiblePendulumRootsTest, testing::Values(1e-3, 7e-4, 5e-4, 3e-4));

}  // namespace
}  // namespace picus::models
