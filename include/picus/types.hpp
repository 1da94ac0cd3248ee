#pragma once

/// Scalars, small vectors and strong indices shared by the whole library.

#include <Eigen/Core>

#include <cstdint>
#include <span>

/// Nonsmooth flexible multibody dynamics.
namespace picus {

/// Index of a row, column, node or degree of freedom. 32 bits, as the sparse direct solvers use.
using Index = std::int32_t;

/// How many entries `range` has, where an Index is wanted: what is counted here (nodes, rows, nonzeros) fits by construction.
template <class Range>
constexpr Index count_of(const Range& range) {
  return static_cast<Index>(range.size());
}

/// Three components: a position, a velocity, a force.
using Vec3 = Eigen::Vector3d;
/// A rotation, an inertia tensor.
using Mat3 = Eigen::Matrix3d;
/// As many components as the model has, natural layout (Node::v) unless said otherwise.
using Vector = Eigen::VectorXd;
/// A part of a Vector to be written.
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
/// A part of a Vector to be read.
using ConstVectorRef = const Eigen::Ref<const Eigen::VectorXd>&;

/// A dense matrix of fixed size on storage that the caller owns, column by column.
template <int Rows, int Columns>
auto matrix_view(std::span<double> storage) {
  return Eigen::Map<Eigen::Matrix<double, Rows, Columns>>(storage.data());
}

/// A vector of fixed size on storage that the caller owns.
template <int Rows>
auto vector_view(std::span<double> storage) {
  return Eigen::Map<Eigen::Matrix<double, Rows, 1>>(storage.data());
}
/// The same, to be read.
template <int Rows>
auto vector_view(std::span<const double> storage) {
  return Eigen::Map<const Eigen::Matrix<double, Rows, 1>>(storage.data());
}

}  // namespace picus
