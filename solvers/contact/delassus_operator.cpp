#include <picus/solvers/contact/delassus_operator.hpp>

#include <algorithm>

namespace picus::solvers {

void DelassusOperator::clear() {
  first_row_.assign(1, 0);
  first_block_.assign(1, 0);
  blocks_.clear();
  values_.clear();
  std::ranges::fill(place_, -1);
}

void DelassusOperator::add_contact(Index rows) {
  if (contact_count() > 0) {
    for (const Block& block : blocks(contact_count() - 1)) place_[block.contact] = -1;
  }
  first_row_.push_back(first_row_.back() + rows);
  first_block_.push_back(first_block_.back());
  add_block(contact_count() - 1, rows);
}

Eigen::Map<Eigen::MatrixXd> DelassusOperator::add_to(Index other, Index columns) {
  const Index first = add_block(other, columns);
  return {values(first), rows(contact_count() - 1), columns};
}

Index DelassusOperator::add_block(Index other, Index columns) {
  const Index contact = contact_count() - 1;
  if (count_of(place_) <= other) place_.resize(other + 1, -1);
  Index& place = place_[other];
  if (place < 0) {
    place = count_of(blocks_);
    const Index first = count_of(values_);
    blocks_.push_back({other, first});
    values_.resize(values_.size() + rows(contact) * columns, 0.0);
    ++first_block_.back();
  }
  return blocks_[place].first;
}

void DelassusOperator::evaluate(Index contact, const Vector& b, const Vector& P, double* y) const {
  const Index first = first_row_[contact];
  const Index m = rows(contact);
  if (m == 3) {
    double y_0 = b[first], y_1 = b[first + 1], y_2 = b[first + 2];
    for (const Block& block : blocks(contact)) {
      const double* w = values(block);
      const double* p = P.data() + first_row_[block.contact];
      const Index columns = rows(block.contact);
      for (Index k = 0; k < columns; ++k, w += 3) {
        y_0 += w[0] * p[k];
        y_1 += w[1] * p[k];
        y_2 += w[2] * p[k];
      }
    }
    y[0] = y_0;
    y[1] = y_1;
    y[2] = y_2;
    return;
  }
  std::copy_n(b.data() + first, m, y);
  for (const Block& block : blocks(contact)) {
    const double* w = values(block);
    const double* p = P.data() + first_row_[block.contact];
    const Index columns = rows(block.contact);
    for (Index k = 0; k < columns; ++k) {
      for (Index i = 0; i < m; ++i) y[i] += *w++ * p[k];
    }
  }
}

void DelassusOperator::shift_diagonal(Index contact, double shift) {
  const Index m = rows(contact);
  double* const block = values_.data() + blocks_[first_block_[contact]].first;
  for (Index i = 0; i < m; ++i) block[i * (m + 1)] += shift;
}

Eigen::MatrixXd DelassusOperator::dense() const {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(row_count(), row_count());
  for (Index c = 0; c < contact_count(); ++c) {
    for (const Block& block : blocks(c)) {
      W.block(first_row_[c], first_row_[block.contact], rows(c), rows(block.contact)) =
          Eigen::Map<const Eigen::MatrixXd>(values(block), rows(c), rows(block.contact));
    }
  }
  return W;
}

}  // namespace picus::solvers
