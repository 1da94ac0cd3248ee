/// The block on the belt: it agrees with the event-driven solution, and the driven belt supplies the work of
/// friction.

#include <picus/models/belt.hpp>
#include <picus/models/references/belt_exact.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

TrialResult run_belt(double step, double until, std::vector<std::string> settings = {}) {
  Trial trial{.scenario = registered_belt().configure(settings)};
  trial.options.step = step;
  trial.until = until;
  return run(trial);
}

TEST(Belt, FollowsTheEventDrivenSolution) {
  // Two steps of error at each of the first impacts, 2 m/s fast, and ten when the bounces have ended.
  const double h = 2e-4;
  const TrialResult trial = run_belt(h, 1.5);
  ASSERT_TRUE(trial.is_complete()) << trial.failure;
  for (const std::string name : {"block.x", "block.y"}) {
    const Series& series = trial.find(name);
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      ASSERT_NEAR(series.values[i], series.exact[i], 10 * h) << name << " at " << trial.times[i];
    }
  }
  EXPECT_EQ(trial.fallback_count(), 0);
}

TEST(Belt, CarriesTheBlockWithItsOwnVelocity) {
  const TrialResult trial = run_belt(1e-3, 0.9);
  const auto& vx = trial.find("block.vx").values;
  const auto& state = trial.find("contact.state").values;
  const auto& x = trial.find("block.x").values;
  const auto& friction = trial.find("contact.friction").values;
  for (std::size_t i = 750; i < vx.size(); ++i) {
    EXPECT_EQ(state[i], 1.0);
    EXPECT_NEAR(vx[i], 1.0, 1e-8);
    // Friction balances the spring, whose force grows by k v_0 h per step.
    EXPECT_NEAR(friction[i], 50.0 * (x[i] - 1.0), 50.0 * 1e-3);
  }
}

TEST(Belt, SlipsWithTheFullForceOfFriction) {
  const TrialResult trial = run_belt(1e-3, 1.5);
  const auto& friction = trial.find("contact.friction").values;
  const auto& normal = trial.find("contact.force").values;
  for (std::size_t i = 1000; i < friction.size(); ++i) {
    EXPECT_NEAR(normal[i], 3.0 * 9.81, 1e-4);
    EXPECT_NEAR(friction[i], normal[i], 1e-4);
  }
}

TEST(Belt, KeepsLosingContactWithARestitutionNearOne) {
  const TrialResult trial = run_belt(1e-3, 1.5, {"restitution=0.95"});
  const auto& state = trial.find("contact.state").values;
  int closed = 0;
  for (const double s : state) closed += s != 0.0 ? 1 : 0;
  EXPECT_LE(closed, 5);
  EXPECT_GE(closed, 2);
}

TEST(Belt, RefusesBouncesThatNeverEnd) {
  const std::vector<std::string> settings = {"restitution=1"};
  EXPECT_THROW(registered_belt().configure(settings), OptionError);
}

}  // namespace
}  // namespace picus::models
