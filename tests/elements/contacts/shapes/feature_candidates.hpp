#pragma once

#include <picus/elements/contacts/shapes/touching_features.hpp>
#include <support/differences.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace picus::touching_features_test {

using Kind = ShapeFeature::Kind;

/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-13;
constexpr double reach = 0.01;

inline void expect_flat(const std::vector<FeatureCandidate>& touches, double gap) {
  for (const FeatureCandidate& touch : touches) {
    support::expect_near(touch.normal, Vec3::UnitZ(), rounding, "normal");
    EXPECT_NEAR(touch.gap, gap, rounding);
  }
}

inline int count(const std::vector<FeatureCandidate>& touches, Kind a, Kind b) {
  return static_cast<int>(std::ranges::count_if(
      touches, [&](const FeatureCandidate& t) { return t.features.a.kind == a && t.features.b.kind == b; }));
}

}  // namespace picus::touching_features_test
