#include <picus/solvers/linear/sweep_rows.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::solvers {
namespace {

/// Number of rows to multiply, and of values to copy, that is worth handing to another thread.
constexpr std::size_t product_grain = 256;
constexpr std::size_t copied_values_grain = 1 << 15;

/// Single precision values cause an error of 6e-8 times the condition number, which is some thousands.
constexpr double accuracy_of_singles = 1e-4;

/// Partial sums that do not depend on each other.
struct Sums {
  std::array<double, 4> part{};
  template <class Real>
  void add(const Real* value, const double* x, Index count) {
    Index i = 0;
    for (; i + 4 <= count; i += 4) {
      for (Index k = 0; k < 4; ++k) part[static_cast<std::size_t>(k)] += value[i + k] * x[i + k];
    }
    for (; i < count; ++i) part[0] += value[i] * x[i];
  }
  double total() const { return (part[0] + part[1]) + (part[2] + part[3]); }
};

}  // namespace

void SweepRows::build(const SparseMatrix& rows, std::span<const Index> diagonal, double accuracy) {
  start_ = rows.column_start;
  place_.assign(diagonal.begin(), diagonal.end());
  diagonal_.setZero(rows.size);
  unit_ = 0.0;
  runs_.clear();
  first_run_.clear();
  const auto list = [&](Index first, Index last) {
    first_run_.push_back(count_of(runs_));
    for (Index k = first; k < last; ++k) {
      if (k > first && rows.row[k] == rows.row[k - 1] + 1) {
        ++runs_.back().count;
      } else {
        runs_.push_back({.column = rows.row[k], .count = 1});
      }
    }
  };
  for (Index r = 0; r < rows.size; ++r) {
    list(start_[r], place_[r]);
    list(place_[r] + 1, start_[r + 1]);
  }
  first_run_.push_back(count_of(runs_));
  runs_.shrink_to_fit();
  is_single_ = accuracy >= accuracy_of_singles;
  singles_.assign(is_single_ ? rows.row.size() : 0, 0.0F);
  doubles_.assign(is_single_ ? 0 : rows.row.size(), 0.0);
}

void SweepRows::copy_values(const SparseMatrix& rows, std::size_t first, std::size_t last) {
  const double factor = 1.0 / unit_;
  if (is_single_) {
    for (std::size_t k = first; k < last; ++k) singles_[k] = static_cast<float>(factor * rows.values[k]);
  } else {
    for (std::size_t k = first; k < last; ++k) doubles_[k] = factor * rows.values[k];
  }
}

void SweepRows::assign(const SparseMatrix& rows, const Threads* threads) {
  if (unit_ == 0) {
    double largest = 0;
    for (const double value : rows.values) largest = std::max(largest, std::abs(value));
    unit_ = largest > 0 ? std::exp2(std::ilogb(largest)) : 1.0;
  }
  for_parts(threads, rows.values.size(), copied_values_grain,
            [&](std::size_t first, std::size_t last) { copy_values(rows, first, last); });
  for (Index r = 0; r < size(); ++r) diagonal_[r] = rows.values[place_[r]];
}

void SweepRows::assign(const SparseMatrix& rows, std::span<const Index> changed) {
  for (const Index r : changed) {
    copy_values(rows, start_[r], start_[r + 1]);
    diagonal_[r] = rows.values[place_[r]];
  }
}

template <class Real>
double SweepRows::lower_sum(const std::vector<Real>& values, Index row, const double* x) const {
  const Real* value = values.data() + start_[row];
  Sums sums;
  for (Index k = first_run_[2 * row]; k < first_run_[2 * row + 1]; ++k) {
    const Run run = runs_[k];
    sums.add(value, x + run.column, run.count);
    value += run.count;
  }
  return unit_ * sums.total();
}

/// The columns next to the diagonal, whose values a sweep computes last, are added last.
template <class Real>
double SweepRows::upper_sum(const std::vector<Real>& values, Index row, const double* x) const {
  const Real* value = values.data() + start_[row + 1];
  Sums sums;
  for (Index k = first_run_[2 * row + 2]; k-- > first_run_[2 * row + 1];) {
    const Run run = runs_[k];
    value -= run.count;
    sums.add(value, x + run.column, run.count);
  }
  return unit_ * sums.total();
}

double SweepRows::lower_sum(Index row, const double* x) const {
  return is_single_ ? lower_sum(singles_, row, x) : lower_sum(doubles_, row, x);
}

double SweepRows::upper_sum(Index row, const double* x) const {
  return is_single_ ? upper_sum(singles_, row, x) : upper_sum(doubles_, row, x);
}

void SweepRows::solve_lower(Index first, Index last, double* x) const {
  for (Index r = first; r < last; ++r) x[r] = (x[r] - lower_sum(r, x)) / diagonal_.data()[r];
}

void SweepRows::solve_upper(Index first, Index last, double* x) const {
  for (Index r = last; r-- > first;) x[r] = (x[r] - upper_sum(r, x)) / diagonal_.data()[r];
}

void SweepRows::multiply(const double* x, double* y, const Threads* threads) const {
  for_parts(threads, static_cast<std::size_t>(size()), product_grain,
            [&](std::size_t first, std::size_t last) {
              for (Index r = static_cast<Index>(first); r < static_cast<Index>(last); ++r)
                y[r] = lower_sum(r, x) + diagonal_.data()[r] * x[r] + upper_sum(r, x);
            });
}

}  // namespace picus::solvers
