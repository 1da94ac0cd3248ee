#pragma once

/// Stores reductions, which for large bodies take longer than a run: HDF5, group `reduced_basis`. Matrices are stored
/// column by column.

#include <picus/reduced_basis.hpp>

#include <filesystem>

namespace picus {

/// Reads a basis, equal to the one written bit for bit. Throws FileError `cannot read file "x.h5": REASON` for a file of
/// another format, and ModelError for data that do not describe a body (ReducedBasis::check).
ReducedBasis read_reduced_basis(const std::filesystem::path& path);

/// Writes a basis. Throws FileError, also for an existing file unless `overwrite`, and ModelError as check() does.
void write_reduced_basis(const std::filesystem::path& path, const ReducedBasis& basis,
                         bool overwrite = false);

}  // namespace picus
