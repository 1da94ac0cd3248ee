#include <picus/solvers/contact/block_elimination.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <camd.h>

namespace picus::solvers {
namespace {

constexpr int max_rows = static_cast<int>(BlockElimination::max_rows);

/// Number of rows of a block, fixed at compile time where all have the same.
template <int Size>
Index rows_of(Index rows) {
  return Size == Eigen::Dynamic ? rows : Size;
}

template <int Size>
void copy(const double* from, double* to, Index count) {
  for (Index i = 0; i < rows_of<Size>(count); ++i) to[i] = from[i];
}

/// c -= a b for blocks by columns, m x k and k x n.
template <int Size>
void subtract_product(const double* a, const double* b, double* c, Index m, Index k, Index n) {
  if constexpr (Size == Eigen::Dynamic) {
    for (Index j = 0; j < n; ++j) {
      for (Index l = 0; l < k; ++l) {
        const double factor = b[j * k + l];
        for (Index i = 0; i < m; ++i) c[j * m + i] -= a[l * m + i] * factor;
      }
    }
  } else {
    // Copies, as the compiler cannot know that c is none of the factors.
    std::array<double, Size * Size> left;
    for (int i = 0; i < Size * Size; ++i) left[i] = a[i];
    for (int j = 0; j < Size; ++j) {
      std::array<double, Size> difference;
      for (int i = 0; i < Size; ++i) difference[i] = c[j * Size + i];
      for (int l = 0; l < Size; ++l) {
        const double factor = b[j * Size + l];
        for (int i = 0; i < Size; ++i) difference[i] -= left[l * Size + i] * factor;
      }
      for (int i = 0; i < Size; ++i) c[j * Size + i] = difference[i];
    }
  }
}

/// y -= a x for a block by columns, m x n.
template <int Size>
void subtract_product(const double* a, const double* x, double* y, Index m, Index n) {
  m = rows_of<Size>(m);
  n = rows_of<Size>(n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) y[i] -= a[j * m + i] * x[j];
  }
}

/// Order of elimination by minimum degree.
std::vector<Index> find_order(const std::vector<std::vector<Index>>& columns) {
  std::vector<Index> start = {0};
  std::vector<Index> row;
  for (const auto& column : columns) {
    row.insert(row.end(), column.begin(), column.end());
    start.push_back(count_of(row));
  }
  std::vector<Index> order(columns.size());
  camd_order(count_of(columns), start.data(), row.data(), order.data(), nullptr, nullptr, nullptr);
  return order;
}

}  // namespace

void BlockElimination::analyze(const SparseMatrix& matrix, std::span<const Index> first_rows) {
  count_ = count_of(first_rows) - 1;
  std::vector<Index> block_of(matrix.size, -1);  // of its first row
  for (Index i = 0; i < count_; ++i) block_of[first_rows[i]] = i;
  // All columns of a block have the same rows.
  std::vector<std::vector<Index>> columns(count_);
  std::vector<std::vector<Index>> offsets(count_);
  for (Index j = 0; j < count_; ++j) {
    const Index begin = matrix.column_start[first_rows[j]];
    for (Index k = begin; k < matrix.column_start[first_rows[j] + 1]; ++k) {
      const Index i = block_of[matrix.row[k]];
      if (i < 0) continue;
      columns[j].push_back(i);
      offsets[j].push_back(k - begin);
    }
  }
  const std::vector<Index> order = find_order(columns);
  std::vector<Index> position(count_);
  rows_.resize(count_);
  first_row_.resize(count_);
  for (Index p = 0; p < count_; ++p) {
    position[order[p]] = p;
    first_row_[p] = first_rows[order[p]];
    rows_[p] = first_rows[order[p] + 1] - first_row_[p];
  }
  const Index most = count_ > 0 ? std::ranges::max(rows_) : 0;
  common_rows_ = std::ranges::count(rows_, most) == count_ ? most : 0;
  largest_ = most * most;

  matrix_.clear();
  matrix_start_.assign(1, 0);
  std::vector<std::vector<Index>> ordered(count_);
  for (Index p = 0; p < count_; ++p) {
    const Index j = order[p];
    for (std::size_t k = 0; k < columns[j].size(); ++k) {
      matrix_.push_back({position[columns[j][k]], offsets[j][k]});
      ordered[p].push_back(position[columns[j][k]]);
    }
    matrix_start_.push_back(count_of(matrix_));
  }
  find_factors(ordered);
}

/// The blocks of both factors, whose pattern is symmetric: a column has those of the matrix, and those of the columns
/// whose first block below the diagonal is in its row.
void BlockElimination::find_factors(const std::vector<std::vector<Index>>& columns) {
  std::vector<std::vector<Index>> below(count_);
  std::vector<std::vector<Index>> left(count_);
  std::vector<std::vector<Index>> children(count_);
  std::vector<Index> seen(count_, -1);
  for (Index j = 0; j < count_; ++j) {
    const auto add = [&](const std::vector<Index>& rows) {
      for (const Index i : rows) {
        if (i <= j || seen[i] == j) continue;
        seen[i] = j;
        below[j].push_back(i);
        left[i].push_back(j);
      }
    };
    add(columns[j]);
    for (const Index child : children[j]) add(below[child]);
    std::ranges::sort(below[j]);
    if (!below[j].empty()) children[below[j].front()].push_back(j);
  }
  Index values = 0;
  const auto store = [&](const std::vector<std::vector<Index>>& blocks, Blocks& factor,
                         std::vector<Index>& start) {
    factor.clear();
    start.assign(1, 0);
    for (Index j = 0; j < count_; ++j) {
      for (const Index i : blocks[j]) {
        factor.push_back({i, values});
        values += rows_[i] * rows_[j];
      }
      start.push_back(count_of(factor));
    }
  };
  store(below, lower_, lower_start_);
  store(left, upper_, upper_start_);
  values_.resize(values);
  inverses_.resize(count_ * largest_);
  column_.assign(count_ * largest_, 0.0);
}

bool BlockElimination::factorize(const SparseMatrix& matrix) {
  switch (common_rows_) {
    case 1:
      return factorize_blocks<1>(matrix);
    case 3:
      return factorize_blocks<3>(matrix);
    default:
      return factorize_blocks<Eigen::Dynamic>(matrix);
  }
}

void BlockElimination::solve(Vector& b) {
  switch (common_rows_) {
    case 1:
      return solve_blocks<1>(b);
    case 3:
      return solve_blocks<3>(b);
    default:
      return solve_blocks<Eigen::Dynamic>(b);
  }
}

/// A = L U with identities on the diagonal of L, whose columns are those of the Schur complements times the inverse
/// diagonal block.
template <int Size>
bool BlockElimination::factorize_blocks(const SparseMatrix& matrix) {
  using Diagonal = Eigen::Matrix<double, Size, Size, 0, Size == Eigen::Dynamic ? max_rows : Size,
                                 Size == Eigen::Dynamic ? max_rows : Size>;
  const auto part = [&](Index position) { return column_.data() + position * largest_; };
  for (Index j = 0; j < count_; ++j) {
    const Index n = rows_of<Size>(rows_[j]);
    std::fill_n(part(j), n * n, 0.0);
    for (const Block& block : lower(j))
      std::fill_n(part(block.position), rows_of<Size>(rows_[block.position]) * n, 0.0);
    for (const Block& block : upper(j))
      std::fill_n(part(block.position), rows_of<Size>(rows_[block.position]) * n, 0.0);
    for (const Block& block : column(matrix_, matrix_start_, j)) {
      const Index m = rows_of<Size>(rows_[block.position]);
      for (Index k = 0; k < n; ++k)
        copy<Size>(&matrix.values[matrix.column_start[first_row_[j] + k] + block.first],
                   part(block.position) + k * m, m);
    }
    for (const Block& block : upper(j)) {
      const Index k = block.position;
      const Index m = rows_of<Size>(rows_[k]);
      double* const u = values_.data() + block.first;
      for (Index c = 0; c < n; ++c) copy<Size>(part(k) + c * m, u + c * m, m);
      for (const Block& factor : lower(k))
        subtract_product<Size>(values_.data() + factor.first, u, part(factor.position),
                               rows_[factor.position], m, n);
    }
    const Eigen::Map<const Diagonal> diagonal(part(j), n, n);
    Eigen::Map<Diagonal> inverse(inverses_.data() + j * largest_, n, n);
    inverse = diagonal.inverse();
    if (!inverse.allFinite()) return false;
    for (const Block& block : lower(j)) {
      const Index m = rows_of<Size>(rows_[block.position]);
      double* const value = values_.data() + block.first;
      const Eigen::Map<const Diagonal> schur(part(block.position), m, n);
      Eigen::Map<Diagonal>(value, m, n) = schur.lazyProduct(inverse);
    }
  }
  return true;
}

template <int Size>
void BlockElimination::solve_blocks(Vector& b) {
  using Part = Eigen::Matrix<double, Size, 1, 0, Size == Eigen::Dynamic ? max_rows : Size>;
  double* const x = b.data();
  const auto part = [&](Index position) { return x + first_row_[position]; };
  for (Index j = 0; j < count_; ++j) {
    for (const Block& block : lower(j))
      subtract_product<Size>(values_.data() + block.first, part(j), part(block.position),
                             rows_[block.position], rows_[j]);
  }
  for (Index j = count_; j-- > 0;) {
    const Index n = rows_of<Size>(rows_[j]);
    const Eigen::Map<const Eigen::Matrix<double, Size, Size>> inverse(inverses_.data() + j * largest_, n, n);
    Eigen::Map<Part> own(part(j), n);
    own = Part(inverse.lazyProduct(own));
    for (const Block& block : upper(j))
      subtract_product<Size>(values_.data() + block.first, part(j), part(block.position),
                             rows_[block.position], rows_[j]);
  }
}

}  // namespace picus::solvers
