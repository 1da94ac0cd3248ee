/// The sliding masses: agreement with the event-driven solution, and the effect of friction.

#include <picus/models/references/sliding_masses_exact.hpp>
#include <picus/models/sliding_masses.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

TrialResult run_chain(double step, double until, std::vector<std::string> settings = {}) {
  Trial trial{.scenario = registered_sliding_masses().configure(settings)};
  trial.options.step = step;
  trial.until = until;
  return run(trial);
}

TEST(SlidingMasses, FollowTheEventDrivenSolution) {
  // The push lasts half a step too long, which gives each mass that it reaches an excess of h F / (2 sqrt(k m)); the
  // chain has moved by 0.2 m in 0.1 s by then.
  const double h = 5e-4;
  const TrialResult trial = run_chain(h, 0.4);
  ASSERT_TRUE(trial.is_complete()) << trial.failure;
  EXPECT_EQ(trial.fallback_count(), 0);
  for (const int i : {0, 10, 20}) {
    const Series& x = trial.find("mass[" + std::to_string(i) + "].x");
    for (std::size_t n = 0; n < x.values.size(); ++n) {
      ASSERT_NEAR(x.values[n], x.exact[n], 4 * h) << x.name << " at " << trial.times[n];
    }
  }
}

TEST(SlidingMasses, DoNotMoveUnderALoadThatFrictionHolds) {
  const TrialResult trial = run_chain(1e-3, 0.2, {"count=5", "force=0.007"});
  for (int i = 0; i < 5; ++i) {
    const auto& x = trial.find("mass[" + std::to_string(i) + "].x").values;
    EXPECT_NEAR(x.back(), x.front(), 1e-9);
  }
}

TEST(SlidingMasses, PushedOneByOneKeepTheirMomentumWithLittleFriction) {
  // Impulse of the push minus that of friction, which acts on moving masses only.
  const TrialResult trial = run_chain(1e-4, 0.1, {"mu=1e-6", "count=4"});
  double momentum = 0.0;
  for (int i = 0; i < 4; ++i)
    momentum += 0.0025 * trial.find("mass[" + std::to_string(i) + "].vx").values.back();
  EXPECT_NEAR(momentum, 0.4 * 0.1, 0.4 * 1e-4) << "a step more or less";
}

TEST(SlidingMasses, NeedTwoMassesAtLeast) {
  const std::vector<std::string> settings = {"count=1"};
  EXPECT_THROW(registered_sliding_masses().configure(settings), OptionError);
}

}  // namespace
}  // namespace picus::models
