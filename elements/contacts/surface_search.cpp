#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace picus {
namespace {

/// Penetrations by more than this fraction of the smaller size must be in the contact list.
constexpr double missed_part = 2e-9;

/// Largest initial penetration, as a fraction of the smaller size: allows for rounded input.
constexpr double start_part = 1e-3;

/// Where only penetrating features are sought, features this close are included: edges that just support each other
/// do so only up to rounding.
constexpr double least_part = 1e-6;

std::pair<Index, Index> ordered(Index a, Index b) {
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

SurfaceSearch::SurfaceSearch(SurfacePairs pairs, const Model& model, std::uint32_t place)
    : pairs_(std::move(pairs)),
      surfaces_(pairs_.surfaces),
      model_(&model),
      set_(place),
      refused_(pairs_.refused.begin(), pairs_.refused.end()) {
  list_parts();
  refuse_friction_without_rotations();
  refuse_resistance_without_rotations();
  refuse_two_grains();
  if (has_meshes_) refuse_common_nodes();
  if (!pairs_.joined_bodies_touch) list_joined(model);
}

void SurfaceSearch::list_parts() {
  std::uint32_t next = 0;
  has_meshes_ = std::ranges::any_of(surfaces_, [](const Surface* one) { return one->mesh() != nullptr; });
  const Configuration& start = model_->initial_configuration();
  for (Index s = 0; s < count_of(surfaces_); ++s) {
    const Surface& surface = *surfaces_[s];
    const Polytope* polytope = surface.polytope();
    Features features{};
    features.first = next;
    features.edges = next + static_cast<std::uint32_t>(surface.vertices().size());
    const std::size_t edges = polytope != nullptr ? polytope->edges.size()
                              : is_round(s)       ? 1
                                                  : surface.edges().size();
    features.faces = features.edges + static_cast<std::uint32_t>(edges);
    const RoundSolid* round = surface.round_solid();
    const std::size_t faces = polytope != nullptr               ? polytope->faces.size()
                              : surface.polyhedron() != nullptr ? surface.polyhedron()->faces.size()
                              : surface.mesh() != nullptr       ? surface.mesh()->triangles.size()
                              : round != nullptr                ? 2
                                                                : 0;
    features.end = features.faces + static_cast<std::uint32_t>(faces);
    next = features.end;
    features_.push_back(features);

    const auto add = [&](ShapeFeature::Kind kind, Index index, double size, std::vector<Node> nodes) {
      parts_.push_back({.surface = s, .feature = {kind, index}, .size = size});
      std::erase_if(nodes, [](const Node& node) { return !node.valid(); });
      nodes_.push_back(std::move(nodes));
    };
    list_polyhedron(s);
    if (surface.polyhedron() != nullptr) continue;
    list_faces_at(s);
    if (has_meshes_) list_mesh_parts(s);
    if (surface.mesh() != nullptr) continue;
    if (polytope != nullptr) {
      add(is_face, 0, surface.is_half_space() ? infinite : polytope->size, {surface.body()});
    } else if (round != nullptr) {
      add(is_edge, 0, round->size(), {surface.body()});
    } else if (!surface.edges().empty()) {
      for (Index e = 0; e < count_of(surface.edges()); ++e) {
        const auto [i, k] = surface.edges()[e];
        add(is_edge, e, 2 * surface.radius(), {surface.vertices()[i].node, surface.vertices()[k].node});
      }
    } else {
      Eigen::AlignedBox3d box;
      for (const MaterialPoint& point : surface.vertices()) box.extend(point.position(start));
      const double size = surface.radius() > 0 ? 2 * surface.radius() : 0.1 * box.diagonal().norm();
      for (Index i = 0; i < count_of(surface.vertices()); ++i)
        add(is_vertex, i, size > 0 ? size : infinite, {surface.vertices()[i].node});
    }
  }
  boxes_.resize(parts_.size());
  motion_.resize(parts_.size());
}

void SurfaceSearch::list_joined(const Model& model) {
  for (const auto& [element, role] : model.constraints()) {
    const auto nodes = element->nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) joined_.insert(ordered(nodes[i].index, nodes[k].index));
    }
  }
}

bool SurfaceSearch::may_touch(Index part_a, Index part_b) const {
  const Index a = parts_[part_a].surface;
  const Index b = parts_[part_b].surface;
  if (a == b && !pairs_.self_contact) return false;
  if (a != b && refused_.contains(ordered(a, b))) return false;
  if (a != b && !pairs_.groups.empty() && !groups_may_touch(pairs_.groups[a], pairs_.groups[b])) return false;
  if (nodes_[part_a].empty() && nodes_[part_b].empty()) return false;
  for (const Node& node_a : nodes_[part_a]) {
    for (const Node& node_b : nodes_[part_b]) {
      if (node_a == node_b || joined_.contains(ordered(node_a.index, node_b.index))) return false;
    }
  }
  return a != b || are_apart(part_a, part_b);
}

Vec3 SurfaceSearch::vertex(const Configuration& q, Index surface, Index i) const {
  return surfaces_[surface]->vertices()[i].position(q);
}

Placement SurfaceSearch::placement(const Configuration& q, Index surface) const {
  const Node& body = surfaces_[surface]->body();
  if (!body.valid()) return {};
  return {q.rotation(body), q.position(body)};
}

// Group of each part: parts of one group never touch. Nearly all boxes that overlap are those of neighbours on one mesh.
std::vector<Index> SurfaceSearch::groups() const {
  const Index fixed = count_of(surfaces_);
  std::vector<Index> groups(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p)
    groups[p] = nodes_[p].empty() ? fixed : pairs_.self_contact ? -1 : parts_[p].surface;
  return groups;
}

void SurfaceSearch::measure(const Configuration& q, const Configuration& end, bool inflated) {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    const Surface& surface = *surfaces_[part.surface];
    Box& box = boxes_[p];
    box.setEmpty();
    double squared = 0;
    const auto add = [&](const MaterialPoint& point) {
      const Vec3 x = point.position(q);
      box.extend(x);
      if (!inflated) return;
      const Vec3 x_end = point.position(end);
      box.extend(x_end);
      squared = std::max(squared, (x_end - x).squaredNorm());
    };
    if (is_round(part.surface)) {
      for (const MaterialPoint& point : surface.outline()) add(point);
    } else if (part.feature.kind == is_vertex) {
      add(surface.vertices()[part.feature.index]);
    } else if (part.role == Role::triangle) {
      for (const Index i : surface.mesh()->triangles[part.feature.index]) add(surface.vertices()[i]);
      extend_below(q, part, box);
    } else if (part.role == Role::border && surface.polytope() != nullptr) {
      for (const Index i : surface.polytope()->edges[part.feature.index].vertices) add(surface.vertices()[i]);
    } else if (part.feature.kind == is_edge) {
      for (const Index i : surface.edges()[part.feature.index]) add(surface.vertices()[i]);
    } else if (surface.polyhedron() != nullptr) {
      for (const MaterialPoint& corner : solids_[part.surface].box) add(corner);
    } else {
      for (const MaterialPoint& point : surface.vertices()) add(point);
    }
    motion_[p] = std::sqrt(squared);
    if (box.isEmpty()) continue;
    double margin = surface.radius();
    if (inflated) margin += hysteresis_skin * (std::isfinite(part.size) ? part.size : 0.0) + motion_[p];
    box.min().array() -= margin;
    box.max().array() += margin;
  }
  if (has_tree_) {
    tree_.refit(boxes_);
  } else {
    tree_.build(boxes_, groups());
    has_tree_ = true;
  }
}

SurfaceSearch::Support SurfaceSearch::plane_of(const Configuration& q, Index half_space) const {
  const Index surface = parts_[half_space].surface;
  const Placement place = placement(q, surface);
  const auto plane = surfaces_[surface]->plane(0);
  const Vec3 normal = place.R * plane->normal;
  return {normal, plane->offset + normal.dot(place.x)};
}

// The box of a part contains the distance within which contacts are sought, except for the motion of the other side.
bool SurfaceSearch::is_above(Index part, std::span<const Support> planes, double distance) const {
  const Box& box = boxes_[part];
  return !box.isEmpty() && std::ranges::all_of(planes, [&](const Support& plane) {
    const Vec3 lowest = (plane.normal.array() > 0).select(box.min(), box.max());
    return plane.normal.dot(lowest) - plane.level > distance;
  });
}

template <class Visit>
void SurfaceSearch::for_each_pair(Visit&& visit) {
  overlaps_.clear();
  on_meshes_.clear();
  tree_.find_pairs(overlaps_);
  for (const auto& [a, b] : overlaps_) {
    if (!roles_match(a, b) || !may_touch(a, b)) continue;
    const bool is_any_round = is_round(parts_[a].surface) || is_round(parts_[b].surface);
    if (!is_any_round && (parts_[a].role == Role::triangle || parts_[b].role == Role::triangle)) {
      gather_triangles(a, b);
    } else if (!is_seen_from_first(a, b)) {
      visit(a, b);
    }
  }
  for (Index h = 0; h < count_of(parts_); ++h) {
    if (!is_half_space(parts_[h].surface)) continue;
    const std::array<Support, 2> planes = {plane_of(*begin_, h), plane_of(*end_, h)};
    for (Index p = 0; p < count_of(parts_); ++p) {
      if (is_half_space(parts_[p].surface) || !roles_match(p, h) || !may_touch(p, h)) continue;
      const double beyond_box = motion_of(h) + motion_of(p) - motion_[p];
      if (are_on_solid(p, h) || !is_above(p, planes, beyond_box)) visit(p, h);
    }
  }
}

template <class Visit>
void SurfaceSearch::for_each_point_on_mesh(Visit&& visit) {
  std::ranges::sort(on_meshes_);  // by point; triangles of one surface are consecutive
  for (std::size_t first = 0; first < on_meshes_.size();) {
    std::size_t end = first + 1;
    const auto is_same = [&](const std::array<Index, 2>& pair) {
      return pair[0] == on_meshes_[first][0] &&
             parts_[pair[1]].surface == parts_[on_meshes_[first][1]].surface;
    };
    while (end < on_meshes_.size() && is_same(on_meshes_[end])) ++end;
    visit(std::span<const std::array<Index, 2>>(on_meshes_).subspan(first, end - first));
    first = end;
  }
}

void SurfaceSearch::gather_previous(std::span<const ContactKey> previous) {
  if (gathered_.has(previous)) return;
  gathered_.forget();
  clear_values(previous_);
  for (const ContactKey& key : previous) {
    if (key.set != set_) continue;
    const SurfaceFeature a = feature_of(key.a);
    const SurfaceFeature b = feature_of(key.b);
    previous_[{a.surface, b.surface}].push_back({a.feature, b.feature});
  }
  gathered_.set(previous);
}

std::span<const FeaturePair> SurfaceSearch::previous_of(Index surface_a, Index surface_b) const {
  const auto entry = previous_.find({surface_a, surface_b});
  return entry == previous_.end() ? std::span<const FeaturePair>() : entry->second;
}

// Two half-spaces never touch; for a point without extent the size of the other part counts.
double SurfaceSearch::size_of_pair(Index part_a, Index part_b) const {
  const double size = std::min(parts_[part_a].size, parts_[part_b].size);
  return std::isfinite(size) ? size : 0.0;
}

double SurfaceSearch::skin_of(Index surface_a, Index surface_b) const {
  const bool were_near =
      !previous_of(surface_a, surface_b).empty() || !previous_of(surface_b, surface_a).empty();
  return were_near ? hysteresis_skin : skin;
}

bool SurfaceSearch::are_bodies(Index surface_a, Index surface_b) const {
  const auto is_body = [&](Index s) {
    return surfaces_[s]->polytope() != nullptr || surfaces_[s]->polyhedron() != nullptr;
  };
  return is_body(surface_a) && is_body(surface_b);
}

void SurfaceSearch::check_start(const Configuration& q) {
  begin_ = end_ = &q;
  gather_previous_rounds({});
  measure(q, q, false);
  const auto refuse_deep = [&](double size) {
    for (const Candidate& near : candidates_) {
      if (!(near.gap < -start_part * size)) continue;
      throw ModelError(fmt::format(
          "contact set \"{}\": {} and {} are {:.3g} m deep in each other at the start", pairs_.name,
          text_of(feature_of(near.key.a)), text_of(feature_of(near.key.b)), -near.gap));
    }
  };
  for_each_pair([&](Index a, Index b) {
    candidates_.clear();
    const double size = size_of_pair(a, b);
    if (are_on_solid(a, b)) {
      list_with_solid({q, q}, a, b, {.size = size}, candidates_);
    } else {
      list_near(q, a, b, least_part * size, candidates_);
    }
    refuse_deep(size);
  });
  for_each_point_on_mesh([&](const auto& pairs) {
    candidates_.clear();
    const double size = size_of_pair(pairs[0][0], pairs[0][1]);
    list_on_mesh(q, pairs, {.size = size}, candidates_);
    refuse_deep(size);
  });
  refuse_inside(q, start_part);
}

void SurfaceSearch::find(const Configuration& q, const Configuration& end,
                         std::span<const ContactKey> previous, std::vector<ContactKey>& found) {
  begin_ = &q;
  end_ = &end;
  gather_previous(previous);
  gather_previous_rounds(previous);
  gather_supports(q, previous);
  measure(q, end, true);
  const std::size_t first = found.size();
  for_each_pair([&](Index a, Index b) {
    if (are_on_solid(a, b)) return find_on_solid({q, end}, previous, a, b, found);
    const double size = size_of_pair(a, b);
    const Index surface_a = parts_[a].surface;
    const Index surface_b = parts_[b].surface;
    const double thickness = skin_of(surface_a, surface_b) * size;
    const double reach = thickness + motion_of(a) + motion_of(b);
    candidates_.clear();
    list_near(end, a, b, reach, candidates_);
    const bool is_deep =
        std::ranges::any_of(candidates_, [&](const Candidate& near) { return near.gap < -thickness; });
    if (is_deep || candidates_.empty()) {
      before_.clear();
      list_near(q, a, b, reach, before_);
      if (!before_.empty()) candidates_.swap(before_);
    } else if (pass_through(a, b, thickness)) {
      candidates_.swap(before_);
    } else if (reach > 2 * thickness && is_round_on_triangles(a, b)) {
      add_passed(a, b, thickness, reach);
    }
    if (are_bodies(surface_a, surface_b)) {
      exclude_seams(q, candidates_);
      reduce_contacts(previous, size, candidates_);
    } else if (is_round(surface_a) || is_round(surface_b)) {
      exclude_seams(q, candidates_);
      reduce_round_contacts(previous, size, candidates_);
    }
    for (const Candidate& near : candidates_) found.push_back(near.key);
  });
  for_each_point_on_mesh([&](const auto& pairs) { find_on_mesh(q, end, previous, pairs, found); });
  if (has_meshes_) remove_duplicate_nodes(end, first, found);
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
  found.erase(std::unique(found.begin() + static_cast<std::ptrdiff_t>(first), found.end()), found.end());
  // A large cache keeps the contacts of the previous step only; others are created again when needed.
  constexpr std::size_t least_cache = 4096;
  if (cache_.size() > std::max(least_cache, 8 * previous.size())) {
    std::erase_if(cache_,
                  [&](const auto& entry) { return !std::ranges::binary_search(previous, entry.first); });
  }
}

double SurfaceSearch::find_undetected(const Configuration& q, std::span<const ContactKey> present,
                                      std::vector<ContactKey>& undetected) {
  begin_ = end_ = &q;
  gather_previous_rounds(present);
  gather_supports(q, present);
  measure(q, q, false);
  double depth = 0;
  const std::size_t first = undetected.size();
  const auto add_deep = [&](double size) {
    const double limit = missed_part * size;
    for (const Candidate& near : candidates_) {
      if (!(near.gap < -limit) || std::ranges::binary_search(present, near.key)) continue;
      depth = std::max(depth, -near.gap);
      undetected.push_back(near.key);
    }
  };
  for_each_pair([&](Index a, Index b) {
    candidates_.clear();
    const double size = size_of_pair(a, b);
    const bool with_solid = are_on_solid(a, b);
    if (with_solid) {
      list_with_solid({q, q}, a, b, {.size = size, .all = true}, candidates_);
    } else {
      list_near(q, a, b, least_part * size, candidates_);
    }
    const bool is_any_round = is_round(parts_[a].surface) || is_round(parts_[b].surface);
    if (are_bodies(parts_[a].surface, parts_[b].surface) || is_any_round) {
      exclude_seams(q, candidates_);
      if (with_solid) remove_duplicates(present, size, candidates_);
    }
    add_deep(size);
  });
  for_each_point_on_mesh([&](const auto& pairs) {
    candidates_.clear();
    const double size = size_of_pair(pairs[0][0], pairs[0][1]);
    list_on_mesh(q, pairs, {.size = size, .all = true}, candidates_);
    add_deep(size);
  });
  std::sort(undetected.begin() + static_cast<std::ptrdiff_t>(first), undetected.end());
  undetected.erase(std::unique(undetected.begin() + static_cast<std::ptrdiff_t>(first), undetected.end()),
                   undetected.end());
  return depth;
}
}  // namespace picus
