// A masonry arch, and the limit analysis that decides whether it stands.

#include <picus/models/arch.hpp>
#include <picus/models/references/arch_statics.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

// Milankovitch (1907), also Cochetti and others (2012): 0.1075 with a hinge at 54.5 degrees from the crown.
TEST(ArchStatics, TendsToTheLimitOfMilankovitch) {
  EXPECT_NEAR(least_thickness(1001, 0.7), 0.1075, 5e-5);
  EXPECT_LT(least_thickness(15, 0.7), least_thickness(1001, 0.7));
}

// The springings of a semicircular arch slide if mu is below 0.31 (limit of thick arches of many blocks; Sinopoli
// 1997).
TEST(ArchStatics, AsksForFriction) {
  EXPECT_TRUE(can_stand({15, 0.2, 0.5}));
  EXPECT_FALSE(can_stand({15, 0.2, 0.2}));
}

TEST(ArchBlock, OfManyBlocksIsARingInAll) {
  const ArchBlock block = arch_block(10'000, 0.2);
  EXPECT_NEAR(10'000 * block.area, std::numbers::pi * 0.2, 1e-12);
  EXPECT_NEAR(10'000 * (block.polar_moment + block.area * block.centroid * block.centroid),
              std::numbers::pi / 4 * (std::pow(1.1, 4) - std::pow(0.9, 4)), 1e-12);
}

TEST(Arch, StandsWhereItIsThickEnough) {
  const TrialResult result =
      run({.scenario = registered_arch().configure(), .options = {.step = 1e-3}, .until = 0.05});
  ASSERT_TRUE(result.is_complete()) << result.failure;
  EXPECT_LT(std::ranges::max(result.find("motion").values), 1e-9);
}

}  // namespace
}  // namespace picus::models
