#pragma once

/// What surfaces are made of: points, edges and triangles, each with a radius that rounds it off. A sphere is a point, a capsule
/// or a piece of a rope an edge, a face of a box or of a mesh two triangles.

#include <picus/checks.hpp>
#include <picus/elements/contacts/sphere.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>
#include <vector>

namespace picus {

/// All points of a feature move with frames, or all with point nodes (of a solid), or all are on the ground. Between them it is
/// straight.
struct Feature {
  std::vector<MaterialPoint>
      points;           ///< one: a point; two: an edge; three: a triangle, counter-clockwise from outside
  double radius = 0.0;  ///< rho, m, >= 0: how far the surface lies from them

  /// A sphere, or a corner for radius 0.
  static Feature point(const MaterialPoint& centre, double radius = 0.0) { return {{centre}, radius}; }
  /// A capsule, or a sharp edge for radius 0.
  static Feature edge(const MaterialPoint& from, const MaterialPoint& to, double radius = 0.0) {
    return {{from, to}, radius};
  }
  /// A face with an outside: that from which `a`, `b`, `c` are seen counter-clockwise.
  static Feature triangle(const MaterialPoint& a, const MaterialPoint& b, const MaterialPoint& c,
                          double radius = 0.0) {
    return {{a, b, c}, radius};
  }
};

/// Throws ModelError unless `feature`, which `what` names, has one to three points of the model or of the ground, all of one
/// kind, that at the start of the model span an edge or a triangle, and a radius >= 0.
void require_feature(const Culprit& who, const std::string& what, const Feature& feature, const Model& model);

/// Adds its lines to a picture, and circles about its points where it has a radius.
void add_to(Wireframe& picture, const Feature& feature);

}  // namespace picus
