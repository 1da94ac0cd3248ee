#include "l_prism.hpp"
#include <picus/elements/contacts/shapes/polyhedron_search.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace picus::polyhedron_search_test {
namespace {

using Kind = ShapeFeature::Kind;

class PolyhedronSearchTest : public ::testing::Test {
 protected:
  std::vector<MeshCandidate> touch(const Vec3& begin, const Vec3& end, double radius,
                                   double thickness = 0.01) {
    const MovingPoint point{{.position = begin, .radius = radius}, {.position = end, .radius = radius}};
    std::vector<MeshCandidate> result;
    for (const auto& found :
         search.find_points(std::span(&point, 1), {.thickness = thickness, .size = 1.0, .moves = true}))
      result.push_back(found.candidate);
    return result;
  }
  /// The L as two boxes: signed distance outside, and inside the distance to its boundary.
  static double distance(const Vec3& x) {
    const auto of_box = [&](const Vec3& low, const Vec3& high) {
      const Vec3 out = (low - x).cwiseMax(x - high);
      return out.maxCoeff() > 0 ? out.cwiseMax(0.0).norm() : out.maxCoeff();
    };
    return std::min(of_box({0, 0, 0}, {2, 1, 1}), of_box({0, 0, 0}, {1, 2, 1}));
  }
  Polyhedron body = Polyhedron::of(make_l_prism());
  PolyhedronSearch search{body};
};

// The smallest gap found for a ball equals the distance of the nearest point, on faces, edges and corners, in front
// of the concave corner and elsewhere.
TEST_F(PolyhedronSearchTest, LeastGapOfABallIsItsDistance) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> in(-0.5, 2.5);
  constexpr double radius = 0.3;
  std::array<int, 3> kinds{};
  for (int trial = 0; trial < 20000; ++trial) {
    const Vec3 x(in(random), in(random), in(random)-0.5);
    const double gap = distance(x) - radius;
    if (distance(x) <= 0) continue;
    const std::vector<MeshCandidate> found = touch(x, x, radius);
    if (gap >= 0.01) {
      EXPECT_TRUE(found.empty()) << x.transpose();
      continue;
    }
    ASSERT_FALSE(found.empty()) << x.transpose();
    const MeshCandidate& least = *std::ranges::min_element(found, {}, &MeshCandidate::gap);
    EXPECT_NEAR(least.gap, gap, 1e-12) << x.transpose();
    EXPECT_NEAR((x - least.point).norm(), distance(x), 1e-12);
    ++kinds[place_of(least.feature.kind)];
  }
  for (const int count : kinds) EXPECT_GT(count, 50);
}

TEST_F(PolyhedronSearchTest, BallInTheInnerCornerTouchesBothWalls) {
  const std::vector<MeshCandidate> found = touch({1.2, 1.2, 0.5}, {1.2, 1.2, 0.5}, 0.2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].normal.dot(found[1].normal), 0.0, 1e-14);
  for (const MeshCandidate& one : found) {
    EXPECT_EQ(one.feature.kind, Kind::face);
    EXPECT_NEAR(one.gap, 0.0, 1e-14);
  }
}

// A sharp point slightly inside finds the wall through which it came, and each face once, however many triangles it
// has.
TEST_F(PolyhedronSearchTest, SharpPointFindsTheFaceThatItHasPassed) {
  for (const Vec3& x : {Vec3(0.5, 0.5, 1), Vec3(0.3, 0.8, 1), Vec3(1, 0.5, 1), Vec3(1.5, 1, 0.5),
                        Vec3(1, 1.5, 0.7), Vec3(2, 0.5, 0.5)}) {
    const auto found = touch(x, x, 0);
    ASSERT_EQ(found.size(), 1U) << x.transpose();
    const Vec3 n = found[0].normal;
    EXPECT_NEAR(distance(x + 0.1 * n), 0.1, 1e-12);
    for (const double depth : {0.005, 0.3, 0.7, 3.0}) {
      const auto passed = touch(x + 0.1 * n, x - depth * n, 0);
      ASSERT_EQ(passed.size(), 1U) << x.transpose() << " by " << depth;
      EXPECT_EQ(passed[0].feature, found[0].feature);
      EXPECT_NEAR(passed[0].gap, -depth, 1e-12);
    }
  }
}

// Through the concave corner: one wall, then the other.
TEST_F(PolyhedronSearchTest, EdgesTouchConvexEdgesOnly) {
  const auto cross = [&](const Vec3& x, const Vec3& along, const std::array<Vec3, 2>& normals) {
    const EdgeOfFaces edge{.from = x - along, .to = x + along, .normals = normals};
    const MovingEdge moving{edge, edge};
    return search.find_edges(std::span(&moving, 1), {.thickness = 0.01, .size = 1.0});
  };
  // A sharp edge along (1, -1, 0) pointing towards the concave corner, and one towards the convex one, along z.
  const Vec3 n = Vec3(1, 1, 0).normalized();
  EXPECT_TRUE(cross(Vec3(1, 1, 0.5) + 0.001 * n, 0.2 * Vec3(1, -1, 0),
                    {Vec3(-n + Vec3::UnitZ()).normalized(), Vec3(-n - Vec3::UnitZ()).normalized()})
                  .empty());
  const auto found = cross(Vec3(0, 0, 0.5) - 0.001 * n, 0.2 * Vec3(1, -1, 0),
                           {Vec3(n - Vec3::UnitZ()).normalized(), Vec3(n + Vec3::UnitZ()).normalized()});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].crossing.gap, 0.001, 1e-12);
  EXPECT_NEAR((found[0].crossing.normal + n).norm(), 0.0, 1e-12);
}

TEST_F(PolyhedronSearchTest, FindsWhatIsInABox) {
  std::vector<Index> found;
  const auto corners_in = [&](const Box& box) {
    search.find_corners_in(box, found);
    return found.size();
  };
  EXPECT_EQ(corners_in(Box(Vec3(-1, -1, -1), Vec3(3, 3, 3))), 12U);
  EXPECT_EQ(corners_in(Box(Vec3(1.5, -1, 0.5), Vec3(3, 3, 3))), 2U);
  search.find_edges_in(Box(Vec3(1.5, -1, 0.5), Vec3(3, 3, 3)), found);
  EXPECT_EQ(found.size(), 5U);
  EXPECT_EQ(corners_in(Box(Vec3(1.2, 1.2, 0), Vec3(3, 3, 1))), 0U);
}

}  // namespace
}  // namespace picus::polyhedron_search_test
