/// The event-driven solution of the sliding masses: friction law, energy, closed forms.

#include <picus/models/references/sliding_masses_exact.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::models::sliding_masses_exact_test {
namespace {

constexpr double pi = std::numbers::pi;

double friction(const SlidingMasses& chain) {
  return chain.mu * chain.mass * chain.gravity;
}

/// f_i: spring forces and push.
double pull(const SlidingMassesExact& exact, const SlidingMasses& chain, Index i, double t) {
  double f = i == 0 && t < chain.duration ? chain.force : 0.0;
  const auto stretch = [&](Index spring) {
    return exact.position(spring + 1, t) - exact.position(spring, t) - chain.spacing;
  };
  if (i + 1 < chain.count) f += chain.stiffness * stretch(i);
  if (i > 0) f -= chain.stiffness * stretch(i - 1);
  return f;
}

TEST(SlidingMassesExact, ObeysTheLawOfFriction) {
  const SlidingMasses chain;
  const SlidingMassesExact exact(chain, 1.6);
  const double d = 1e-6;
  int sticking = 0;
  int slipping = 0;
  int ambiguous = 0;
  for (double t = 0.00123; t < 1.6; t += 0.00731) {
    for (Index i = 0; i < chain.count; ++i) {
      const double before = exact.velocity(i, t - d);
      const double after = exact.velocity(i, t + d);
      const double f = pull(exact, chain, i, t);
      if (before == 0.0 && after == 0.0) {
        EXPECT_LE(std::abs(f), friction(chain) * (1 + 1e-9)) << "mass " << i << " at " << t;
        ++sticking;
      } else if (before * after > 0.0) {
        // The velocity changes by up to 1e5 m/s3 d^2 beyond its slope, and by rounding.
        const double acceleration = (after - before) / (2 * d);
        EXPECT_NEAR(chain.mass * acceleration, f - std::copysign(friction(chain), after), 1e-6)
            << "mass " << i << " at " << t;
        ++slipping;
      } else {
        ++ambiguous;  // an event lies in between
      }
    }
  }
  EXPECT_GT(sticking, 1000);
  EXPECT_GT(slipping, 1000);
  EXPECT_LT(ambiguous, 10);
}

TEST(SlidingMassesExact, LosesTheEnergyThatFrictionTakes) {
  // Two masses whose paths are summed in small steps.
  const SlidingMasses chain{.count = 3, .force = 0.1};
  const double until = 0.5;
  const SlidingMassesExact exact(chain, until);
  const auto energy = [&](double t) {
    double sum = 0.0;
    for (Index i = 0; i < chain.count; ++i) sum += chain.mass * std::pow(exact.velocity(i, t), 2) / 2;
    for (Index i = 0; i + 1 < chain.count; ++i) {
      sum +=
          chain.stiffness * std::pow(exact.position(i + 1, t) - exact.position(i, t) - chain.spacing, 2) / 2;
    }
    return sum;
  };
  constexpr int steps = 20000;
  double path = 0.0;
  for (int n = 0; n < steps; ++n) {
    for (Index i = 0; i < chain.count; ++i) {
      path += std::abs(exact.position(i, until * (n + 1) / steps) - exact.position(i, until * n / steps));
    }
  }
  const double work = chain.force * exact.position(0, chain.duration);
  // If a mass reverses within a step, its path is short by up to (2.5e-5 s)^2 / 4 times its acceleration, 40 m/s2:
  // 6e-9 m each time.
  EXPECT_NEAR(energy(until), work - friction(chain) * path, 20 * 6e-9 * friction(chain));
  EXPECT_GT(path, 0.01);
}

TEST(SlidingMassesExact, VibratesInItsModesWithNextToNoFriction) {
  // A chain with free ends under a constant force: its momentum, and modes cos(pi p (i + 1/2) / n) with
  // w_p = 2 sqrt(k/m) sin(pi p / (2 n)).
  const SlidingMasses chain{.count = 6, .duration = 10.0, .mu = 1e-8};
  const SlidingMassesExact exact(chain, 1.0);
  const double n = chain.count;
  for (const double t : {0.05, 0.31, 0.77, 1.0}) {
    for (Index i = 0; i < chain.count; ++i) {
      double u = chain.force * t * t / (2 * n * chain.mass);
      for (Index p = 1; p < chain.count; ++p) {
        const double w = 2 * std::sqrt(chain.stiffness / chain.mass) * std::sin(pi * p / (2 * n));
        const double shape = std::cos(pi * p * (i + 0.5) / n);
        const double at_force = std::cos(pi * p * 0.5 / n);
        u += 2 / n * at_force * shape * chain.force / (chain.mass * w * w) * (1 - std::cos(w * t));
      }
      // Friction holds back all masses alike while they slip forward, as they do almost always.
      u -= chain.mu * chain.gravity * t * t / 2;
      EXPECT_NEAR(exact.position(i, t) - chain.spacing * i, u, 1e-9) << i << ' ' << t;
    }
  }
}

TEST(SlidingMassesExact, MovesAsOneBodyOnStiffSprings) {
  // Two masses: while both slip, their centre has the acceleration (F - 2 mu m g) / (2 m), and later -mu g.
  const SlidingMasses chain{.count = 2, .stiffness = 1e6};
  const SlidingMassesExact exact(chain, 1.0);
  const double first = (chain.force - 2 * friction(chain)) / (2 * chain.mass);
  const double speed = first * chain.duration;
  const double later = chain.mu * chain.gravity;
  const double t = 0.3;
  const double centre = (exact.position(0, t) + exact.position(1, t) - chain.spacing) / 2;
  const double expected =
      speed * chain.duration / 2 + speed * (t - chain.duration) - later * std::pow(t - chain.duration, 2) / 2;
  // The second mass starts 0.1 ms late, held by the floor meanwhile.
  EXPECT_NEAR(centre, expected, 1e-4 * expected);
}

TEST(SlidingMassesExact, StaysWhereFrictionHoldsThePush) {
  const SlidingMasses chain{.force = 0.007};
  const SlidingMassesExact exact(chain, 1.0);
  for (Index i = 0; i < chain.count; ++i) {
    EXPECT_EQ(exact.velocity(i, 0.5), 0.0);
    EXPECT_EQ(exact.position(i, 1.0), chain.spacing * i);
    EXPECT_TRUE(std::isinf(exact.first_slip(i)));
  }
}

TEST(SlidingMassesExact, RestsInTheEnd) {
  const SlidingMasses chain;
  const SlidingMassesExact exact(chain, 3.0);
  const double rest = exact.rest_time();
  ASSERT_LT(rest, 3.0);
  for (Index i = 0; i < chain.count; ++i) {
    EXPECT_EQ(exact.velocity(i, rest + 1e-9), 0.0);
    EXPECT_EQ(exact.position(i, 3.0), exact.position(i, rest + 1e-9));
    EXPECT_LE(std::abs(pull(exact, chain, i, 3.0)), friction(chain));
  }
}

TEST(SlidingMassesExact, PassesTheWaveOnAtTheSpeedOfTheChain) {
  const SlidingMasses chain;
  const SlidingMassesExact exact(chain, 0.3);
  // sqrt(m/k) for each spring, minus the precursors of a discrete chain.
  const double travel = (chain.count - 1) * std::sqrt(chain.mass / chain.stiffness);
  EXPECT_LT(exact.first_slip(20), travel);
  EXPECT_NEAR(exact.first_slip(20), travel, 0.05 * travel);
  for (Index i = 1; i < chain.count; ++i) EXPECT_GT(exact.first_slip(i), exact.first_slip(i - 1));
}

}  // namespace
}  // namespace picus::models::sliding_masses_exact_test
