#pragma once

/// Sparse matrices from dense ones and back.

#include <picus/sparse_matrix.hpp>
#include <picus/types.hpp>

namespace picus::support {

inline Eigen::MatrixXd dense(const SparseMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size, matrix.size);
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index r = 0; r < matrix.size; ++r) {
      const Index place = matrix.find(r, c);
      if (place >= 0) result(r, c) = matrix.values[place];
    }
  }
  return result;
}

/// The pattern contains the nonzeros of `matrix`, and with `with_diagonal` the whole diagonal.
inline SparseMatrix sparse(const Eigen::MatrixXd& matrix, bool with_diagonal = false) {
  const auto size = rows_of(matrix);
  PatternBuilder pattern(size);
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r < size; ++r) {
      if (matrix(r, c) != 0 || (with_diagonal && r == c)) pattern.add(r, c);
    }
  }
  SparseMatrix result = pattern.compress();
  for (Index c = 0; c < size; ++c) {
    for (Index k = result.column_start[c]; k < result.column_start[c + 1]; ++k) {
      result.values[k] = matrix(result.row[k], c);
    }
  }
  return result;
}

}  // namespace picus::support
