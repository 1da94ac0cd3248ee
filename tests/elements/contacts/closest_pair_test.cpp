/// Pairs of closest points of round features against positions known in closed form.

#include <picus/elements/contacts/parts/closest_pair.hpp>
#include <picus/so3.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::closest_pair_test {
namespace {

/// The pair on this side that touches; null: none.
const ClosestPair* touching_on(const ClosestPairs& pairs, int side, double size) {
  const auto* found = std::ranges::find_if(pairs, [&](const ClosestPair& pair) {
    return pair.side == side && std::abs(pair.gap()) < 1e-9 * size;
  });
  return found == std::end(pairs) ? nullptr : found;
}

// The chord of an edge across an end crosses the rim at two points, down to half angles at which edge and rim are nearly
// parallel.
TEST(ClosestPair, AnEdgeAcrossAnEndCrossesItsRimTwiceUntilItNearlyLeavesIt) {
  using Curve = RoundFeature::Curve;
  for (const double r : {1e-3, 1.0, 50.0}) {
    for (const Vec3& turn : {Vec3(0, 0, 0), Vec3(0.3, -1.1, 0.7), Vec3(2, 0.1, 0.4)}) {
      const Mat3 R = so3::exp(turn);
      for (const double half : {1.2, 0.5, 0.2, 0.1, 0.05}) {
        for (double azimuth = 0; azimuth < 6.2; azimuth += 0.37) {
          const auto at = [&](double angle) -> Vec3 {
            return r * (R * Vec3(std::cos(azimuth + angle), std::sin(azimuth + angle), 0));
          };
          const std::array<Vec3, 2> crossings = {at(-half), at(half)};
          const RoundFeature rim{.curve = Curve::circle, .axis = R.col(2), .radius = r};
          const RoundFeature edge{
              .curve = Curve::line, .x = crossings[0], .axis = (crossings[1] - crossings[0]).normalized()};
          const ClosestPairs pairs = find_closest_pairs(rim, edge);
          const ClosestPair* along = touching_on(pairs, 1, r);
          const ClosestPair* against = touching_on(pairs, -1, r);
          ASSERT_TRUE(along != nullptr && against != nullptr) << half << ", " << azimuth;
          EXPECT_NEAR((along->y_a - against->y_a).norm(), 2 * r * std::sin(half), 1e-6 * r);
          for (const ClosestPair* pair : {along, against})
            EXPECT_LT(std::min((pair->y_a - crossings[0]).norm(), (pair->y_a - crossings[1]).norm()),
                      1e-6 * r);
        }
      }
    }
  }
}

}  // namespace
}  // namespace picus::closest_pair_test
