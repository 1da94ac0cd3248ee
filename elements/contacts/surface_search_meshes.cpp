// The part of SurfaceSearch for surfaces of faces.

#include <picus/elements/contacts/surface_search.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace picus {
namespace {

using FeatureKind = ShapeFeature::Kind;

/// Relative difference of mean edge lengths below which two meshes count as equally fine.
constexpr double equal_edges = 1e-9;

/// Nodes beyond the boundary of a face by up to this fraction of the sizes are over it; for those farther out, their
/// edges cross the boundary.
constexpr double node_margin = 1e-9;

/// Nodes of two meshes closer than this fraction of a mean edge length are coincident.
constexpr double same_node = 1e-3;

/// Whether an edge is sharp: the adjacent faces meet at more than 30 degrees initially.
bool is_ridge(const EdgeOfFaces& edge) {
  constexpr double cosine = 0.8660254;
  const auto& [left, right] = edge.normals;
  if (left.isZero(0.0) || right.isZero(0.0)) return false;
  return left.dot(right) < cosine && left.cross(right).dot(edge.to - edge.from) > 0;
}

}  // namespace

void SurfaceSearch::list_faces_at(Index s) {
  faces_at_.resize(surfaces_.size());
  const Polytope* polytope = surfaces_[s]->polytope();
  if (polytope == nullptr) return;
  auto& faces_at = faces_at_[s];
  faces_at.resize(polytope->vertices.size());
  for (Index f = 0; f < count_of(polytope->faces); ++f) {
    for (const Index v : polytope->faces[f].vertices) faces_at[v].push_back(f);
  }
}

void SurfaceSearch::list_mesh_parts(Index s) {
  const Surface& surface = *surfaces_[s];
  mean_edges_.resize(surfaces_.size());
  const auto& vertices = surface.vertices();
  const auto add = [&](Role role, FeatureKind kind, Index index, double size, std::vector<Node> nodes) {
    std::erase_if(nodes, [](const Node& node) { return !node.valid(); });
    parts_.push_back({s, {kind, index}, size, role});
    nodes_.push_back(std::move(nodes));
  };
  if (const Polytope* polytope = surface.polytope(); polytope != nullptr) {
    const double size = polytope->size;
    for (Index v = 0; v < count_of(vertices); ++v)
      add(Role::corner, FeatureKind::vertex, v, size, {surface.body()});
    for (Index e = 0; e < count_of(polytope->edges); ++e)
      add(Role::border, FeatureKind::edge, e, size, {surface.body()});
    return;
  }
  const TriangleMesh* mesh = surface.mesh();
  if (mesh == nullptr) {
    if (surface.edges().empty()) return;
    for (Index v = 0; v < count_of(vertices); ++v)
      add(Role::corner, FeatureKind::vertex, v, 2 * surface.radius(), {vertices[v].node});
    return;
  }
  const Configuration& start = model_->initial_configuration();
  double& mean = mean_edges_[s];
  for (const auto& [from, to] : surface.edges())
    mean += (vertices[to].position(start) - vertices[from].position(start)).norm();
  mean /= static_cast<double>(surface.edges().size());
  for (Index t = 0; t < count_of(mesh->triangles); ++t) {
    const auto& [i, j, k] = mesh->triangles[t];
    add(Role::triangle, FeatureKind::face, t, mean, {vertices[i].node, vertices[j].node, vertices[k].node});
  }
  std::vector<bool> on_ridge(vertices.size(), false);
  const Index first_edge = count_of(parts_);
  for (Index e = 0; e < count_of(surface.edges()); ++e) {
    const auto& [i, k] = surface.edges()[e];
    add(Role::mesh_edge, FeatureKind::edge, e, mean, {vertices[i].node, vertices[k].node});
  }
  for (Index e = 0; e < count_of(surface.edges()); ++e) {
    const auto& [i, k] = surface.edges()[e];
    if (!is_ridge(edge_of(start, parts_[first_edge + e]))) continue;
    on_ridge[i] = on_ridge[k] = parts_[first_edge + e].is_on_ridge = true;
    add(Role::border, FeatureKind::edge, e, mean, {vertices[i].node, vertices[k].node});
  }
  for (Index v = 0; v < count_of(vertices); ++v) {
    add(Role::mesh_node, FeatureKind::vertex, v, mean, {vertices[v].node});
    parts_.back().is_on_ridge = on_ridge[v];
  }
}

// Two surfaces of one solid may share nodes: there a node of one lies on the other, or just inside.
void SurfaceSearch::refuse_common_nodes() {
  std::map<Index, std::vector<Index>> owners;
  for (Index s = 0; s < count_of(surfaces_); ++s) {
    if (surfaces_[s]->body().valid()) continue;
    for (const MaterialPoint& point : surfaces_[s]->vertices()) {
      if (!point.is_ground() && point.node.kind == NodeKind::point) owners[point.node.index].push_back(s);
    }
  }
  for (const auto& [node, surfaces] : owners) {
    for (std::size_t i = 0; i < surfaces.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) refused_.emplace(surfaces[k], surfaces[i]);
    }
  }
}

bool SurfaceSearch::is_finer(Index a, Index b) const {
  const double edge_a = mean_edges_[a];
  const double edge_b = mean_edges_[b];
  if (std::abs(edge_a - edge_b) > equal_edges * edge_b) return edge_a < edge_b;
  return a < b;
}

bool SurfaceSearch::roles_match(Index part_a, Index part_b) const {
  const Part* a = &parts_[part_a];
  const Part* b = &parts_[part_b];
  if (a->role > b->role) std::swap(a, b);
  const bool is_ordinary = a->role == Role::ordinary;
  switch (b->role) {
    case Role::ordinary:
      return true;
    case Role::triangle:
      return a->role == Role::corner ||
             (is_ordinary && (a->feature.kind == FeatureKind::vertex || is_round(a->surface)));
    case Role::mesh_edge:
      // The sharp edges of the coarser of two meshes support parts of the finer one that lie across them with all
      // nodes beyond.
      if (a->role == Role::border && a->surface == b->surface)
        return !b->is_on_ridge || a->feature.index < b->feature.index;
      if (a->role == Role::border && surfaces_[a->surface]->mesh() != nullptr)
        return is_finer(b->surface, a->surface);
      return a->role == Role::border || (is_ordinary && a->feature.kind == FeatureKind::edge);
    case Role::mesh_node:
      if (a->role == Role::triangle)
        return b->is_on_ridge || a->surface == b->surface || pairs_.two_pass ||
               is_finer(b->surface, a->surface);
      return is_ordinary && a->feature.kind != FeatureKind::vertex;
    default:
      return false;
  }
}

// Extended to both sides: whether a point inside belongs to the top or the bottom face is decided by comparing both.
void SurfaceSearch::extend_below(const Configuration& q, const Part& part, Box& box) const {
  const auto& [i, j, k] = surfaces_[part.surface]->mesh()->triangles[part.feature.index];
  const Vec3 x0 = vertex(q, part.surface, i);
  const Vec3 x1 = vertex(q, part.surface, j);
  const Vec3 x2 = vertex(q, part.surface, k);
  const Vec3 normal = (x1 - x0).cross(x2 - x0).normalized();
  const double shortest = std::min({(x1 - x0).norm(), (x2 - x1).norm(), (x2 - x0).norm()});
  for (const Vec3& x : {x0, x1, x2}) {
    box.extend(x + 0.5 * shortest * normal);
    box.extend(x - 0.5 * shortest * normal);
  }
}

void SurfaceSearch::gather_triangles(Index part_a, Index part_b) {
  if (parts_[part_a].role == Role::triangle) std::swap(part_a, part_b);
  on_meshes_.push_back({part_a, part_b});
}

void SurfaceSearch::place_triangles(const Configuration& q, std::span<const std::array<Index, 2>> pairs,
                                    std::vector<PlacedTriangle>& triangles) const {
  triangles.clear();
  for (const auto& [point, part] : pairs) {
    const Index surface = parts_[part].surface;
    const ShapeFeature& feature = parts_[part].feature;
    const auto& [i, j, k] = surfaces_[surface]->mesh()->triangles[feature.index];
    triangles.push_back(
        {feature.index, {vertex(q, surface, i), vertex(q, surface, j), vertex(q, surface, k)}});
  }
}

TouchingPoint SurfaceSearch::point_of(const Configuration& q, const Part& part) const {
  const Surface& surface = *surfaces_[part.surface];
  const Index v = part.feature.index;
  TouchingPoint point{.position = vertex(q, part.surface, v), .radius = surface.radius()};
  if (const TriangleMesh* mesh = surface.mesh(); mesh != nullptr) {
    for (const Index t : mesh->triangles_at[v]) {
      const auto& [i, j, k] = mesh->triangles[t];
      const Vec3 from = vertex(q, part.surface, i);
      point.normals.push_back(
          (vertex(q, part.surface, j) - from).cross(vertex(q, part.surface, k) - from).normalized());
    }
  } else if (const Polyhedron* body = surface.polyhedron(); body != nullptr) {
    const Mat3 R = placement(q, part.surface).R;
    std::vector<Index> faces;
    for (const Index t : body->mesh.triangles_at[v]) {
      if (std::ranges::find(faces, body->face_of[t]) != faces.end()) continue;
      faces.push_back(body->face_of[t]);
      point.normals.emplace_back(R * body->faces[faces.back()].normal);
    }
  } else if (const Polytope* polytope = surface.polytope(); polytope != nullptr) {
    const Mat3 R = placement(q, part.surface).R;
    for (const Index f : faces_at_[part.surface][v])
      point.normals.emplace_back(R * polytope->faces[f].normal);
  }
  return point;
}

EdgeOfFaces SurfaceSearch::edge_of(const Configuration& q, const Part& part) const {
  const Surface& surface = *surfaces_[part.surface];
  const Index e = part.feature.index;
  EdgeOfFaces edge;
  const auto set_ends = [&](const std::array<Index, 2>& ends) {
    edge.from = vertex(q, part.surface, ends[0]);
    edge.to = vertex(q, part.surface, ends[1]);
  };
  edge.normals.fill(Vec3::Zero());
  if (const Polytope* polytope = surface.polytope(); polytope != nullptr) {
    set_ends(polytope->edges[e].vertices);
    const Mat3 R = placement(q, part.surface).R;
    for (std::size_t k = 0; k < 2; ++k)
      edge.normals[k] = R * polytope->faces[polytope->edges[e].faces[k]].normal;
    return edge;
  }
  set_ends(surface.edges()[e]);
  if (surface.polyhedron() != nullptr) {
    const Mat3 R = placement(q, part.surface).R;
    const EdgeOfFaces own = solids_[part.surface].search->edge(e);
    edge.depths = own.depths;
    for (std::size_t k = 0; k < 2; ++k) edge.normals[k] = R * own.normals[k];
    return edge;
  }
  if (surface.mesh() == nullptr) return edge;
  for (std::size_t k = 0; k < 2; ++k) {
    const Index t = surface.mesh()->edges[e].triangles[k];
    if (t < 0) continue;
    const auto& [i, j, l] = surface.mesh()->triangles[t];
    const Vec3 from = vertex(q, part.surface, i);
    edge.normals[k] =
        (vertex(q, part.surface, j) - from).cross(vertex(q, part.surface, l) - from).normalized();
  }
  return edge;
}

void SurfaceSearch::list_on_mesh(const Configuration& q, std::span<const std::array<Index, 2>> pairs,
                                 const MeshCandidateOptions& options, std::vector<Candidate>& near) {
  const Part& part = parts_[pairs[0][0]];
  const Index surface = parts_[pairs[0][1]].surface;
  place_triangles(q, pairs, triangles_);
  for (const MeshCandidate& candidate :
       find_mesh_candidates(*surfaces_[surface]->mesh(), triangles_, point_of(q, part), options)) {
    near.push_back({key_of({part.surface, part.feature}, {surface, candidate.feature}, closest),
                    candidate.gap, candidate.point, candidate.normal});
  }
}

void SurfaceSearch::find_on_mesh(const Configuration& q, const Configuration& end,
                                 std::span<const ContactKey> previous,
                                 std::span<const std::array<Index, 2>> pairs,
                                 std::vector<ContactKey>& found) {
  const Part& part = parts_[pairs[0][0]];
  const Index surface = parts_[pairs[0][1]].surface;
  const double size = size_of_pair(pairs[0][0], pairs[0][1]);
  const double thickness = skin_of(part.surface, surface) * size;
  double motion = 0;
  for (const auto& [point, triangle] : pairs) motion = std::max(motion, motion_[triangle]);
  MeshCandidateOptions options{.reach = thickness, .size = size};
  std::vector<ShapeFeature> previous_features;
  for (const auto& [point, triangle] : pairs) {
    const ShapeFeature& feature = parts_[triangle].feature;
    if (std::ranges::binary_search(previous,
                                   key_of({part.surface, part.feature}, {surface, feature}, closest)))
      previous_features.push_back(feature);
  }
  options.previous = previous_features;

  place_triangles(q, pairs, triangles_);
  place_triangles(end, pairs, triangles_end_);
  const auto passed =
      find_passed(triangles_, triangles_end_, point_of(q, part), point_of(end, part), options);
  if (passed) {
    found.push_back(key_of({part.surface, part.feature}, {surface, {FeatureKind::face, *passed}}, closest));
    return;
  }
  options.reach += motion_[pairs[0][0]] + motion;
  candidates_.clear();
  list_on_mesh(end, pairs, options, candidates_);
  const bool is_deep =
      std::ranges::any_of(candidates_, [&](const Candidate& near) { return near.gap < -thickness; });
  if (is_deep || candidates_.empty()) {
    before_.clear();
    list_on_mesh(q, pairs, options, before_);
    if (before_.empty()) {
      const double radius = surfaces_[part.surface]->radius();
      std::erase_if(candidates_, [&](const Candidate& near) {
        return is_unpassed(feature_of(near.key.b).feature.kind, near.gap, radius, options.reach);
      });
    } else {
      candidates_.swap(before_);
    }
  }
  for (const Candidate& near : candidates_) found.push_back(near.key);
}

// Where nodes of both solids coincide, a second contact would be redundant.
void SurfaceSearch::remove_duplicate_nodes(const Configuration& q, std::size_t first,
                                           std::vector<ContactKey>& found) const {
  struct OnMesh {
    Index node_of;
    Index node;
    Index face_of;
    auto operator<=>(const OnMesh&) const = default;
  };
  const auto read = [&](const ContactKey& key) -> std::optional<OnMesh> {
    const SurfaceFeature a = feature_of(key.a);
    const SurfaceFeature b = feature_of(key.b);
    const bool is_on_mesh = a.feature.kind == FeatureKind::vertex && b.feature.kind == FeatureKind::face &&
                            surfaces_[a.surface]->mesh() != nullptr &&
                            surfaces_[b.surface]->mesh() != nullptr;
    if (!is_on_mesh) return std::nullopt;
    return OnMesh{a.surface, a.feature.index, b.surface};
  };
  std::set<OnMesh> of_finer;
  for (std::size_t i = first; i < found.size(); ++i) {
    const auto one = read(found[i]);
    if (one && (one->node_of == one->face_of || is_finer(one->node_of, one->face_of))) of_finer.insert(*one);
  }
  const auto is_double = [&](const ContactKey& key) {
    const auto one = read(key);
    if (!one || is_finer(one->node_of, one->face_of)) return false;
    const Vec3 x = vertex(q, one->node_of, one->node);
    const auto& corners = surfaces_[one->face_of]->mesh()->triangles[feature_of(key.b).feature.index];
    return std::ranges::any_of(corners, [&](Index v) {
      return (vertex(q, one->face_of, v) - x).norm() < same_node * mean_edges_[one->face_of] &&
             (one->node_of != one->face_of || v < one->node) &&
             of_finer.contains({one->face_of, v, one->node_of});
    });
  };
  found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(), is_double),
              found.end());
}

void SurfaceSearch::list_on_edge_of_mesh(const Configuration& q, const Part& a, const Part& b, double reach,
                                         std::vector<Candidate>& near) const {
  if (pairs_.law.sliding.friction_directions == 1)
    return;  // the normal is out of the plane of a planar model
  const auto crossing = find_edge_crossing(edge_of(q, a), surfaces_[a.surface]->radius(), edge_of(q, b));
  if (!crossing || !(crossing->gap < reach)) return;
  near.push_back(
      {key_of({a.surface, a.feature}, {b.surface, b.feature}, crossing->is_along ? along : against),
       crossing->gap, crossing->point, crossing->normal});
}

// Not by find_touching_feature(), as for a free point: if a corner of the body coincides with the node, the nearest
// face may be any of those at the corner, possibly one that is coplanar with a face of the node.
void SurfaceSearch::list_node_and_body(const Configuration& q, const Part& node, const Part& body,
                                       double reach, std::vector<Candidate>& near) const {
  const Polytope& polytope = *surfaces_[body.surface]->polytope();
  const Placement place = placement(q, body.surface);
  const TouchingPoint point = point_of(q, node);
  const Vec3 x = place.R.transpose() * (point.position - place.x);
  const double margin = node_margin * (polytope.size + node.size);
  Index best = -1;
  double height = -std::numeric_limits<double>::infinity();
  bool is_outside = false;
  for (Index f = 0; f < count_of(polytope.faces); ++f) {
    const Polytope::Face& face = polytope.faces[f];
    const double here = face.normal.dot(x) - face.offset;
    if (here > margin) {
      const bool is_over = is_within_face(polytope, face, x - here * face.normal, margin);
      is_outside = true;
      if (!is_over) continue;
    }
    if (!(here > height) || !is_turned_to(point, place.R * face.normal)) continue;
    height = here;
    best = f;
  }
  if (best < 0 || (is_outside && !(height > margin)) || !(height < reach)) return;
  near.push_back({key_of({node.surface, node.feature}, {body.surface, {FeatureKind::face, best}}, closest),
                  height, point.position, place.R * polytope.faces[best].normal});
}

// The ends of the capsule are treated as points on the mesh.
void SurfaceSearch::list_node_and_capsule(const Configuration& q, const Part& node, const Part& capsule,
                                          double reach, std::vector<Candidate>& near) const {
  const TouchingPoint point = point_of(q, node);
  const EdgeOfFaces edge = edge_of(q, capsule);
  const Vec3 axis = edge.to - edge.from;
  const double t = axis.dot(point.position - edge.from) / axis.squaredNorm();
  if (!(t > 0 && t < 1)) return;
  const Vec3 way = edge.from + t * axis - point.position;
  Vec3 outward = Vec3::Zero();
  for (const Vec3& normal : point.normals) outward += normal;
  if (!(way.dot(outward) > 0)) return;  // already passed, or beside it
  const double gap = way.norm() - surfaces_[capsule.surface]->radius();
  if (!(gap < reach)) return;
  near.push_back({key_of({node.surface, node.feature}, {capsule.surface, capsule.feature}, closest), gap,
                  point.position, way.normalized()});
}

}  // namespace picus
