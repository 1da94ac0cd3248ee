#include <picus/models/references/bouncing_oscillator_exact.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace picus::models::bouncing_oscillator_exact_test {
namespace {

constexpr BouncingOscillatorExact::Parameters chen{
    .mass = 1.0, .stiffness = 1e4, .length = 1.0, .height = 0.801, .restitution = 0.8, .gravity = 10.0};
constexpr BouncingOscillatorExact::Parameters acary{
    .mass = 1.0, .stiffness = 1e3, .length = 1.0, .height = 0.801, .restitution = 0.8, .gravity = 10.0};

class BouncingOscillatorExactTest : public testing::TestWithParam<BouncingOscillatorExact::Parameters> {
 protected:
  const BouncingOscillatorExact::Parameters p = GetParam();
  const BouncingOscillatorExact exact{p, 5.0};
};

/// Chen 2013, equations B.1 and B.2 with a fifth, constant component that carries F.
Eigen::Matrix<double, 5, 5> state_matrix(const BouncingOscillatorExact::Parameters& p) {
  Eigen::Matrix<double, 5, 5> A = Eigen::Matrix<double, 5, 5>::Zero();
  const double k = p.stiffness / p.mass;
  A(0, 1) = A(2, 3) = 1.0;
  A.row(1) << -k, 0.0, k, 0.0, -p.gravity - k * p.length;
  A.row(3) << k, 0.0, -k, 0.0, -p.gravity + k * p.length;
  return A;
}

TEST_P(BouncingOscillatorExactTest, FollowsTheMatrixExponentialBetweenImpacts) {
  for (std::size_t n = 0; n < 8; ++n) {
    const double start = exact.impact_times()[n];
    const double length = exact.impact_times()[n + 1] - start;
    Eigen::Vector<double, 5> Q(exact.lower_position(start), exact.lower_velocity(start),
                               exact.upper_position(start), exact.upper_velocity(start), 1.0);
    for (const double part : {0.1, 0.5, 0.99}) {
      const Eigen::Matrix<double, 5, 5> At = state_matrix(p) * (part * length);
      const Eigen::Vector<double, 5> later = At.exp() * Q;
      const double t = start + part * length;
      // The exponential of a matrix with entries of 1e4 keeps 12 digits.
      EXPECT_NEAR(exact.lower_position(t), later[0], 1e-10);
      EXPECT_NEAR(exact.lower_velocity(t), later[1], 1e-8);
      EXPECT_NEAR(exact.upper_position(t), later[2], 1e-10);
      EXPECT_NEAR(exact.upper_velocity(t), later[3], 1e-8);
    }
  }
}

TEST_P(BouncingOscillatorExactTest, EachImpactReversesTheLowerVelocityByRestitution) {
  const double eps = 1e-10;
  for (std::size_t n = 0; n < 20; ++n) {
    const double t = exact.impact_times()[n];
    EXPECT_NEAR(exact.lower_position(t), 0.0, 1e-12);
    const double before = exact.lower_velocity(t - eps);
    EXPECT_LT(before, 0.0);
    EXPECT_NEAR(exact.lower_velocity(t), -p.restitution * before, 1e-6);
    EXPECT_NEAR(exact.upper_velocity(t), exact.upper_velocity(t - eps), 1e-6);
  }
}

TEST_P(BouncingOscillatorExactTest, UpperBallFeelsWeightAndSpringAtAllTimes) {
  const double d = 1e-5;
  for (int i = 1; i < 4000; ++i) {
    const double t = 1.2345e-3 * i;
    // Its acceleration is continuous, even where the lower ball hits or leaves the floor.
    const double acceleration = (exact.upper_velocity(t + d) - exact.upper_velocity(t - d)) / (2.0 * d);
    const double extension = exact.upper_position(t) - exact.lower_position(t) - p.length;
    const double jerk = p.stiffness / p.mass * 20.0;  // largest rate of it, at velocities below 10 m/s
    EXPECT_NEAR(acceleration, -p.gravity - p.stiffness / p.mass * extension, d * jerk) << "t = " << t;
  }
}

TEST_P(BouncingOscillatorExactTest, NeitherPenetratesNorGainsEnergy) {
  double before = exact.energy(0.0);
  for (int i = 0; i <= 50000; ++i) {
    const double t = 1e-4 * i;
    ASSERT_GE(exact.lower_position(t), -1e-15) << "t = " << t;
    const double energy = exact.energy(t);
    ASSERT_LE(energy, before + 1e-11) << "t = " << t;
    before = energy;
  }
}

INSTANTIATE_TEST_SUITE_P(Parameters, BouncingOscillatorExactTest, testing::Values(chen, acary));

TEST(BouncingOscillatorExact, HasTheImpactsOfAComputationWithFortyDigits) {
  const BouncingOscillatorExact exact(chen, 4.0);
  const std::array<double, 10> impacts = {0.4002499219, 0.4197075641, 1.00586691,  1.031532703, 1.385561339,
                                          1.54673584,   1.923115756,  1.947839932, 2.222407992, 2.239955517};
  for (std::size_t n = 0; n < impacts.size(); ++n) EXPECT_NEAR(exact.impact_times()[n], impacts[n], 1e-9);
  // By then rounding errors have grown by twelve orders of magnitude.
  EXPECT_NEAR(exact.first_accumulation(), 3.361339, 1e-3);
}

TEST(BouncingOscillatorExact, StaysOnTheFloorWhenImpactsHaveAccumulated) {
  const BouncingOscillatorExact exact(chen, 6.0);
  const double energy = exact.energy(4.0);
  for (int i = 0; i < 1000; ++i) {
    const double t = 4.0 + 2e-3 * i;
    EXPECT_EQ(exact.lower_position(t), 0.0);
    EXPECT_EQ(exact.lower_velocity(t), 0.0);
    EXPECT_NEAR(exact.energy(t), energy, 1e-12);
  }
}

TEST(BouncingOscillatorExact, KeepsItsEnergyWithoutLosses) {
  const BouncingOscillatorExact exact(
      {.mass = 2.0, .stiffness = 500.0, .length = 0.5, .height = 0.3, .restitution = 1.0, .gravity = 9.81},
      3.0);
  for (int i = 0; i < 3000; ++i) EXPECT_NEAR(exact.energy(1e-3 * i), exact.energy(0.0), 1e-9);
  EXPECT_GT(exact.impact_times().size(), 5U);
}

}  // namespace
}  // namespace picus::models::bouncing_oscillator_exact_test
