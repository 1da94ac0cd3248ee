// The part of SurfaceSearch for cylinders and cones.

#include <picus/elements/contacts/nodes_to_round.hpp>
#include <picus/elements/contacts/round_contact.hpp>
#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>

namespace picus {
namespace {

using RoundCurve = RoundFeature::Curve;

/// If the tilt (sine) of a rim relative to a plane is below this at some time of a step, the rim stands on body-fixed
/// points; the limit is one and a half times as large if it did so in the previous step.
constexpr double flat_sine = 0.02;
constexpr double flat_sine_if_standing = 1.5 * flat_sine;
/// The same for a search at a single configuration, where the lowest point is reliable down to a smaller tilt. If the
/// rim stands on points in the step that ends there, more points are added at any tilt: the lowest point of the rim
/// would contradict them.
constexpr double flat_sine_at_rest = 1e-3;
/// Below this sine the direction of the tilt is determined by rounding errors.
constexpr double no_tilt = 1e-9;

/// The points on which a rim stands are chosen among this many, evenly spaced; if it leans on another point, that point
/// is added.
constexpr std::uint32_t standing_points = 8;
/// A flat end stands on at least this many points, and on at most this many points of its rim.
constexpr std::size_t min_standing = 4;
constexpr std::size_t max_standing = 8;

/// A rim touches a parallel face of a deformable solid at one of this many points.
constexpr std::uint32_t points_of_flat_rim = 64;
/// A rim touches a face of a deformable solid at its lowest point if its height varies by more than this fraction of the
/// size along the rim and the slope changes by less than this fraction in the step; if it did so before, the limits are
/// half and twice as large.
constexpr double steep_part = 1e-4;
constexpr double steady_slope = 0.5;

/// As fractions of the size: distance within which contacts are in one plane; tilt for which the lowest point must be
/// in the list.
constexpr double rim_level = 1e-3;
constexpr double leaning_part = 1e-9;
constexpr double rim_plane = 0.9999;

std::uint32_t number_of_point(const RoundFeature& circle, const Vec3& d) {
  const double turns = angle_on_circle(circle, d) / (2 * std::numbers::pi);
  return static_cast<std::uint32_t>(std::lround(turns * rim_points)) % rim_points;
}

/// Adds the points halfway between `lowest` and its neighbours among the points on which a rim stands. A rim that tilts
/// onto the chord of two points lies deepest between them: with these points as well a repetition of the step divides
/// the depth by 16, and with the lowest point alone by 4.
void add_points_beside(std::uint32_t lowest, std::span<const std::uint32_t> standing_on,
                       std::vector<std::uint32_t>& points) {
  std::uint32_t ahead = rim_points, behind = rim_points;
  for (const std::uint32_t point : standing_on) {
    if (point == lowest) return;
    ahead = std::min(ahead, (point + rim_points - lowest) % rim_points);
    behind = std::min(behind, (lowest + rim_points - point) % rim_points);
  }
  points.push_back((lowest + ahead / 2) % rim_points);
  points.push_back((lowest + rim_points - behind / 2) % rim_points);
}

}  // namespace

bool SurfaceSearch::is_round_key(const ContactKey& key) const {
  return is_round(feature_of(key.a).surface) || is_round(feature_of(key.b).surface);
}

bool SurfaceSearch::is_rigid(Index s) const {
  const Surface& surface = *surfaces_[s];
  return surface.body().valid() || surface.vertices().empty() || surface.vertices().front().is_ground();
}

std::vector<MaterialPoint> SurfaceSearch::points_of(const SurfaceFeature& spanned, bool is_diagonal) const {
  const Surface& surface = *surfaces_[spanned.surface];
  const auto& vertices = surface.vertices();
  if (spanned.feature.kind == is_edge) {
    const auto& [from, to] = surface.edges()[spanned.feature.index];
    return {vertices[from], vertices[to]};
  }
  const auto& [i, j, k] = surface.mesh()->triangles[spanned.feature.index];
  if (is_diagonal) return {vertices[k], vertices[i]};
  return {vertices[i], vertices[j], vertices[k]};
}

void SurfaceSearch::gather_previous_rounds(std::span<const ContactKey> previous) {
  if (gathered_rounds_.has(previous)) return;
  gathered_rounds_.forget();
  clear_values(previous_rounds_);
  for (const ContactKey& key : previous) {
    if (key.set == set_ && is_round_key(key))
      previous_rounds_[{feature_of(key.a).surface, feature_of(key.b).surface}].push_back(key);
  }
  gathered_rounds_.set(previous);
}

std::span<const ContactKey> SurfaceSearch::previous_rounds(Index surface_a, Index surface_b) const {
  const auto entry = previous_rounds_.find({surface_a, surface_b});
  return entry == previous_rounds_.end() ? std::span<const ContactKey>() : entry->second;
}

void SurfaceSearch::place_body(const Configuration& q, const Part& part, ConvexBody& body) const {
  const Surface& surface = *surfaces_[part.surface];
  if (surface.round_solid() != nullptr) return body.place(*surface.round_solid(), placement(q, part.surface));
  if (surface.polytope() != nullptr) return body.place(*surface.polytope(), placement(q, part.surface));
  if (part.feature.kind == is_vertex) {
    const std::array centre = {vertex(q, part.surface, part.feature.index)};
    return body.place(centre, surface.radius(), std::array{part.feature});
  }
  const auto [i, k] = surface.edges()[part.feature.index];
  const std::array centres = {vertex(q, part.surface, i), vertex(q, part.surface, k)};
  const std::array features = {ShapeFeature{is_vertex, i}, ShapeFeature{is_vertex, k}, part.feature};
  body.place(centres, surface.radius(), features);
}

// The feature of a cylinder or cone in the axes of its body.
RoundFeature SurfaceSearch::round_feature(const SurfaceFeature& place, std::uint32_t kind) const {
  const Surface& surface = *surfaces_[place.surface];
  const auto& [feature_kind, index] = place.feature;
  if (const RoundSolid* solid = surface.round_solid(); solid != nullptr) {
    if (feature_kind == is_face) return solid->face(index);
    if (feature_kind == is_edge) return solid->side();
    const RoundFeature rim = solid->rim(index);
    if (kind < first_rim_point) return rim;
    return {RoundCurve::point,
            point_on_circle(rim, 2 * std::numbers::pi * (kind - first_rim_point) / rim_points)};
  }
  const auto& vertices = surface.vertices();
  if (feature_kind == is_vertex)
    return {RoundCurve::point, vertices[index].offset, Vec3::UnitZ(), surface.radius()};
  if (feature_kind == is_face) {
    const auto face = *surface.plane(index);
    return {RoundCurve::plane, face.offset * face.normal, face.normal};
  }
  const Polytope* polytope = surface.polytope();
  const auto& [from, to] = polytope != nullptr ? polytope->edges[index].vertices : surface.edges()[index];
  return {RoundCurve::line, vertices[from].offset, (vertices[to].offset - vertices[from].offset).normalized(),
          surface.radius()};
}

// Normal of a face in the axes of the body of a rim.
Vec3 SurfaceSearch::normal_seen_by(const Configuration& q, Index surface, const SurfaceFeature& face) const {
  return placement(q, surface).R.transpose() * outward_normal(q, face);
}

const SurfaceSearch::RimPoints* SurfaceSearch::points_of_rim(const SurfaceFeature& rim,
                                                             const SurfaceFeature& face,
                                                             std::span<const ContactKey> previous_of_pair,
                                                             double size) {
  const RoundFeature circle = round_feature(rim, closest);
  const auto across = [&](const Configuration& q) -> Vec3 {
    const Vec3 n = normal_seen_by(q, rim.surface, face);
    return n - n.dot(circle.axis) * circle.axis;
  };
  const Vec3 at_begin = across(*begin_);
  const Vec3 at_end = across(*end_);
  const Vec3 way = at_end - at_begin;
  const double squared = way.squaredNorm();
  const double s = squared > 0 ? std::clamp(-at_begin.dot(way) / squared, 0.0, 1.0) : 0.0;
  previous_points_.clear();
  double hysteresis = 1.0;
  const std::uint32_t number_of_rim = number_of(rim), number_of_face = number_of(face);
  for (const ContactKey& key : previous_of_pair) {
    const bool is_this = (key.a == number_of_rim && key.b == number_of_face) ||
                         (key.b == number_of_rim && key.a == number_of_face);
    if (is_this && key.kind == closest) hysteresis = 2.0;
    if (is_this && key.kind >= first_rim_point && key.kind < first_diagonal)
      previous_points_.push_back(key.kind - first_rim_point);
  }
  const bool is_standing = !previous_points_.empty();
  const double limit = begin_ == end_ ? (is_standing ? infinite : flat_sine_at_rest)
                                      : (is_standing ? flat_sine_if_standing : flat_sine);
  if (!((at_begin + s * way).norm() < limit)) return nullptr;
  rim_points_.all.clear();
  rim_points_.lowest.clear();
  if (normal_seen_by(*end_, rim.surface, face).dot(circle.axis) > 0) return &rim_points_;
  if (is_deformable(face.surface)) {
    const double slope = hysteresis * at_begin.norm();
    const bool is_steady = slope * circle.radius > steep_part * size && way.norm() < steady_slope * slope;
    if (begin_ == end_ ? hysteresis > 1.0 : is_steady) return nullptr;
    add_points_over_soft_face(circle, {at_begin, at_end}, size);
    return &rim_points_;
  }
  std::vector<std::uint32_t>& all = rim_points_.all;
  all = previous_points_;
  for (std::uint32_t i = 0; i < standing_points; ++i) all.push_back(i * (rim_points / standing_points));
  for (const Vec3& m : {at_begin, at_end}) {
    if (!(m.norm() > no_tilt)) continue;
    const std::uint32_t lowest = number_of_point(circle, -m);
    all.push_back(lowest);
    if (begin_ == end_ && is_standing) add_points_beside(lowest, previous_points_, all);
    if (m.norm() * circle.radius > leaning_part * size) rim_points_.lowest.push_back(lowest);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return &rim_points_;
}

// The points of the previous step, whose forces are known; otherwise the lowest ones; otherwise, over a parallel face,
// many points, of which choose_rim_point() selects one.
void SurfaceSearch::add_points_over_soft_face(const RoundFeature& circle, const std::array<Vec3, 2>& slopes,
                                              double size) {
  RimPoints& points = rim_points_;
  points.all = previous_points_;
  if (begin_ != end_ && !points.all.empty()) return;
  for (const Vec3& m : slopes) {
    if (m.norm() > no_tilt && m.norm() * circle.radius > leaning_part * size)
      points.lowest.push_back(number_of_point(circle, -m));
  }
  points.all.insert(points.all.end(), points.lowest.begin(), points.lowest.end());
  if (points.all.empty()) {
    for (std::uint32_t i = 0; i < points_of_flat_rim; ++i)
      points.all.push_back(i * (rim_points / points_of_flat_rim));
  }
}

void SurfaceSearch::list_round(const Configuration& q, const Part& a, const Part& b, double reach,
                               std::vector<Candidate>& near) {
  double size = std::min(a.size, b.size);
  if (!std::isfinite(size)) size = 0.0;
  const std::span<const ContactKey> previous = previous_rounds(a.surface, b.surface);
  needed_points_.clear();
  RoundCandidateOptions options{.reach = std::max(reach, 0.0), .size = size};
  const auto key = [&](const RoundCandidate& one) {
    const std::uint32_t kind = one.rim_point  ? first_rim_point + *one.rim_point
                               : one.side > 0 ? along
                               : one.side < 0 ? against
                                              : closest;
    return key_of({a.surface, one.features.a}, {b.surface, one.features.b}, kind);
  };
  const auto was_chosen = [&](const RoundCandidate& one) {
    return std::ranges::binary_search(previous, key(one));
  };
  const auto of_rim = [&](bool is_of_a, Index rim,
                          Index face) -> std::optional<std::span<const std::uint32_t>> {
    const SurfaceFeature place_of_rim{is_of_a ? a.surface : b.surface, {is_vertex, rim}};
    const SurfaceFeature place_of_face{is_of_a ? b.surface : a.surface, {is_face, face}};
    const RimPoints* points = points_of_rim(place_of_rim, place_of_face, previous, size);
    if (points == nullptr) return std::nullopt;
    needed_points_.insert(needed_points_.end(), points->lowest.begin(), points->lowest.end());
    return points->all;
  };
  // By reference, which std::function holds without allocation.
  options.was_chosen = std::cref(was_chosen);
  options.points_of_rim = std::cref(of_rim);
  place_body(q, a, body_a_);
  place_body(q, b, body_b_);
  for (const RoundCandidate& one : touching_rounds_.find(body_a_, body_b_, options)) {
    if (!(one.gap < reach)) continue;
    const bool is_needed =
        one.rim_point && std::ranges::find(needed_points_, *one.rim_point) != needed_points_.end();
    near.push_back({key(one), one.gap, one.point, one.normal, is_needed});
  }
}

// As reduce_contacts(), except that rim points on which the body leans are kept. Of those of earlier steps, the ones
// nearest to others are dropped: a rim that wobbles leaves a row of them on one side.
void SurfaceSearch::reduce_round_contacts(std::span<const ContactKey> previous, double size,
                                          std::vector<Candidate>& near) {
  if (near.size() <= min_standing) return;
  const auto least = std::ranges::min_element(near, {}, &Candidate::gap);
  const Vec3 n = least->normal;
  const Vec3 first = least->point;
  const double level = least->gap + rim_level * size;
  const auto is_of_plane = [&](const Candidate& one) {
    return one.gap <= level && one.normal.dot(n) >= rim_plane;
  };
  chosen_.clear();
  others_.clear();
  on_rim_.clear();
  places_.clear();
  for (const Candidate& one : near) {
    const bool is_free = is_of_plane(one) && !one.is_needed && !std::ranges::binary_search(previous, one.key);
    (is_free ? others_ : chosen_).push_back(one);
    if (!is_free && is_of_plane(one)) places_.push_back(one.point);
  }
  const auto choose_farthest = [&](std::vector<Candidate>& from, std::size_t enough) {
    while (!from.empty() && places_.size() < enough) {
      const auto distance = [&](const Candidate& one) {
        double nearest = places_.empty() ? (one.point - first).norm() : infinite;
        for (const Vec3& place : places_) nearest = std::min(nearest, (one.point - place).norm());
        return nearest;
      };
      const auto best = std::ranges::max_element(from, {}, distance);
      places_.push_back(best->point);
      chosen_.push_back(*best);
      from.erase(best);
    }
  };
  // If edges cut the end, its contacts are at the corners of the overlap; between them the rim bulges out.
  std::ranges::copy_if(others_, std::back_inserter(on_rim_), is_rim_point);
  std::erase_if(others_, is_rim_point);
  const bool has_corners = !others_.empty() || std::ranges::any_of(chosen_, [&](const Candidate& one) {
    return is_of_plane(one) && !is_rim_point(one);
  });
  choose_farthest(others_, min_standing);
  choose_farthest(on_rim_, min_standing + (has_corners ? 2 : 0));
  near.swap(chosen_);
  while (static_cast<std::size_t>(std::ranges::count_if(near, is_rim_point)) > max_standing) {
    const auto crowded = most_crowded_rim_point(near);
    if (crowded == near.end()) break;
    near.erase(crowded);
  }
}

// The rim point that is nearest to another one, of two the farther from the plane, except those on which the body leans.
std::vector<SurfaceSearch::Candidate>::iterator SurfaceSearch::most_crowded_rim_point(
    std::vector<Candidate>& near) {
  auto crowded = near.end();
  double least = infinite;
  for (auto one = near.begin(); one != near.end(); ++one) {
    if (!is_rim_point(*one) || one->is_needed) continue;
    for (auto other = near.begin(); other != near.end(); ++other) {
      const bool stays =
          other->is_needed || std::pair(other->gap, other->key) < std::pair(one->gap, one->key);
      if (other == one || !is_rim_point(*other) || !stays) continue;
      const double distance = (one->point - other->point).norm();
      if (!(distance < least)) continue;
      least = distance;
      crowded = one;
    }
  }
  return crowded;
}

// The minimum of n . x over a surface.
double SurfaceSearch::lowest_level(const Configuration& q, Index surface, const Vec3& n) const {
  if (const RoundSolid* solid = surfaces_[surface]->round_solid(); solid != nullptr)
    return -ConvexBody(*solid, placement(q, surface)).support_function(-n);
  double lowest = infinite;
  for (const MaterialPoint& corner : surfaces_[surface]->vertices())
    lowest = std::min(lowest, n.dot(corner.position(q)));
  return lowest;
}

double SurfaceSearch::extent(Index surface) const {
  const Surface& one = *surfaces_[surface];
  return one.round_solid() != nullptr ? one.round_solid()->size() : one.size();
}

std::string SurfaceSearch::round_feature_text(const SurfaceFeature& place) const {
  const auto& [kind, index] = place.feature;
  if (kind == is_edge) return "side";
  const std::string end = index == 0 ? "bottom" : "top";
  if (kind == is_face) return end;
  return end + (surfaces_[place.surface]->round_solid()->has_rim(index) ? " rim" : " tip");
}

std::string SurfaceSearch::round_text_of(const SurfaceFeature& place) const {
  return surfaces_[place.surface]->name() + " " + round_feature_text(place);
}

SurfaceSearch::CachedContact SurfaceSearch::make_round(const ContactKey& key) const {
  const SurfaceFeature a = feature_of(key.a);
  const SurfaceFeature b = feature_of(key.b);
  const bool is_diagonal = key.kind >= first_diagonal;
  const std::uint32_t kind = is_diagonal ? key.kind - first_diagonal : key.kind;
  const auto spans_nodes = [&](const SurfaceFeature& place) {
    return place.feature.kind != is_vertex && !is_rigid(place.surface);
  };
  const auto side_of = [&](const SurfaceFeature& place) {
    const Surface& surface = *surfaces_[place.surface];
    const bool has_rims = surface.round_solid() != nullptr && place.feature.kind == is_vertex;
    RoundSide side{surface.body(), round_feature(place, has_rims ? kind : std::uint32_t{closest})};
    if (!side.node.valid() && surface.round_solid() == nullptr && surface.polytope() == nullptr)
      side.node = surface.vertices()[place.feature.kind == is_vertex ? place.feature.index : 0].node;
    return side;
  };
  std::string text_a = text_of(a), text_b = text_of(b);
  if (kind >= first_rim_point) {
    std::string& of_rim = is_round(a.surface) && a.feature.kind == is_vertex ? text_a : text_b;
    of_rim += fmt::format(" at {:.6g} deg", 360.0 * (kind - first_rim_point) / rim_points);
  }
  const SurfaceLaw law = law_of(a.surface, b.surface);
  const int side = kind == along ? 1 : kind == against ? -1 : 0;
  if (is_diagonal) (is_round(a.surface) ? text_b : text_a) += " diagonal";
  if (spans_nodes(a) || spans_nodes(b)) {
    const SurfaceFeature& spanned = spans_nodes(a) ? a : b;
    const SurfaceFeature& of_body = spans_nodes(a) ? b : a;
    if (!spans_nodes(a)) std::swap(text_a, text_b);
    const double radius = surfaces_[spanned.surface]->radius();
    auto element = std::make_unique<NodesToRoundContact>(
        NodesToRoundContact::Parameters{.name = name_of_contact(key, text_a, text_b),
                                        .points = points_of(spanned, is_diagonal),
                                        .radius = radius,
                                        .body = side_of(of_body),
                                        .side = side,
                                        .law = law.sliding,
                                        .grain = grain_of(a.surface, b.surface, law),
                                        .drilling_radius = radius > 0 ? law.drilling_radius : 0.0,
                                        .rolling_arm = radius > 0 ? law.rolling_arm : 0.0},
        *model_);
    const InRole<Contact> contact(*element);
    return {std::move(element), contact};
  }
  RoundSide first = side_of(a);
  RoundSide second = side_of(b);
  const auto is_on_point = [](const RoundSide& round) {
    return round.node.valid() && round.node.kind == NodeKind::point;
  };
  if (first.feature.curve == RoundCurve::plane || is_on_point(second)) {
    std::swap(first, second);
    std::swap(text_a, text_b);
  }
  const bool is_curved = first.feature.is_curved() || second.feature.is_curved();
  auto element = std::make_unique<RoundContact>(
      RoundContact::Parameters{.name = name_of_contact(key, text_a, text_b),
                               .a = first,
                               .b = second,
                               .side = side,
                               .law = law.sliding,
                               .grain = grain_of(a.surface, b.surface, law),
                               .drilling_radius = is_curved ? law.drilling_radius : 0.0,
                               .rolling_arm = is_curved ? law.rolling_arm : 0.0},
      *model_);
  const InRole<Contact> contact(*element);
  return {std::move(element), contact};
}

}  // namespace picus
