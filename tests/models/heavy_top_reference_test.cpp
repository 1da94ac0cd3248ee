#include <picus/models/references/heavy_top_reference.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

HeavyTopParameters top_of_the_thesis() {
  return {.mass = 15.0,
          .inertia = {0.234375, 0.46875, 0.234375},
          .centre_of_mass = {0, 1, 0},
          .gravity = {0, 0, -9.81},
          .angular_velocity = {0, 150, -4.61538}};
}

TEST(HeavyTopReference, KeepsEnergyMomentumAndSpin) {
  const HeavyTopParameters p = top_of_the_thesis();
  HeavyTopReference top(p);
  const auto integrals = [&](double t) {
    const auto& [R, Omega] = top.at(t);
    const Vec3 L = R * p.inertia.cwiseProduct(Omega) + p.mass * top.position(t).cross(top.velocity(t));
    const double energy = 0.5 * p.mass * top.velocity(t).squaredNorm() +
                          0.5 * Omega.dot(p.inertia.cwiseProduct(Omega)) -
                          p.mass * p.gravity.dot(top.position(t));
    return Vec3(energy, L.z(), Omega.y());
  };
  const Vec3 start = integrals(0.0);
  for (const double t : {0.01, 0.123456, 0.5}) {
    const Vec3 now = integrals(t);
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(now[i], start[i], 1e-10 * std::abs(start[i])) << i << ' ' << t;
    const Mat3& R = top.at(t).R;
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-10);
  }
}

TEST(HeavyTopReference, IsOfFourthOrderWithASmallError) {
  HeavyTopParameters p = top_of_the_thesis();
  HeavyTopReference fine(p);
  const auto error = [&](double step) {
    p.step = step;
    return (HeavyTopReference(p).position(0.2) - fine.position(0.2)).norm();
  };
  const double coarse = error(8e-4);
  const double half = error(4e-4);
  EXPECT_NEAR(std::log2(coarse / half), 4.0, 0.3);
  EXPECT_LT(half / std::pow(40.0, 4), 1e-10) << "what is left at 10 us";
}

TEST(HeavyTopReference, VelocityAndReactionAreThoseOfThePosition) {
  const HeavyTopParameters p = top_of_the_thesis();
  HeavyTopReference top(p);
  const double d = 1e-4;
  for (const double t : {0.01, 0.2, 0.3}) {
    const Vec3 before = top.position(t - d);
    const Vec3 at = top.position(t);
    const Vec3 after = top.position(t + d);
    const Vec3 v = (after - before) / (2 * d);
    const Vec3 a = (after - 2 * at + before) / (d * d);
    // Differences of second order; the axis nutates at 5 rad/s and its vertical moves at about 300 rad/s.
    EXPECT_LT((top.velocity(t) - v).norm(), 1e-2);
    EXPECT_LT((p.mass * (a - p.gravity) - top.reaction(t)).norm(), 1e-2 * top.reaction(t).norm());
  }
}

TEST(HeavyTopReference, PrecessesSteadilyWhereTheMomentsBalance) {
  // Horizontal axis, spin s, precession w: J_a s w = m g l keeps the axis horizontal.
  HeavyTopParameters p = top_of_the_thesis();
  const double w = p.mass * 9.81 / (p.inertia.y() * 150.0);
  p.angular_velocity = {0, 150.0, w};
  HeavyTopReference top(p);
  for (const double t : {0.1, 0.4, 0.7}) {
    const Vec3 expected(-std::sin(w * t), std::cos(w * t), 0.0);
    EXPECT_LT((top.position(t) - expected).norm(), 1e-9) << t;
  }
}

TEST(HeavyTopReference, AnswersInAnyOrder) {
  HeavyTopReference forth(top_of_the_thesis());
  HeavyTopReference back(top_of_the_thesis());
  const Vec3 early = forth.position(0.0123);
  const Vec3 late = forth.position(0.0456);
  EXPECT_EQ(back.position(0.0456), late);
  EXPECT_EQ(back.position(0.0123), early);
}

}  // namespace
}  // namespace picus::models
