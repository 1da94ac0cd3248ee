/// The rod on two supports: initial geometry, impact, rest (thesis, section 4.2.2).

#include <picus/models/rocking_rod.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

TrialResult run_case(const std::string& name, double step, double until) {
  const std::vector<std::string> settings = {"case=" + name};
  Trial trial{.scenario = registered_rocking_rod().configure(settings)};
  trial.options.step = step;
  trial.until = until;
  return run(trial);
}

TEST(RockingRod, HasTheGapsOfItsStart) {
  const TrialResult trial = run_case("III", 1e-3, 1e-3);
  const double angle = 12.0 * std::numbers::pi / 180.0;
  EXPECT_NEAR(trial.find("support_1.gap").values[0], 0.104 * std::cos(angle) - 0.2 * std::sin(angle), 1e-15);
  EXPECT_NEAR(trial.find("support_2.gap").values[0], 0.144 * std::cos(angle) + 0.2 * std::sin(angle), 1e-15);
}

TEST(RockingRod, HitsSupportOneFirst) {
  // After a fall of 0.104 - 0.2 tan(12 degrees).
  const double impact = std::sqrt(2.0 * (0.104 - 0.2 * std::tan(12.0 * std::numbers::pi / 180.0)) / 9.8);
  for (const std::string name : {"I", "II", "III", "IV"}) {
    const double h = 1e-4;
    const TrialResult trial = run_case(name, h, 0.15);
    const auto& left = trial.find("support_1.force").values;
    const auto& right = trial.find("support_2.force").values;
    std::size_t first = 0;
    while (left.at(first) == 0.0 && right.at(first) == 0.0) ++first;
    EXPECT_NEAR(trial.times[first], impact, h) << name;
    EXPECT_EQ(right[first], 0.0) << name;
  }
}

TEST(RockingRod, ObeysNewtonsLawAtTheFirstImpactWithoutFriction) {
  // In case II support 1 has no friction: the impulse acts along the normal n at distance s along the rod, P
  // (1/m + s^2/J) = (1 + e) |rate of the gap|.
  const TrialResult trial = run_case("II", 1e-5, 0.12);
  const auto& force = trial.find("support_1.force").values;
  std::size_t hit = 0;
  while (force.at(hit) == 0.0) ++hit;
  const double speed = 9.8 * trial.times[hit];
  const double angle = 12.0 * std::numbers::pi / 180.0;
  const double arm = 0.2 / std::cos(angle);
  const double impulse = 1.6262 * speed * std::cos(angle) / (1.0 / 0.48 + arm * arm / 0.04);
  // Rod and support meet within a step: 1e-5 s of fall, and the point of contact moves by as much.
  EXPECT_NEAR(force[hit] * 1e-5, impulse, 1e-3 * impulse);
  EXPECT_NEAR(trial.find("rod.wz").values[hit], -arm * impulse / 0.04, 1e-3 * arm * impulse / 0.04);
}

TEST(RockingRod, NeverGainsEnergyAndNeverPenetrates) {
  for (const std::string name : {"I", "II", "III", "IV"}) {
    const TrialResult trial = run_case(name, 1e-3, 0.5);
    ASSERT_TRUE(trial.is_complete()) << trial.failure;
    EXPECT_EQ(trial.fallback_count(), 0) << name;
    EXPECT_LT(trial.summary.worst_penetration, 1e-9) << name;
    // A position correction may lift the rod by its motion in a step: m g v h.
    const auto& energy = trial.find("energy").values;
    for (std::size_t i = 1; i < energy.size(); ++i)
      EXPECT_LT(energy[i], energy[i - 1] + 0.48 * 9.8 * 2e-3) << name;
  }
}

TEST(RockingRod, RestsOnBothSupports) {
  const TrialResult trial = run_case("III", 1e-3, 1.5);
  const auto last = [&trial](const std::string& name) { return trial.find(name).values.back(); };
  EXPECT_EQ(last("support_1.state"), 1.0);
  EXPECT_EQ(last("support_2.state"), 1.0);
  EXPECT_NEAR(last("rod.angle"), -std::atan(0.1), 1e-9);
  EXPECT_NEAR(last("rod.y"), -0.02 - 0.1 * last("rod.x"), 1e-9);
  // Equilibrium of forces along and across the rod, and of moments about its centre.
  const double slope = std::atan(0.1);
  const double weight = 0.48 * 9.8;
  EXPECT_NEAR(last("support_1.force") + last("support_2.force"), weight * std::cos(slope), 1e-6);
  EXPECT_NEAR(last("support_1.friction") + last("support_2.friction"), -weight * std::sin(slope), 1e-6);
  EXPECT_NEAR(last("support_1.force") * (0.2 + last("rod.x")),
              last("support_2.force") * (0.2 - last("rod.x")), 1e-6);
}

TEST(RockingRod, HasTheCasesOfTheThesis) {
  using Case = RockingRod::Case;
  struct Row {
    Case supports;
    double h_2, mu_1, mu_2;
  };
  // Table 4.1, h_2 corrected from 0.4 m according to the rest position.
  for (const auto& [supports, h_2, mu_1, mu_2] :
       {Row{Case::one, 0.0, 0.1, 0.1}, Row{Case::two, 0.0, 0.0, 0.1}, Row{Case::three, 0.04, 0.3, 0.3},
        Row{Case::four, 0.04, 0.0, 0.3}}) {
    const RockingRod rod{.supports = supports};
    EXPECT_EQ(rod.level_difference(), h_2);
    EXPECT_EQ(rod.mu_1(), mu_1);
    EXPECT_EQ(rod.mu_2(), mu_2);
  }
}

}  // namespace
}  // namespace picus::models
