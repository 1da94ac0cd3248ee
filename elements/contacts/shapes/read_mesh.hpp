#pragma once

/// Triangle meshes of files, for surfaces:
///
///     model.add<Surface>({.name = "gear", .of = read_mesh("gear.stl", 1e-3), .on = frame});
///
/// Read are STL (text or binary, by content) and Wavefront OBJ, by the ending of the name. Corners of STL in exactly one place become one
/// point, and the normals of the file are left aside: the order of the corners says where outside is. Of OBJ the points (v) and faces (f,
/// with numbers from the end, too) are read, polygons are cut into triangles, and textures, normals, groups, materials and
/// lines are passed over. Whether the triangles bound a body is for the Surface to check.

#include <picus/elements/contacts/shapes/polyhedron.hpp>

#include <filesystem>
#include <istream>
#include <string>

namespace picus {

/// Reads a file whose lengths are in units of `scale` metres: 1e-3 for millimetres. Throws FileError, naming the file and the place in
/// it, for what it cannot read, and ModelError unless the scale is positive.
shapes::Mesh read_mesh(const std::filesystem::path& file, double scale = 1.0);
/// The same from a stream; `name` stands for the file in messages and ends as a file does.
shapes::Mesh read_mesh(std::istream& stream, const std::string& name, double scale = 1.0);

}  // namespace picus
