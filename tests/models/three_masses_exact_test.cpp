#include <picus/error.hpp>
#include <picus/models/references/three_masses_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

constexpr ThreeMassesExact::Parameters on_spring{
    .mass = 2.0, .soft = 3.0, .stiff = 50.0, .frequency = 1.2, .preload = 5.0, .on_wall = false};
constexpr ThreeMassesExact::Parameters on_wall{
    .mass = 2.0, .soft = 3.0, .stiff = 50.0, .frequency = 1.2, .preload = 5.0, .on_wall = true};

/// Force on each mass by its neighbours, the drive, the preload and the stiff spring.
double force(const ThreeMassesExact::Parameters& p, const ThreeMassesExact& exact, Index mass, double t) {
  const double before = mass == 1 ? std::sin(p.frequency * t) : exact.position(mass - 1, t);
  const double here = exact.position(mass, t);
  double f = p.soft * (before - here);
  if (mass < 3) return f + p.soft * (exact.position(mass + 1, t) - here);
  return f + p.preload - exact.wall_force(t);
}

class ThreeMassesExactTest : public testing::TestWithParam<ThreeMassesExact::Parameters> {};

TEST_P(ThreeMassesExactTest, ObeysNewtonsLaw) {
  const ThreeMassesExact exact(GetParam());
  for (double t = 0.0; t < 20.0; t += 0.37) {
    for (const Index mass : {1, 2, 3}) {
      // Forces of 10 N, to rounding.
      EXPECT_NEAR(GetParam().mass * exact.acceleration(mass, t), force(GetParam(), exact, mass, t), 1e-12)
          << "mass " << mass << ", t = " << t;
    }
  }
}

TEST_P(ThreeMassesExactTest, RatesAreDerivatives) {
  const ThreeMassesExact exact(GetParam());
  const double d = 1e-5;  // central differences: d^2 w^3 and rounding over d, 1e-9 each
  for (double t = 0.1; t < 20.0; t += 0.37) {
    for (const Index mass : {1, 2, 3}) {
      EXPECT_NEAR((exact.position(mass, t + d) - exact.position(mass, t - d)) / (2.0 * d),
                  exact.velocity(mass, t), 1e-8);
      EXPECT_NEAR((exact.velocity(mass, t + d) - exact.velocity(mass, t - d)) / (2.0 * d),
                  exact.acceleration(mass, t), 1e-7);
    }
  }
}

TEST_P(ThreeMassesExactTest, StartsAtRest) {
  const ThreeMassesExact exact(GetParam());
  for (const Index mass : {1, 2, 3}) {
    EXPECT_EQ(exact.position(mass, 0.0), 0.0);
    EXPECT_EQ(exact.velocity(mass, 0.0), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, ThreeMassesExactTest, testing::Values(on_spring, on_wall),
                         [](const auto& test) { return test.param.on_wall ? "wall" : "spring"; });

TEST(ThreeMassesExact, AStiffSpringComesNearTheWall) {
  ThreeMassesExact::Parameters stiff = on_spring;
  stiff.stiff = 1e9;
  const ThreeMassesExact spring(stiff);
  const ThreeMassesExact wall(on_wall);
  for (double t = 0.0; t < 10.0; t += 0.1) {
    // The end yields by 2 (P + k_2 u_2)/k_1.
    EXPECT_NEAR(spring.position(2, t), wall.position(2, t), 1e-7);
    EXPECT_LT(std::abs(spring.position(3, t)), 5e-8);
  }
}

TEST(ThreeMassesExact, TellsTheEigenfrequenciesOfTwoMassesBetweenWalls) {
  const Eigen::VectorXd w = ThreeMassesExact(on_wall).eigenfrequencies();
  ASSERT_EQ(w.size(), 2);
  EXPECT_NEAR(w[0], std::sqrt(3.0 / 2.0), 1e-14);
  EXPECT_NEAR(w[1], std::sqrt(9.0 / 2.0), 1e-14);
}

TEST(ThreeMassesExact, RefusesADriveAtAnEigenfrequency) {
  ThreeMassesExact::Parameters resonant = on_wall;
  resonant.frequency = std::sqrt(1.5);
  EXPECT_THROW(ThreeMassesExact{resonant}, ModelError);
}

}  // namespace
}  // namespace picus::models
