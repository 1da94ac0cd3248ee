#pragma once

/// The building blocks of surfaces: points, edges and triangles, each with a radius that rounds it off. A sphere is a
/// point, a capsule or a segment of a rope is an edge, a face of a box or of a mesh consists of two triangles.

#include <picus/checks.hpp>
#include <picus/elements/contacts/sphere.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus {

/// The points of a feature all belong to frames, or all to point nodes (of a solid), or all to the ground. Between
/// them the feature is straight.
struct Feature {
  std::vector<MaterialPoint>
      points;           ///< one: a point; two: an edge; three: a triangle, counterclockwise from outside
  double radius = 0.0;  ///< rho, m, >= 0: offset of the surface from the points

  /// A sphere, or a corner for radius 0.
  static Feature point(const MaterialPoint& centre, double radius = 0.0) { return {{centre}, radius}; }
  /// A capsule, or a sharp edge for radius 0.
  static Feature edge(const MaterialPoint& from, const MaterialPoint& to, double radius = 0.0) {
    return {{from, to}, radius};
  }
  /// A triangular face; its outside is the side from which `a`, `b`, `c` are counterclockwise.
  static Feature triangle(const MaterialPoint& a, const MaterialPoint& b, const MaterialPoint& c,
                          double radius = 0.0) {
    return {{a, b, c}, radius};
  }
};

/// Throws ModelError unless `feature`, called `what` in the message, has one to three points of the model or of the
/// ground, all of one kind, which initially span an edge or a triangle, and a radius >= 0.
void require_feature(const Culprit& who, const std::string& what, const Feature& feature, const Model& model);

/// Adds the lines of a feature to a picture, and circles about its points if it has a radius.
void add_to(Wireframe& picture, const Feature& feature);

}  // namespace picus
