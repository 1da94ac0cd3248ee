#pragma once

/// Vectors of one element, for the work of its forces.

#include <picus/local_dofs.hpp>

#include <array>
#include <span>

namespace picus::detail {

/// Storage for the local vector of any element.
using LocalVector = std::array<double, max_local_dofs>;

/// Scalar product of a local vector and a vector in natural layout.
inline double dot(const Element& element, std::span<const double> local, const Vector& natural) {
  double sum = 0;
  for_each_dof(element, [&](Index i, Index dof) { sum += local[i] * natural[dof]; });
  return sum;
}

}  // namespace picus::detail
