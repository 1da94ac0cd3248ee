#pragma once

/// The drawn geometry of a model: all frame and point nodes, then the points of its drawable elements and the centres
/// of its bodies, lines, solid cells and triangles between them, spheres about them, and the inertias of bodies as boxes.

#include "boxes.hpp"
#include "columns.hpp"
#include <picus/material_point.hpp>

#include <string>
#include <vector>

namespace picus::results {

struct Drawing {
  std::vector<MaterialPoint> points;  ///< without a valid node: fixed in space
  std::vector<std::string> owners;    ///< owner of each point: `node "bird"`, `element "beak"`
  std::vector<std::vector<Index>> polylines;
  std::vector<float> radii;  ///< of the tube that each line represents, 0 for a plain line, m
  std::vector<std::array<Index, 8>> hexahedra;
  std::vector<std::int32_t> triangles;      ///< three points each, of surfaces that no cell has
  std::vector<std::int32_t> sphere_points;  ///< their centres
  std::vector<float> sphere_radii;          ///< m
  std::vector<const Element*> cell_owners;  ///< element of the lines, then of the hexahedra
  std::vector<Box> boxes;
  std::vector<std::int32_t> box_points;  ///< the points at their centres

  /// For each point that of its node; -1: fixed in space.
  std::vector<std::int32_t> point_nodes() const;
  Index cell_count() const { return count_of(polylines) + count_of(hexahedra); }
};

/// Creates the drawing. Points and spheres shared by elements are drawn once, and lines of zero length are omitted. Throws
/// ModelError for an element that draws a line, cell, triangle or sphere through a point that it does not have, or along a node of
/// another model, or whose numbers of radii and lines differ.
Drawing make_drawing(const Model& model);

/// Writes the position and the velocity of a material point as three numbers each.
void store_position(const MaterialPoint& point, const State& state, float* row);
void store_velocity(const MaterialPoint& point, const State& state, float* row);

/// Columns with the orientation of the boxes.
std::vector<Column> make_box_columns(const Drawing& drawing);

}  // namespace picus::results
