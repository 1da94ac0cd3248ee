#pragma once

/// Boxes at random places, for benches of the broad phase.

#include <picus/elements/contacts/search/box_tree.hpp>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace picus {

using Boxes = std::vector<Box>;
using Pairs = std::vector<std::array<Index, 2>>;

inline Box cube(const Vec3& center, double half) {
  return {center - Vec3::Constant(half), center + Vec3::Constant(half)};
}

class Places {
 public:
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 within(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }

 private:
  std::mt19937 engine_;
};

/// About six overlaps per box.
inline Boxes loose_heap(Index count) {
  Places places;
  const double edge = std::cbrt(count * 8.0 / 6.0);
  Boxes boxes;
  for (Index i = 0; i < count; ++i)
    boxes.push_back(cube(places.within(edge / 2), places.between(0.35, 0.65)));
  return boxes;
}

}  // namespace picus
