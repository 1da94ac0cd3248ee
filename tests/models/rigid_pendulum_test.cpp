/// A rigid pendulum against a wall: no drift, final rest, refusals.

#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace picus::models::rigid_pendulum_test {
namespace {

TrialResult swing(double step, double until, double tolerance) {
  Trial trial{.scenario = find_model("rigid-pendulum").configure()};
  trial.options.step = step;
  trial.options.tolerance = tolerance;
  trial.until = until;
  return run(trial);
}

TEST(RigidPendulum, DoesNotDriftOffItsPivot) {
  const TrialResult result = swing(1e-3, 2.0, 1e-12);
  // Rounding of positions of 1 m, over several bounces.
  EXPECT_LT(result.summary.worst_violation, 1e-14);
  EXPECT_LT(result.summary.worst_penetration, 1e-14);
  EXPECT_EQ(result.fallback_count(), 0);
}

TEST(RigidPendulum, LeansOnTheWallInTheEnd) {
  const double h = 2e-3;
  const TrialResult result = swing(h, 5.0, 1e-10);
  EXPECT_NEAR(result.find("tip.x").values.back(), 0.5 * std::numbers::sqrt2, 1e-12);
  EXPECT_NEAR(result.find("tip.vx").values.back(), 0.0, 1e-12);
  // At 45 degrees the wall pushes as much as the weight pulls, and the pivot takes both.
  EXPECT_NEAR(result.find("wall.impulse").values.back(), 10.0 * h, 1e-9);
  EXPECT_NEAR(result.find("pivot.impulse_x").values.back(), -10.0 * h, 1e-9);
  EXPECT_NEAR(result.find("pivot.impulse_y").values.back(), 10.0 * h, 1e-9);
}

TEST(RigidPendulum, RefusesAWallOutOfReach) {
  const std::vector<std::string> settings = {"wall=1.5"};
  try {
    find_model("rigid-pendulum").configure(settings).build();
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "the wall at 1.5 m is out of reach of a pendulum of 1 m");
  }
}

}  // namespace
}  // namespace picus::models::rigid_pendulum_test
