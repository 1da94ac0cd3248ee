#pragma once

/// Import of Gmsh meshes, MSH 4.1, text or binary (little-endian).
///
/// Read are hexahedra with 8 nodes (type 5), and quadrangles (3), lines (1) and points (15) for their physical
/// groups. A group of volumes becomes a set of cells, one of surfaces a set of faces, one of curves or points a
/// set of points, each by its name, or by its number if it has none. Faces are turned outward where they belong
/// to one hexahedron, and hexahedra that are numbered left-handed are renumbered. Nodes that no hexahedron uses
/// are dropped. Elements of all other types are refused, and so are meshes that are cut off, partitioned, of
/// another version or of second order.

#include <picus/elements/solids/mesh.hpp>

#include <filesystem>
#include <istream>

namespace picus {

/// Reads a file. Throws FileError, naming the file and the line, for what it cannot read.
HexahedralMesh read_gmsh(const std::filesystem::path& file);
/// The same from a stream; `name` stands for the file in messages.
HexahedralMesh read_gmsh(std::istream& stream, const std::string& name);

}  // namespace picus
