#pragma once

/// Meshes of hexahedra as plain data, with named sets of points, faces and cells.

#include <picus/types.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// Places in HexahedralMesh::points: a face counterclockwise as seen from within, then the four points above.
using Cell = std::array<Index, 8>;
/// Places in HexahedralMesh::points, counterclockwise as seen from outside the cell.
using CellFace = std::array<Index, 4>;

/// Points, the cells between them and named sets of both.
struct HexahedralMesh {
  std::string name = "mesh";                                          ///< for messages
  std::vector<Vec3> points;                                           ///< m
  std::vector<Cell> cells;                                            ///< eight points each, numbered from 0
  std::map<std::string, std::vector<Index>, std::less<>> point_sets;  ///< numbers of points, by name
  /// Counterclockwise as seen from outside, by name.
  std::map<std::string, std::vector<CellFace>, std::less<>> face_sets;
  std::map<std::string, std::vector<Index>, std::less<>> cell_sets;  ///< places in cells

  /// The faces of a set. Throws ModelError that offers the nearest name.
  const std::vector<CellFace>& faces(std::string_view set) const;
  /// The cells of a set. Throws ModelError that offers the nearest name.
  const std::vector<Index>& cells_of(std::string_view set) const;
  /// The points of a set of points, faces or cells, each once, in ascending order. Throws ModelError that
  /// offers the nearest name, and for a name that sets of several kinds have.
  std::vector<Index> points_of(std::string_view set) const;
  /// The points for which `holds` is true of the position.
  std::vector<Index> points_where(const std::function<bool(const Vec3&)>& holds) const;
  /// The faces that belong to one cell only.
  std::vector<CellFace> boundary() const;

  /// Throws ModelError for a cell or a set that names a point or cell that does not exist.
  void check() const;
};

/// The six faces of a cell, each counterclockwise as seen from outside: x-, x+, y-, y+, z-, z+ of a brick.
std::array<CellFace, 6> faces_of(const Cell& cell);

/// A box of equal cells, for make_box_mesh().
struct BoxMesh {
  Vec3 size = Vec3::Zero();                    ///< edges along x, y, z, m, > 0
  std::array<Index, 3> divisions = {0, 0, 0};  ///< number of cells along x, y, z, >= 1
  Vec3 origin = Vec3::Zero();                  ///< the corner with the smallest coordinates, m
  /// Moves the points of the box where they are wanted; empty: stays a box.
  std::function<Vec3(const Vec3&)> map = {};
};

/// A mesh of equal bricks, x running fastest, with the face sets "x-", "x+", "y-", "y+", "z-" and "z+". Throws
/// ModelError for sizes and divisions that make no box.
HexahedralMesh make_box_mesh(const BoxMesh& box);

}  // namespace picus
