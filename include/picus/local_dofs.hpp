#pragma once

/// Iteration over the velocity components of an element's nodes in the local layout.

#include <picus/element.hpp>

namespace picus {

/// Calls visit(local, natural) for each component of the element.
template <class Visit>
void for_each_dof(const Element& element, Visit&& visit) {
  Index local = 0;
  for (const Node& node : element.nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) visit(local++, node.v + i);
  }
}

/// Copies the element's entries of a vector in natural layout.
inline void gather(const Element& element, const Vector& natural, std::span<double> local) {
  std::size_t k = 0;
  for (const Node& node : element.nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) local[k++] = natural[node.v + i];
  }
}

}  // namespace picus
