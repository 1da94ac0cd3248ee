#pragma once

/// Hexahedral meshes as plain data, with named sets of points, faces and cells.

#include <picus/types.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace picus {

/// Indices into HexahedralMesh::points: one face counterclockwise as seen from inside, then the four points of the
/// opposite face.
using Cell = std::array<Index, 8>;
/// Indices into HexahedralMesh::points, counterclockwise as seen from outside the cell.
using CellFace = std::array<Index, 4>;

/// Points, cells and named sets of points, faces and cells.
struct HexahedralMesh {
  std::string name = "mesh";                                          ///< for messages
  std::vector<Vec3> points;                                           ///< m
  std::vector<Cell> cells;                                            ///< indices of their eight points
  std::map<std::string, std::vector<Index>, std::less<>> point_sets;  ///< indices into points, by name
  /// Counterclockwise as seen from outside, by name.
  std::map<std::string, std::vector<CellFace>, std::less<>> face_sets;
  std::map<std::string, std::vector<Index>, std::less<>> cell_sets;  ///< indices into cells, by name

  /// The faces of a set. Throws ModelError, which suggests the closest name, if there is none.
  const std::vector<CellFace>& faces(std::string_view set) const;
  /// The cells of a set. Throws ModelError, which suggests the closest name, if there is none.
  const std::vector<Index>& cells_of(std::string_view set) const;
  /// The points of a set of points, faces or cells, each once, in ascending order. Throws ModelError, which suggests
  /// the closest name, if there is no such set, and if sets of several kinds have this name.
  std::vector<Index> points_of(std::string_view set) const;
  /// The points whose position satisfies `holds`.
  std::vector<Index> points_where(const std::function<bool(const Vec3&)>& holds) const;
  /// The faces that belong to only one cell.
  std::vector<CellFace> boundary() const;

  /// Throws ModelError if a cell or a set refers to a point or cell that does not exist.
  void check() const;
};

/// The six faces of a cell, each counterclockwise as seen from outside: x-, x+, y-, y+, z-, z+ of a brick.
std::array<CellFace, 6> faces_of(const Cell& cell);

/// A box of equal cells, the argument of make_box_mesh().
struct BoxMesh {
  Vec3 size = Vec3::Zero();                    ///< edges along x, y, z, m, > 0
  std::array<Index, 3> divisions = {0, 0, 0};  ///< number of cells along x, y, z, >= 1
  Vec3 origin = Vec3::Zero();                  ///< the corner with the smallest coordinates, m
  /// Maps the points of the box to their final positions; empty: it stays a box.
  std::function<Vec3(const Vec3&)> map = {};
};

/// A mesh of equal bricks, x varying fastest, with the face sets "x-", "x+", "y-", "y+", "z-" and "z+". Throws
/// ModelError for sizes or divisions that do not define a box.
HexahedralMesh make_box_mesh(const BoxMesh& box);

}  // namespace picus
