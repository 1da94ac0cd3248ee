#include <picus/models/references/impacting_bar_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

/// The bar of the thesis, another one, and one that starts on the wall.
class ImpactingBarExactTest : public testing::TestWithParam<ImpactingBarParameters> {
 protected:
  /// Calls check(X, t) over the bar and the whole motion, away from the fronts.
  template <class Check>
  void away_from_fronts(const Check& check) const {
    const double c = exact.wave_speed();
    const double margin = 1e-3 * bar.length;
    for (int i = 1; i < 60; ++i) {
      for (int j = 1; j < 60; ++j) {
        const double X = bar.length * i / 60.0;
        const double t = 1.5 * exact.opens_at() * j / 59.7;
        const double run = c * (t - exact.closes_at());
        if (std::abs(run - X) < margin || std::abs(run - 2.0 * bar.length + X) < margin) continue;
        check(X, t);
      }
    }
  }
  /// The integral of a function of X over the bar.
  template <class Function>
  double over_bar(const Function& function) const {
    constexpr int cells = 20000;
    double sum = 0.0;
    for (int i = 0; i < cells; ++i) sum += function(bar.length * (i + 0.5) / cells);
    return sum * bar.length / cells;
  }
  double mass() const { return bar.density * bar.area * bar.length; }

  ImpactingBarParameters bar = GetParam();
  ImpactingBarExact exact{bar};
};

TEST_P(ImpactingBarExactTest, StartsUndeformedWithItsVelocity) {
  for (const double X : {0.0, 0.3 * bar.length, bar.length}) {
    EXPECT_DOUBLE_EQ(exact.position(X, 0.0), bar.gap + X);
    if (bar.gap + X > 0.0) {
      EXPECT_EQ(exact.velocity(X, 0.0), -bar.speed);
    }
  }
}

TEST_P(ImpactingBarExactTest, ObeysTheWaveEquation) {
  const double dX = 1e-4 * bar.length;
  const double dt = dX / exact.wave_speed();
  away_from_fronts([&](double X, double t) {
    const double x_tt = (exact.position(X, t + dt) - 2.0 * exact.position(X, t) + exact.position(X, t - dt));
    const double x_XX = (exact.position(X + dX, t) - 2.0 * exact.position(X, t) + exact.position(X - dX, t));
    EXPECT_NEAR(x_tt, x_XX, 1e-12 * (bar.length + bar.gap)) << X << ' ' << t;
  });
}

TEST_P(ImpactingBarExactTest, VelocityAndStrainAreTheDerivativesOfThePosition) {
  const double dX = 1e-4 * bar.length;
  const double dt = dX / exact.wave_speed();
  away_from_fronts([&](double X, double t) {
    const double v = (exact.position(X, t + dt) - exact.position(X, t - dt)) / (2.0 * dt);
    // Rounding of the positions, divided by dt.
    EXPECT_NEAR(exact.velocity(X, t), v, 1e-15 * (bar.length + bar.gap) / dt);
    const double strain = (exact.position(X + dX, t) - exact.position(X - dX, t)) / (2.0 * dX) - 1.0;
    EXPECT_NEAR(exact.strain(X, t), strain, 1e-10);
  });
}

TEST_P(ImpactingBarExactTest, FrontsKeepTheBarWholeAndItsMomentum) {
  // Across a front travelling at +-c the position is continuous, and rho c [v] = -+E [strain] (Hadamard, Newton).
  const double eps = 1e-9 * bar.length / exact.wave_speed();
  for (int i = 1; i < 10; ++i) {
    const double X = 0.1 * i * bar.length;
    for (const double sign : {1.0, -1.0}) {
      const double arrival = sign > 0 ? X : 2.0 * bar.length - X;
      const double t = exact.closes_at() + arrival / exact.wave_speed();
      const double jump_v = exact.velocity(X, t + eps) - exact.velocity(X, t - eps);
      const double jump_strain = exact.strain(X, t + eps) - exact.strain(X, t - eps);
      EXPECT_NEAR(exact.position(X, t + eps), exact.position(X, t - eps), 4.0 * bar.speed * eps);
      EXPECT_DOUBLE_EQ(jump_v, bar.speed);
      EXPECT_DOUBLE_EQ(bar.density * exact.wave_speed() * jump_v, -sign * bar.youngs_modulus * jump_strain);
    }
  }
}

TEST_P(ImpactingBarExactTest, MeetsBothEnds) {
  const double eps = 1e-9 * exact.opens_at();
  for (int i = 0; i < 500; ++i) {
    const double t = 1.5 * exact.opens_at() * (i + 0.5) / 500;
    const double gap = exact.position(0.0, t);
    const double force = exact.contact_force(t);
    EXPECT_GE(gap, -1e-12 * (bar.length + bar.gap));
    EXPECT_NEAR(gap * force, 0.0, 1e-12 * (bar.length + bar.gap) * exact.impact_force());
    EXPECT_DOUBLE_EQ(force, -bar.youngs_modulus * bar.area * exact.strain(0.0, t)) << "force of the wall";
    EXPECT_EQ(exact.strain(bar.length, t), 0.0) << "free end, t = " << t;
  }
  EXPECT_EQ(exact.contact_force(exact.closes_at() + eps), exact.impact_force());
  EXPECT_EQ(exact.contact_force(exact.opens_at() + eps), 0.0);
}

TEST_P(ImpactingBarExactTest, MomentumFollowsTheForceOfTheWall) {
  const auto momentum = [&](double t) {
    return bar.density * bar.area * over_bar([&](double X) { return exact.velocity(X, t); });
  };
  const double closed_for = exact.opens_at() - exact.closes_at();
  for (const double part : {0.1, 0.45, 0.7, 1.0, 1.3}) {
    const double t = exact.closes_at() + part * closed_for;
    const double impulse = exact.impact_force() * std::fmin(part, 1.0) * closed_for;
    EXPECT_NEAR(momentum(t), impulse - mass() * bar.speed, 2e-4 * mass() * bar.speed);
  }
}

TEST_P(ImpactingBarExactTest, EnergiesAreThoseOfTheMotionAndTheirSumStays) {
  for (const double part : {0.0, 0.2, 0.7, 0.95, 1.4}) {
    const double t = part * exact.opens_at();
    const double total = 0.5 * mass() * bar.speed * bar.speed;
    EXPECT_NEAR(exact.kinetic_energy(t), 0.5 * bar.density * bar.area * over_bar([&](double X) {
                                           return std::pow(exact.velocity(X, t), 2);
                                         }),
                1e-4 * total);
    EXPECT_NEAR(exact.strain_energy(t), 0.5 * bar.youngs_modulus * bar.area * over_bar([&](double X) {
                                          return std::pow(exact.strain(X, t), 2);
                                        }),
                1e-4 * total);
    EXPECT_NEAR(exact.kinetic_energy(t) + exact.strain_energy(t), total, 1e-12 * total);
  }
}

INSTANTIATE_TEST_SUITE_P(Bars, ImpactingBarExactTest,
                         testing::Values(ImpactingBarParameters{900, 1, 1, 10, 5.005, 10},
                                         ImpactingBarParameters{2.1e11, 7800, 1e-4, 2, 1e-3, 0.5},
                                         ImpactingBarParameters{900, 1, 0.5, 3, 0, 0.1}));

TEST(ImpactingBarExact, HasTheNumbersOfThePapers) {
  const ImpactingBarExact exact({900, 1, 1, 10, 5.005, 10});
  EXPECT_NEAR(exact.closes_at(), 0.5005, 1e-15);
  EXPECT_NEAR(exact.opens_at() - exact.closes_at(), 2.0 / 3.0, 1e-15);
  EXPECT_DOUBLE_EQ(exact.impact_force(), 300.0);
  EXPECT_EQ(exact.velocity(0.0, 1.5), 10.0);
}

}  // namespace
}  // namespace picus::models
