#pragma once

/// The Delassus operator of contacts, W in y = b + W P: gaps or rates y under multipliers P, in blocks for pairs of
/// contacts that act on a common body. Contacts are numbered from 0, with consecutive rows.

#include <picus/types.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace picus::solvers {

class DelassusOperator {
 public:
  /// The motion of one contact due to the multipliers of another.
  struct Block {
    Index contact;  ///< the other contact
    Index first;    ///< index of its first value, column by column
  };

  /// Removes all contacts.
  void clear();
  /// Adds a contact with its diagonal block.
  void add_contact(Index rows);
  /// The block that couples the last contact with `other`, which has `columns` rows and may be a later one; initially
  /// zero.
  Eigen::Map<Eigen::MatrixXd> add_to(Index other, Index columns);
  /// The same; returns the index of its first value.
  Index add_block(Index other, Index columns);

  Index contact_count() const { return count_of(first_row_) - 1; }
  /// Number of rows of all contacts.
  Index row_count() const { return first_row_.back(); }
  Index first_row(Index contact) const { return first_row_[contact]; }
  Index rows(Index contact) const { return first_row_[contact + 1] - first_row_[contact]; }
  std::span<const Block> blocks(Index contact) const {
    return std::span(blocks_).subspan(first_block_[contact],
                                      first_block_[contact + 1] - first_block_[contact]);
  }
  const double* values(const Block& block) const { return values_.data() + block.first; }
  /// The values of a block from its first one on.
  double* values(Index first) { return values_.data() + first; }
  /// The diagonal block of a contact, rows x rows, column by column.
  const double* diagonal(Index contact) const { return values(blocks_[first_block_[contact]]); }

  /// y = b + W P in the rows of one contact.
  void evaluate(Index contact, const Vector& b, const Vector& P, double* y) const;
  /// Adds `shift` to the diagonal of the diagonal block of a contact.
  void shift_diagonal(Index contact, double shift);
  /// W as a dense matrix.
  Eigen::MatrixXd dense() const;

 private:
  std::vector<Index> first_row_ = {0};
  std::vector<Index> first_block_ = {0};
  std::vector<Block> blocks_;
  std::vector<double> values_;
  std::vector<Index> place_;  ///< block index of each other contact among those of the last; -1: none
};

}  // namespace picus::solvers
