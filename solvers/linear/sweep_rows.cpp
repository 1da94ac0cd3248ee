#include <picus/solvers/linear/sweep_rows.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus::solvers {
namespace {

/// Smallest numbers of rows to multiply, and of rows to copy, for which a further thread pays off.
constexpr std::size_t product_grain = 256;
constexpr std::size_t swept_rows_grain = 512;

/// Single precision values cause an error of 6e-8 times the condition number, which is some thousands.
constexpr double accuracy_of_singles = 1e-4;

/// An accuracy that values in single precision always permit.
constexpr double best_of_singles = 1e-5;

/// Rows that are solved together.
constexpr Index max_block = 3;

/// Sums of several rows over the same columns, in single precision.
template <Index rows>
class RowSums {
 public:
  /// Adds `count` products of each row; `value`: the first one of each row.
  void add(const std::array<const float*, rows>& value, const float* x, Index count) {
    Index i = 0;
    for (; i + width <= count; i += width) {
      const Eigen::Map<const Part> part_of_x(x + i);
      for (std::size_t k = 0; k < rows; ++k) parts_[k] += Eigen::Map<const Part>(value[k] + i) * part_of_x;
    }
    for (; i < count; ++i) {
      for (std::size_t k = 0; k < rows; ++k) rest_[k] += value[k][i] * x[i];
    }
  }
  float of(std::size_t row) const { return parts_[row].sum() + rest_[row]; }

 private:
  static constexpr Index width = 4;
  using Part = Eigen::Array<float, width, 1>;
  std::array<Part, rows> parts_ = [] {
    std::array<Part, rows> zero;
    zero.fill(Part::Zero());
    return zero;
  }();
  std::array<float, rows> rest_{};
};

/// Partial sums that do not depend on each other.
struct Sums {
  std::array<double, 4> part{};
  template <class Real>
  void add(const Real* value, const double* x, Index count) {
    Index i = 0;
    for (; i + 4 <= count; i += 4) {
      for (Index k = 0; k < 4; ++k) part[k] += value[i + k] * x[i + k];
    }
    for (; i < count; ++i) part[0] += value[i] * x[i];
  }
  double total() const { return (part[0] + part[1]) + (part[2] + part[3]); }
};

}  // namespace

double next_accuracy(double usual, double asked) {
  return asked > 0 ? std::max(asked, std::min(usual, best_of_singles)) : usual;
}

template <>
const std::vector<float>& SweepRows::Side::values() const {
  return singles;
}

template <>
const std::vector<double>& SweepRows::Side::values() const {
  return doubles;
}

void SweepRows::build(const SparseMatrix& rows, std::span<const Index> diagonal, double accuracy) {
  start_ = rows.column_start;
  place_.assign(diagonal.begin(), diagonal.end());
  diagonal_.setZero(rows.size);
  unit_ = 0.0;
  is_single_ = accuracy >= accuracy_of_singles;
  for (auto* list : {&x_, &inverse_}) list->assign(is_single_ ? rows.size : 0, 0.0F);
  for (Side* side : {&lower_, &upper_}) side->start.assign(1, 0);
  for (Index r = 0; r < rows.size; ++r) {
    lower_.start.push_back(lower_.start.back() + place_[r] - start_[r]);
    upper_.start.push_back(upper_.start.back() + start_[r + 1] - place_[r] - 1);
  }
  for (Side* side : {&lower_, &upper_}) {
    side->singles.assign(is_single_ ? side->start.back() : 0, 0.0F);
    side->doubles.assign(is_single_ ? 0 : side->start.back(), 0.0);
  }
  find_blocks(rows);
  list_runs(rows);
}

void SweepRows::find_blocks(const SparseMatrix& rows) {
  block_of_.clear();
  first_of_block_.clear();
  const auto columns = [&](Index r) {
    return std::span(rows.row).subspan(start_[r], start_[r + 1] - start_[r]);
  };
  for (Index r = 0; r < rows.size; ++r) {
    const bool continues = r > 0 && r - first_of_block_.back() < max_block &&
                           std::ranges::equal(columns(r), columns(first_of_block_.back()));
    if (!continues) first_of_block_.push_back(r);
    block_of_.push_back(count_of(first_of_block_) - 1);
  }
  first_of_block_.push_back(rows.size);
}

void SweepRows::list_runs(const SparseMatrix& rows) {
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
  for (std::size_t b = 0; b + 1 < first_of_block_.size(); ++b) {
    const Index first = first_of_block_[b];
    const Index last = first_of_block_[b + 1] - 1;
    list(start_[first], place_[first]);
    list(place_[last] + 1, start_[last + 1]);
  }
  first_run_.push_back(count_of(runs_));
  runs_.shrink_to_fit();
}

void SweepRows::copy_values(const SparseMatrix& rows, std::size_t first, std::size_t last) {
  const double factor = 1.0 / unit_;
  const auto copy = [&](Index from, Index end, Side& side, std::size_t row) {
    std::size_t to = side.start[row];
    if (is_single_) {
      for (Index k = from; k < end; ++k) side.singles[to++] = static_cast<float>(factor * rows.values[k]);
    } else {
      for (Index k = from; k < end; ++k) side.doubles[to++] = factor * rows.values[k];
    }
  };
  for (std::size_t r = first; r < last; ++r) {
    copy(start_[r], place_[r], lower_, r);
    copy(place_[r] + 1, start_[r + 1], upper_, r);
    diagonal_.data()[r] = rows.values[place_[r]];
    if (is_single_) inverse_[r] = static_cast<float>(unit_ / diagonal_.data()[r]);
  }
}

void SweepRows::assign(const SparseMatrix& rows, const Threads* threads) {
  if (unit_ == 0) {
    double largest = 0;
    for (const double value : rows.values) largest = std::max(largest, std::abs(value));
    unit_ = largest > 0 ? std::exp2(std::ilogb(largest)) : 1.0;
  }
  for_parts(threads, size(), swept_rows_grain,
            [&](std::size_t first, std::size_t last) { copy_values(rows, first, last); });
}

void SweepRows::assign(const SparseMatrix& rows, std::span<const Index> changed) {
  for (const Index r : changed) copy_values(rows, r, r + 1);
}

template <class Real>
double SweepRows::lower_sum(Index row, const double* x) const {
  const Index block = block_of_[row];
  const Real* value = lower_.values<Real>().data() + lower_.start[row];
  Sums sums;
  for (Index k = first_run_[2 * block]; k < first_run_[2 * block + 1]; ++k) {
    const Run run = runs_[k];
    sums.add(value, x + run.column, run.count);
    value += run.count;
  }
  const Index first = first_of_block_[block];
  sums.add(value, x + first, row - first);
  return unit_ * sums.total();
}

/// The columns next to the diagonal, whose values a sweep computes last, are added last.
template <class Real>
double SweepRows::upper_sum(Index row, const double* x) const {
  const Index block = block_of_[row];
  const Real* value = upper_.values<Real>().data() + upper_.start[row + 1];
  Sums sums;
  for (Index k = first_run_[2 * block + 2]; k-- > first_run_[2 * block + 1];) {
    const Run run = runs_[k];
    value -= run.count;
    sums.add(value, x + run.column, run.count);
  }
  const Index count = first_of_block_[block + 1] - row - 1;
  sums.add(value - count, x + row + 1, count);
  return unit_ * sums.total();
}

/// Rows [first, first + count) of a block: first the columns that all of its rows have before the diagonal, then those
/// of the block.
template <Index count>
void SweepRows::solve_lower_rows(Index block, Index first, double* x) const {
  std::array<const float*, count> value;
  for (std::size_t k = 0; k < count; ++k) value[k] = lower_.singles.data() + lower_.start[first + k];
  RowSums<count> sums;
  for (Index k = first_run_[2 * block]; k < first_run_[2 * block + 1]; ++k) {
    const Run run = runs_[k];
    sums.add(value, x_.data() + run.column, run.count);
    for (const float*& next : value) next += run.count;
  }
  const double inverse_unit = 1.0 / unit_;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t r = first + k;
    float sum = sums.of(k);
    for (std::size_t c = first_of_block_[block]; c < r; ++c) sum += *value[k]++ * x_[c];
    x_[r] = (static_cast<float>(x[r]) - sum) * inverse_[r];
    x[r] = static_cast<double>(x_[r]) * inverse_unit;
  }
}

/// The same after the diagonal.
template <Index count>
void SweepRows::solve_upper_rows(Index block, Index first, double* x) const {
  std::array<const float*, count> value;
  for (std::size_t k = 0; k < count; ++k) value[k] = upper_.singles.data() + upper_.start[first + k + 1];
  RowSums<count> sums;
  for (Index k = first_run_[2 * block + 2]; k-- > first_run_[2 * block + 1];) {
    const Run run = runs_[k];
    for (const float*& next : value) next -= run.count;
    sums.add(value, x_.data() + run.column, run.count);
  }
  const double inverse_unit = 1.0 / unit_;
  for (std::size_t k = count; k-- > 0;) {
    const std::size_t r = first + k;
    float sum = sums.of(k);
    for (std::size_t c = first_of_block_[block + 1]; --c > r;) sum += *--value[k] * x_[c];
    x_[r] = (static_cast<float>(x[r]) - sum) * inverse_[r];
    x[r] = static_cast<double>(x_[r]) * inverse_unit;
  }
}

template <class Visit>
void SweepRows::visit_forward(Index first, Index last, const Visit& visit) const {
  if (first == last) return;
  for (Index block = block_of_[first]; first < last; ++block) {
    const Index end = std::min(last, first_of_block_[block + 1]);
    visit(block, first, end);
    first = end;
  }
}

template <class Visit>
void SweepRows::visit_backward(Index first, Index last, const Visit& visit) const {
  if (first == last) return;
  for (Index block = block_of_[last - 1]; first < last; --block) {
    const Index begin = std::max(first, first_of_block_[block]);
    visit(block, begin, last);
    last = begin;
  }
}

void SweepRows::solve_lower(Index first, Index last, double* x) const {
  if (!is_single_) {
    for (Index r = first; r < last; ++r) x[r] = (x[r] - lower_sum<double>(r, x)) / diagonal_.data()[r];
    return;
  }
  visit_forward(first, last, [&](Index block, Index begin, Index end) {
    switch (end - begin) {
      case 3:
        return solve_lower_rows<3>(block, begin, x);
      case 2:
        return solve_lower_rows<2>(block, begin, x);
      default:
        return solve_lower_rows<1>(block, begin, x);
    }
  });
}

void SweepRows::solve_upper(Index first, Index last, double* x) const {
  if (!is_single_) {
    for (Index r = last; r-- > first;) x[r] = (x[r] - upper_sum<double>(r, x)) / diagonal_.data()[r];
    return;
  }
  visit_backward(first, last, [&](Index block, Index begin, Index end) {
    switch (end - begin) {
      case 3:
        return solve_upper_rows<3>(block, begin, x);
      case 2:
        return solve_upper_rows<2>(block, begin, x);
      default:
        return solve_upper_rows<1>(block, begin, x);
    }
  });
}

template <class Real>
void SweepRows::multiply_rows(Index first, Index last, const double* x, double* y) const {
  for (Index r = first; r < last; ++r)
    y[r] = lower_sum<Real>(r, x) + diagonal_.data()[r] * x[r] + upper_sum<Real>(r, x);
}

void SweepRows::multiply(const double* x, double* y, const Threads* threads) const {
  for_parts(threads, size(), product_grain, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin);
    const auto last = static_cast<Index>(end);
    is_single_ ? multiply_rows<float>(first, last, x, y) : multiply_rows<double>(first, last, x, y);
  });
}

}  // namespace picus::solvers
