#pragma once

/// Nodes and elements of a mesh, named "beam[0]", "beam[1]" and so on, share their data sets.

#include <picus/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace picus::results {

/// Nodes or elements that are recorded under one name.
struct NameGroup {
  std::string name;            ///< "bird", or "beam" for an array of members
  std::vector<Index> members;  ///< indices into the list of names, in the order of their numbers
  bool is_array = false;

  /// The shape of a row, given that of one member.
  std::vector<Index> shape(std::vector<Index> member_shape) const;
};

/// Groups names of the form NAME[0], NAME[1], ..., NAME[n-1] that occur in this order and are of one kind (equal
/// `kinds`), unless NAME is itself a name. All other names form groups of their own. Groups are in the order of their
/// first members.
std::vector<NameGroup> group_names(std::span<const std::string> names, std::span<const Index> kinds);

}  // namespace picus::results
