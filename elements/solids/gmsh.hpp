#pragma once

/// Import of Gmsh meshes, MSH 4.1, text or binary (little-endian).
///
/// Supported elements are hexahedra with 8 nodes (type 5), and quadrangles (3), lines (1) and points (15) for their
/// physical groups. A group of volumes becomes a set of cells, one of surfaces a set of faces, one of curves or
/// points a set of points, each under its name, or under its number if it has none. Faces that belong to a single
/// hexahedron are oriented outward, and left-handed hexahedra are renumbered. Nodes that no hexahedron uses are
/// dropped. All other element types are refused, and so are meshes that are truncated, partitioned, of another
/// version or of second order.

#include <picus/elements/solids/mesh.hpp>

#include <filesystem>
#include <istream>

namespace picus {

/// Reads a file. Throws FileError, which names the file and the line, if it cannot be read.
HexahedralMesh read_gmsh(const std::filesystem::path& file);
/// The same from a stream; `name` stands for the file in messages.
HexahedralMesh read_gmsh(std::istream& stream, const std::string& name);

}  // namespace picus
