#pragma once

// The load that the rows of a constraint or contact exert on one of its nodes.

#include <picus/element.hpp>

#include <array>
#include <span>

namespace picus::detail {

/// The entries of G^T p that belong to the node; G is rows x n, column by column, force(row) an entry of p.
template <class Force>
std::array<double, 6> load_on_node(const Element& element, Index rows, std::span<const double> G,
                                   const Node& on, const Force& force) {
  std::array<double, 6> load{};
  Index column = 0;
  for (const Node& node : element.nodes()) {
    const Index size = velocity_size(node.kind);
    for (Index i = 0; i < size && node == on; ++i) {
      const double* const gradient = G.data() + static_cast<std::ptrdiff_t>((column + i) * rows);
      for (Index row = 0; row < rows; ++row) load[i] += gradient[row] * force(row);
    }
    column += size;
  }
  return load;
}

}  // namespace picus::detail
