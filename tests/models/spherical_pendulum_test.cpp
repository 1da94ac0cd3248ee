/// The quadrature against an independent integration of the equation of motion, and against elliptic integrals.

#include <picus/models/references/spherical_pendulum.hpp>
#include <picus/types.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::models::spherical_pendulum_test {
namespace {

/// Axis of the pendulum and its rate: d2n/dt2 = -kappa (z - n_z n) - |dn/dt|^2 n, as I d2n/dt2 is the moment.
struct Axis3 {
  Vec3 n;
  Vec3 rate;
};

Axis3 derivative(const Axis3& at, double kappa) {
  const Vec3 z = Vec3::UnitZ();
  return {at.rate, -kappa * (z - at.n.z() * at.n) - at.rate.squaredNorm() * at.n};
}

Axis3 moved(const Axis3& at, const Axis3& slope, double h) {
  return {at.n + h * slope.n, at.rate + h * slope.rate};
}

/// The classical Runge-Kutta method.
Axis3 swing(double kappa, double angular_velocity, double until) {
  constexpr int steps = 4000;
  const double h = until / steps;
  Axis3 at{Vec3::UnitY(), {-angular_velocity, 0.0, 0.0}};
  for (int i = 0; i < steps; ++i) {
    const Axis3 a = derivative(at, kappa);
    const Axis3 b = derivative(moved(at, a, h / 2.0), kappa);
    const Axis3 c = derivative(moved(at, b, h / 2.0), kappa);
    const Axis3 d = derivative(moved(at, c, h), kappa);
    at.n += h / 6.0 * (a.n + 2.0 * b.n + 2.0 * c.n + d.n);
    at.rate += h / 6.0 * (a.rate + 2.0 * b.rate + 2.0 * c.rate + d.rate);
  }
  return at;
}

TEST(SphericalPendulum, AgreesWithTheEquationOfMotion) {
  for (const double kappa : {0.5, 3.0, 11.0}) {
    for (const double angular_velocity : {0.0, 0.3, 1.5, 20.0}) {
      const SphericalPendulum pendulum(kappa, angular_velocity);
      for (const double part : {0.01, 0.3, 0.7, 0.99}) {
        const double depth = part * pendulum.lowest();
        const Axis3 end = swing(kappa, angular_velocity, pendulum.time_at(depth));
        EXPECT_NEAR(-end.n.z(), depth, 1e-9) << kappa << ", " << angular_velocity;
      }
      const Axis3 turning = swing(kappa, angular_velocity, pendulum.time_at(pendulum.lowest()));
      EXPECT_NEAR(-turning.n.z(), pendulum.lowest(), 1e-9);
      EXPECT_NEAR(turning.rate.z(), 0.0, 1e-8);
    }
  }
}

TEST(SphericalPendulum, SwingsInAPlaneLikeTheElliptic) {
  // A quarter of the period of a plane pendulum with an amplitude of 90 degrees.
  for (const double kappa : {0.5, 11.0}) {
    const SphericalPendulum pendulum(kappa, 0.0);
    EXPECT_EQ(pendulum.lowest(), 1.0);
    EXPECT_NEAR(pendulum.time_at(1.0), std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(kappa), 1e-12);
  }
}

TEST(SphericalPendulum, FallsFreelyAtFirst) {
  // w = kappa t^2/2 while w is small.
  const SphericalPendulum pendulum(3.0, 1.5);
  EXPECT_NEAR(pendulum.time_at(1e-8), std::sqrt(2e-8 / 3.0), 1e-8 * std::sqrt(2e-8 / 3.0));
}

}  // namespace
}  // namespace picus::models::spherical_pendulum_test
