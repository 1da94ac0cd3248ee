#pragma once

/// The broad phase of a contact search: which of many axis-parallel boxes overlap.

#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace picus {

/// Along the inertial axes, m.
using Box = Eigen::AlignedBox3d;

/// A binary tree of boxes, each around those below it; at its leaves are the boxes i = 0 ... N - 1 that it was built of. Boxes that
/// touch overlap, as the doubles compare; an empty one (Box::isEmpty) overlaps none. Fewer than 2^30 boxes; each takes 0.2 kB.
///
/// The pairs depend on the boxes alone, not on the tree. Separate trees may be used from several threads at once, and so may the const
/// functions of one.
class BoxTree {
 public:
  /// Of no boxes.
  BoxTree();
  ~BoxTree();
  BoxTree(BoxTree&& other) noexcept;  ///< what is left of `other` may only be assigned to
  /// The same.
  BoxTree& operator=(BoxTree&& other) noexcept;
  BoxTree(const BoxTree&) = delete;
  BoxTree& operator=(const BoxTree&) = delete;

  /// O(N log N), with three blocks of memory for the time of the call. Throws ModelError, and leaves the tree as it was, if a box that is
  /// not empty has a bound that is not finite.
  void build(std::span<const Box> boxes);

  /// The same boxes after they have moved, as build() would take them. The tree keeps its shape, O(N) and without allocation, until its
  /// branches are a fifth longer in all than they were, at most 32 times; then it is built anew, as for another number of boxes.
  void refit(std::span<const Box> boxes);

  /// Replaces `pairs` by the overlapping pairs i < j, ascending, each once. Allocates where `pairs` has to grow.
  void find_pairs(std::vector<std::array<Index, 2>>& pairs) const;

  /// The same for i of this tree and j of the other one, whatever their order.
  void find_pairs(const BoxTree& other, std::vector<std::array<Index, 2>>& pairs) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace picus
