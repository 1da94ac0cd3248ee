#include <picus/solvers/contact/block_matrix.hpp>

namespace picus::solvers {

void BlockMatrix::analyze(const DelassusOperator& W) {
  const Index contacts = W.contact_count();
  std::vector<Index> height(contacts, 0);  // height of the columns of a contact
  first_offset_.clear();
  offsets_.clear();
  for (Index c = 0; c < contacts; ++c) {
    first_offset_.push_back(count_of(offsets_));
    for (const auto& block : W.blocks(c)) {
      offsets_.push_back(height[block.contact]);
      height[block.contact] += W.rows(c);
    }
  }
  matrix_.size = W.row_count();
  first_rows_.clear();
  for (Index c = 0; c < contacts; ++c) first_rows_.push_back(W.first_row(c));
  first_rows_.push_back(matrix_.size);
  std::vector<Index> starts{0};
  for (Index c = 0; c < contacts; ++c) {
    for (Index k = 0; k < W.rows(c); ++k) starts.push_back(starts.back() + height[c]);
  }
  std::vector<Index> rows(starts.back());
  matrix_.values.assign(rows.size(), 0.0);
  for (Index c = 0; c < contacts; ++c) {
    const auto blocks = W.blocks(c);
    for (Index b = 0; b < count_of(blocks); ++b) {
      const Index offset = offsets_[first_offset_[c] + b];
      const Index other = blocks[b].contact;
      for (Index k = 0; k < W.rows(other); ++k) {
        Index place = starts[W.first_row(other) + k] + offset;
        for (Index i = 0; i < W.rows(c); ++i) rows[place++] = W.first_row(c) + i;
      }
    }
  }
  matrix_.column_start = std::move(starts);
  matrix_.row = std::move(rows);
}

}  // namespace picus::solvers
