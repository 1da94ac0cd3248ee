#include <picus/elements/contacts/common_pairs.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace picus {
namespace {

/// The nodes that move a surface, sorted; none: it is fixed.
std::vector<Node> nodes_of(const Surface& surface) {
  std::vector<Node> nodes;
  if (surface.body().valid()) nodes.push_back(surface.body());
  for (const MaterialPoint& point : surface.vertices()) {
    if (!point.is_ground() && point.node.valid()) nodes.push_back(point.node);
  }
  std::ranges::sort(nodes, {}, &Node::index);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

class Pairs {
 public:
  Pairs(const SurfacePairs& pairs, const Model& model) : pairs_(pairs) {
    for (Index s = 0; s < count_of(pairs.surfaces); ++s) place_[pairs.surfaces[s]] = s;
    refused_.insert(pairs.refused.begin(), pairs.refused.end());
    if (pairs.joined_bodies_touch) return;
    for (const auto& [element, role] : model.constraints()) {
      const auto nodes = element->nodes();
      for (const Node& a : nodes) {
        for (const Node& b : nodes) joined_.emplace(a.index, b.index);
      }
    }
  }

  const std::vector<const Surface*>& surfaces() const { return pairs_.surfaces; }
  bool has(const Surface* surface) const { return place_.contains(surface); }

  /// Whether the set lets two surfaces touch that are not on one body.
  bool allows(const Surface* one, const Surface* other) const {
    const auto [a, b] = std::minmax(place_.at(one), place_.at(other));
    if (refused_.contains({a, b})) return false;
    if (!pairs_.groups.empty()) {
      const unsigned in_a = pairs_.groups[a];
      const unsigned in_b = pairs_.groups[b];
      if (((in_a & 1U) == 0 || (in_b & 2U) == 0) && ((in_a & 2U) == 0 || (in_b & 1U) == 0)) return false;
    }
    return !(one->body().valid() && other->body().valid() &&
             joined_.contains({one->body().index, other->body().index}));
  }

 private:
  const SurfacePairs& pairs_;
  std::map<const Surface*, Index> place_;
  std::set<std::pair<Index, Index>> refused_, joined_;
};

}  // namespace

void require_no_common_pair(const SurfacePairs& pairs, const SurfacePairs& earlier, const Model& model) {
  const Pairs mine(pairs, model);
  const Pairs others(earlier, model);
  std::vector<std::pair<const Surface*, std::vector<Node>>> common;
  for (const Surface* surface : mine.surfaces()) {
    if (others.has(surface)) common.emplace_back(surface, nodes_of(*surface));
  }
  for (std::size_t i = 0; i < common.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto& [a, nodes_a] = common[k];
      const auto& [b, nodes_b] = common[i];
      if (!mine.allows(a, b) || !others.allows(a, b)) continue;
      if (nodes_a.empty() && nodes_b.empty()) continue;
      // Surfaces that share nodes are on one body or one solid.
      if (std::ranges::any_of(nodes_a, [&](const Node& node) {
            return std::ranges::binary_search(nodes_b, node.index, {}, &Node::index);
          }))
        continue;
      throw ModelError(fmt::format(
          "contact set \"{}\": surfaces \"{}\" and \"{}\" may already touch in contact set \"{}\": exclude "
          "the pair from one of them",
          pairs.name, a->name(), b->name(), earlier.name));
    }
  }
}

}  // namespace picus
