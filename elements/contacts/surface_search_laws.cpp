// The contact laws between surfaces, and the refusal of those with moments that no node can carry.

#include <picus/elements/contacts/surface_search.hpp>
#include <picus/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus {

SurfaceLaw SurfaceSearch::law_of(Index surface_a, Index surface_b) const {
  const std::string& a = surfaces_[surface_a]->material();
  const std::string& b = surfaces_[surface_b]->material();
  SurfaceLaw law = pairs_.law;
  for (const MaterialPair& pair : pairs_.pairs) {
    const bool is_this = (pair.materials[0] == a && pair.materials[1] == b) ||
                         (pair.materials[0] == b && pair.materials[1] == a);
    if (!is_this) continue;
    law.sliding.mu = pair.mu.at_rest();
    law.sliding.friction = pair.mu.law();
    law.sliding.e_n = pair.e_n;
    law.sliding.e_t = pair.e_t;
    law.sliding.impact = pair.impact_law;
    law.drilling_radius = pair.drilling_radius;
    law.rolling_arm = pair.rolling_arm;
    law.anisotropy = pair.anisotropy;
  }
  return law;
}

// The grain of that surface which has one.
std::optional<Grain> SurfaceSearch::grain_of(Index surface_a, Index surface_b, const SurfaceLaw& law) const {
  if (law.anisotropy == 1.0 || !law.sliding.has_friction()) return std::nullopt;
  for (const Index s : {surface_a, surface_b}) {
    const Surface& surface = *surfaces_[s];
    if (surface.grain()) return Grain{surface.body(), *surface.grain(), law.anisotropy};
  }
  return std::nullopt;
}

// One part of each surface.
std::vector<Index> SurfaceSearch::first_parts() const {
  std::vector<Index> firsts;
  for (Index p = 0; p < count_of(parts_); ++p) {
    if (firsts.empty() || parts_[firsts.back()].surface != parts_[p].surface) firsts.push_back(p);
  }
  return firsts;
}

void SurfaceSearch::refuse_two_grains() const {
  const auto is_by_direction = [](const auto& law) { return law.anisotropy != 1.0; };
  if (!is_by_direction(pairs_.law) && std::ranges::none_of(pairs_.pairs, is_by_direction)) return;
  std::vector<Index> grained;
  for (const Index p : first_parts()) {
    if (surfaces_[parts_[p].surface]->grain()) grained.push_back(p);
  }
  if (grained.empty()) {
    throw ModelError(fmt::format(
        "contact set \"{}\": anisotropy is given, but none of its surfaces has a grain", pairs_.name));
  }
  for (const Index p : grained) {
    for (const Index other : grained) {
      if (other == p) break;
      const Index a = parts_[other].surface;
      const Index b = parts_[p].surface;
      if (!may_touch(other, p) || !is_by_direction(law_of(a, b))) continue;
      throw ModelError(
          fmt::format("contact set \"{}\": anisotropy is {} between {} and {}, which both have a grain",
                      pairs_.name, law_of(a, b).anisotropy, surfaces_[a]->name(), surfaces_[b]->name()));
    }
  }
}

// If both are round and on point nodes, no node can carry the moment that friction exerts at their radii.
void SurfaceSearch::refuse_friction_without_rotations() const {
  if (!pairs_.law.sliding.has_friction() && pairs_.pairs.empty()) return;
  std::vector<Index> balls;
  for (Index p = 0; p < count_of(parts_); ++p) {
    const Surface& surface = *surfaces_[parts_[p].surface];
    const bool is_on_point = !nodes_[p].empty() && nodes_[p][0].kind == NodeKind::point;
    if (surface.radius() > 0 && is_on_point &&
        (balls.empty() || parts_[balls.back()].surface != parts_[p].surface))
      balls.push_back(p);
  }
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const Index a = parts_[balls[k]].surface;
      const Index b = parts_[balls[i]].surface;
      const bool may =
          i == k ? pairs_.self_contact && surfaces_[a]->vertices().size() > 1 : may_touch(balls[k], balls[i]);
      if (!may) continue;
      const ContactLaw law = law_of(a, b).sliding;
      if (!law.has_friction()) continue;
      throw ModelError(
          fmt::format("contact set \"{}\": mu is {} between {} and {}, but both are round and on point "
                      "nodes, which cannot "
                      "carry the moment of friction",
                      pairs_.name, law.mu, surfaces_[a]->name(), surfaces_[b]->name()));
    }
  }
}

// Surfaces of point nodes, such as those of solids, have no rotation against which a round one could roll.
void SurfaceSearch::refuse_resistance_without_rotations() const {
  const auto resists = [](const auto& law) { return law.drilling_radius > 0 || law.rolling_arm > 0; };
  if (!resists(pairs_.law) && std::ranges::none_of(pairs_.pairs, resists)) return;
  const auto is_on_points = [&](Index p) {
    return !nodes_[p].empty() && nodes_[p][0].kind == NodeKind::point;
  };
  const auto has_round_features = [&](Index s) { return surfaces_[s]->radius() > 0 || is_round(s); };
  const std::vector<Index> firsts = first_parts();
  for (const Index p : firsts) {
    if (!is_on_points(p)) continue;
    for (const Index other : firsts) {
      const Index a = parts_[p].surface;
      const Index b = parts_[other].surface;
      if (!has_round_features(a) && !has_round_features(b)) continue;
      const bool may = p == other ? pairs_.self_contact && surfaces_[a]->vertices().size() > 1
                                  : may_touch(std::min(p, other), std::max(p, other));
      if (!may) continue;
      const SurfaceLaw law = law_of(a, b);
      if (!law.resists()) continue;
      const bool drills = law.drilling_radius > 0;
      throw ModelError(fmt::format(
          "contact set \"{}\": {} is {} m between {} and {}, but {} is on point nodes, which do not turn",
          pairs_.name, drills ? "drilling_radius" : "rolling_arm",
          drills ? law.drilling_radius : law.rolling_arm, surfaces_[std::min(a, b)]->name(),
          surfaces_[std::max(a, b)]->name(), surfaces_[a]->name()));
    }
  }
}

}  // namespace picus
