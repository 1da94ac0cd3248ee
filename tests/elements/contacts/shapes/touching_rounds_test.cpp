#include <picus/elements/contacts/shapes/touching_rounds.hpp>
#include <picus/so3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::touching_rounds_test {
namespace {

using Kind = ShapeFeature::Kind;

const RoundSolid can{{0, 0, -0.2}, Vec3::UnitZ(), 0.4, {0.1, 0.1}};
const Polytope table = Polytope::box({2, 2, 0.2});
const Placement below{Mat3::Identity(), Vec3(0, 0, -0.1)};

TEST(TouchingRounds, LeaningCylinderHasTheLowestPointOfItsRim) {
  const double lean = 0.3;
  const double height = 0.2 * std::cos(lean) + 0.1 * std::sin(lean);
  const ConvexBody a(can, {so3::exp(Vec3(lean, 0, 0)), Vec3(0, 0, height + 1e-3)});
  const auto found = find_touching_rounds(a, {table, below}, {.reach = 2e-3, .size = 0.2});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].features.a, (ShapeFeature{Kind::vertex, 0}));
  EXPECT_EQ(found[0].features.b.kind, Kind::face);
  EXPECT_NEAR(found[0].gap, 1e-3, 1e-15);
  EXPECT_NEAR(found[0].normal.z(), 1.0, 1e-15);
}

TEST(TouchingRounds, FlatEndStandsOnThePointsThatAreAskedFor) {
  const ConvexBody a(can, {Mat3::Identity(), Vec3(0, 0, 0.2)});
  RoundCandidateOptions options{.reach = 2e-3, .size = 0.2};
  constexpr std::array<std::uint32_t, 3> points = {0, rim_points / 4, rim_points / 2};
  options.points_of_rim = [&](bool, Index rim, Index) {
    return std::span<const std::uint32_t>(points).first(rim == 0 ? 3 : 0);
  };
  const auto found = find_touching_rounds(a, {table, below}, options);
  ASSERT_EQ(found.size(), 3U);
  for (const RoundCandidate& one : found) EXPECT_NEAR(one.point.head<2>().norm(), 0.1, 1e-15);
}

// An edge across the end cuts its rim at two points, on different sides.
TEST(TouchingRounds, BorderCutsTheRimTwice) {
  const ConvexBody a(can, {Mat3::Identity(), Vec3(0.97, 0, 0.2)});
  RoundCandidateOptions options{.reach = 2e-3, .size = 0.2};
  options.points_of_rim = [](bool, Index, Index) { return std::span<const std::uint32_t>(); };
  const auto found = find_touching_rounds(a, {table, below}, options);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].features, found[1].features);
  EXPECT_EQ(found[0].side, -found[1].side);
  for (const RoundCandidate& one : found) {
    EXPECT_NEAR(one.point.x(), 1.0, 1e-12);
    EXPECT_NEAR(std::abs(one.point.y()), std::sqrt(0.01 - 0.0009), 1e-12);
  }
}

TEST(TouchingRounds, CrossedSidesTouchOnceAndParallelOnesAtTheirEnds) {
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  const Mat3 along_y = so3::exp(Vec3(std::numbers::pi / 2, 0, 0));
  const ConvexBody lower(can, {along_x, Vec3::Zero()});
  const auto crossed =
      find_touching_rounds({can, {along_y, Vec3(0.05, 0.02, 0.2)}}, lower, {.reach = 2e-3, .size = 0.2});
  ASSERT_EQ(crossed.size(), 1U);
  EXPECT_EQ(crossed[0].features.a.kind, Kind::edge);
  EXPECT_EQ(crossed[0].features.b.kind, Kind::edge);
  EXPECT_NEAR(crossed[0].gap, 0, 1e-15);
  const auto parallel =
      find_touching_rounds({can, {along_x, Vec3(0.1, 0, 0.2)}}, lower, {.reach = 2e-3, .size = 0.2});
  ASSERT_EQ(parallel.size(), 2U);
  for (const RoundCandidate& one : parallel) {
    EXPECT_NEAR(one.gap, 0, 1e-15);
    EXPECT_NEAR(one.normal.z(), 1.0, 1e-12);
  }
  EXPECT_NEAR(std::abs(parallel[0].point.x() - parallel[1].point.x()), 0.3, 1e-12);
}

TEST(TouchingRounds, WhatIsApartHasNone) {
  const ConvexBody a(can, {so3::exp(Vec3(0.3, 0.1, 0)), Vec3(0, 0, 0.3)});
  EXPECT_TRUE(find_touching_rounds(a, {table, below}, {.reach = 2e-3, .size = 0.2}).empty());
}

}  // namespace
}  // namespace picus::touching_rounds_test
