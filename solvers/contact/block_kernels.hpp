#pragma once

/// The inner loops of elimination by blocks of three rows, with vector instructions. Columns of a block have four values,
/// the last of which means nothing: one vector.

#include <picus/types.hpp>

#include <span>

namespace picus::solvers {

/// Values of a column of a block of three rows, and of the block.
inline constexpr Index padded_rows = 4;
inline constexpr Index padded_values = 3 * padded_rows;

/// A block of a column: the position of its row of blocks in the order of elimination, and the index of its first
/// value.
struct BlockEntry {
  Index position;
  Index first;
};

struct BlockKernels {
  /// C_i -= A_i B for all blocks A_i of a column, which begin at `values + first`. C_i begins at
  /// `column + position * padded_values`, B at `b`, which is none of them.
  void (*subtract_products)(std::span<const BlockEntry> factors, const double* values, const double* b,
                            double* column);
  /// y_i -= A_i x, for the same blocks. y_i begins at `vector + position * padded_rows`, x at `x`, which is none of
  /// them.
  void (*subtract_vectors)(std::span<const BlockEntry> factors, const double* values, const double* x,
                           double* vector);
};

/// Those for every processor, and the fastest ones for the processor of the run.
const BlockKernels& plain_block_kernels();
const BlockKernels& block_kernels();

}  // namespace picus::solvers
