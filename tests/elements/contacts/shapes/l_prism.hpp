#pragma once

#include <picus/elements/contacts/shapes/polyhedron.hpp>

#include <array>
#include <vector>

namespace picus {

/// A prism with an L-shaped base (0..2 x 0..2 without 1..2 x 1..2), from z = 0 to 1.
inline shapes::Mesh make_l_prism() {
  shapes::Mesh mesh;
  const std::vector<Vec3> base = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  for (const double z : {0.0, 1.0}) {
    for (const Vec3& x : base) mesh.points.emplace_back(x + Vec3(0, 0, z));
  }
  for (const auto& [i, j, k] :
       std::vector<std::array<Index, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    mesh.triangles.push_back({i, k, j});
    mesh.triangles.push_back({6 + i, 6 + j, 6 + k});
  }
  for (Index i = 0; i < 6; ++i) {
    const Index next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, 6 + next});
    mesh.triangles.push_back({i, 6 + next, 6 + i});
  }
  return mesh;
}

}  // namespace picus
