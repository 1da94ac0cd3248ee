#pragma once

/// Scalars, vectors, matrices and indices shared by the whole library.

#include <Eigen/Core>

#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>

/// Nonsmooth flexible multibody dynamics.
namespace picus {

/// Index of a row, column, node or degree of freedom. 32 bits, as the sparse direct solvers use.
using Index = std::int32_t;

/// Number of entries of `range` as an Index: all counts of this library (nodes, rows, nonzeros) fit by construction.
template <class Range>
constexpr Index count_of(const Range& range) {
  return static_cast<Index>(range.size());
}
/// Number of rows of a matrix of Eigen, whose own indices have 64 bits.
template <class Matrix>
constexpr Index rows_of(const Matrix& matrix) {
  return static_cast<Index>(matrix.rows());
}
/// Number of columns of a matrix of Eigen.
template <class Matrix>
constexpr Index columns_of(const Matrix& matrix) {
  return static_cast<Index>(matrix.cols());
}
/// The place of an enumerator in arrays with one entry for each.
template <class Enum>
constexpr Index place_of(Enum enumerator) {
  static_assert(std::is_enum_v<Enum>);
  return static_cast<Index>(enumerator);
}
/// The index of what an iterator of `range` points to.
template <class Range>
constexpr Index index_of(const Range& range, std::ranges::iterator_t<const Range> place) {
  return static_cast<Index>(place - std::ranges::begin(range));
}

/// Three components: a position, a velocity, a force.
using Vec3 = Eigen::Vector3d;
/// A 3 x 3 matrix: a rotation, an inertia tensor.
using Mat3 = Eigen::Matrix3d;
/// A vector of any length, in natural layout (Node::v) unless stated otherwise.
using Vector = Eigen::VectorXd;
/// A writable part of a Vector.
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
/// A read-only part of a Vector.
using ConstVectorRef = const Eigen::Ref<const Eigen::VectorXd>&;

/// A view of storage as a dense matrix of fixed size, column by column.
template <int Rows, int Columns>
auto matrix_view(std::span<double> storage) {
  return Eigen::Map<Eigen::Matrix<double, Rows, Columns>>(storage.data());
}

/// A view of storage as a vector of fixed size.
template <int Rows>
auto vector_view(std::span<double> storage) {
  return Eigen::Map<Eigen::Matrix<double, Rows, 1>>(storage.data());
}
/// The same, read-only.
template <int Rows>
auto vector_view(std::span<const double> storage) {
  return Eigen::Map<const Eigen::Matrix<double, Rows, 1>>(storage.data());
}

}  // namespace picus
