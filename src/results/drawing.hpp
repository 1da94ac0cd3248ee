#pragma once

/// What of a model is drawn: all frame and point nodes, then the points of its drawable elements, and lines
/// and solid cells between them.

#include "columns.hpp"
#include <picus/material_point.hpp>

#include <string>
#include <vector>

namespace picus::results {

struct Drawing {
  std::vector<MaterialPoint> points;  ///< without a valid node: fixed in space
  std::vector<std::string> owners;    ///< of each point: `node "bird"`, `element "beak"`
  std::vector<std::vector<Index>> polylines;
  std::vector<std::array<Index, 8>> hexahedra;

  /// The cells in XDMF's encoding of mixed topologies: kind, number of points (not for hexahedra), points.
  /// First each point by itself, since not all readers know a cell of several points, then lines and solids.
  std::vector<std::int32_t> connectivity() const;
  std::size_t cell_count() const { return points.size() + polylines.size() + hexahedra.size(); }
};

/// Points that elements share are drawn once. Throws ModelError for an element that draws a line or cell
/// through a point that it has not, or along a node of another model.
Drawing make_drawing(const Model& model);

/// Positions and velocities of the points, plain.
std::vector<Column> make_drawing_columns(const Drawing& drawing);
inline constexpr const char* drawn_points = "visualization/points";
inline constexpr const char* drawn_velocity = "visualization/velocity";

}  // namespace picus::results
