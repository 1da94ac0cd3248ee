#pragma once

#include <picus/solvers/contact/delassus_operator.hpp>
#include <picus/sparse_matrix.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

/// A sparse matrix with the block pattern of a Delassus operator, for factorisation.
class BlockMatrix {
 public:
  /// Sets the pattern to that of W, in which each contact has a diagonal block.
  void analyze(const DelassusOperator& W);

  const SparseMatrix& matrix() const { return matrix_; }
  /// The first row of each contact, and the number of rows.
  std::span<const Index> first_rows() const { return first_rows_; }
  /// Sets block number `block` of `contact` in W: rows of `contact`, columns of the other contact.
  template <class Block>
  void set(const DelassusOperator& W, Index contact, Index block, const Block& value) {
    const Index other = W.blocks(contact)[block].contact;
    const Index offset = offsets_[first_offset_[contact] + block];
    for (Index k = 0; k < W.rows(other); ++k) {
      double* const column = matrix_.values.data() + matrix_.column_start[W.first_row(other) + k] + offset;
      for (Index i = 0; i < W.rows(contact); ++i) column[i] = value(i, k);
    }
  }

 private:
  SparseMatrix matrix_;
  std::vector<Index> first_rows_;
  std::vector<Index> first_offset_;  ///< of each contact, in offsets_
  std::vector<Index> offsets_;       ///< of each block, in the columns of the other contact
};

}  // namespace picus::solvers
