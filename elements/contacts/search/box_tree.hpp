#pragma once

/// The broad phase of a contact search: finds the overlapping pairs among many axis-aligned boxes.

#include <picus/types.hpp>

#include <Eigen/Geometry>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace picus {

/// A box along the inertial axes, m.
using Box = Eigen::AlignedBox3d;

/// A bounding volume hierarchy: a binary tree of boxes, each enclosing those below it, whose leaves are the given
/// boxes i = 0 ... N - 1. Boxes that touch overlap, by comparison of the doubles; an empty one (Box::isEmpty)
/// overlaps none. Fewer than 2^30 boxes; each takes 0.2 kB.
///
/// The pairs depend on the boxes alone, not on the tree. Different trees may be used concurrently from several
/// threads, and so may the const functions of one.
class BoxTree {
 public:
  /// A tree without boxes.
  BoxTree();
  ~BoxTree();
  BoxTree(BoxTree&& other) noexcept;  ///< `other` may only be assigned to afterwards
  /// `other` may only be assigned to afterwards.
  BoxTree& operator=(BoxTree&& other) noexcept;
  BoxTree(const BoxTree&) = delete;
  BoxTree& operator=(const BoxTree&) = delete;

  /// O(N log N), with three temporary allocations. `groups` has a number for each box, or is empty: find_pairs(pairs)
  /// leaves out pairs within one group, a number >= 0, and does not descend into branches of a single group. Throws
  /// ModelError, and leaves the tree unchanged, if a box that is not empty has a bound that is not finite.
  void build(std::span<const Box> boxes, std::span<const Index> groups = {});

  /// Updates the boxes after they have moved; the pairs are the same as after build(). The tree keeps its structure,
  /// O(N) and without allocation, until the total size of its branches has grown by a fifth, at most 32 times; then it
  /// is rebuilt. If the number of boxes has changed, it is rebuilt without groups.
  void refit(std::span<const Box> boxes);

  /// Replaces `pairs` by the overlapping pairs i < j of different groups, ascending, each once. Allocates only if
  /// `pairs` has to grow.
  void find_pairs(std::vector<std::array<Index, 2>>& pairs) const;

  /// The same for i of this tree and j of the other one, in either order, whatever their groups.
  void find_pairs(const BoxTree& other, std::vector<std::array<Index, 2>>& pairs) const;

  /// Replaces `numbers` by those of the boxes that overlap the given one, ascending. Allocates only if it has to grow.
  void find_overlapping(const Box& box, std::vector<Index>& numbers) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace picus
