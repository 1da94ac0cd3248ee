#include <picus/solvers/contact/block_elimination.hpp>

#include <algorithm>
#include <camd.h>
#include <cmath>
#include <utility>

namespace picus::solvers {
namespace {

constexpr int max_rows = static_cast<int>(BlockElimination::max_rows);

/// Number of rows of a block, fixed at compile time where all have the same.
template <int Size>
Index rows_of(Index rows) {
  return Size == Eigen::Dynamic ? rows : Size;
}

/// Number of values of a column of a block (block_kernels.hpp).
template <int Size>
Index stride_of(Index rows) {
  return Size == 3 ? padded_rows : rows_of<Size>(rows);
}
Index stride_of(Index rows, int common_rows) {
  return common_rows == 3 ? padded_rows : rows;
}

template <int Size>
void copy(const double* from, double* to, Index count) {
  for (Index i = 0; i < rows_of<Size>(count); ++i) to[i] = from[i];
}

/// c -= a b for blocks by columns, m x k and k x n.
template <int Size>
void subtract_product(const double* a, const double* b, double* c, Index m, Index k, Index n) {
  for (Index j = 0; j < rows_of<Size>(n); ++j) {
    for (Index l = 0; l < rows_of<Size>(k); ++l) {
      const double factor = b[j * rows_of<Size>(k) + l];
      for (Index i = 0; i < rows_of<Size>(m); ++i)
        c[j * rows_of<Size>(m) + i] -= a[l * rows_of<Size>(m) + i] * factor;
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

/// A block by columns, n x n.
template <int Size>
using DiagonalBlock = Eigen::Matrix<double, Size, Size, 0, Size == Eigen::Dynamic ? max_rows : Size,
                                    Size == Eigen::Dynamic ? max_rows : Size>;
template <int Size>
using BlockStride = Eigen::OuterStride<Size == Eigen::Dynamic ? Eigen::Dynamic
                                       : Size == 3            ? int{padded_rows}
                                                              : Size>;
template <int Size>
using BlockMap = Eigen::Map<DiagonalBlock<Size>, 0, BlockStride<Size>>;
template <int Size>
using ConstBlockMap = Eigen::Map<const DiagonalBlock<Size>, 0, BlockStride<Size>>;

/// Overwrites A with the factors of P A = L U, with 1 on the diagonal of L, and the exchanges of rows of which P
/// consists; false if A is singular or a value not finite. The diagonal blocks of interior points combine entries over
/// twenty decades: products with an inverse would lose what L and U keep.
template <class Matrix>
bool factorize_diagonal(Matrix& A, Index* exchanges) {
  const Index n = columns_of(A);
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    exchanges[k] = pivot;
    if (pivot != k) A.row(k).swap(A.row(pivot));
    if (A(k, k) == 0.0) return false;
    for (Index i = k + 1; i < n; ++i) {
      const double factor = A(i, k) /= A(k, k);
      for (Index j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
    }
  }
  return A.allFinite();
}

/// x = A^-1 x
template <class Matrix>
void solve_diagonal(const Matrix& factors, const Index* exchanges, double* x) {
  const Index n = columns_of(factors);
  for (Index k = 0; k < n; ++k) std::swap(x[k], x[exchanges[k]]);
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) x[i] -= factors(i, k) * x[k];
  }
  for (Index k = n; k-- > 0;) {
    x[k] /= factors(k, k);
    for (Index i = 0; i < k; ++i) x[i] -= factors(i, k) * x[k];
  }
}

/// X = X A^-1, with m rows
template <class Matrix, class Rows>
void divide_by_diagonal(const Matrix& factors, const Index* exchanges, Rows& X) {
  const Index n = columns_of(factors);
  for (Index k = 0; k < n; ++k) {
    for (Index l = 0; l < k; ++l) X.col(k) -= factors(l, k) * X.col(l);
    X.col(k) /= factors(k, k);
  }
  for (Index k = n; k-- > 0;) {
    for (Index l = k + 1; l < n; ++l) X.col(k) -= factors(l, k) * X.col(l);
  }
  for (Index k = n; k-- > 0;) {
    if (exchanges[k] != k) X.col(k).swap(X.col(exchanges[k]));
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
  largest_ = stride_of(most, common_rows_) * most;

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
        values += stride_of(rows_[i], common_rows_) * rows_[j];
      }
      start.push_back(count_of(factor));
    }
  };
  store(below, lower_, lower_start_);
  store(left, upper_, upper_start_);
  values_.assign(values, 0.0);
  diagonals_.resize(count_ * largest_);
  exchanges_.resize(count_ * max_rows);
  column_.assign(count_ * largest_, 0.0);
  unknowns_.assign(common_rows_ == 3 ? count_ * padded_rows : 0, 0.0);
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

/// A = L U with identities on the diagonal of L, whose columns are those of the Schur complements divided by the
/// diagonal block.
template <int Size>
bool BlockElimination::factorize_blocks(const SparseMatrix& matrix) {
  const auto part = [&](Index position) { return column_.data() + position * largest_; };
  const auto values_of = [&](Index position, Index n) { return stride_of<Size>(rows_[position]) * n; };
  for (Index j = 0; j < count_; ++j) {
    const Index n = rows_of<Size>(rows_[j]);
    std::fill_n(part(j), values_of(j, n), 0.0);
    for (const BlockEntry& block : lower(j))
      std::fill_n(part(block.position), values_of(block.position, n), 0.0);
    for (const BlockEntry& block : upper(j))
      std::fill_n(part(block.position), values_of(block.position, n), 0.0);
    for (const BlockEntry& block : column(matrix_, matrix_start_, j)) {
      const Index m = rows_[block.position];
      for (Index k = 0; k < n; ++k)
        copy<Size>(&matrix.values[matrix.column_start[first_row_[j] + k] + block.first],
                   part(block.position) + k * stride_of<Size>(m), m);
    }
    for (const BlockEntry& block : upper(j)) {
      const Index k = block.position;
      double* const u = values_.data() + block.first;
      std::copy_n(part(k), values_of(k, n), u);
      if constexpr (Size == 3) {
        kernels_->subtract_products(lower(k), values_.data(), u, column_.data());
      } else {
        for (const BlockEntry& factor : lower(k))
          subtract_product<Size>(values_.data() + factor.first, u, part(factor.position),
                                 rows_[factor.position], rows_[k], n);
      }
    }
    const BlockStride<Size> stride(stride_of<Size>(n));
    BlockMap<Size> diagonal(diagonals_.data() + j * largest_, n, n, stride);
    diagonal = ConstBlockMap<Size>(part(j), n, n, stride);
    if (!factorize_diagonal(diagonal, exchanges_.data() + j * max_rows)) return false;
    for (const BlockEntry& block : lower(j)) {
      const Index m = rows_of<Size>(rows_[block.position]);
      const BlockStride<Size> its_stride(stride_of<Size>(m));
      BlockMap<Size> factor(values_.data() + block.first, m, n, its_stride);
      factor = ConstBlockMap<Size>(part(block.position), m, n, its_stride);
      divide_by_diagonal(diagonal, exchanges_.data() + j * max_rows, factor);
    }
  }
  return true;
}

template <int Size>
void BlockElimination::solve_blocks(Vector& b) {
  const auto diagonal = [&](Index j) {
    const Index n = rows_of<Size>(rows_[j]);
    return ConstBlockMap<Size>(diagonals_.data() + j * largest_, n, n, BlockStride<Size>(stride_of<Size>(n)));
  };
  if constexpr (Size == 3) {
    const auto part = [&](Index position) { return unknowns_.data() + position * padded_rows; };
    for (Index j = 0; j < count_; ++j) copy<Size>(b.data() + first_row_[j], part(j), Size);
    for (Index j = 0; j < count_; ++j)
      kernels_->subtract_vectors(lower(j), values_.data(), part(j), unknowns_.data());
    for (Index j = count_; j-- > 0;) {
      solve_diagonal(diagonal(j), exchanges_.data() + j * max_rows, part(j));
      kernels_->subtract_vectors(upper(j), values_.data(), part(j), unknowns_.data());
    }
    for (Index j = 0; j < count_; ++j) copy<Size>(part(j), b.data() + first_row_[j], Size);
  } else {
    const auto part = [&](Index position) { return b.data() + first_row_[position]; };
    for (Index j = 0; j < count_; ++j) {
      for (const BlockEntry& block : lower(j))
        subtract_product<Size>(values_.data() + block.first, part(j), part(block.position),
                               rows_[block.position], rows_[j]);
    }
    for (Index j = count_; j-- > 0;) {
      solve_diagonal(diagonal(j), exchanges_.data() + j * max_rows, part(j));
      for (const BlockEntry& block : upper(j))
        subtract_product<Size>(values_.data() + block.first, part(j), part(block.position),
                               rows_[block.position], rows_[j]);
    }
  }
}

}  // namespace picus::solvers
