#pragma once

/// Reads triangle meshes from files, for surfaces:
///
///     model.add<Surface>({.name = "gear", .of = read_mesh("gear.stl", 1e-3), .on = frame});
///
/// The formats are STL (text or binary, recognised by content) and Wavefront OBJ, by the extension of the file name.
/// Corners in STL at exactly the same position become one point, and the normals in the file are ignored: the order
/// of the corners determines the outside. From OBJ the points (v) and faces (f, also with indices from the end) are
/// read, polygons are triangulated, and textures, normals, groups, materials and lines are ignored. Whether the
/// triangles enclose a body is checked by the Surface.

#include <picus/elements/contacts/shapes/polyhedron.hpp>

#include <filesystem>
#include <istream>
#include <string>

namespace picus {

/// Reads a file whose lengths are in units of `scale` metres: 1e-3 for millimetres. Throws FileError, which names the
/// file and the position in it, if it cannot be read, and ModelError unless the scale is positive.
shapes::Mesh read_mesh(const std::filesystem::path& file, double scale = 1.0);
/// The same from a stream; `name` stands for the file in messages and has the extension of a file name.
shapes::Mesh read_mesh(std::istream& stream, const std::string& name, double scale = 1.0);

}  // namespace picus
