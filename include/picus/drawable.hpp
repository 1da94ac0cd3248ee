#pragma once

/// What an element looks like in a picture of the motion: optional, and never seen by a solver.

#include <picus/material_point.hpp>

#include <array>
#include <vector>

namespace picus {

/// The role of an element that can be drawn, as points that move with its nodes and lines between them. All
/// are asked once a run.
class Drawable {
 public:
  virtual ~Drawable() = default;
  /// The points; one whose node is not valid() stands still at its offset in the inertial frame (a wall).
  virtual std::vector<MaterialPoint> points() const = 0;
  /// Lines through at least two points each, given by their places in points().
  virtual std::vector<std::vector<Index>> polylines() const = 0;
  /// The radius of the tube that each line stands for, m; 0 for a plain line, as are all when there are none.
  virtual std::vector<double> line_radii() const { return {}; }
  /// Solid cells: a bottom face of four points, counterclockwise as seen from within, then the four above
  /// them.
  virtual std::vector<std::array<Index, 8>> hexahedra() const { return {}; }
};

}  // namespace picus
