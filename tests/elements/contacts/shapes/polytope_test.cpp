#include <picus/elements/contacts/shapes/polytope.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

namespace picus::polytope_test {
namespace {

using support::message_of;
using Kind = ShapeFeature::Kind;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-13;

/// Corners, faces and edges are consistent, and all corners lie below all faces.
void expect_convex(const Polytope& p) {
  EXPECT_EQ(count_of(p.vertices) - count_of(p.edges) + count_of(p.faces), 2);
  std::vector<Index> faces_at(p.vertices.size(), 0);
  for (const auto& face : p.faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, rounding);
    for (const Vec3& x : p.vertices) EXPECT_LE(face.normal.dot(x), face.offset + rounding * p.size);
    for (std::size_t k = 0; k < face.vertices.size(); ++k) {
      const auto corner = [&](std::size_t i) {
        return p.vertices[face.vertices[(k + i) % face.vertices.size()]];
      };
      ++faces_at[face.vertices[k]];
      EXPECT_NEAR(face.normal.dot(corner(0)), face.offset, rounding * p.size);
      // Counter-clockwise, and no straight corner.
      EXPECT_GT((corner(1) - corner(0)).cross(corner(2) - corner(1)).dot(face.normal), 0.0);
    }
  }
  for (const Index count : faces_at) EXPECT_GE(count, 3);
  for (const auto& edge : p.edges) {
    // The face on the left contains the edge as it is, that on the right contains it reversed.
    for (const bool right : {false, true}) {
      const auto& corners = p.faces[edge.faces[right ? 1 : 0]].vertices;
      const auto from = std::ranges::find(corners, edge.vertices[right ? 1 : 0]);
      ASSERT_NE(from, corners.end());
      const Index next = from + 1 == corners.end() ? corners.front() : *(from + 1);
      EXPECT_EQ(next, edge.vertices[right ? 0 : 1]);
    }
    const Vec3 along = p.vertices[edge.vertices[1]] - p.vertices[edge.vertices[0]];
    EXPECT_GT(p.faces[edge.faces[0]].normal.cross(p.faces[edge.faces[1]].normal).dot(along), 0.0);
  }
}

TEST(Polytope, BoxHasItsSizes) {
  const Polytope box = Polytope::box({1, 2, 3});
  expect_convex(box);
  EXPECT_EQ(box.vertices.size(), 8U);
  EXPECT_EQ(box.edges.size(), 12U);
  EXPECT_EQ(box.faces.size(), 6U);
  EXPECT_DOUBLE_EQ(box.size, std::sqrt(14.0));
  for (const auto& face : box.faces)
    EXPECT_DOUBLE_EQ(face.offset, face.normal.cwiseAbs().dot(Vec3(0.5, 1, 1.5)));
}

TEST(Polytope, SizeOfAThinPlateIsTenTimesItsThickness) {
  EXPECT_DOUBLE_EQ(Polytope::box({1, 2, 0.01}).size, 0.1);
  const std::vector<Vec3> corners = {{0, 0, 0},    {1, 0, 0},    {0, 1, 0},
                                     {0, 0, 0.01}, {1, 0, 0.01}, {0, 1, 0.01}};
  EXPECT_NEAR(Polytope::hull(corners).size, 0.1, 1e-15);
}

// At any position and orientation: points inside, in a face, on an edge, and duplicates are not corners.
TEST(Polytope, HullOfABoxIsTheBox) {
  support::Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3 R = trial == 0 ? Mat3(Mat3::Identity()) : random.rotation();
    const Vec3 x = random.vec3(trial < 10 ? 1.0 : 100.0);
    std::vector<Vec3> points;
    const std::array<double, 4> places = {-0.5, 0.1, 0.5, -0.5};
    for (const double u : places) {
      for (const double v : places) {
        for (const double w : places) points.push_back(x + R * Vec3(u, 2 * v, 3 * w));
      }
    }
    const Polytope hull = Polytope::hull(points);
    EXPECT_EQ(hull.vertices.size(), 8U);
    EXPECT_EQ(hull.edges.size(), 12U);
    EXPECT_EQ(hull.faces.size(), 6U);
    // Coordinates of 100 m with rounding errors of that size.
    if (trial < 10) expect_convex(hull);
  }
}

TEST(Polytope, HullContainsItsPointsAndHasNoOtherCorners) {
  support::Random random(7);
  for (const int count : {4, 5, 10, 100, 1000}) {
    for (const bool on_sphere : {false, true}) {
      std::vector<Vec3> points;
      for (int i = 0; i < count; ++i) points.push_back(on_sphere ? random.direction() : random.vec3());
      const Polytope hull = Polytope::hull(points);
      expect_convex(hull);
      if (on_sphere) {
        EXPECT_EQ(count_of(hull.vertices), count);
      }
      for (const auto& face : hull.faces) {
        for (const Vec3& x : points) EXPECT_LE(face.normal.dot(x), face.offset + 10 * rounding);
      }
    }
  }
}

TEST(Polytope, HullOfARoundPlateHasTwoPolygons) {
  support::Random random(9);
  const Mat3 R = random.rotation();
  std::vector<Vec3> points;
  constexpr int sides = 24;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (const double height : {0.0, 1e-3})
      points.push_back(R * Vec3(std::cos(angle), std::sin(angle), height));
  }
  const Polytope plate = Polytope::hull(points);
  expect_convex(plate);
  EXPECT_EQ(count_of(plate.faces), sides + 2);
  EXPECT_EQ(count_of(plate.edges), 3 * sides);
}

// The points of a flat face deviate by rounding and slightly more: the hull is still that of all points, to this
// accuracy.
TEST(Polytope, HullOfNoisyFacesHolds) {
  support::Random random(11);
  for (const double noise : {1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Vec3> points;
      const Mat3 R = random.rotation();
      for (int i = 0; i < 125; ++i)
        points.push_back(R * (Vec3(i % 5, i / 5 % 5, i / 25) + random.vec3(noise)));
      Polytope hull;
      ASSERT_NO_THROW(hull = Polytope::hull(points)) << noise;
      for (const auto& face : hull.faces) {
        for (const Vec3& x : points) EXPECT_LE(face.normal.dot(x), face.offset + 2 * noise + 100 * rounding);
      }
    }
  }
}

TEST(Polytope, RefusesWhatHasNoInside) {
  const auto refusal = [](const std::vector<Vec3>& points) {
    return message_of<ModelError>([&] { Polytope::hull(points); });
  };
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "convex hull: 3 points, must be 4 or more");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}, {0, 0, 1}}),
            "convex hull: point 2 is not finite");
  const std::string flat = "convex hull: all 4 points are in one plane";
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-10}}), flat);
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), flat);
  EXPECT_EQ(refusal({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), flat);
  EXPECT_EQ(message_of<ModelError>([] {
              Polytope::box({1, 0, 2});
            }),
            "box: its sizes are 1 x 0 x 2 m, must be positive");
  EXPECT_EQ(message_of<ModelError>([] {
              Polytope::half_space({0, 0, 0});
            }),
            "half-space: normal 0 0 0 and offset 0 m describe none");
}

TEST(Polytope, NearestFeatureOfABox) {
  const Polytope box = Polytope::box({2, 2, 2});
  const auto nearest = [&](double x, double y, double z) { return find_nearest_feature(box, {x, y, z}); };
  EXPECT_EQ(nearest(0.2, 0.3, 4).feature.kind, Kind::face);
  EXPECT_DOUBLE_EQ(nearest(0.2, 0.3, 4).distance, 3);
  EXPECT_EQ(nearest(0.2, 0.3, 4).point, Vec3(0.2, 0.3, 1));
  EXPECT_EQ(nearest(0.2, 4, 5).feature.kind, Kind::edge);
  EXPECT_DOUBLE_EQ(nearest(0.2, 4, 5).distance, 5);
  EXPECT_EQ(nearest(2, 3, 3).feature.kind, Kind::vertex);
  EXPECT_DOUBLE_EQ(nearest(2, 3, 3).distance, 3);
  EXPECT_EQ(nearest(0.2, 0.9, -0.3).feature.kind, Kind::face);
  EXPECT_NEAR(nearest(0.2, 0.9, -0.3).distance, -0.1, rounding);
  EXPECT_EQ(nearest(0.2, 0.9, -0.3).normal, Vec3::UnitY());
  // On the surface, to within rounding, there is no direction to the nearest point.
  EXPECT_EQ(nearest(0.2, 1 + 1e-15, 0.1).normal, Vec3::UnitY());
  EXPECT_DOUBLE_EQ(nearest(1, 1, 1 + 1e-15).normal.norm(), 1);
}

// The nearest point is a point of the body, none of its corners lies beyond the plane there, and inside no face is nearer.
TEST(Polytope, NearestFeatureOfAHullIsNearest) {
  support::Random random(13);
  std::vector<Vec3> points;
  for (int i = 0; i < 30; ++i) points.push_back(random.vec3());
  const Polytope hull = Polytope::hull(points);
  std::set<Kind> seen;
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 x = random.vec3(2.0);
    const NearestFeature nearest = find_nearest_feature(hull, x);
    EXPECT_NEAR((x - nearest.point - nearest.distance * nearest.normal).norm(), 0.0, rounding);
    double highest = -std::numeric_limits<double>::infinity();
    for (const auto& face : hull.faces) {
      highest = std::max(highest, face.normal.dot(x) - face.offset);
      EXPECT_LE(face.normal.dot(nearest.point), face.offset + 10 * rounding);
    }
    if (highest < 0) {
      EXPECT_DOUBLE_EQ(nearest.distance, highest);
      continue;
    }
    seen.insert(nearest.feature.kind);
    for (const Vec3& corner : hull.vertices)
      EXPECT_LE(nearest.normal.dot(corner - nearest.point), 10 * rounding);
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST(Polytope, HalfSpaceHasOneFaceWithoutBorders) {
  const Polytope ground = Polytope::half_space({0, 0, 2}, 3);
  const NearestFeature nearest = find_nearest_feature(ground, {100, -200, 1});
  EXPECT_EQ(nearest.feature, (ShapeFeature{Kind::face, 0}));
  EXPECT_DOUBLE_EQ(nearest.distance, -0.5);
  EXPECT_EQ(nearest.point, Vec3(100, -200, 1.5));
  EXPECT_DOUBLE_EQ(find_nearest_feature(ground, {0, 0, 2}).distance, 0.5);
}

}  // namespace
}  // namespace picus::polytope_test
