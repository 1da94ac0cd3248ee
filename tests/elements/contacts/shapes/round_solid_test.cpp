#include <picus/elements/contacts/shapes/round_solid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace picus::round_solid_test {
namespace {

/// Rounding of a few operations on numbers of order one.
constexpr double rounding = 1e-14;

const RoundSolid frustum{{0.3, -0.2, 0.1}, Vec3(1, 2, -2) / 3, 1.5, {0.5, 0.2}};

TEST(RoundSolid, ReachIsThatOfItsRims) {
  for (const Vec3& n :
       std::array<Vec3, 4>{Vec3(1, 0, 0), Vec3(0, -0.6, 0.8), Vec3(1, 2, -2) / 3, Vec3(-1, -2, 2) / 3}) {
    double farthest = -10;
    for (const Index end : {0, 1}) {
      for (int i = 0; i < 20000; ++i)
        farthest =
            std::max(farthest, n.dot(point_on_circle(frustum.rim(end), 2 * std::numbers::pi * i / 20000)));
    }
    EXPECT_NEAR(frustum.support_function(n), farthest, 1e-7);  // r/2 (pi/20000)^2
  }
}

// Spheres along the axis touch the straight line from rim to rim: their distance from an outside point is that of the
// line.
TEST(RoundSolid, SideIsTheEnvelopeOfItsSpheres) {
  const Vec3 across = frustum.axis.unitOrthogonal();
  const Vec3 along = frustum.axis;
  const Vec3 slant = (frustum.length * along - 0.3 * across).normalized();
  const Vec3 normal = (frustum.length * across + 0.3 * along).normalized();
  for (const double s : {0.1, 0.5, 1.2}) {
    for (const double height : {-0.05, 0.0, 0.4}) {
      const Vec3 foot = frustum.centre + 0.5 * across + s * slant;
      const RoundFeature point{RoundFeature::Curve::point, foot + height * normal};
      const ClosestPair pair = find_closest_pair(point, frustum.side(), 0);
      EXPECT_NEAR(pair.gap(), height, rounding);
      EXPECT_NEAR((pair.n - normal).norm(), 0, 10 * rounding);
      EXPECT_NEAR((pair.on_b() - foot).norm(), 0, 10 * rounding);
      EXPECT_TRUE(frustum.is_beside(pair.on_b(), 0));
    }
  }
}

TEST(RoundSolid, FeaturesEndWhereTheyShould) {
  EXPECT_TRUE(frustum.is_on_end(0, frustum.centre + 0.499 * frustum.axis.unitOrthogonal(), 0));
  EXPECT_FALSE(frustum.is_on_end(0, frustum.centre + 0.501 * frustum.axis.unitOrthogonal(), 0));
  EXPECT_FALSE(frustum.is_beside(frustum.end(1) + 0.01 * frustum.axis, 0));
  EXPECT_NEAR(frustum.end_normal(0).dot(frustum.axis), -1, rounding);
  const RoundSolid cone{Vec3::Zero(), Vec3::UnitZ(), 2.0, {1.0, 0.0}};
  EXPECT_FALSE(cone.has_rim(1));
  EXPECT_EQ(cone.rim(1).curve, RoundFeature::Curve::point);
  EXPECT_EQ(cone.size(), 2.0);
}

}  // namespace
}  // namespace picus::round_solid_test
