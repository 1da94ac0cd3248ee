#include <picus/error.hpp>
#include <picus/solvers/linear/open_contact_elimination.hpp>

#include <algorithm>

namespace picus::solvers {

void OpenContactElimination::analyze(const SparseMatrix& matrix, Index trailing) {
  first_ = matrix.size - trailing;
  off_diagonal_.clear();
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Index row = matrix.row[k];
      if (row >= first_ && row != c) off_diagonal_.push_back({row - first_, k});
    }
  }
  is_retained_.assign(trailing, 0);
  was_retained_.clear();
}

void OpenContactElimination::extract(const SparseMatrix& matrix) {
  const auto is_eliminated = [&](Index unknown) {
    return unknown >= first_ && is_retained_[unknown - first_] == 0;
  };
  std::vector<Index> number(matrix.size, -1);
  unknown_.clear();
  for (Index i = 0; i < matrix.size; ++i) {
    if (is_eliminated(i)) continue;
    number[i] = count_of(unknown_);
    unknown_.push_back(i);
  }
  matrix_.size = count_of(unknown_);
  std::vector<Index> starts{0}, rows;
  place_.clear();
  eliminated_.clear();
  entries_.clear();
  for (Index c = 0; c < matrix.size; ++c) {
    Column column{.unknown = c, .end = 0, .pivot_place = -1, .pivot = 0};
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k) {
      const Index row = matrix.row[k];
      if (is_eliminated(row)) {
        if (row == c) column.pivot_place = k;
      } else if (is_eliminated(c)) {
        entries_.push_back({.row = row, .place = k, .value = 0});
      } else {
        rows.push_back(number[row]);
        place_.push_back(k);
      }
    }
    if (is_eliminated(c)) {
      column.end = count_of(entries_);
      eliminated_.push_back(column);
    } else {
      starts.push_back(count_of(place_));
    }
  }
  matrix_.column_start = std::move(starts);
  matrix_.row = std::move(rows);
  matrix_.values.resize(place_.size());
}

bool OpenContactElimination::factorize(const SparseMatrix& matrix) {
  if (!all_finite(matrix.values)) return false;
  std::fill(is_retained_.begin(), is_retained_.end(), 0);
  for (const auto& [row, place] : off_diagonal_) {
    if (matrix.values[place] != 0) is_retained_[row] = 1;
  }
  const bool is_new = is_retained_ != was_retained_;
  if (is_new) {
    was_retained_.clear();
    extract(matrix);
  }
  for (std::size_t k = 0; k < place_.size(); ++k) matrix_.values[k] = matrix.values[place_[k]];
  for (ColumnEntry& entry : entries_) entry.value = matrix.values[entry.place];
  for (Column& column : eliminated_) {
    column.pivot = column.pivot_place < 0 ? 0 : matrix.values[column.pivot_place];
    if (column.pivot == 0) return false;
  }
  if (is_new) {
    try {
      rest_.analyze(matrix_, 0);
    } catch (const SolverError&) {
      return false;
    }
    was_retained_ = is_retained_;
  }
  return rest_.factorize(matrix_);
}

void OpenContactElimination::solve(std::span<double> b) {
  Index k = 0;
  for (const Column& column : eliminated_) {
    double& x = b[column.unknown];
    x /= column.pivot;
    for (; k < column.end; ++k) b[entries_[k].row] -= x * entries_[k].value;
  }
  b_.resize(unknown_.size());
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = b[unknown_[i]];
  rest_.solve(b_);
  for (std::size_t i = 0; i < b_.size(); ++i) b[unknown_[i]] = b_[i];
}

}  // namespace picus::solvers
