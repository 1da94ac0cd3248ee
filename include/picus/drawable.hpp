#pragma once

/// The geometry of an element in pictures of the motion: optional, and never used by a solver.

#include <picus/material_point.hpp>

#include <array>
#include <vector>

namespace picus {

/// A sphere about one of the drawn points.
struct DrawnSphere {
  Index centre;   ///< an index into the points
  double radius;  ///< m
};

/// The role of an element that can be drawn, as points that move with its nodes and lines between them. All functions
/// are called once per run.
class Drawable {
 public:
  virtual ~Drawable() = default;
  /// The points; one whose node is not valid() is fixed at its offset in the inertial frame (a wall).
  virtual std::vector<MaterialPoint> points() const = 0;
  /// Lines through at least two points each, given as indices into points().
  virtual std::vector<std::vector<Index>> polylines() const = 0;
  /// The radius of the tube that each line represents, m; 0 for a plain line; empty if all are plain.
  virtual std::vector<double> line_radii() const { return {}; }
  /// Spheres about points. Lines on them show their rotation.
  virtual std::vector<DrawnSphere> spheres() const { return {}; }
  /// Solid cells: a bottom face of four points, counterclockwise as seen from inside, then the four above them.
  virtual std::vector<std::array<Index, 8>> hexahedra() const { return {}; }
  /// Triangles of a surface that no solid cell has, counterclockwise as seen from outside; its edges are lines.
  virtual std::vector<std::array<Index, 3>> triangles() const { return {}; }
};

}  // namespace picus
