#pragma once

/// Reads matrices in the coordinate format of Matrix Market [Boisvert, Pozo and Remington 1996], in which finite element
/// programs export those of a structure: for add_matrix_part().

#include <picus/matrix_entries.hpp>

#include <filesystem>

namespace picus {

/// A real or integer matrix, general or symmetric; of a symmetric one, of which the file contains one triangle, both
/// are returned. Throws FileError `cannot read file "k.mtx": REASON`.
MatrixEntries read_matrix_market(const std::filesystem::path& path);

}  // namespace picus
