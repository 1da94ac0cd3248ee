// Finds the features of two parts that are near each other.

#include <picus/elements/contacts/parts/contact_directions.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

/// Faces of two bodies count as one plane, for a third body resting on both, up to this angle (1 - cosine) and this
/// fraction of its size.
constexpr double flush_angle = 1e-12;
constexpr double flush_part = 1e-6;

/// Edges whose directions have a smaller sine make contact at the ends of their overlap.
constexpr double parallel_sine = 0.05;
/// If they cross, a contact at the crossing is added if it is deeper than those at the ends by this fraction of the
/// radii.
constexpr double crossing_part = 1e-9;
/// Distance beyond an edge up to which the end of a parallel one counts as beside it, as a fraction of its length.
constexpr double end_margin = 1e-3;

/// Two flat faces have contacts at this many corners of their overlap, chosen as far from each other as possible, and
/// at others once these have penetrated: more contacts would not support the bodies better, and would leave their
/// forces undetermined.
constexpr std::size_t plane_contacts = 4;
/// Smallest cosine between normals of one plane, and its thickness as a fraction of the smaller size.
constexpr double same_plane = 0.9999;
constexpr double same_level = 1e-3;

/// Coordinate along the line of the point nearest to x: 0 at `from`, 1 at `to`.
double place_on_line(const Vec3& from, const Vec3& to, const Vec3& x) {
  const Vec3 e = to - from;
  return e.dot(x - from) / e.squaredNorm();
}

}  // namespace

void SurfaceSearch::list_points(const Configuration& q, const SurfaceFeature& a, const SurfaceFeature& b,
                                double reach, std::vector<Candidate>& near) {
  const double radius = surfaces_[a.surface]->radius() + surfaces_[b.surface]->radius();
  if (radius == 0) return;
  const double distance =
      (vertex(q, a.surface, a.feature.index) - vertex(q, b.surface, b.feature.index)).norm();
  if (distance - radius < reach) near.push_back({.key = key_of(a, b, closest), .gap = distance - radius});
}

void SurfaceSearch::list_point_and_edge(const Configuration& q, const SurfaceFeature& a,
                                        const SurfaceFeature& b, double reach, std::vector<Candidate>& near) {
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

// Vertices take the role, a or b, of their edge: the key of a contact must not depend on which of its features is the
// vertex.
void SurfaceSearch::list_edges(const Configuration& q, const SurfaceFeature& a, const SurfaceFeature& b,
                               double reach, std::vector<Candidate>& near) {
  const std::array<Index, 2> ends_a = surfaces_[a.surface]->edges()[a.feature.index];
  const std::array<Index, 2> ends_b = surfaces_[b.surface]->edges()[b.feature.index];
  const Vec3 from_a = vertex(q, a.surface, ends_a[0]), to_a = vertex(q, a.surface, ends_a[1]);
  const Vec3 from_b = vertex(q, b.surface, ends_b[0]), to_b = vertex(q, b.surface, ends_b[1]);
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
    for (const Index i : ends_a) {
      for (const Index k : ends_b) {
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
  // The closest points of the lines, then of the segments.
  const Vec3 across = u.cross(v);
  const Vec3 w = from_b - from_a;
  const double squared = across.squaredNorm();
  double s = w.cross(v).dot(across) / squared;  // not finite where they are parallel
  double t = w.cross(u).dot(across) / squared;
  const bool do_cross = s > 0 && s < 1 && t > 0 && t < 1;
  const double crossing_gap = std::abs(w.dot(across)) / std::sqrt(squared) - radius;
  const auto add_crossing = [&] {
    if (crossing_gap < reach) near.push_back({.key = key_of(a, b, closest), .gap = crossing_gap});
  };
  if (std::sqrt(squared) < parallel_sine * u.norm() * v.norm()) {
    const std::size_t first = near.size();
    bool any = false;
    for (const Index i : ends_a) any |= add_vertex_of_a(i, end_margin);
    for (const Index i : ends_b) any |= add_vertex_of_b(i, -end_margin);
    if (!any) add_ends();
    // If nearly parallel edges approach each other at ends that lie beyond each other, these ends are closest.
    for (const Index i : ends_a) {
      for (const Index k : ends_b) {
        const double on_b = place_on_line(from_b, to_b, vertex(q, a.surface, i));
        const double on_a = place_on_line(from_a, to_a, vertex(q, b.surface, k));
        const bool past_b = k == ends_b[1] ? on_b > 1 + end_margin : on_b < -end_margin;
        const bool past_a = i == ends_a[1] ? on_a > 1 - end_margin : on_a < end_margin;
        if (past_a && past_b)
          list_points(q, {a.surface, {is_vertex, i}}, {b.surface, {is_vertex, k}}, reach, near);
      }
    }
    const auto is_much_deeper = [&](const Candidate& end) {
      return crossing_gap < end.gap - crossing_part * radius;
    };
    if (do_cross &&
        std::all_of(near.begin() + static_cast<std::ptrdiff_t>(first), near.end(), is_much_deeper))
      add_crossing();
    return;
  }
  if (do_cross) return add_crossing();
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
    list_points(q, {a.surface, {is_vertex, s == 0.0 ? ends_a[0] : ends_a[1]}},
                {b.surface, {is_vertex, t == 0.0 ? ends_b[0] : ends_b[1]}}, reach, near);
  } else if (a_ends) {
    add_vertex_of_a(s == 0.0 ? ends_a[0] : ends_a[1], 0.0);
  } else {
    add_vertex_of_b(t == 0.0 ? ends_b[0] : ends_b[1], 0.0);
  }
}

void SurfaceSearch::list_with_polytope(const Configuration& q, const Part& a, const Part& b, double reach,
                                       std::vector<Candidate>& near) {
  const Surface& surface_a = *surfaces_[a.surface];
  const Polytope& polytope = *surfaces_[b.surface]->polytope();
  const Placement place_b = placement(q, b.surface);
  FeatureCandidateOptions options{.reach = std::max(reach, 0.0)};
  const auto add = [&](const ShapeFeature& feature_a, const FeatureCandidate& candidate, std::uint32_t kind) {
    if (!(candidate.gap < reach)) return;
    near.push_back({key_of({a.surface, feature_a}, {b.surface, candidate.features.b}, kind), candidate.gap,
                    candidate.point, candidate.normal});
  };
  if (a.feature.kind == is_vertex) {
    const auto candidate = find_touching_feature(vertex(q, a.surface, a.feature.index), surface_a.radius(),
                                                 polytope, place_b, options);
    // Sharp points touch faces only: on an edge the normal is undefined once the gap is closed.
    if (candidate && (surface_a.radius() > 0 || candidate->features.b.kind == is_face))
      add(a.feature, *candidate, closest);
    return;
  }
  if (a.feature.kind == is_edge) {
    const auto ends = surface_a.edges()[a.feature.index];
    const std::array places = {vertex(q, a.surface, ends[0]), vertex(q, a.surface, ends[1])};
    for (const FeatureCandidate& candidate :
         find_touching_features(places, surface_a.radius(), polytope, place_b, options)) {
      const bool is_end = candidate.features.a.kind == is_vertex;
      add(is_end ? ShapeFeature{is_vertex, ends[candidate.features.a.index]} : a.feature, candidate, closest);
    }
    return;
  }
  const Polytope& own = *surface_a.polytope();
  const Placement place_a = placement(q, a.surface);
  options.previous = previous_of(a.surface, b.surface);
  for (const FeatureCandidate& candidate : find_touching_features(own, place_a, polytope, place_b, options)) {
    std::uint32_t kind = closest;
    if (candidate.features.a.kind == is_edge) {
      const auto direction = [](const Polytope& body, const Placement& place, Index edge) -> Vec3 {
        const auto& ends = body.edges[edge].vertices;
        return place.R * (body.vertices[ends[1]] - body.vertices[ends[0]]);
      };
      const Vec3 e_a = direction(own, place_a, candidate.features.a.index);
      const Vec3 e_b = direction(polytope, place_b, candidate.features.b.index);
      kind = e_a.cross(e_b).dot(candidate.normal) > 0 ? along : against;
      // A planar model cannot move in a direction out of its plane.
      if (pairs_.law.sliding.friction_directions == 1 && !ContactDirections::is_in_plane(candidate.normal))
        continue;
    }
    add(candidate.features.a, candidate, kind);
  }
}

void SurfaceSearch::list_near(const Configuration& q, Index part_a, Index part_b, double reach,
                              std::vector<Candidate>& near) {
  const Part* a = &parts_[part_a];
  const Part* b = &parts_[part_b];
  if (a->role > b->role) std::swap(a, b);
  if (is_round(a->surface) || is_round(b->surface)) {
    if (has_triangles(*a)) return list_round_on_mesh(q, *b, *a, reach, near);
    if (has_triangles(*b)) return list_round_on_mesh(q, *a, *b, reach, near);
    const auto rank = [&](const Part& part) { return std::pair(part.feature.kind, part.surface); };
    if (rank(*a) > rank(*b)) std::swap(a, b);
    return list_round(q, *a, *b, reach, near);
  }
  if (b->role == Role::mesh_edge) return list_on_edge_of_mesh(q, *a, *b, reach, near);
  if (b->role == Role::mesh_node) {
    return a->feature.kind == is_face ? list_node_and_body(q, *b, *a, reach, near)
                                      : list_node_and_capsule(q, *b, *a, reach, near);
  }
  // Convex bodies come second, half-spaces last; edges follow vertices.
  const auto rank = [&](const Part& part) {
    return is_half_space(part.surface) ? 3 : static_cast<int>(part.feature.kind);
  };
  if (rank(*a) > rank(*b)) std::swap(a, b);
  const SurfaceFeature place_a{a->surface, a->feature};
  const SurfaceFeature place_b{b->surface, b->feature};
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

void SurfaceSearch::add_support(const Configuration& q, const SurfaceFeature& corner,
                                const SurfaceFeature& face) {
  const auto plane = surfaces_[face.surface]->plane(face.feature.index);
  if (!plane) return;
  const Placement place = placement(q, face.surface);
  const Vec3 n = place.R * plane->normal;
  const double level = plane->offset + n.dot(place.x);
  supports_[corner.surface].push_back({n, level});
  supports_[face.surface].push_back({-n, -level});
}

void SurfaceSearch::gather_supports(const Configuration& q, std::span<const ContactKey> previous) {
  supports_.resize(surfaces_.size());
  for (auto& supports : supports_) supports.clear();
  for (const ContactKey& key : previous) {
    if (key.set != set_ || (key.kind != closest && key.kind < first_rim_point)) continue;
    const SurfaceFeature a = feature_of(key.a);
    const SurfaceFeature b = feature_of(key.b);
    if (a.feature.kind == is_vertex && b.feature.kind == is_face) add_support(q, a, b);
    if (a.feature.kind == is_face && b.feature.kind == is_vertex) add_support(q, b, a);
  }
}

// A body above a plane and another one below it can be in contact only along the normal of the plane.
bool SurfaceSearch::shares_plane(const Configuration& q, Index resting, Index other,
                                 const Support& support) const {
  if (surfaces_[other]->plane_count() == 0) return false;
  const double size = extent(resting);
  const auto height = [&](const MaterialPoint& corner) {
    return support.normal.dot(corner.position(q)) - support.level;
  };
  const Placement place = placement(q, other);
  const Surface& below = *surfaces_[other];
  // Only a convex body lies entirely below each of its faces. Most meshes are rejected at their first vertices.
  const auto is_below = [&](const MaterialPoint& corner) { return height(corner) <= flush_part * size; };
  if (below.polyhedron() != nullptr && !std::ranges::all_of(below.vertices(), is_below)) return false;
  bool is_flush = false;
  for (Index f = 0; f < below.plane_count() && !is_flush; ++f) {
    const auto plane = below.plane(f);
    const Vec3 n = place.R * plane->normal;
    is_flush = n.dot(support.normal) >= 1 - flush_angle &&
               std::abs(plane->offset + n.dot(place.x) - support.level) <= flush_part * size;
  }
  if (!is_flush) return false;
  // A terrain does not rest on the box that lies on it.
  const double thickness = skin * (is_half_space(other) ? size : std::min(size, extent(other)));
  if (surfaces_[resting]->polyhedron() != nullptr) {
    const auto is_above = [&](const MaterialPoint& corner) { return height(corner) >= -thickness; };
    if (!std::ranges::all_of(surfaces_[resting]->vertices(), is_above)) return false;
  }
  return std::abs(lowest_level(q, resting, support.normal) - support.level) <= thickness;
}

// Where two tables stand side by side a box slides over the seam, although its corners are as close to the side of
// the second one as to its top.
void SurfaceSearch::exclude_seams(const Configuration& q, std::vector<Candidate>& near) const {
  if (near.empty()) return;
  const Index surface_a = feature_of(near.front().key.a).surface;  // the surface towards which normals point
  const Index surface_b = feature_of(near.front().key.b).surface;
  const auto leave_out = [&](Index resting, Index other, double sign) {
    if (is_half_space(resting) || (surfaces_[resting]->plane_count() == 0 && !is_round(resting))) return;
    for (const Support& support : supports_[resting]) {
      if (near.empty()) return;
      const auto is_aside = [&](const Candidate& one) {
        const double turned = feature_of(one.key.a).surface == surface_a ? sign : -sign;
        return turned * one.normal.dot(support.normal) < 0.5;
      };
      if (std::ranges::none_of(near, is_aside) || !shares_plane(q, resting, other, support)) continue;
      std::erase_if(near, is_aside);
    }
  };
  leave_out(surface_a, surface_b, 1.0);
  leave_out(surface_b, surface_a, -1.0);
}

void SurfaceSearch::reduce_contacts(std::span<const ContactKey> previous, double size,
                                    std::vector<Candidate>& near) {
  if (near.size() <= plane_contacts) return;
  const auto least = std::ranges::min_element(near, {}, &Candidate::gap);
  const Vec3 n = least->normal;
  const double level = least->gap + same_level * size;
  const auto is_free = [&](const Candidate& candidate) {
    return candidate.gap <= level && candidate.normal.dot(n) >= same_plane &&
           !std::ranges::binary_search(previous, candidate.key);
  };
  chosen_.clear();
  others_.clear();
  places_.clear();
  for (const Candidate& one : near) (is_free(one) ? others_ : chosen_).push_back(one);
  for (const Candidate& one : chosen_) {
    if (one.gap <= level && one.normal.dot(n) >= same_plane) places_.push_back(one.point);
  }
  // Adds the corner farthest from all chosen ones until there are enough.
  while (!others_.empty() && places_.size() < plane_contacts) {
    const auto distance = [&](const Candidate& candidate) {
      double nearest = places_.empty() ? (candidate.point - least->point).norm() : infinite;
      for (const Vec3& corner : places_) nearest = std::min(nearest, (candidate.point - corner).norm());
      return nearest;
    };
    const auto best = std::ranges::max_element(others_, {}, distance);
    places_.push_back(best->point);
    chosen_.push_back(*best);
    others_.erase(best);
  }
  near.swap(chosen_);
}
}  // namespace picus
