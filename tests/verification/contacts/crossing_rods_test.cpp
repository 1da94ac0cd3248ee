/// Round rods that cross at any angle: between their ends, too, there is no penetration.

#include "boxes.hpp"
#include <picus/solvers/integrators/schemes.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::crossing_rods_test {
namespace {

/// Distance of two segments by bisection of a convex function: the distance of points of one from the other.
double distance_of_segments(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b) {
  const auto distance = [&](double s) {
    const Vec3 x = a[0] + s * (a[1] - a[0]), along = b[1] - b[0];
    const double t = std::clamp(along.dot(x - b[0]) / along.squaredNorm(), 0.0, 1.0);
    return (x - b[0] - t * along).norm();
  };
  double low = 0, high = 1;
  for (int i = 0; i < 120; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (distance(left) < distance(right) ? high : low) = distance(left) < distance(right) ? right : left;
  }
  return distance((low + high) / 2);
}

// One rod falls onto the other, lies on it and rolls off.
TEST(CrossingRods, NeverSinkIntoEachOther) {
  constexpr double length = 0.6, radius = 0.02;
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  for (const double angle : {0.0, 1e-6, 1e-4, 1e-3, 5e-3, 0.02, 0.045, 0.055, 0.2}) {
    SCOPED_TRACE(fmt::format("angle {}", angle));
    Scene scene;
    scene.model.add<Surface>({.name = "lower", .of = shapes::Capsule{length, radius}, .rotation = along_x});
    const FrameNode upper = scene.add_body(
        "upper", 0.5, inertia::cylinder(0.5, radius, length, 2),
        {.position = {0.05, 0.002, 2 * radius + 0.002}, .rotation = so3::exp(Vec3(0, 0, angle)) * along_x});
    scene.model.add<Surface>({.name = "upper", .of = shapes::Capsule{length, radius}, .on = upper});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
    DecoupledNsga integrator({.step = 1e-3});
    const Vec3 half(0, 0, length / 2);
    double deepest = 0, highest = 0;
    const Seen seen = run(scene, integrator, 0.2, [&](const Stepper&, const State& state, const StepReport&) {
      const Vec3 x = state.q.position(upper);
      const Mat3 R = state.q.rotation(upper);
      const double distance = distance_of_segments({Vec3(along_x * half), Vec3(-along_x * half)},
                                                   {Vec3(x + R * half), Vec3(x - R * half)});
      deepest = std::max(deepest, 2 * radius - distance);
      if (state.time > 0.05 && state.time < 0.1) highest = std::max(highest, distance - 2 * radius);
    });
    EXPECT_LT(deepest, 4e-9 * radius);  // the tolerance of the search, 2e-9 of the thickness
    EXPECT_LT(highest, 1e-3);           // it stays in contact before it rolls off
    EXPECT_EQ(seen.search.misses, 0);
  }
}

}  // namespace
}  // namespace picus::crossing_rods_test
