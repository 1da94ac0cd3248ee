#pragma once

/// Bodies of triangle meshes, their masses, and their mutual penetration, computed independently of the contact code.

#include "boxes.hpp"
#include <picus/models/mesh_bodies.hpp>

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace picus {

using models::centre_mesh;
using models::make_circle;
using models::make_prism;

inline shapes::Mesh make_box_mesh(const Vec3& size) {
  const double x = size.x() / 2, y = size.y() / 2;
  return make_prism({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, size.z());
}

/// A ring about z with a closed section, counterclockwise in the half-plane (r > 0, z).
inline shapes::Mesh make_ring(const std::vector<Eigen::Vector2d>& section, Index sides) {
  shapes::Mesh mesh;
  const Index n = count_of(section);
  for (Index i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    for (Index k = 0; k < n; ++k) {
      mesh.points.emplace_back(section[k].x() * std::cos(angle), section[k].x() * std::sin(angle),
                               section[k].y());
      const Index next = (i + 1) % sides * n, k_next = (k + 1) % n;
      mesh.triangles.push_back({i * n + k, next + k, next + k_next});
      mesh.triangles.push_back({i * n + k, next + k_next, i * n + k_next});
    }
  }
  return mesh;
}

/// Adds a body made of a mesh, whose origin becomes its centre of mass.
inline FrameNode add_mesh_body(Scene& scene, const std::string& name, shapes::Mesh& mesh,
                               const FrameStart& start, double density = 600) {
  const auto [mass, inertia] = centre_mesh(mesh, density);
  const FrameNode node = scene.add_body(name, mass, inertia, start);
  scene.model.add<Surface>({.name = name, .of = mesh, .on = node});
  return node;
}

/// Position of a mesh.
struct MeshPlace {
  const shapes::Mesh* mesh = nullptr;
  Mat3 R = Mat3::Identity();
  Vec3 x = Vec3::Zero();
};

/// Distance of a point from a triangle.
inline double distance_of_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a).normalized();
  const Vec3 foot = x - n.dot(x - a) * n;
  bool within = true;
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
    within = within && (to - from).cross(foot - from).dot(n) >= 0;
    const double t = std::clamp((x - from).dot(to - from) / (to - from).squaredNorm(), 0.0, 1.0);
    best = std::min(best, (x - from - t * (to - from)).norm());
  }
  return within ? std::abs(n.dot(x - a)) : best;
}

/// Depth of a point in a closed mesh, m: by the solid angle of its triangles, then by the nearest one.
inline double depth_in_mesh(const shapes::Mesh& mesh, const Vec3& x) {
  double angle = 0, nearest = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.points[i] - x, b = mesh.points[j] - x, c = mesh.points[k] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    nearest = std::min(nearest, distance_of_triangle(x, mesh.points[i], mesh.points[j], mesh.points[k]));
  }
  return angle > 2 * std::numbers::pi ? nearest : 0.0;
}

/// Depth in `b` of points on the surface of `a`, `n` of them along each side of a triangle, m.
inline double sampled_mesh_depth(const MeshPlace& a, const MeshPlace& b, int n = 6) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& x : b.mesh->points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  double deepest = 0;
  for (const auto& corners : a.mesh->triangles) {
    for (int i = 0; i <= n; ++i) {
      for (int k = 0; i + k <= n; ++k) {
        const Vec3 X = (i * a.mesh->points[corners[0]] + k * a.mesh->points[corners[1]] +
                        (n - i - k) * a.mesh->points[corners[2]]) /
                       n;
        const Vec3 x = b.R.transpose() * (a.R * X + a.x - b.x);
        if ((x - low).minCoeff() > 0 && (high - x).minCoeff() > 0)
          deepest = std::max(deepest, depth_in_mesh(*b.mesh, x));
      }
    }
  }
  return deepest;
}

/// A plane at z = 0 of 800 triangles of all shapes, starting at `low`, in cells of about 0.1 m x `width`.
inline shapes::Mesh make_uneven_plane(const Vec3& low, double width) {
  shapes::Mesh plane{.is_closed = false};
  constexpr Index n = 20;
  for (Index i = 0; i <= n; ++i) {
    for (Index k = 0; k <= n; ++k)
      plane.points.emplace_back(low.x() + 0.1 * i + 0.02 * std::sin(7.0 * i * k),
                                low.y() + width * k + 0.01 * std::sin(5.0 * i + k), 0);
  }
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      const Index a = i * (n + 1) + k, b = a + n + 1;
      plane.triangles.push_back({a, b, b + 1});
      plane.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return plane;
}

}  // namespace picus
