#include <picus/elements/contacts/common_pairs.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace picus {
namespace {

constexpr unsigned any_group = 3;  ///< of sets without groups

/// The nodes that move a surface, sorted by index; none: it is fixed.
std::vector<Node> nodes_of(const Surface& surface) {
  if (surface.body().valid()) return {surface.body()};
  std::vector<Node> nodes;
  for (const MaterialPoint& point : surface.vertices()) {
    if (!point.is_ground() && point.node.valid()) nodes.push_back(point.node);
  }
  std::ranges::sort(nodes, {}, &Node::index);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

/// A surface of two sets.
struct Common {
  const Surface* surface;
  std::array<Index, 2> place;      ///< in each of the sets
  std::array<unsigned, 2> groups;  ///< likewise
  std::vector<Node> nodes;
};

class CommonPairs {
 public:
  CommonPairs(const SurfacePairs& one, const SurfacePairs& other, const Model& model) : sets_{&one, &other} {
    std::map<const Surface*, Index> place;
    for (Index s = 0; s < count_of(one.surfaces); ++s) place[one.surfaces[s]] = s;
    for (Index s = 0; s < count_of(other.surfaces); ++s) {
      const auto found = place.find(other.surfaces[s]);
      if (found == place.end()) continue;
      const std::array<Index, 2> places = {found->second, s};
      Common common{.surface = found->first, .place = places, .groups = {any_group, any_group}};
      for (std::size_t set = 0; set < 2; ++set) {
        if (!sets_[set]->groups.empty()) common.groups[set] = sets_[set]->groups[places[set]];
      }
      common.nodes = nodes_of(*common.surface);
      classes_[common.groups].push_back(std::move(common));
    }
    for (std::size_t set = 0; set < 2; ++set)
      refused_[set].insert(sets_[set]->refused.begin(), sets_[set]->refused.end());
    if (one.joined_bodies_touch && other.joined_bodies_touch) return;
    for (const auto& [element, role] : model.constraints()) {
      const auto nodes = element->nodes();
      for (const Node& a : nodes) {
        for (const Node& b : nodes) joined_.emplace(a.index, b.index);
      }
    }
  }

  /// The first pair that may touch in both sets; null: there is none.
  std::array<const Surface*, 2> find() const {
    for (const auto& [groups, members] : classes_) {
      for (const Common& own : members) {
        if (sets_[0]->self_contact && sets_[1]->self_contact && own.nodes.size() > 1)
          return {own.surface, own.surface};
      }
      for (const auto& [other_groups, others] : classes_) {
        if (!groups_may_touch(groups[0], other_groups[0]) || !groups_may_touch(groups[1], other_groups[1]))
          continue;
        for (const Common& a : members) {
          for (const Common& b : others) {
            if (a.surface != b.surface && touch(a, b)) return ordered(a, b);
          }
        }
      }
    }
    return {};
  }

 private:
  static std::array<const Surface*, 2> ordered(const Common& a, const Common& b) {
    return a.place[0] < b.place[0] ? std::array{a.surface, b.surface} : std::array{b.surface, a.surface};
  }

  /// Whether both sets let surfaces touch whose groups may.
  bool touch(const Common& a, const Common& b) const {
    if (a.nodes.empty() && b.nodes.empty()) return false;
    if (a.surface->is_half_space() && b.surface->is_half_space()) return false;
    for (std::size_t set = 0; set < 2; ++set) {
      const auto [first, second] = std::minmax(a.place[set], b.place[set]);
      if (refused_[set].contains({first, second})) return false;
    }
    if (!a.surface->body().valid() || !b.surface->body().valid()) return !are_faces_of_one_solid(a, b);
    const Index body_a = a.nodes[0].index;
    const Index body_b = b.nodes[0].index;
    return body_a != body_b && !joined_.contains({body_a, body_b});
  }

  /// Such surfaces do not touch if they have common nodes.
  static bool are_faces_of_one_solid(const Common& a, const Common& b) {
    if (a.surface->mesh() == nullptr || b.surface->mesh() == nullptr) return false;
    return std::ranges::any_of(a.nodes, [&](const Node& node) {
      return std::ranges::binary_search(b.nodes, node.index, {}, &Node::index);
    });
  }

  std::array<const SurfacePairs*, 2> sets_;
  std::map<std::array<unsigned, 2>, std::vector<Common>> classes_;  ///< by their groups
  std::array<std::set<std::pair<Index, Index>>, 2> refused_;
  std::set<std::pair<Index, Index>> joined_;  ///< nodes of bodies connected by a joint
};

}  // namespace

void require_no_common_pair(const SurfacePairs& pairs, const SurfacePairs& earlier, const Model& model) {
  const auto [a, b] = CommonPairs(pairs, earlier, model).find();
  if (a == nullptr) return;
  throw ModelError(fmt::format(
      "contact set \"{}\": surfaces \"{}\" and \"{}\" may already touch in contact set \"{}\": exclude "
      "the pair from one of them",
      pairs.name, a->name(), b->name(), earlier.name));
}

}  // namespace picus
