#pragma once

/// Reads the tables that finite element programs export beside the matrices of a structure, for add_matrix_part().

#include <picus/elements/reduced/add_matrix_part.hpp>

#include <filesystem>
#include <vector>

namespace picus {

/// Reads nodes, one a line: a name, x, y, z (m), separated by blanks, commas or semicolons. Empty lines and those that
/// begin with # or * are left out. Throws FileError, which names the line.
std::vector<MatrixPartOptions::PartNode> read_part_nodes(const std::filesystem::path& path);

/// Reads what rows stand for, one a line in their order: the name of a node and a component 1 to 6, separated by a point
/// (as CalculiX writes them), blanks, a comma or a semicolon. Throws FileError, which names the line, also for
/// a name that is not among the nodes.
std::vector<MatrixPartOptions::Row> read_part_rows(const std::filesystem::path& path,
                                                   const std::vector<MatrixPartOptions::PartNode>& nodes);

}  // namespace picus
