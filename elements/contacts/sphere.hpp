#pragma once

/// A sphere attached to a body, a point node or the ground, one of the two sides of a contact.

#include <picus/drawable.hpp>
#include <picus/material_point.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace picus {

struct Sphere {
  MaterialPoint centre;  ///< on a frame node, a point node or the ground
  double radius = 0.0;   ///< m, > 0
};

/// Points of a body, polylines through them and spheres about them.
struct Wireframe {
  std::vector<MaterialPoint> points;          ///< indexed from 0
  std::vector<std::vector<Index>> polylines;  ///< indices of points, in order
  std::vector<DrawnSphere> spheres;           ///< about points

  /// Adds a sphere with three great circles, on a point node without them, since it has no axes.
  void add(const Sphere& sphere) {
    spheres.push_back({count_of(points), sphere.radius});
    points.push_back(sphere.centre);
    if (!sphere.centre.is_ground() && !sphere.centre.on_frame()) return;
    constexpr int segments = 16;
    for (Index axis = 0; axis < 3; ++axis) {
      std::vector<Index> line;
      for (int i = 0; i < segments; ++i) {
        const double angle = 2 * std::numbers::pi * i / segments;
        MaterialPoint point = sphere.centre;
        point.offset[(axis + 1) % 3] += sphere.radius * std::cos(angle);
        point.offset[(axis + 2) % 3] += sphere.radius * std::sin(angle);
        line.push_back(count_of(points));
        points.push_back(point);
      }
      line.push_back(line.front());
      polylines.push_back(std::move(line));
    }
  }
};

}  // namespace picus
