// Balls and capsules on polyhedra: the features with which they touch.

#include "feature_candidates.hpp"
#include <support/differences.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace picus::round_features_test {
namespace {

using namespace touching_features_test;
using support::expect_near;

class RoundFeaturesTest : public ::testing::Test {
 protected:
  static constexpr double radius = 0.1;
  std::vector<FeatureCandidate> capsule(const Vec3& from, const Vec3& to) const {
    return find_touching_features({from, to}, radius, table, {}, {.reach = reach});
  }
  std::optional<FeatureCandidate> sphere(const Vec3& centre) const {
    return find_touching_feature(centre, radius, table, {}, {.reach = reach});
  }
  const Polytope table = Polytope::box({2, 2, 2});
};

TEST_F(RoundFeaturesTest, SphereTouchesAFaceAnEdgeOrACorner) {
  const auto face = sphere({0.2, 0.3, 1.105});
  ASSERT_TRUE(face);
  EXPECT_EQ(face->features.b.kind, Kind::face);
  EXPECT_NEAR(face->gap, 5e-3, rounding);
  expect_near(face->point, Vec3(0.2, 0.3, 1.0025), rounding, "point");
  const auto edge = sphere({0.2, 1.06, 1.08});
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge->features.b.kind, Kind::edge);
  EXPECT_NEAR(edge->gap, 0, rounding);
  expect_near(edge->normal, Vec3(0, 0.6, 0.8), 10 * rounding, "normal");
  const auto corner = sphere({1.05, 1.05, 1.05});
  ASSERT_TRUE(corner);
  EXPECT_EQ(corner->features.b.kind, Kind::vertex);
  EXPECT_NEAR(corner->gap, 0.05 * std::sqrt(3.0) - radius, rounding);
  EXPECT_FALSE(sphere({0, 0, 1.2}));
  const auto ground =
      find_touching_feature({9, 9, 0.05}, radius, Polytope::half_space(Vec3::UnitZ()), {}, {.reach = reach});
  ASSERT_TRUE(ground);
  EXPECT_NEAR(ground->gap, -0.05, rounding);
}

TEST_F(RoundFeaturesTest, LyingCapsuleTouchesWithItsEnds) {
  const auto inside = capsule({-0.5, 0, 1.1}, {0.5, 0.1, 1.1});
  ASSERT_EQ(inside.size(), 2U);
  EXPECT_EQ(count(inside, Kind::vertex, Kind::face), 2);
  expect_flat(inside, 0);
  // Across one edge, and across two.
  const auto over = capsule({-0.5, 0, 1.1}, {1.5, 0, 1.1});
  ASSERT_EQ(over.size(), 2U);
  EXPECT_EQ(count(over, Kind::vertex, Kind::face), 1);
  EXPECT_EQ(count(over, Kind::edge, Kind::edge), 1);
  expect_flat(over, 0);
  EXPECT_NEAR(over[0].point.x(), -0.5, rounding);
  EXPECT_NEAR(over[1].point.x(), 1.0, rounding);
  const auto across = capsule({-1.5, 0, 1.1}, {1.5, 0, 1.1});
  ASSERT_EQ(across.size(), 2U);
  EXPECT_EQ(count(across, Kind::edge, Kind::edge), 2);
  expect_flat(across, 0);
  // The end on the edge: once.
  EXPECT_EQ(capsule({-0.5, 0, 1.1}, {1.0, 0, 1.1}).size(), 2U);
  EXPECT_TRUE(capsule({-0.5, 0, 1.2}, {0.5, 0, 1.2}).empty());
}

TEST_F(RoundFeaturesTest, CapsuleLeansOnAnEdgeAndOnACorner) {
  // Along y across the edge, leaning by 45 degrees.
  const Vec3 out = Vec3(0, 1, 1).normalized();
  const auto edge = capsule(Vec3(-0.3, 1, 1) + radius * out - Vec3(0, 1, -1),
                            Vec3(0.5, 1, 1) + radius * out + Vec3(0, 1, -1));
  ASSERT_EQ(edge.size(), 1U);
  EXPECT_EQ(edge[0].features.a.kind, Kind::edge);
  EXPECT_EQ(edge[0].features.b.kind, Kind::edge);
  EXPECT_NEAR(edge[0].gap, 0, rounding);
  expect_near(edge[0].normal, out, 10 * rounding, "normal");
  const Vec3 corner_out = Vec3(1, 1, 1).normalized();
  const Vec3 along = Vec3(1, -1, 0);
  const Vec3 centre = Vec3(1, 1, 1) + radius * corner_out;
  const auto corner = capsule(centre - along, centre + 2 * along);
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_EQ(corner[0].features.b.kind, Kind::vertex);
  EXPECT_NEAR(corner[0].gap, 0, rounding);
  expect_near(corner[0].normal, corner_out, 10 * rounding, "normal");
}

TEST_F(RoundFeaturesTest, CapsuleOnAHalfSpace) {
  const Polytope ground = Polytope::half_space(Vec3::UnitZ());
  const auto touches = find_touching_features({Vec3(0, 0, radius), Vec3(1, 0, radius + 5e-3)}, radius, ground,
                                              {}, {.reach = reach});
  ASSERT_EQ(touches.size(), 2U);
  EXPECT_NEAR(touches[0].gap, 0, rounding);
  EXPECT_NEAR(touches[1].gap, 5e-3, rounding);
}

// A capsule that overlaps by less than its radius has a contact, and the smallest gap is the distance of the bodies.
TEST_F(RoundFeaturesTest, RandomCapsulesHaveTheirNearestContact) {
  support::Random random(23);
  int touching = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Vec3 from = random.vec3(1.6);
    const Vec3 to = from + random.vec3(1.5);
    double nearest = 10;
    constexpr int pieces = 2000;
    for (int i = 0; i <= pieces; ++i) {
      const Vec3 x = from + (to - from) * i / pieces;
      nearest = std::min(nearest, find_nearest_feature(table, x).distance);
    }
    if (nearest < 1e-2) continue;  // the axis itself inside
    const auto touches = capsule(from, to);
    if (nearest - radius >= reach) {
      EXPECT_TRUE(touches.empty());
      continue;
    }
    ASSERT_FALSE(touches.empty());
    ++touching;
    const double least = std::ranges::min(touches, {}, &FeatureCandidate::gap).gap;
    // Samples are up to 1.3 mm apart, and of contacts closer than 1e-3 of the size either may be kept: over 1.3 mm
    // the distance of lines that pass at 1 cm or more changes by less than 2e-4 m.
    EXPECT_NEAR(least, nearest - radius, 2e-4);
  }
  EXPECT_GT(touching, 40);
}

}  // namespace
}  // namespace picus::round_features_test
