#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

/// Parts nearer than this part of the smaller one are in the list, whether they move or not; half as much again those that were
/// in it before, so that contacts do not come and go with vibrations.
constexpr double skin = 0.01;
constexpr double kept_skin = 1.5 * skin;

/// What has passed by more than this part of the smaller one has to be in the list.
constexpr double missed_part = 2e-9;

/// A start may be as deep as this part of the smaller one: digits that were left out.
constexpr double start_part = 1e-3;

/// Faces of two bodies are one plane, for a third one that rests on both, up to this angle (1 - cosine) and this part of its size.
constexpr double flush_angle = 1e-12;
constexpr double flush_part = 1e-6;

/// Edges whose directions differ by a smaller sine touch at the ends of where they overlap.
constexpr double parallel_sine = 0.05;
/// How far beyond an edge the end of a parallel one counts as beside it, part of its length.
constexpr double end_margin = 1e-3;

/// Two flat faces have contacts at so many corners of where they overlap, the farthest from each other, and at others once these have
/// passed: more hold the bodies no better, and leave their forces undetermined.
constexpr std::size_t plane_contacts = 4;
/// Cosine of the angle between normals of one plane, and its thickness as part of the smaller body.
constexpr double same_plane = 0.9999;
constexpr double same_level = 1e-3;

constexpr double infinite = std::numeric_limits<double>::infinity();

constexpr auto is_vertex = ShapeFeature::Kind::vertex;
constexpr auto is_edge = ShapeFeature::Kind::edge;
constexpr auto is_face = ShapeFeature::Kind::face;

std::string_view name_of(ShapeFeature::Kind kind) {
  return kind == is_vertex ? "vertex" : kind == is_edge ? "edge" : "face";
}

/// Features count as near each other from here on where only those that overlap are asked for: edges that just support each other
/// do so up to rounding.
constexpr double least_part = 1e-6;

std::pair<Index, Index> ordered(Index a, Index b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Where on the line from `from` to `to` the point nearest to x is: 0 to 1 between them.
double place_on_line(const Vec3& from, const Vec3& to, const Vec3& x) {
  const Vec3 e = to - from;
  return e.dot(x - from) / e.squaredNorm();
}

}  // namespace

/// A contact of a key.
struct SurfaceSearch::Made {
  std::unique_ptr<Element> element;
  InRole<Contact> contact;
};

SurfaceSearch::SurfaceSearch(SurfacePairs pairs, const Model& model, std::uint32_t place)
    : pairs_(std::move(pairs)),
      surfaces_(pairs_.surfaces),
      model_(&model),
      set_(place),
      refused_(pairs_.refused.begin(), pairs_.refused.end()) {
  list_parts();
  refuse_friction_without_turns();
  if (has_meshes_) refuse_common_nodes();
  if (!pairs_.joined_bodies_touch) list_joined(model);
}

SurfaceSearch::~SurfaceSearch() = default;

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
    const std::size_t edges = polytope != nullptr ? polytope->edges.size() : surface.edges().size();
    features.faces = features.edges + static_cast<std::uint32_t>(edges);
    const std::size_t faces = polytope != nullptr         ? polytope->faces.size()
                              : surface.mesh() != nullptr ? surface.mesh()->triangles.size()
                                                          : 0;
    features.end = features.faces + static_cast<std::uint32_t>(faces);
    next = features.end;
    features_.push_back(features);

    const auto add = [&](ShapeFeature::Kind kind, Index index, double size, std::vector<Node> nodes) {
      parts_.push_back({.surface = s, .feature = {kind, index}, .size = size});
      std::erase_if(nodes, [](const Node& node) { return !node.valid(); });
      nodes_.push_back(std::move(nodes));
    };
    if (has_meshes_) list_mesh_parts(s);
    if (surface.mesh() != nullptr) continue;
    if (polytope != nullptr) {
      add(is_face, 0, surface.is_half_space() ? infinite : polytope->size, {surface.body()});
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

// Round surfaces on point nodes only: nothing could carry the moment of friction on their radii.
void SurfaceSearch::refuse_friction_without_turns() const {
  if (pairs_.law.mu == 0 && pairs_.pairs.empty()) return;
  std::vector<Index> balls;
  for (Index p = 0; p < count_of(parts_); ++p) {
    const Surface& surface = *surfaces_[parts_[p].surface];
    const bool is_on_point = !nodes_[p].empty() && nodes_[p][0].kind == NodeKind::point;
    if (surface.radius() > 0 && is_on_point &&
        (balls.empty() || parts_[balls.back()].surface != parts_[p].surface))
      balls.push_back(p);
  }
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Index a = parts_[balls[k]].surface;
      const Index b = parts_[balls[i]].surface;
      if (!may_touch(balls[k], balls[i]) || !(law_of(a, b).mu > 0)) continue;
      throw ModelError(
          fmt::format("contact set \"{}\": mu is {} between {} and {}, but both are round and on point "
                      "nodes, which cannot "
                      "carry the moment of friction",
                      pairs_.name, law_of(a, b).mu, surfaces_[a]->name(), surfaces_[b]->name()));
    }
  }
}

bool SurfaceSearch::may_touch(Index part_a, Index part_b) const {
  const Index a = parts_[part_a].surface;
  const Index b = parts_[part_b].surface;
  if (a == b || refused_.contains(ordered(a, b))) return false;
  if (!pairs_.groups.empty()) {
    const unsigned in_a = pairs_.groups[a];
    const unsigned in_b = pairs_.groups[b];
    if (!(((in_a & 1U) != 0 && (in_b & 2U) != 0) || ((in_a & 2U) != 0 && (in_b & 1U) != 0))) return false;
  }
  if (nodes_[part_a].empty() && nodes_[part_b].empty()) return false;
  for (const Node& node_a : nodes_[part_a]) {
    for (const Node& node_b : nodes_[part_b]) {
      if (node_a == node_b || joined_.contains(ordered(node_a.index, node_b.index))) return false;
    }
  }
  return true;
}

Vec3 SurfaceSearch::vertex(const Configuration& q, Index surface, Index i) const {
  return surfaces_[surface]->vertices()[i].position(q);
}

Placement SurfaceSearch::placement(const Configuration& q, Index surface) const {
  const Node& body = surfaces_[surface]->body();
  if (!body.valid()) return {};
  return {q.rotation(body), q.position(body)};
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
    if (part.feature.kind == is_vertex) {
      add(surface.vertices()[part.feature.index]);
    } else if (part.role == Role::triangle) {
      for (const Index i : surface.mesh()->triangles[part.feature.index]) add(surface.vertices()[i]);
      extend_below(q, part, box);
    } else if (part.role == Role::border && surface.polytope() != nullptr) {
      for (const Index i : surface.polytope()->edges[part.feature.index].vertices) add(surface.vertices()[i]);
    } else if (part.feature.kind == is_edge) {
      for (const Index i : surface.edges()[part.feature.index]) add(surface.vertices()[i]);
    } else {
      for (const MaterialPoint& point : surface.vertices()) add(point);
    }
    motion_[p] = std::sqrt(squared);
    if (box.isEmpty()) continue;
    double margin = surface.radius();
    if (inflated) margin += kept_skin * (std::isfinite(part.size) ? part.size : 0.0) + motion_[p];
    box.min().array() -= margin;
    box.max().array() += margin;
  }
  if (has_tree_) {
    tree_.refit(boxes_);
  } else {
    tree_.build(boxes_);
    has_tree_ = true;
  }
}

template <class Visit>
void SurfaceSearch::for_each_pair(Visit&& visit) {
  overlaps_.clear();
  on_meshes_.clear();
  tree_.find_pairs(overlaps_);
  for (const auto& [a, b] : overlaps_) {
    if (!may_meet(a, b) || !may_touch(a, b)) continue;
    if (parts_[a].role == Role::triangle || parts_[b].role == Role::triangle) {
      gather_triangles(a, b);
    } else {
      visit(a, b);
    }
  }
  for (Index h = 0; h < count_of(parts_); ++h) {
    if (!is_half_space(parts_[h].surface)) continue;
    for (Index p = 0; p < count_of(parts_); ++p) {
      if (!is_half_space(parts_[p].surface) && may_meet(p, h) && may_touch(p, h)) visit(p, h);
    }
  }
}

template <class Visit>
void SurfaceSearch::for_each_point_on_mesh(Visit&& visit) {
  std::ranges::sort(on_meshes_);  // by points; triangles of one surface follow each other
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

void SurfaceSearch::gather_kept(std::span<const ContactKey> kept) {
  kept_.clear();
  for (const ContactKey& key : kept) {
    if (key.set != set_) continue;
    const Place a = place_of(key.a);
    const Place b = place_of(key.b);
    kept_[{a.surface, b.surface}].push_back({a.feature, b.feature});
  }
}

std::uint32_t SurfaceSearch::number_of(const Place& place) const {
  const Features& features = features_[place.surface];
  const std::uint32_t base = place.feature.kind == is_vertex ? features.first
                             : place.feature.kind == is_edge ? features.edges
                                                             : features.faces;
  return base + static_cast<std::uint32_t>(place.feature.index);
}

SurfaceSearch::Place SurfaceSearch::place_of(std::uint32_t number) const {
  const auto next = std::ranges::upper_bound(features_, number, {}, &Features::end);
  if (next == features_.end())
    throw ModelError(fmt::format("contact set \"{}\" has no feature {}", pairs_.name, number));
  const auto surface = static_cast<Index>(next - features_.begin());
  if (number < next->edges) return {surface, {is_vertex, static_cast<Index>(number - next->first)}};
  if (number < next->faces) return {surface, {is_edge, static_cast<Index>(number - next->edges)}};
  return {surface, {is_face, static_cast<Index>(number - next->faces)}};
}

double SurfaceSearch::least_reach(const Part& a, const Part& b) {
  const double size = std::min(a.size, b.size);
  return std::isfinite(size) ? least_part * size : 0.0;
}

ContactKey SurfaceSearch::key_of(const Place& a, const Place& b, std::uint32_t kind) const {
  return {.set = set_, .kind = kind, .a = number_of(a), .b = number_of(b)};
}

std::string SurfaceSearch::text_of(const Place& place) const {
  const Surface& surface = *surfaces_[place.surface];
  if (surface.vertices().size() <= 1 && surface.polytope() == nullptr) return surface.name();
  if (surface.is_half_space()) return surface.name();
  return fmt::format("{} {} {}", surface.name(), name_of(place.feature.kind), place.feature.index);
}

ContactLaw SurfaceSearch::law_of(Index surface_a, Index surface_b) const {
  const std::string& a = surfaces_[surface_a]->material();
  const std::string& b = surfaces_[surface_b]->material();
  ContactLaw law = pairs_.law;
  for (const MaterialPair& pair : pairs_.pairs) {
    const bool is_this = (pair.materials[0] == a && pair.materials[1] == b) ||
                         (pair.materials[0] == b && pair.materials[1] == a);
    if (!is_this) continue;
    law.mu = pair.mu;
    law.e_n = pair.e_n;
    law.e_t = pair.e_t;
  }
  return law;
}

void SurfaceSearch::list_points(const Configuration& q, const Place& a, const Place& b, double reach,
                                std::vector<Near>& near) {
  const double radius = surfaces_[a.surface]->radius() + surfaces_[b.surface]->radius();
  if (radius == 0) return;
  const double distance =
      (vertex(q, a.surface, a.feature.index) - vertex(q, b.surface, b.feature.index)).norm();
  if (distance - radius < reach) near.push_back({.key = key_of(a, b, closest), .gap = distance - radius});
}

void SurfaceSearch::list_point_and_edge(const Configuration& q, const Place& a, const Place& b, double reach,
                                        std::vector<Near>& near) {
  const auto [i, k] = surfaces_[b.surface]->edges()[b.feature.index];
  const Vec3 x = vertex(q, a.surface, a.feature.index);
  const Vec3 from = vertex(q, b.surface, i);
  const Vec3 to = vertex(q, b.surface, k);
  const double t = place_on_line(from, to, x);
  if (!(t > 0)) return list_points(q, a, {b.surface, {is_vertex, i}}, reach, near);
  if (!(t < 1)) return list_points(q, a, {b.surface, {is_vertex, k}}, reach, near);
  const double radius = surfaces_[a.surface]->radius() + surfaces_[b.surface]->radius();
  const double gap = (x - from - t * (to - from)).norm() - radius;
  if (gap < reach) near.push_back({.key = key_of(a, b, closest), .gap = gap});
}

// Vertices keep the side of their edge: the key of a contact must not depend on which of its features is the vertex.
void SurfaceSearch::list_edges(const Configuration& q, const Place& a, const Place& b, double reach,
                               std::vector<Near>& near) {
  const auto [a_0, a_1] = surfaces_[a.surface]->edges()[a.feature.index];
  const auto [b_0, b_1] = surfaces_[b.surface]->edges()[b.feature.index];
  const Vec3 from_a = vertex(q, a.surface, a_0), to_a = vertex(q, a.surface, a_1);
  const Vec3 from_b = vertex(q, b.surface, b_0), to_b = vertex(q, b.surface, b_1);
  const double radius = surfaces_[a.surface]->radius() + surfaces_[b.surface]->radius();
  const auto add_vertex_of_a = [&](Index i, double margin) {
    const double t = place_on_line(from_b, to_b, vertex(q, a.surface, i));
    if (!(t >= -margin && t <= 1 + margin)) return false;
    const Vec3 nearest = from_b + std::clamp(t, 0.0, 1.0) * (to_b - from_b);
    const double gap = (vertex(q, a.surface, i) - nearest).norm() - radius;
    if (gap < reach) near.push_back({.key = key_of({a.surface, {is_vertex, i}}, b, closest), .gap = gap});
    return true;
  };
  const auto add_vertex_of_b = [&](Index i, double margin) {
    const double t = place_on_line(from_a, to_a, vertex(q, b.surface, i));
    if (!(t >= -margin && t <= 1 + margin)) return false;
    const Vec3 nearest = from_a + std::clamp(t, 0.0, 1.0) * (to_a - from_a);
    const double gap = (vertex(q, b.surface, i) - nearest).norm() - radius;
    if (gap < reach) near.push_back({.key = key_of(a, {b.surface, {is_vertex, i}}, closest), .gap = gap});
    return true;
  };
  const auto add_ends = [&] {
    double least = infinite;
    std::array<Index, 2> ends{};
    for (const Index i : {a_0, a_1}) {
      for (const Index k : {b_0, b_1}) {
        const double distance = (vertex(q, a.surface, i) - vertex(q, b.surface, k)).norm();
        if (distance >= least) continue;
        least = distance;
        ends = {i, k};
      }
    }
    list_points(q, {a.surface, {is_vertex, ends[0]}}, {b.surface, {is_vertex, ends[1]}}, reach, near);
  };

  const Vec3 u = to_a - from_a;
  const Vec3 v = to_b - from_b;
  const Vec3 across = u.cross(v);
  if (across.norm() < parallel_sine * u.norm() * v.norm()) {
    bool any = false;
    for (const Index i : {a_0, a_1}) any |= add_vertex_of_a(i, end_margin);
    for (const Index i : {b_0, b_1}) any |= add_vertex_of_b(i, -end_margin);
    if (!any) add_ends();
    return;
  }
  // Closest points of the lines, then of the segments.
  const Vec3 w = from_b - from_a;
  const double squared = across.squaredNorm();
  double s = w.cross(v).dot(across) / squared;
  double t = w.cross(u).dot(across) / squared;
  if (s > 0 && s < 1 && t > 0 && t < 1) {
    const double gap = std::abs(w.dot(across)) / std::sqrt(squared) - radius;
    if (gap < reach) near.push_back({.key = key_of(a, b, closest), .gap = gap});
    return;
  }
  double least = infinite;
  const auto consider = [&](double place_a, double place_b) {
    const Vec3 D = from_a + place_a * u - from_b - place_b * v;
    if (D.norm() >= least) return;
    least = D.norm();
    s = place_a;
    t = place_b;
  };
  for (const double end : {0.0, 1.0}) {
    consider(end, std::clamp(place_on_line(from_b, to_b, from_a + end * u), 0.0, 1.0));
    consider(std::clamp(place_on_line(from_a, to_a, from_b + end * v), 0.0, 1.0), end);
  }
  const bool a_ends = s == 0.0 || s == 1.0;
  const bool b_ends = t == 0.0 || t == 1.0;
  if (a_ends && b_ends) {
    list_points(q, {a.surface, {is_vertex, s == 0.0 ? a_0 : a_1}},
                {b.surface, {is_vertex, t == 0.0 ? b_0 : b_1}}, reach, near);
  } else if (a_ends) {
    add_vertex_of_a(s == 0.0 ? a_0 : a_1, 0.0);
  } else {
    add_vertex_of_b(t == 0.0 ? b_0 : b_1, 0.0);
  }
}

void SurfaceSearch::list_with_polytope(const Configuration& q, const Part& a, const Part& b, double reach,
                                       std::vector<Near>& near) {
  const Surface& surface_a = *surfaces_[a.surface];
  const Polytope& polytope = *surfaces_[b.surface]->polytope();
  const Placement place_b = placement(q, b.surface);
  TouchOptions options{.reach = std::max(reach, 0.0)};
  const auto add = [&](const ShapeFeature& feature_a, const Touch& touch, std::uint32_t kind) {
    if (!(touch.gap < reach)) return;
    near.push_back({key_of({a.surface, feature_a}, {b.surface, touch.features.b}, kind), touch.gap,
                    touch.point, touch.normal});
  };
  if (a.feature.kind == is_vertex) {
    const auto touch = find_touching_feature(vertex(q, a.surface, a.feature.index), surface_a.radius(),
                                             polytope, place_b, options);
    // Sharp points touch faces only: the way to an edge has no direction once it is closed.
    if (touch && (surface_a.radius() > 0 || touch->features.b.kind == is_face))
      add(a.feature, *touch, closest);
    return;
  }
  if (a.feature.kind == is_edge) {
    const auto ends = surface_a.edges()[a.feature.index];
    const std::array places = {vertex(q, a.surface, ends[0]), vertex(q, a.surface, ends[1])};
    for (const Touch& touch :
         find_touching_features(places, surface_a.radius(), polytope, place_b, options)) {
      const bool is_end = touch.features.a.kind == is_vertex;
      add(is_end ? ShapeFeature{is_vertex, ends[touch.features.a.index]} : a.feature, touch, closest);
    }
    return;
  }
  const Polytope& own = *surface_a.polytope();
  const Placement place_a = placement(q, a.surface);
  const auto kept = kept_.find({a.surface, b.surface});
  if (kept != kept_.end()) options.previous = kept->second;
  for (const Touch& touch : find_touching_features(own, place_a, polytope, place_b, options)) {
    std::uint32_t kind = closest;
    if (touch.features.a.kind == is_edge) {
      const auto direction = [](const Polytope& body, const Placement& place, Index edge) -> Vec3 {
        const auto& ends = body.edges[edge].vertices;
        return place.R * (body.vertices[ends[1]] - body.vertices[ends[0]]);
      };
      const Vec3 e_a = direction(own, place_a, touch.features.a.index);
      const Vec3 e_b = direction(polytope, place_b, touch.features.b.index);
      kind = e_a.cross(e_b).dot(touch.normal) > 0 ? along : against;
      // Across the plane of a planar model nothing moves.
      if (pairs_.law.friction_directions == 1 && !ContactDirections::is_in_plane(touch.normal)) continue;
    }
    add(touch.features.a, touch, kind);
  }
}

void SurfaceSearch::list_near(const Configuration& q, Index part_a, Index part_b, double reach,
                              std::vector<Near>& near) {
  const Part* a = &parts_[part_a];
  const Part* b = &parts_[part_b];
  if (a->role > b->role) std::swap(a, b);
  if (b->role == Role::mesh_edge) return list_on_edge_of_mesh(q, *a, *b, reach, near);
  if (b->role == Role::mesh_node) {
    return a->feature.kind == is_face ? list_node_and_body(q, *b, *a, reach, near)
                                      : list_node_and_capsule(q, *b, *a, reach, near);
  }
  // Convex bodies come second, half-spaces last; edges after vertices.
  const auto rank = [&](const Part& part) {
    return is_half_space(part.surface) ? 3 : static_cast<int>(part.feature.kind);
  };
  if (rank(*a) > rank(*b)) std::swap(a, b);
  const Place place_a{a->surface, a->feature};
  const Place place_b{b->surface, b->feature};
  if (b->feature.kind == is_face) {
    list_with_polytope(q, *a, *b, reach, near);
  } else if (a->feature.kind == is_edge) {
    list_edges(q, place_a, place_b, reach, near);
  } else if (b->feature.kind == is_edge) {
    list_point_and_edge(q, place_a, place_b, reach, near);
  } else {
    list_points(q, place_a, place_b, reach, near);
  }
}

void SurfaceSearch::add_support(const Configuration& q, const Place& corner, const Place& face) {
  const Polytope* const polytope = surfaces_[face.surface]->polytope();
  if (polytope == nullptr) return;
  const Placement place = placement(q, face.surface);
  const Vec3 n = place.R * polytope->faces[face.feature.index].normal;
  const double level = polytope->faces[face.feature.index].offset + n.dot(place.x);
  supports_[corner.surface].push_back({n, level});
  supports_[face.surface].push_back({-n, -level});
}

void SurfaceSearch::gather_supports(const Configuration& q, std::span<const ContactKey> kept) {
  supports_.resize(surfaces_.size());
  for (auto& supports : supports_) supports.clear();
  for (const ContactKey& key : kept) {
    if (key.set != set_ || key.kind != closest) continue;
    const Place a = place_of(key.a);
    const Place b = place_of(key.b);
    if (a.feature.kind == is_vertex && b.feature.kind == is_face) add_support(q, a, b);
    if (a.feature.kind == is_face && b.feature.kind == is_vertex) add_support(q, b, a);
  }
}

// A convex body above a plane and another one below it can only meet in the direction of the plane.
bool SurfaceSearch::shares_plane(const Configuration& q, Index resting, Index other,
                                 const Support& support) const {
  const Polytope& body = *surfaces_[resting]->polytope();
  const Polytope& below = *surfaces_[other]->polytope();
  const double size = body.size;
  double lowest = infinite;
  for (const MaterialPoint& corner : surfaces_[resting]->vertices())
    lowest = std::min(lowest, support.normal.dot(corner.position(q)) - support.level);
  if (!(std::abs(lowest) <= skin * size)) return false;
  const Placement place = placement(q, other);
  return std::ranges::any_of(below.faces, [&](const Polytope::Face& face) {
    const Vec3 n = place.R * face.normal;
    return n.dot(support.normal) >= 1 - flush_angle &&
           std::abs(face.offset + n.dot(place.x) - support.level) <= flush_part * size;
  });
}

// Where two tables stand side by side a box slides over the seam, though its corners are as far from the side of the second one as
// from its top.
void SurfaceSearch::leave_out_seams(const Configuration& q, Index surface_a, Index surface_b,
                                    std::vector<Near>& near) const {
  const auto leave_out = [&](Index resting, Index other, double sign) {
    if (is_half_space(resting)) return;
    for (const Support& support : supports_[resting]) {
      if (near.empty()) return;
      const auto is_aside = [&](const Near& one) { return sign * one.normal.dot(support.normal) < 0.5; };
      if (std::ranges::none_of(near, is_aside) || !shares_plane(q, resting, other, support)) continue;
      std::erase_if(near, is_aside);
    }
  };
  leave_out(surface_a, surface_b, 1.0);
  leave_out(surface_b, surface_a, -1.0);
}

void SurfaceSearch::thin_out(std::span<const ContactKey> kept, double size, std::vector<Near>& near) const {
  if (near.size() <= plane_contacts) return;
  const auto least = std::ranges::min_element(near, {}, &Near::gap);
  const Vec3 n = least->normal;
  const double level = least->gap + same_level * size;
  const auto is_free = [&](const Near& candidate) {
    return candidate.gap <= level && candidate.normal.dot(n) >= same_plane &&
           !std::ranges::binary_search(kept, candidate.key);
  };
  std::vector<Near> chosen, others;
  for (const Near& one : near) (is_free(one) ? others : chosen).push_back(one);
  std::vector<Vec3> corners;  // of what is in the plane already
  for (const Near& one : chosen) {
    if (one.gap <= level && one.normal.dot(n) >= same_plane) corners.push_back(one.point);
  }
  // The farthest from all that are chosen, until there are enough.
  while (!others.empty() && corners.size() < plane_contacts) {
    const auto distance = [&](const Near& candidate) {
      double nearest = corners.empty() ? (candidate.point - least->point).norm() : infinite;
      for (const Vec3& corner : corners) nearest = std::min(nearest, (candidate.point - corner).norm());
      return nearest;
    };
    const auto best = std::ranges::max_element(others, {}, distance);
    corners.push_back(best->point);
    chosen.push_back(*best);
    others.erase(best);
  }
  near = std::move(chosen);
}

void SurfaceSearch::check_start(const Configuration& q) {
  measure(q, q, false);
  const auto refuse_deep = [&](double size) {
    for (const Near& near : near_) {
      if (!(near.gap < -start_part * size)) continue;
      throw ModelError(
          fmt::format("contact set \"{}\": {} and {} are {:.3g} m deep in each other at the start",
                      pairs_.name, text_of(place_of(near.key.a)), text_of(place_of(near.key.b)), -near.gap));
    }
  };
  for_each_pair([&](Index a, Index b) {
    near_.clear();
    list_near(q, a, b, least_reach(parts_[a], parts_[b]), near_);
    refuse_deep(std::min(parts_[a].size, parts_[b].size));
  });
  for_each_point_on_mesh([&](const auto& pairs) {
    near_.clear();
    const double size = size_of_pair(pairs[0][0], pairs[0][1]);
    list_on_mesh(q, pairs, {.size = size}, near_);
    refuse_deep(size);
  });
}

void SurfaceSearch::find(const Configuration& q, const Configuration& end, std::span<const ContactKey> kept,
                         std::vector<ContactKey>& found) {
  gather_kept(kept);
  gather_supports(q, kept);
  measure(q, end, true);
  const std::size_t first = found.size();
  for_each_pair([&](Index a, Index b) {
    const double size = std::min(parts_[a].size, parts_[b].size);
    const Index surface_a = parts_[a].surface;
    const Index surface_b = parts_[b].surface;
    const double thickness =
        (were_near(surface_a, surface_b) ? kept_skin : skin) * (std::isfinite(size) ? size : 0.0);
    const double reach = thickness + motion_[a] + motion_[b];
    near_.clear();
    list_near(end, a, b, reach, near_);
    const bool is_deep = std::ranges::any_of(near_, [&](const Near& near) { return near.gap < -thickness; });
    if (is_deep || near_.empty()) {
      std::vector<Near> before;
      list_near(q, a, b, reach, before);
      if (!before.empty()) near_ = std::move(before);
    }
    if (surfaces_[surface_a]->polytope() != nullptr && surfaces_[surface_b]->polytope() != nullptr &&
        !near_.empty()) {
      // Normals point to the side that the keys name first.
      const bool is_swapped = place_of(near_.front().key.a).surface != surface_a;
      leave_out_seams(q, is_swapped ? surface_b : surface_a, is_swapped ? surface_a : surface_b, near_);
      thin_out(kept, std::isfinite(size) ? size : 0.0, near_);
    }
    for (const Near& near : near_) found.push_back(near.key);
  });
  for_each_point_on_mesh([&](const auto& pairs) { find_on_mesh(q, end, kept, pairs, found); });
  if (has_meshes_) drop_double_nodes(end, first, found);
  std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
  found.erase(std::unique(found.begin() + static_cast<std::ptrdiff_t>(first), found.end()), found.end());
  // What no step has had for long is made again when it is needed.
  constexpr std::size_t least_cache = 4096;
  if (made_.size() > std::max(least_cache, 8 * kept.size())) {
    std::erase_if(made_, [&](const auto& entry) { return !std::ranges::binary_search(kept, entry.first); });
  }
}

double SurfaceSearch::find_missed(const Configuration& q, std::span<const ContactKey> present,
                                  std::vector<ContactKey>& missed) {
  measure(q, q, false);
  double depth = 0;
  const std::size_t first = missed.size();
  const auto add_deep = [&](double size) {
    const double limit = missed_part * (std::isfinite(size) ? size : 0.0);
    for (const Near& near : near_) {
      if (!(near.gap < -limit) || std::ranges::binary_search(present, near.key)) continue;
      depth = std::max(depth, -near.gap);
      missed.push_back(near.key);
    }
  };
  for_each_pair([&](Index a, Index b) {
    near_.clear();
    list_near(q, a, b, least_reach(parts_[a], parts_[b]), near_);
    add_deep(std::min(parts_[a].size, parts_[b].size));
  });
  for_each_point_on_mesh([&](const auto& pairs) {
    near_.clear();
    const double size = size_of_pair(pairs[0][0], pairs[0][1]);
    list_on_mesh(q, pairs, {.size = size, .all = true}, near_);
    add_deep(size);
  });
  std::sort(missed.begin() + static_cast<std::ptrdiff_t>(first), missed.end());
  missed.erase(std::unique(missed.begin() + static_cast<std::ptrdiff_t>(first), missed.end()), missed.end());
  return depth;
}

InRole<Contact> SurfaceSearch::contact(const ContactKey& key) {
  auto [place, is_new] = made_.try_emplace(key);
  if (is_new) {
    try {
      place->second = std::make_unique<Made>(make(key));
    } catch (...) {
      made_.erase(place);
      throw;
    }
  }
  return place->second->contact;
}

SurfaceSearch::Made SurfaceSearch::make(const ContactKey& key) const {
  const Place a = place_of(key.a);
  const Place b = place_of(key.b);
  const Surface& surface_a = *surfaces_[a.surface];
  const Surface& surface_b = *surfaces_[b.surface];
  const bool is_face_first = a.feature.kind == is_face;
  const std::string name = fmt::format("{}: {} on {}", pairs_.name, text_of(is_face_first ? b : a),
                                       text_of(is_face_first ? a : b));
  const ContactLaw law = law_of(a.surface, b.surface);
  const auto finish = [](auto element) {
    const InRole<Contact> contact(*element);
    return Made{std::move(element), contact};
  };
  const auto face_of = [](const Surface& surface, Index i) {
    const Polytope::Face& face = surface.polytope()->faces[i];
    Face result{.point = face.offset * face.normal, .normal = face.normal};
    if (surface.body().valid()) result.node = static_cast<const FrameNode&>(surface.body());
    return result;
  };
  // Three points of its plane.
  const auto plane_of = [](const Surface& surface, Index i) {
    const Polytope& polytope = *surface.polytope();
    const Polytope::Face& face = polytope.faces[i];
    if (!face.vertices.empty()) {
      const auto& vertices = surface.vertices();
      return Feature::triangle(vertices[face.vertices[0]], vertices[face.vertices[1]],
                               vertices[face.vertices[2]]);
    }
    const Vec3 x = face.offset * face.normal;
    const Vec3 u = face.normal.unitOrthogonal();
    return Feature::triangle(surface.at(x), surface.at(x + u), surface.at(x + face.normal.cross(u)));
  };
  const auto is_face_of_body = [](const Surface& surface, const ShapeFeature& feature) {
    return surface.polytope() != nullptr && feature.kind == is_face;
  };
  const bool a_is_face = is_face_of_body(surface_a, a.feature);
  const bool b_is_face = is_face_of_body(surface_b, b.feature);
  const auto on_face = [&](const MaterialPoint& point, double radius, const Surface& faced, Index face) {
    if (radius == 0) {
      return finish(std::make_unique<NodeToFaceContact>(
          NodeToFaceContact::Parameters{.name = name,
                                        .slave = point,
                                        .face = face_of(faced, face),
                                        .mu = law.mu,
                                        .e_n = law.e_n,
                                        .e_t = law.e_t,
                                        .friction_directions = law.friction_directions},
          *model_));
    }
    if (point.is_ground()) {
      return finish(std::make_unique<FeatureContact>(
          FeatureContact::Parameters{.name = name,
                                     .a = Feature::point(point, radius),
                                     .b = plane_of(faced, face),
                                     .is_plane = true,
                                     .mu = law.mu,
                                     .e_n = law.e_n,
                                     .e_t = law.e_t,
                                     .friction_directions = law.friction_directions,
                                     .drawn = false},
          *model_));
    }
    return finish(std::make_unique<SphereToFaceContact>(
        SphereToFaceContact::Parameters{.name = name,
                                        .centre = point,
                                        .radius = radius,
                                        .face = face_of(faced, face),
                                        .mu = law.mu,
                                        .e_n = law.e_n,
                                        .e_t = law.e_t,
                                        .friction_directions = law.friction_directions},
        *model_));
  };
  if (b_is_face && a.feature.kind == is_vertex)
    return on_face(surface_a.vertices()[a.feature.index], surface_a.radius(), surface_b, b.feature.index);
  if (a_is_face && b.feature.kind == is_vertex)
    return on_face(surface_b.vertices()[b.feature.index], surface_b.radius(), surface_a, a.feature.index);
  const bool is_on_triangle = b.feature.kind == is_face && a.feature.kind == is_vertex && !b_is_face;
  if ((a.feature.kind == is_face || b.feature.kind == is_face) && !is_on_triangle)
    throw ModelError(
        fmt::format("contact set \"{}\" has no contact of {} and {}", pairs_.name, text_of(a), text_of(b)));

  const auto feature_of = [](const Surface& surface, const ShapeFeature& feature) {
    const auto& vertices = surface.vertices();
    if (feature.kind == is_vertex) return Feature::point(vertices[feature.index], surface.radius());
    if (feature.kind == is_face) {
      const auto& [first, second, third] = surface.mesh()->triangles[feature.index];
      return Feature::triangle(vertices[first], vertices[second], vertices[third]);
    }
    const auto ends = surface.polytope() != nullptr ? surface.polytope()->edges[feature.index].vertices
                                                    : surface.edges()[feature.index];
    return Feature::edge(vertices[ends[0]], vertices[ends[1]], surface.radius());
  };
  Feature first = feature_of(surface_a, a.feature);
  Feature second = feature_of(surface_b, b.feature);
  if (first.points.size() > second.points.size()) std::swap(first, second);
  return finish(std::make_unique<FeatureContact>(
      FeatureContact::Parameters{.name = name,
                                 .a = first,
                                 .b = second,
                                 .crossing = key.kind == along     ? Crossing::along
                                             : key.kind == against ? Crossing::against
                                                                   : Crossing::none,
                                 .is_plane = is_on_triangle,
                                 .mu = law.mu,
                                 .e_n = law.e_n,
                                 .e_t = law.e_t,
                                 .friction_directions = law.friction_directions,
                                 .drawn = false},
      *model_));
}

}  // namespace picus
