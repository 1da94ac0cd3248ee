// Creates the contact of a key, and names features for keys and messages.

#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace picus {
namespace {

std::string_view name_of(ShapeFeature::Kind kind) {
  return kind == ShapeFeature::Kind::vertex ? "vertex" : kind == ShapeFeature::Kind::edge ? "edge" : "face";
}

}  // namespace

std::uint32_t SurfaceSearch::number_of(const SurfaceFeature& place) const {
  const Features& features = features_[place.surface];
  const std::uint32_t base = place.feature.kind == is_vertex ? features.first
                             : place.feature.kind == is_edge ? features.edges
                                                             : features.faces;
  return base + static_cast<std::uint32_t>(place.feature.index);
}

SurfaceSearch::SurfaceFeature SurfaceSearch::feature_of(std::uint32_t number) const {
  const auto next = std::ranges::upper_bound(features_, number, {}, &Features::end);
  if (next == features_.end())
    throw ModelError(fmt::format("contact set \"{}\" has no feature {}", pairs_.name, number));
  const auto surface = index_of(features_, next);
  if (number < next->edges) return {surface, {is_vertex, static_cast<Index>(number - next->first)}};
  if (number < next->faces) return {surface, {is_edge, static_cast<Index>(number - next->edges)}};
  return {surface, {is_face, static_cast<Index>(number - next->faces)}};
}

ContactKey SurfaceSearch::key_of(const SurfaceFeature& a, const SurfaceFeature& b, std::uint32_t kind) const {
  return {.set = set_, .kind = kind, .a = number_of(a), .b = number_of(b)};
}

bool SurfaceSearch::has_one_name(Index s) const {
  const Surface& surface = *surfaces_[s];
  return surface.is_half_space() || (surface.vertices().size() <= 1 && surface.polytope() == nullptr);
}

std::vector<FeatureRange> SurfaceSearch::features() const {
  std::vector<FeatureRange> ranges;
  for (Index s = 0; s < count_of(surfaces_); ++s) {
    const std::string& surface = surfaces_[s]->name();
    const Features& numbers = features_[s];
    const std::array starts = {numbers.first, numbers.edges, numbers.faces, numbers.end};
    if (has_one_name(s)) {
      ranges.push_back({numbers.first, surface, ""});
    } else if (is_round(s)) {
      for (std::uint32_t number = numbers.first; number < numbers.end; ++number)
        ranges.push_back({number, surface, round_feature_text(feature_of(number))});
    } else {
      for (std::size_t k = 0; k < 3; ++k) {
        if (starts[k] == starts[k + 1]) continue;
        ranges.push_back({starts[k], surface, std::string(name_of(feature_of(starts[k]).feature.kind))});
      }
    }
  }
  return ranges;
}

std::string SurfaceSearch::text_of(const SurfaceFeature& place) const {
  const Surface& surface = *surfaces_[place.surface];
  if (has_one_name(place.surface)) return surface.name();
  if (surface.round_solid() != nullptr) return round_text_of(place);
  return fmt::format("{} {} {}", surface.name(), name_of(place.feature.kind), place.feature.index);
}

// Crossing lines, and a side touched from both directions, have two contacts; the names must differ.
std::string SurfaceSearch::name_of_contact(const ContactKey& key, const std::string& a,
                                           const std::string& b) const {
  const std::uint32_t kind = key.kind >= first_diagonal ? key.kind - first_diagonal : key.kind;
  const std::string_view side = kind == along ? " along" : kind == against ? " against" : "";
  return fmt::format("{}: {} on {}{}", pairs_.name, a, b, side);
}

InRole<Contact> SurfaceSearch::contact(const ContactKey& key) {
  auto [place, is_new] = cache_.try_emplace(key);
  if (is_new) {
    try {
      place->second = make(key);
    } catch (...) {
      cache_.erase(place);
      throw;
    }
  }
  return place->second.contact;
}

SurfaceSearch::CachedContact SurfaceSearch::make(const ContactKey& key) const {
  if (is_round_key(key)) return make_round(key);
  const SurfaceFeature a = feature_of(key.a);
  const SurfaceFeature b = feature_of(key.b);
  const Surface& surface_a = *surfaces_[a.surface];
  const Surface& surface_b = *surfaces_[b.surface];
  const bool is_face_first = a.feature.kind == is_face;
  const std::string name =
      name_of_contact(key, text_of(is_face_first ? b : a), text_of(is_face_first ? a : b));
  const SurfaceLaw between = law_of(a.surface, b.surface);
  const ContactLaw& law = between.sliding;
  const auto finish = [](auto element) {
    const InRole<Contact> contact(*element);
    return CachedContact{std::move(element), contact};
  };
  const std::optional<Grain> grain = grain_of(a.surface, b.surface, between);
  const auto with_law = [&](auto parameters) {
    parameters.mu = law.coefficient();
    parameters.e_n = law.e_n;
    parameters.e_t = law.e_t;
    parameters.impact_law = law.impact;
    parameters.friction_directions = law.friction_directions;
    return parameters;
  };
  const auto face_of = [](const Surface& surface, Index i) {
    const auto face = *surface.plane(i);
    Face result{.point = face.offset * face.normal, .normal = face.normal};
    if (surface.body().valid()) result.node = static_cast<const FrameNode&>(surface.body());
    return result;
  };
  // Three points in its plane.
  const auto plane_of = [](const Surface& surface, Index i) {
    const auto& vertices = surface.vertices();
    const auto of_triangle = [&](const auto& corners) {
      return Feature::triangle(vertices[corners[0]], vertices[corners[1]], vertices[corners[2]]);
    };
    if (const Polyhedron* body = surface.polyhedron(); body != nullptr)
      return of_triangle(body->mesh.triangles[body->faces[i].triangles[0]]);
    const Polytope::Face& face = surface.polytope()->faces[i];
    if (!face.vertices.empty()) return of_triangle(face.vertices);
    const Vec3 x = face.offset * face.normal;
    const Vec3 u = face.normal.unitOrthogonal();
    return Feature::triangle(surface.at(x), surface.at(x + u), surface.at(x + face.normal.cross(u)));
  };
  const auto is_face_of_body = [](const Surface& surface, const ShapeFeature& feature) {
    return surface.plane_count() > 0 && feature.kind == is_face;
  };
  const bool a_is_face = is_face_of_body(surface_a, a.feature);
  const bool b_is_face = is_face_of_body(surface_b, b.feature);
  const auto on_face = [&](const MaterialPoint& point, double radius, const Surface& faced, Index i) {
    const bool grain_is_on_other = grain && !faced.grain();
    if (grain_is_on_other || (point.is_ground() && radius > 0)) {
      return finish(std::make_unique<FeatureContact>(
          with_law(FeatureContact::Parameters{.name = name,
                                              .a = Feature::point(point, radius),
                                              .b = plane_of(faced, i),
                                              .is_plane = true,
                                              .grain = grain,
                                              .drilling_radius = radius > 0 ? between.drilling_radius : 0.0,
                                              .rolling_arm = radius > 0 ? between.rolling_arm : 0.0,
                                              .drawn = false}),
          *model_));
    }
    Face face = face_of(faced, i);
    double anisotropy = 1.0;
    if (grain) {  // as in GrainRows
      const double across = face.normal.cross(grain->direction).squaredNorm();
      if (across > 1e-10) {  // otherwise no direction is defined, nor needed
        face.tangent = grain->direction;
        anisotropy = 1.0 + (grain->anisotropy - 1.0) * across;
      }
    }
    if (radius == 0) {
      return finish(std::make_unique<NodeToFaceContact>(
          with_law(NodeToFaceContact::Parameters{
              .name = name, .slave = point, .face = face, .anisotropy = anisotropy}),
          *model_));
    }
    return finish(std::make_unique<SphereToFaceContact>(
        with_law(SphereToFaceContact::Parameters{.name = name,
                                                 .centre = point,
                                                 .radius = radius,
                                                 .face = face,
                                                 .drilling_radius = between.drilling_radius,
                                                 .rolling_arm = between.rolling_arm,
                                                 .anisotropy = anisotropy}),
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

  const auto contact_feature = [](const Surface& surface, const ShapeFeature& feature) {
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
  Feature first = contact_feature(surface_a, a.feature);
  Feature second = contact_feature(surface_b, b.feature);
  if (first.points.size() > second.points.size()) std::swap(first, second);
  const bool is_round = first.radius + second.radius > 0;
  return finish(std::make_unique<FeatureContact>(
      with_law(FeatureContact::Parameters{.name = name,
                                          .a = first,
                                          .b = second,
                                          .crossing = key.kind == along     ? Crossing::along
                                                      : key.kind == against ? Crossing::against
                                                                            : Crossing::none,
                                          .is_plane = is_on_triangle,
                                          .grain = grain,
                                          .drilling_radius = is_round ? between.drilling_radius : 0.0,
                                          .rolling_arm = is_round ? between.rolling_arm : 0.0,
                                          .drawn = false}),
      *model_));
}

}  // namespace picus
