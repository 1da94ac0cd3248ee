#include "feature_candidates.hpp"
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/contacts/shapes/touching_features.hpp>
#include <picus/so3.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace picus::touching_features_test {
namespace {

using support::expect_near;
constexpr double pi = std::numbers::pi;

Mat3 turn(double angle, const Vec3& axis) {
  return so3::exp(angle * axis.normalized());
}

/// s(n)
double separation_along(const Polytope& a, const Placement& place_a, const Polytope& b,
                        const Placement& place_b, const Vec3& n) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Vec3& x : a.vertices) low = std::min(low, n.dot(place_a.R * x + place_a.x));
  for (const Vec3& x : b.vertices) high = std::max(high, n.dot(place_b.R * x + place_b.x));
  return low - high;
}

Polytope random_hull(support::Random& random, int points) {
  std::vector<Vec3> all;
  for (int i = 0; i < points; ++i) all.push_back(random.vec3(0.5));
  return Polytope::hull(all);
}

Placement random_place(support::Random& random, double way) {
  return {random.rotation(), random.vec3(way)};
}

std::vector<FeatureCandidate> touch(const Polytope& a, const Placement& place_a, const Polytope& b,
                                    const Placement& place_b = {}) {
  return find_touching_features(a, place_a, b, place_b, {.reach = reach});
}

/// The positions in the x-y plane, in order.
std::vector<std::pair<double, double>> corners(const std::vector<FeatureCandidate>& touches) {
  std::vector<std::pair<double, double>> result;
  // In micrometres, so that rounding does not affect the order.
  for (const FeatureCandidate& touch : touches)
    result.emplace_back(std::round(1e6 * touch.point.x()) / 1e6, std::round(1e6 * touch.point.y()) / 1e6);
  std::ranges::sort(result);
  return result;
}

// The definition, evaluated for directions all around; and no direction near the axis is better.
TEST(Separation, IsTheBestOfAllDirections) {
  support::Random random(3);
  int apart = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Polytope a = trial % 2 == 0 ? Polytope::box({1, 0.7, 0.4}) : random_hull(random, 12);
    const Polytope b = trial % 3 == 0 ? Polytope::box({0.3, 1.2, 0.8}) : random_hull(random, 20);
    const Placement place_a = random_place(random, 0.8);
    const Placement place_b = random_place(random, 0.8);
    const Separation best = find_separation(a, place_a, b, place_b);
    EXPECT_NEAR(best.normal.norm(), 1.0, rounding);
    EXPECT_NEAR(best.distance, separation_along(a, place_a, b, place_b, best.normal), 10 * rounding);
    if (best.distance > 0) {
      ++apart;
      continue;  // there the closest points may be corners, whose direction is not an axis
    }
    for (int i = 0; i < 2000; ++i) {
      const Vec3 n = i < 1000 ? random.direction() : Vec3((best.normal + random.vec3(0.05)).normalized());
      EXPECT_LE(separation_along(a, place_a, b, place_b, n), best.distance + 10 * rounding);
    }
  }
  EXPECT_GT(apart, 10);
  EXPECT_LT(apart, 50);
}

// Positive exactly if there is no common point, as found by alternating projections.
TEST(Separation, IsPositiveIfNothingIsCommon) {
  support::Random random(31);
  const auto project = [](const Polytope& p, const Placement& place, const Vec3& x) -> Vec3 {
    const Vec3 local = place.R.transpose() * (x - place.x);
    const NearestFeature nearest = find_nearest_feature(p, local);
    return nearest.distance <= 0 ? x : Vec3(place.R * nearest.point + place.x);
  };
  for (int trial = 0; trial < 100; ++trial) {
    const Polytope a = random_hull(random, 10);
    const Polytope b = Polytope::box({0.3, 1.2, 0.8});
    const Placement place_a = random_place(random, 0.8);
    const Placement place_b = random_place(random, 0.8);
    const double s = find_separation(a, place_a, b, place_b).distance;
    if (std::abs(s) < 0.01) continue;  // where the projections converge slowly
    Vec3 x = place_a.x;
    for (int i = 0; i < 2000; ++i) x = project(a, place_a, project(b, place_b, x));
    const double distance = (x - project(b, place_b, x)).norm();
    if (s > 0) {
      EXPECT_LE(s, distance + rounding);
    } else {
      EXPECT_LT(distance, 1e-6);
    }
  }
}

TEST(Separation, OfAHalfSpaceIsTheHeightOfTheLowestVertex) {
  const Polytope box = Polytope::box({1, 1, 1});
  const Polytope ground = Polytope::half_space({0, 0, 1});
  const Separation best = find_separation(box, {turn(0.3, {1, 2, 0}), {5, 7, 0.4}}, ground, {});
  double lowest = 1;
  for (const Vec3& x : box.vertices) lowest = std::min(lowest, (turn(0.3, {1, 2, 0}) * x).z() + 0.4);
  EXPECT_NEAR(best.distance, lowest, rounding);
  expect_near(best.normal, Vec3::UnitZ(), rounding, "normal");
}

TEST(TouchingFeatures, AlignedBoxesHaveFourCorners) {
  const Polytope box = Polytope::box({1, 1, 1});
  for (const double gap : {0.5 * reach, 0.0, -1e-3}) {
    const auto touches = touch(box, {Mat3::Identity(), {0, 0, 1 + gap}}, box);
    ASSERT_EQ(touches.size(), 4U);
    expect_flat(touches, gap);
    EXPECT_EQ(count(touches, Kind::vertex, Kind::face), 4);
    EXPECT_THAT(corners(touches), ::testing::ElementsAre(std::pair(-0.5, -0.5), std::pair(-0.5, 0.5),
                                                         std::pair(0.5, -0.5), std::pair(0.5, 0.5)));
  }
  EXPECT_TRUE(touch(box, {Mat3::Identity(), {0, 0, 1 + 1.1 * reach}}, box).empty());
}

TEST(TouchingFeatures, ShiftedBoxesHaveTheCornersOfTheirOverlap) {
  const Polytope a = Polytope::box({1, 1, 1});
  const Polytope b = Polytope::box({2, 2, 1});
  // One corner of a on b, one of b under a, two crossings.
  const auto over_corner = touch(a, {Mat3::Identity(), {0.9, 0.8, 1}}, b);
  expect_flat(over_corner, 0);
  EXPECT_EQ(count(over_corner, Kind::vertex, Kind::face), 1);
  EXPECT_EQ(count(over_corner, Kind::face, Kind::vertex), 1);
  EXPECT_EQ(count(over_corner, Kind::edge, Kind::edge), 2);
  EXPECT_THAT(corners(over_corner), ::testing::ElementsAre(std::pair(0.4, 0.3), std::pair(0.4, 1.0),
                                                           std::pair(1.0, 0.3), std::pair(1.0, 1.0)));
  // Across an edge of b.
  const auto over_border = touch(a, {Mat3::Identity(), {0.9, 0, 1}}, b);
  EXPECT_THAT(corners(over_border), ::testing::ElementsAre(std::pair(0.4, -0.5), std::pair(0.4, 0.5),
                                                           std::pair(1.0, -0.5), std::pair(1.0, 0.5)));
  EXPECT_EQ(count(over_border, Kind::edge, Kind::edge), 2);
  // All of a, and all of b.
  EXPECT_EQ(count(touch(a, {Mat3::Identity(), {0.1, 0.2, 1}}, b), Kind::vertex, Kind::face), 4);
  EXPECT_EQ(count(touch(b, {Mat3::Identity(), {0.1, 0.2, 1}}, a), Kind::face, Kind::vertex), 4);
}

// Two squares, one rotated by 45 degrees: an octagon of crossings.
TEST(TouchingFeatures, TurnedBoxesHaveAnOctagon) {
  const Polytope box = Polytope::box({1, 1, 1});
  const auto touches = touch(box, {turn(pi / 4, {0, 0, 1}), {0, 0, 1 - 1e-4}}, box);
  ASSERT_EQ(touches.size(), 8U);
  expect_flat(touches, -1e-4);
  EXPECT_EQ(count(touches, Kind::edge, Kind::edge), 8);
  // The sides of the rotated one are x +- y = +-1/sqrt 2.
  for (const FeatureCandidate& t : touches) {
    EXPECT_NEAR(std::max(std::abs(t.point.x()), std::abs(t.point.y())), 0.5, rounding);
    EXPECT_NEAR(std::abs(t.point.x()) + std::abs(t.point.y()), std::sqrt(0.5), rounding);
  }
}

// A box with one corner or one edge down; corners beyond the reach are not contacts.
TEST(TouchingFeatures, TiltedBoxesStandOnTheirLowestCorners) {
  const Polytope a = Polytope::box({1, 1, 1});
  const Polytope table = Polytope::box({10, 10, 1});
  const auto lowest = [&](const Mat3& R) {
    double z = 1;
    for (const Vec3& x : a.vertices) z = std::min(z, (R * x).z());
    return z;
  };
  const Mat3 on_corner = turn(0.4, {1, 0.5, 0});
  const auto one = touch(a, {on_corner, {0, 0, 0.5 - lowest(on_corner)}}, table);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].features.a.kind, Kind::vertex);
  expect_flat(one, 0);
  const Mat3 on_edge = turn(0.4, {0, 1, 0});
  const auto two = touch(a, {on_edge, {0, 0, 0.499 - lowest(on_edge)}}, table);
  ASSERT_EQ(two.size(), 2U);
  expect_flat(two, -1e-3);
  // Beyond the edge of the table: one corner, and a crossing with the edge.
  const auto border = touch(a, {on_edge, {0, 5, 0.499 - lowest(on_edge)}}, table);
  ASSERT_EQ(border.size(), 2U);
  EXPECT_EQ(count(border, Kind::vertex, Kind::face), 1);
  EXPECT_EQ(count(border, Kind::edge, Kind::edge), 1);
  expect_flat(border, -1e-3);
  // Nearly flat: the far corners are within reach, with their actual gaps.
  const Mat3 nearly = turn(0.5 * reach, {0, 1, 0});
  const auto four = touch(a, {nearly, {0, 0, 0.5 - lowest(nearly)}}, table);
  ASSERT_EQ(four.size(), 4U);
  double widest = 0;
  for (const FeatureCandidate& t : four) widest = std::max(widest, t.gap);
  EXPECT_NEAR(widest, std::sin(0.5 * reach), rounding);
}

TEST(TouchingFeatures, EdgesCross) {
  const Polytope box = Polytope::box({1, 1, 1});
  // An edge along y up, and one along x down.
  const Placement below{turn(pi / 4, {0, 1, 0}), {0, 0, 0}};
  for (const double gap : {0.5 * reach, 0.0, -0.01}) {
    const Placement above{turn(pi / 4, {1, 0, 0}), {0.1, 0.2, std::sqrt(2.0) + gap}};
    const auto touches = touch(box, above, box, below);
    ASSERT_EQ(touches.size(), 1U);
    EXPECT_EQ(count(touches, Kind::edge, Kind::edge), 1);
    expect_flat(touches, gap);
    expect_near(touches[0].point, Vec3(0, 0.2, std::sqrt(0.5) + gap / 2), 10 * rounding, "point");
  }
}

TEST(TouchingFeatures, DiagonalNeighboursTouchOnceTheyOverlap) {
  const Polytope box = Polytope::box({1, 1, 1});
  EXPECT_TRUE(touch(box, {Mat3::Identity(), {1, 0.2, 1}}, box).empty());
  EXPECT_TRUE(touch(box, {Mat3::Identity(), {1, 1, 1}}, box).empty());
  EXPECT_TRUE(touch(box, {Mat3::Identity(), {1 + 1e-3, 0.2, 1 + 1e-3}}, box).empty());
  const auto overlap = touch(box, {Mat3::Identity(), {1 - 1e-3, 0.2, 1 - 1e-3}}, box);
  ASSERT_FALSE(overlap.empty());
  for (const FeatureCandidate& t : overlap) {
    EXPECT_NEAR(t.gap, -1e-3, rounding);
    expect_near(t.normal, overlap[0].normal, rounding, "normal");
  }
  // The penetration is smaller from above than from the side.
  const auto from_above = touch(box, {Mat3::Identity(), {1 - 1e-2, 0.2, 1 - 1e-3}}, box);
  ASSERT_EQ(from_above.size(), 4U);
  expect_flat(from_above, -1e-3);
}

// A corner inside a body with many faces is pushed out of the nearest one only, though others are within reach.
TEST(TouchingFeatures, AVertexTouchesOneFace) {
  std::vector<Vec3> rim;
  for (int i = 0; i < 40; ++i) {
    const double angle = 2 * pi * i / 40;
    for (const double y : {-1.0, 1.0}) rim.emplace_back(std::cos(angle), y, std::sin(angle));
  }
  const Polytope roller = Polytope::hull(rim);
  const Polytope box = Polytope::box({0.2, 0.2, 0.2});
  const Mat3 R = support::rotation_between(Vec3(1, 1, 1), Vec3::UnitZ());
  for (const double side : {-1.0, 1.0}) {
    // The lowest corner just below the top edge of the roller.
    const Vec3 corner(side * 1e-4, 0, 1 - 5e-3);
    const auto touches = touch(box, {R, corner - R * Vec3(-0.1, -0.1, -0.1)}, roller);
    ASSERT_EQ(count(touches, Kind::vertex, Kind::face), 1);
    const auto at =
        std::ranges::find(touches, Kind::face, [](const FeatureCandidate& t) { return t.features.b.kind; });
    expect_near(at->normal, Vec3(side * std::sin(pi / 40), 0, std::cos(pi / 40)), 10 * rounding, "normal");
  }
}

TEST(TouchingFeatures, BoxOnAHalfSpace) {
  const Polytope box = Polytope::box({1, 2, 1});
  const Polytope ground = Polytope::half_space({0, 0, 1}, 3);
  const auto touches = touch(box, {turn(1.0, {0, 0, 1}), {100, 200, 3.5}}, ground);
  ASSERT_EQ(touches.size(), 4U);
  for (const FeatureCandidate& t : touches) {
    expect_near(t.normal, Vec3::UnitZ(), rounding, "normal");
    EXPECT_NEAR(t.gap, 0, 1e-12);  // of coordinates of 100 m
  }
  EXPECT_TRUE(touch(box, {Mat3::Identity(), {0, 0, 3.6}}, ground).empty());
}

TEST(TouchingFeatures, PreviousChoiceIsKept) {
  const Polytope box = Polytope::box({1, 1, 1});
  const Placement above{Mat3::Identity(), {0, 0, 1}};
  FeatureCandidateOptions options{.reach = reach};
  std::vector<FeaturePair> previous;
  for (const FeatureCandidate& t : find_touching_features(box, above, box, {}, options))
    previous.push_back(t.features);
  ASSERT_EQ(previous.size(), 4U);
  // One of the corners as the other body's.
  const FeatureCandidate first = find_touching_features(box, above, box, {}, options)[0];
  Index under = -1;
  for (Index v = 0; v < 8; ++v) {
    if ((box.vertices[v] - first.point).norm() < 1e-9) under = v;
  }
  const Index bottom = 4;  // the face with the normal -z
  ASSERT_EQ(box.faces[bottom].normal, -Vec3::UnitZ());
  previous[0] = {{Kind::face, bottom}, {Kind::vertex, under}};
  options.previous = previous;
  std::vector<FeaturePair> now;
  for (const FeatureCandidate& t : find_touching_features(box, above, box, {}, options))
    now.push_back(t.features);
  EXPECT_THAT(now, ::testing::UnorderedElementsAreArray(previous));
}

// Boxes and hulls in random positions just touching: there is a contact if they overlap, each has the gap of its
// features, a common motion changes nothing, and the opposite order gives the same positions with opposite normals.
TEST(TouchingFeatures, RandomPairsAgreeForEveryObserverAndInBothOrders) {
  support::Random random(17);
  int both = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Polytope a = trial % 2 == 0 ? Polytope::box({1, 0.7, 0.4}) : random_hull(random, 10);
    const Polytope b = trial % 4 < 2 ? Polytope::box({0.6, 1.2, 0.8}) : random_hull(random, 16);
    Placement place_a = random_place(random, 0.7);
    const Placement place_b = random_place(random, 0.7);
    const Separation start = find_separation(a, place_a, b, place_b);
    const double overlap = random.uniform(-5e-3, 5e-3);
    place_a.x -= (start.distance + overlap) * start.normal;
    const Separation best = find_separation(a, place_a, b, place_b);
    const auto touches = touch(a, place_a, b, place_b);
    if (best.distance < 0) {
      EXPECT_FALSE(touches.empty()) << trial;
    }
    for (const FeatureCandidate& t : touches) {
      EXPECT_LT(t.gap, reach);
      EXPECT_GE(separation_along(a, place_a, b, place_b, t.normal), best.distance - reach - rounding);
      EXPECT_GE(t.normal.dot(best.normal), std::cos(0.5237));
      // At the middle of the gap: half of it away from each, or inside.
      const auto depth = [&](const Polytope& p, const Placement& place) {
        return find_nearest_feature(p, place.R.transpose() * (t.point - place.x)).distance;
      };
      EXPECT_LE(depth(a, place_a), std::abs(t.gap) / 2 + reach);
      EXPECT_LE(depth(b, place_b), std::abs(t.gap) / 2 + reach);
    }

    const Placement motion = random_place(random, 3.0);
    const auto moved = [&](const Placement& place) {
      return Placement{motion.R * place.R, motion.R * place.x + motion.x};
    };
    const auto seen = touch(a, moved(place_a), b, moved(place_b));
    ASSERT_EQ(seen.size(), touches.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_EQ(seen[i].features, touches[i].features);
      EXPECT_NEAR(seen[i].gap, touches[i].gap, 100 * rounding);
      expect_near(seen[i].point, motion.R * touches[i].point + motion.x, 1e4 * rounding, "point");
      expect_near(seen[i].normal, motion.R * touches[i].normal, 1e4 * rounding, "normal");
    }

    auto swapped = touch(b, place_b, a, place_a);
    // Of duplicates either order prefers its own a: positions are compared.
    ASSERT_EQ(swapped.size(), touches.size()) << trial;
    for (const FeatureCandidate& t : touches) {
      const auto same = std::ranges::find_if(swapped, [&](const FeatureCandidate& other) {
        return (other.point - t.point).norm() < 2e-3 && other.normal.dot(t.normal) < -0.99;
      });
      EXPECT_NE(same, swapped.end());
    }
    both += touches.empty() ? 0 : 1;
  }
  EXPECT_GT(both, 300);
}

/// A body with a shape in a model, and the features from which contact elements are made.
struct Body {
  FrameNode node;
  const Polytope& shape;

  MaterialPoint vertex(Index v) const { return {node, shape.vertices[v]}; }
  Feature edge(Index e) const {
    const auto& [from, to] = shape.edges[e].vertices;
    return Feature::edge(vertex(from), vertex(to));
  }
  /// Three of its corners.
  Feature face(Index f) const {
    const std::vector<Index>& corners = shape.faces[f].vertices;
    return Feature::triangle(vertex(corners[0]), vertex(corners[1]), vertex(corners[2]));
  }
  Vec3 along(const Placement& place, Index e) const {
    const auto& [from, to] = shape.edges[e].vertices;
    return place.R * (shape.vertices[to] - shape.vertices[from]);
  }
};

// The listed contacts agree with the contact elements of these features: an edge pair gets its crossing from the
// normal, a face three of its corners.
TEST(TouchingFeatures, ElementsHaveTheSameGapsAndNormals) {
  support::Random random(37);
  int crossings = 0;
  int over_triangles = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Polytope shape_a = Polytope::box({1, 0.7, 0.4});
    const Polytope shape_b = random_hull(random, 12);
    const Placement place_b = random_place(random, 0.5);
    Placement place_a = random_place(random, 0.5);
    for (int i = 0; i < 10; ++i) {
      const Separation best = find_separation(shape_a, place_a, shape_b, place_b);
      place_a.x -= (best.distance + 2e-3) * best.normal;
    }
    Model model;
    const auto add_body = [&](const std::string& name, const Placement& place) {
      return model.add_frame(name, {.position = place.x, .rotation = place.R});
    };
    const Body a{add_body("a", place_a), shape_a};
    const Body b{add_body("b", place_b), shape_b};
    for (const FeatureCandidate& t : touch(shape_a, place_a, shape_b, place_b)) {
      const auto& [on_a, on_b] = t.features;
      FeatureContact::Parameters contact{.name = "c" + std::to_string(model.contacts().size())};
      double side = 1;  // of the normal: the second feature is the face
      if (on_a.kind == Kind::edge) {
        const Vec3 u_v = a.along(place_a, on_a.index).cross(b.along(place_b, on_b.index));
        contact.a = a.edge(on_a.index);
        contact.b = b.edge(on_b.index);
        contact.crossing = u_v.dot(t.normal) > 0 ? Crossing::along : Crossing::against;
        ++crossings;
      } else if (on_a.kind == Kind::vertex) {
        contact.a = Feature::point(a.vertex(on_a.index));
        contact.b = b.face(on_b.index);
      } else {
        contact.a = Feature::point(b.vertex(on_b.index));
        contact.b = a.face(on_a.index);
        side = -1;
      }
      const auto element = model.add<FeatureContact>(contact);
      const Configuration& q = model.initial_configuration();
      const Vec3 normal = element->directions(q).col(0);
      // Beyond the three corners the closest point of the element is on their boundary.
      if (on_a.kind != Kind::edge && normal.dot(t.normal) * side < 1 - 1e-9) continue;
      over_triangles += on_a.kind == Kind::edge ? 0 : 1;
      std::array<double, 3> g{};
      element->displacement(q, q, g);
      EXPECT_NEAR(g[0], t.gap, 100 * rounding);
      expect_near(side * normal, t.normal, 1e4 * rounding, "normal");  // edges down to 1e-3 from parallel
      if (on_a.kind == Kind::edge) expect_near(*element->contact_point(q), t.point, 1e6 * rounding, "point");
    }
  }
  EXPECT_GT(crossings, 20);
  EXPECT_GT(over_triangles, 20);
}

}  // namespace
}  // namespace picus::touching_features_test
