#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unsupported/Eigen/BVH>
#include <utility>

namespace picus {

/// Eigen's KdBVH decides how boxes are grouped: it bisects their number recursively, along one axis after another.
/// The tree that is traversed is a copy of its branches with separate bounding boxes: those of KdBVH can neither be
/// refitted nor be traversed for the pairs of a tree with itself without visiting each pair twice.
struct BoxTree::Impl {
  /// For a branch its index; for a leaf ~i < 0 with the index i of its box.
  using NodeIndex = Index;
  using Pairs = std::vector<std::array<Index, 2>>;

  struct Branch {
    Box box;
    std::array<NodeIndex, 2> below;  ///< a branch follows those below it in `branches`
    Index group = no_group;          ///< of all boxes below
  };
  static constexpr Index no_group = -1;

  /// The tree is rebuilt when the total size of its branches has grown by this factor: the search of a heap then
  /// takes a third longer than with a new tree, and building one takes half as long as a search.
  static constexpr double max_growth = 1.2;
  /// It is also rebuilt after this many refits, since boxes that mix while they approach each other do not increase
  /// the size. This costs one percent of the searches.
  static constexpr Index max_refits = 32;

  std::vector<Box> boxes;
  std::vector<Index> groups;  ///< of the boxes, or empty
  std::vector<Branch> branches;
  double built_length = 0.0;
  Index refits = 0;  ///< since the last build
  Eigen::KdBVH<double, 3, Index> halves;
  std::vector<Box> centers;    ///< as KdBVH requires them
  std::vector<Index> numbers;  ///< 0 ... N - 1

  /// The empty box: it overlaps no box and does not enlarge a box that is extended by it.
  static Box nothing() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
  }
  /// Sum of the three edge lengths, each halved to stay finite.
  static double length(const Box& box) { return (0.5 * box.max() - 0.5 * box.min()).sum(); }

  static void check(std::span<const Box> boxes) {
    for (Index i = 0; i < count_of(boxes); ++i) {
      const Box& box = boxes[i];
      if (box.isEmpty() || (box.min().allFinite() && box.max().allFinite())) continue;
      throw ModelError(fmt::format("contact search: box {} is not finite: from ({}, {}, {}) to ({}, {}, {})",
                                   i, box.min().x(), box.min().y(), box.min().z(), box.max().x(),
                                   box.max().y(), box.max().z()));
    }
  }

  void keep(std::span<const Box> moved) {
    check(moved);
    boxes.resize(moved.size());
    std::ranges::transform(moved, boxes.begin(),
                           [](const Box& box) { return box.isEmpty() ? nothing() : box; });
  }

  /// The axes along which the tree is bisected, in turn. An axis along which most boxes are longer than the spread of
  /// their centres would separate none: rows are bisected along their length only, layers twice along the longer of
  /// their two axes.
  std::array<Index, 3> axes() const {
    Box around = nothing();
    for (Index i = 0; i < count_of(boxes); ++i) {
      if (!boxes[i].isEmpty()) around.extend(centers[i]);
    }
    const Vec3 spread = around.sizes();
    std::array<Index, 3> count{};
    for (const Box& box : boxes) {
      for (Index k = 0; k < 3; ++k) count[k] += box.sizes()[k] < spread[k] ? 1 : 0;
    }
    std::array<Index, 3> axes{};
    Index useful = 0;
    for (Index k = 0; k < 3; ++k) {
      if (2 * count[k] > count_of(boxes)) axes[useful++] = k;
    }
    if (useful == 0) return {0, 1, 2};
    if (useful == 2 && spread[axes[1]] > spread[axes[0]]) std::swap(axes[0], axes[1]);
    return {axes[0], axes[1 % useful], axes[2 % useful]};
  }

  void build() {
    const Index count = count_of(boxes);
    centers.resize(boxes.size());
    numbers.resize(boxes.size());
    for (Index i = 0; i < count; ++i) {
      const Box& box = boxes[i];
      centers[i] = Box(box.isEmpty() ? Vec3::Zero() : Vec3(0.5 * box.min() + 0.5 * box.max()));
      numbers[i] = i;
    }
    const std::array<Index, 3> along = axes();
    for (Box& center : centers) {
      const Vec3 c = center.min();
      center = Box(Vec3(c[along[0]], c[along[1]], c[along[2]]));
    }
    halves.init(numbers.begin(), numbers.end(), centers.begin(), centers.end());

    branches.resize(count > 1 ? boxes.size() - 1 : 0);
    for (Index k = 0; k < count_of(branches); ++k) {
      const int* branch = nullptr;
      const int* last_branch = nullptr;
      const Index* leaf = nullptr;
      const Index* last_leaf = nullptr;
      halves.getChildren(k, branch, last_branch, leaf, last_leaf);
      auto below = branches[k].below.begin();
      below = std::copy(branch, last_branch, below);
      std::transform(leaf, last_leaf, below, [](Index i) { return ~i; });
      const Index group = group_at(branches[k].below[0]);
      branches[k].group = group == group_at(branches[k].below[1]) ? group : no_group;
    }
    built_length = fit();
    refits = 0;
  }

  /// Recomputes the boxes of the branches; returns their total size.
  double fit() {
    double sum = 0.0;
    for (Branch& branch : branches) {
      branch.box = box_at(branch.below[0]).merged(box_at(branch.below[1]));
      if (!branch.box.isEmpty()) sum += length(branch.box);
    }
    return sum;
  }

  const Box& box_at(NodeIndex node) const { return node < 0 ? boxes[~node] : branches[node].box; }
  Index group_at(NodeIndex node) const {
    if (node >= 0) return branches[node].group;
    return groups.empty() ? no_group : groups[~node];
  }
  NodeIndex root() const { return boxes.size() == 1 ? ~0 : count_of(branches) - 1; }

  /// Calls found(i, j) for the overlapping leaves below a node of this tree and a node of the other.
  template <bool within_groups, class Found>
  void walk(NodeIndex a, const Impl& other, NodeIndex b, const Found& found) const {
    if (!within_groups && group_at(a) != no_group && group_at(a) == other.group_at(b)) return;
    const Box& box_a = box_at(a);
    const Box& box_b = other.box_at(b);
    if (!box_a.intersects(box_b)) return;
    if (a < 0 && b < 0) {
      found(~a, ~b);
    } else if (b < 0 || (a >= 0 && length(box_a) > length(box_b))) {
      for (const NodeIndex below : branches[a].below) walk<within_groups>(below, other, b, found);
    } else {
      for (const NodeIndex below : other.branches[b].below) walk<within_groups>(a, other, below, found);
    }
  }

  /// Calls found(i) for the leaves below a node that overlap a box.
  template <class Found>
  void walk(NodeIndex a, const Box& box, const Found& found) const {
    if (!box_at(a).intersects(box)) return;
    if (a < 0) return found(~a);
    for (const NodeIndex below : branches[a].below) walk(below, box, found);
  }

  static void sort(Pairs& pairs) {
    // One comparison of 64 bits instead of two of 32.
    std::ranges::sort(pairs, std::ranges::less(), [](const std::array<Index, 2>& pair) {
      return (static_cast<std::uint64_t>(pair[0]) << 32) + static_cast<std::uint64_t>(pair[1]);
    });
  }
};

BoxTree::BoxTree() : impl_(std::make_unique<Impl>()) {}
BoxTree::~BoxTree() = default;
BoxTree::BoxTree(BoxTree&& other) noexcept = default;
BoxTree& BoxTree::operator=(BoxTree&& other) noexcept = default;

void BoxTree::build(std::span<const Box> boxes, std::span<const Index> groups) {
  impl_->keep(boxes);
  impl_->groups.assign(groups.begin(), groups.end());
  impl_->build();
}

void BoxTree::refit(std::span<const Box> boxes) {
  if (boxes.size() != impl_->boxes.size()) return build(boxes);
  impl_->keep(boxes);
  const double growth_limit = Impl::max_growth * impl_->built_length;
  if (++impl_->refits > Impl::max_refits || impl_->fit() > growth_limit) impl_->build();
}

void BoxTree::find_pairs(std::vector<std::array<Index, 2>>& pairs) const {
  pairs.clear();
  const auto add = [&](Index i, Index j) { pairs.push_back({std::min(i, j), std::max(i, j)}); };
  // Each pair of leaves is found at the one branch where their paths separate.
  for (const Impl::Branch& branch : impl_->branches) {
    if (branch.group == Impl::no_group) impl_->walk<false>(branch.below[0], *impl_, branch.below[1], add);
  }
  Impl::sort(pairs);
}

void BoxTree::find_pairs(const BoxTree& other, std::vector<std::array<Index, 2>>& pairs) const {
  pairs.clear();
  if (impl_->boxes.empty() || other.impl_->boxes.empty()) return;
  impl_->walk<true>(impl_->root(), *other.impl_, other.impl_->root(), [&](Index i, Index j) {
    pairs.push_back({i, j});
  });
  Impl::sort(pairs);
}

void BoxTree::find_overlapping(const Box& box, std::vector<Index>& numbers) const {
  numbers.clear();
  if (impl_->boxes.empty() || box.isEmpty()) return;
  impl_->walk(impl_->root(), box, [&](Index i) { numbers.push_back(i); });
  std::ranges::sort(numbers);
}

}  // namespace picus
