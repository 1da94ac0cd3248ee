// The tippe top and its reference.

#include <picus/models/references/tippe_top_reference.hpp>
#include <picus/models/study/trial.hpp>
#include <picus/models/tippe_top.hpp>
#include <picus/so3.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

TippeTopParameters tippe_top(double epsilon) {
  return {.mass = 6e-3,
          .inertia = {8e-7, 8e-7, 7e-7},
          .radius = 1.5e-2,
          .centre = 3e-3,
          .mu = 0.3,
          .epsilon = epsilon,
          .gravity = 9.81,
          .rotation = so3::exp({0.1, 0, 0}),
          .angular_velocity = {0, 0, 180}};
}

// Whatever the friction at the point, Jellett's integral is conserved, and the sphere stays on the floor; energy
// decreases by the work of friction, which the reference does not compute: it must not increase.
TEST(TippeTopReference, KeepsJellettsIntegralAndTheFloor) {
  const TippeTopParameters p = tippe_top(0.0);
  TippeTopReference top(p);
  double energy_before = 1e9;
  const double start = 7e-7 * 180 * (p.centre - p.radius * std::cos(0.1));
  for (const double t : {0.0, 0.1, 0.3, 0.543219, 0.9}) {
    const auto& [x, v, R, Omega] = top.at(t);
    const Vec3 L = R * p.inertia.cwiseProduct(Omega);
    EXPECT_NEAR(L.dot(p.centre * R.col(2) - p.radius * Vec3::UnitZ()), start, 1e-9 * std::abs(start)) << t;
    // The floor constraint is imposed on accelerations only, and drifts; the height errors judged with it are a
    // thousand times larger.
    EXPECT_NEAR(x.z() + p.centre * R(2, 2), p.radius, 1e-6 * p.radius) << t;
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).norm(), 1e-8) << t;
    const double energy = 0.5 * p.mass * v.squaredNorm() + 0.5 * Omega.dot(p.inertia.cwiseProduct(Omega)) +
                          p.mass * p.gravity * x.z();
    EXPECT_LT(energy, energy_before);
    energy_before = energy;
  }
}

TEST(TippeTopReference, IsOfFourthOrderWithASmallError) {
  TippeTopParameters p = tippe_top(1e-3 / 3);
  TippeTopReference fine(p);
  const auto error = [&](double step) {
    p.step = step;
    return std::abs(TippeTopReference(p).inclination(0.4) - fine.inclination(0.4));
  };
  const double coarse = error(4e-4);
  const double half = error(2e-4);
  EXPECT_GT(std::log2(coarse / half), 3.7);
  EXPECT_LT(half / std::pow(20.0, 4), 1e-9) << "what is left at 10 us";
}

TEST(TippeTop, TurnsOverAndStandsOnItsStem) {
  const TrialResult result =
      run({.scenario = registered_tippe_top().configure(), .options = {.step = 2e-4}, .until = 2.0});
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_EQ(result.fallback_count(), 0);
  EXPECT_GT(std::ranges::max(result.find("inclination").values), 3.1);
  EXPECT_NEAR(std::ranges::max(result.find("top.z").values), 0.021, 2e-5);
}

}  // namespace
}  // namespace picus::models
