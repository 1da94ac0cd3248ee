// A rimless wheel, a chain of balls, a Painleve rod, and their references.

#include <picus/models/painleve_rod.hpp>
#include <picus/models/rimless_wheel.hpp>
#include <picus/models/sphere_chain.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models::closing_contacts_test {
namespace {

TEST(RimlessWheelReference, TendsToItsLimitCycle) {
  RimlessWheelReference wheel = rimless_wheel_reference({});
  const double limit = wheel.limit_rate();
  const double half = std::numbers::pi / 8;
  double before = 0.0;  // rate before the last impact
  RimlessWheelReference::Motion last = wheel.at(0.0);
  for (double t = 0.0; t < 20.0; t += 1e-3) {
    const auto& motion = wheel.at(t);
    EXPECT_LE(std::abs(motion.angle - 0.08), half + 1e-12) << t;
    if (motion.steps > last.steps) before = last.rate;
    last = motion;
  }
  EXPECT_GT(last.steps, 10);
  // A millisecond before the impact at most; the rate grows by k sin(theta) < 4 rad/s2.
  EXPECT_NEAR(before, limit, 4e-3);
}

TEST(RimlessWheelReference, ConservesEnergyBetweenImpactsAndLosesWhatTheRatioSays) {
  const RimlessWheel p;
  RimlessWheelReference wheel = rimless_wheel_reference(p);
  const double k = 9.81 / 1.1;
  const double kept = (0.1 + std::cos(std::numbers::pi / 4)) / 1.1;
  const auto energy = [&](double t) {
    const auto& motion = wheel.at(t);
    return motion.rate * motion.rate / 2 + k * std::cos(motion.angle);
  };
  double t = 0.0;
  while (wheel.at(t).steps == 0) t += 1e-4;
  EXPECT_NEAR(energy(t - 1e-4), energy(0.0), 1e-11);
  const double half = std::numbers::pi / 8;
  const double before = std::sqrt(2 * (energy(0.0) - k * std::cos(0.08 + half)));
  EXPECT_NEAR(energy(t), kept * kept * before * before / 2 + k * std::cos(0.08 - half), 1e-11);
}

TEST(RimlessWheelReference, RestsOnTwoFeetWithoutEnergyForTheNextSpoke) {
  RimlessWheelReference wheel = rimless_wheel_reference({.slope = 0.0, .angle = 0.3, .rate = 0.0});
  EXPECT_FALSE(wheel.at(0.1).rests);
  const auto& end = wheel.at(5.0);
  EXPECT_TRUE(end.rests);
  EXPECT_NEAR(std::abs(end.angle), std::numbers::pi / 8, 1e-12);
}

TEST(SphereChainExact, KeepsMomentumInImpactsAndRollsInTheEnd) {
  for (const Index balls : {2, 3, 7}) {
    for (const bool elastic : {false, true}) {
      const SphereChain p{.balls = balls, .elastic = elastic};
      const SphereChainExact exact = sphere_chain_exact(p);
      const double t = exact.impact();
      const double others = static_cast<double>(balls - 1);
      EXPECT_NEAR(exact.first(t).v + others * exact.row(t).v, p.speed, 1e-14);
      EXPECT_NEAR(exact.row(t).v - exact.first(t).v, elastic ? p.speed : 0.0, 1e-14);
      // About a point on the floor the angular momentum of all balls is conserved, whatever the friction on the
      // floor.
      const auto momentum = [&](double at) {
        const auto first = exact.first(at);
        const auto row = exact.row(at);
        return first.v + 0.4 * first.rim + others * (row.v + 0.4 * row.rim);
      };
      for (const double at : {t, t + 0.05, t + 0.123, 5.0}) EXPECT_NEAR(momentum(at), momentum(0.0), 1e-13);
      EXPECT_NEAR(exact.first(5.0).v, exact.first(5.0).rim, 1e-13);
      EXPECT_NEAR(exact.row(5.0).v, exact.row(5.0).rim, 1e-13);
      if (!elastic) {
        EXPECT_NEAR(exact.first(5.0).v, exact.row(5.0).v, 1e-13);
      }
    }
  }
}

TEST(PainleveRodReference, NamesWhatCoulombsLawAllows) {
  using Solutions = PainleveRodReference::Solutions;
  const auto solutions = [](const PainleveRod& p) { return painleve_rod_reference(p).solutions(); };
  EXPECT_EQ(solutions({.mu = 1.33}), Solutions::one) << "below 4/3";
  EXPECT_EQ(solutions({.mu = 1.34}), Solutions::none) << "above 4/3";
  EXPECT_EQ(solutions({.slip = 1.0}), Solutions::one) << "slips towards the lean";
  EXPECT_EQ(solutions({.rate = 6.0}), Solutions::several) << "swings fast enough to leave the floor";
}

TEST(PainleveRodReference, JumpsIntoStickAboutItsEnd) {
  for (const double height : {0.0, 0.05}) {
    PainleveRodReference rod = painleve_rod_reference({.height = height});
    ASSERT_TRUE(rod.jump());
    EXPECT_NEAR(*rod.jump(), std::sqrt(2 * height / 9.81), 1e-12);
    const auto [q, v] = rod.at(*rod.jump());
    const double s = std::sin(q.z());
    const double c = std::cos(q.z());
    EXPECT_NEAR(v.x() + 0.5 * s * v.z(), 0.0, 1e-13);
    EXPECT_NEAR(v.y() - 0.5 * c * v.z(), 0.0, 1e-13);
    // J + m l^2/4 = 1/3; before, the rod only translated.
    const double fall = -std::sqrt(2 * 9.81 * height);
    EXPECT_NEAR(v.z() / 3, 0.5 * c * fall + 0.5 * s * 1.0, 1e-13);
  }
}

TEST(ClosingContactsModels, FollowTheirReferences) {
  struct Case {
    RegisteredModel model;
    std::vector<std::string> settings;
    double until;
  };
  const std::vector<Case> cases = {{registered_rimless_wheel(), {}, 1.0},
                                   {registered_sphere_chain(), {}, 0.6},
                                   {registered_sphere_chain(), {"elastic=yes", "balls=3"}, 0.6},
                                   {registered_painleve_rod(), {}, 0.2},
                                   {registered_painleve_rod(), {"mu=1.2"}, 0.2},
                                   {registered_painleve_rod(), {"height=0.05"}, 0.2}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.model.info().name + (one.settings.empty() ? "" : " " + one.settings[0]));
    const TrialResult result =
        run({.scenario = one.model.configure(one.settings), .options = {.step = 1e-3}, .until = one.until});
    ASSERT_TRUE(result.is_complete()) << result.failure;
    for (const Series& series : result.series) {
      if (series.exact.empty()) continue;
      // Of first order: an impact is located to a step of 1 ms. Rates change by 10 1/s2 at most, spins of balls by
      // 150 rad/s2.
      const double tolerance = series.name.ends_with("spin") ? 0.15 : 0.01;
      EXPECT_NEAR(series.values.back(), series.exact.back(), tolerance) << series.name;
    }
  }
}

}  // namespace
}  // namespace picus::models::closing_contacts_test
