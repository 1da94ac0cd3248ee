#include <picus/error.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/scheme_comparison.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace picus::models::scheme_comparison_test {
namespace {

using testing::HasSubstr;

SchemeComparison comparison_of(const char* model, std::vector<std::string> schemes,
                               const std::vector<std::string>& settings = {}) {
  const ModelInfo& info = find_model(model).info();
  return {.scenario = find_model(model).configure(settings),
          .schemes = std::move(schemes),
          .step = info.step,
          .until = info.until};
}

TEST(SchemeComparison, TellsHowFarTheEndsAreApart) {
  SchemeComparison comparison = comparison_of("spinning-top", {"ds", "ds-a", "ds"});
  comparison.until = 0.1;
  const auto outcomes = compare_schemes(comparison);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_FALSE(outcomes[0].distance);
  EXPECT_FALSE(outcomes[0].time_ratio);
  const auto end = [](const SchemeOutcome& outcome) { return outcome.result.summary.final_state.q.data(); };
  const auto distance =
      std::hypot(end(outcomes[1])[0] - end(outcomes[0])[0], end(outcomes[1])[1] - end(outcomes[0])[1],
                 end(outcomes[1])[2] - end(outcomes[0])[2]);
  EXPECT_GT(distance, 0.0);
  EXPECT_NEAR(outcomes[1].distance.value(), distance, 1e-15);
  EXPECT_GT(outcomes[1].time_ratio.value(), 0.0);
  EXPECT_EQ(outcomes[2].distance.value(), 0.0);
  EXPECT_TRUE(outcomes[0].result.series.empty());
}

TEST(SchemeComparison, EndsAllRunsWhereTheTimeOfTheFirstIsUp) {
  SchemeComparison comparison = comparison_of("bouncing-ball", {"ds", "ds-a"});
  comparison.step = 1e-6;
  comparison.longest = 0.05;
  const auto outcomes = compare_schemes(comparison);
  EXPECT_TRUE(outcomes[0].result.is_cut_short);
  EXPECT_LT(outcomes[0].reached(), comparison.until);
  EXPECT_EQ(outcomes[0].until, outcomes[0].reached());
  EXPECT_EQ(outcomes[1].until, outcomes[0].until);
  ASSERT_FALSE(outcomes[1].result.is_cut_short) << "five times the limit is enough";
  EXPECT_EQ(outcomes[1].result.summary.steps, outcomes[0].result.summary.steps);
  EXPECT_TRUE(outcomes[1].distance);
}

TEST(SchemeComparison, HasFailuresAsOutcomes) {
  // One that cannot start, and one whose steps fail.
  const auto refused = compare_schemes(comparison_of("kane-pendulum", {"ds", "ds-a"}, {"law=lzb"}));
  EXPECT_TRUE(refused[0].result.is_complete());
  EXPECT_THAT(refused[1].result.failure, HasSubstr("knows Newton's law of impact only"));
  EXPECT_FALSE(refused[1].distance);
  EXPECT_EQ(refused[1].reached(), 0.0);

  SchemeComparison failing = comparison_of("elastic-bar", {"cs", "ds"});
  failing.step = 2e-2;
  const auto outcomes = compare_schemes(failing);
  EXPECT_FALSE(outcomes[0].result.is_complete());
  EXPECT_TRUE(outcomes[1].result.is_complete());
  EXPECT_FALSE(outcomes[1].time_ratio) << "there is nothing to compare with";
}

TEST(SchemeComparison, ObeysAStopRequest) {
  const std::atomic<bool> stop = true;
  SchemeComparison comparison = comparison_of("bouncing-ball", {"ds", "ds-a"});
  comparison.stop_request = &stop;
  EXPECT_THROW(compare_schemes(comparison), Interrupted);
}

}  // namespace
}  // namespace picus::models::scheme_comparison_test
