#pragma once

/// Nodes and elements of a mesh, named "beam[0]", "beam[1]" and so on, share their data sets.

#include <picus/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace picus::results {

/// What is to be recorded under one name.
struct NameGroup {
  std::string name;            ///< "bird", or "beam" for an array of members
  std::vector<Index> members;  ///< places in the list of names, in the order of their numbers
  bool is_array = false;

  /// The shape of a row whose part for one member is `shape`.
  std::vector<Index> shape(std::vector<Index> member_shape) const;
};

/// Gathers names of the form NAME[0], NAME[1], ..., NAME[n-1] that were given in this order and are of one
/// kind (equal `kinds`), unless something else is called NAME. All other names stand for themselves. In the
/// order of first members.
std::vector<NameGroup> group_names(std::span<const std::string> names, std::span<const Index> kinds);

}  // namespace picus::results
