#include <picus/checks.hpp>
#include <picus/elements/contacts/common_pairs.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/face.hpp>
#include <picus/elements/contacts/surface_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace picus {
namespace {

void require_materials(const std::string& set, const std::vector<MaterialPair>& pairs, const Model& model) {
  std::set<std::string_view> known;
  for (const auto& element : model.elements()) {
    if (const auto* surface = dynamic_cast<const Surface*>(element.get())) known.insert(surface->material());
  }
  for (const MaterialPair& pair : pairs) {
    for (const std::string& material : pair.materials) {
      if (!known.contains(material))
        throw ModelError(fmt::format("contact set \"{}\": no surface is of material \"{}\"", set, material));
    }
  }
}

}  // namespace

ContactsBetween::ContactsBetween(const Parameters& parameters, const Model& model)
    : Element(parameters.name, std::vector<Node>{}), parameters_(parameters) {
  const Culprit who{"contact set", name()};
  const auto require = [&](const Handle<Surface>& surface) {
    model.require_element(&*surface, who.text(), "a surface");
  };
  std::ranges::for_each(parameters.surfaces, require);
  std::ranges::for_each(parameters.with, require);
  for (const auto& pair : parameters.except) std::ranges::for_each(pair, require);
  if (!parameters.with.empty() && parameters.surfaces.empty())
    throw ModelError(who.text() + ": with is given, but not the surfaces that touch those");
  for (const auto* group : {&parameters.surfaces, &parameters.with}) {
    std::set<Index> given;
    for (const Handle<Surface>& surface : *group) {
      if (!given.insert(surface.index()).second)
        throw ModelError(fmt::format("{}: surface \"{}\" is given twice", who.text(), surface->name()));
    }
  }
  if (parameters.surfaces.size() == 1 && parameters.with.empty() && !parameters.self_contact)
    throw ModelError(fmt::format("{}: surface \"{}\" is its only one, and there is no self_contact",
                                 who.text(), parameters.surfaces[0]->name()));
  const auto check_law = [&](const auto& of) {
    checked_law(who, checked_law(who, of.mu, of.e_n, of.e_t, parameters.friction_directions, of.impact_law),
                of.drilling_radius, of.rolling_arm);
    require_positive(who, "anisotropy", of.anisotropy, "");
    if (of.anisotropy != 1.0 && parameters.friction_directions < 2)
      throw ModelError(fmt::format("{}: anisotropy is {}, but friction has not two directions", who.text(),
                                   of.anisotropy));
  };
  check_law(parameters);
  std::ranges::for_each(parameters.pairs, check_law);
  std::set<std::array<std::string, 2>> pairs;
  for (const MaterialPair& pair : parameters.pairs) {
    std::array<std::string, 2> sorted = pair.materials;
    std::ranges::sort(sorted);
    if (!pairs.insert(sorted).second)
      throw ModelError(fmt::format("{}: the materials \"{}\" and \"{}\" are given twice", who.text(),
                                   pair.materials[0], pair.materials[1]));
  }
}

void ContactsBetween::check_among_others(const Model& model) const {
  for (const auto& element : model.elements()) {
    if (element.get() == this) break;
    if (const auto* other = dynamic_cast<const ContactsBetween*>(element.get()))
      require_no_common_pair(make_pairs(model), other->make_pairs(model), model);
  }
}

std::unique_ptr<ContactSearch> ContactsBetween::make_search(const Model& model, std::uint32_t place) const {
  require_materials(name(), parameters_.pairs, model);
  return std::make_unique<SurfaceSearch>(make_pairs(model), model, place);
}

SurfacePairs ContactsBetween::make_pairs(const Model& model) const {
  SurfacePairs pairs;
  pairs.name = name();
  pairs.joined_bodies_touch = parameters_.joined_bodies_touch;
  pairs.self_contact = parameters_.self_contact;
  pairs.two_pass = parameters_.two_pass;
  pairs.pairs = parameters_.pairs;
  pairs.law = {.sliding = {.mu = parameters_.mu.at_rest(),
                           .e_n = parameters_.e_n,
                           .e_t = parameters_.e_t,
                           .friction_directions = parameters_.friction_directions,
                           .impact = parameters_.impact_law,
                           .friction = parameters_.mu.law()},
               .drilling_radius = parameters_.drilling_radius,
               .rolling_arm = parameters_.rolling_arm,
               .anisotropy = parameters_.anisotropy};
  std::map<const Surface*, Index> places;
  const auto add = [&](const Surface& surface) {
    const auto [place, is_new] = places.try_emplace(&surface, count_of(pairs.surfaces));
    if (is_new) pairs.surfaces.push_back(&surface);
    return place->second;
  };
  if (parameters_.surfaces.empty()) {
    for (const auto& element : model.elements()) {
      if (const auto* surface = dynamic_cast<const Surface*>(element.get())) add(*surface);
    }
  }
  for (const Handle<Surface>& surface : parameters_.surfaces) add(*surface);
  for (const Handle<Surface>& surface : parameters_.with) add(*surface);
  if (!parameters_.with.empty()) {
    pairs.groups.assign(pairs.surfaces.size(), 0U);
    for (const Handle<Surface>& surface : parameters_.surfaces) pairs.groups[places.at(&*surface)] |= 1U;
    for (const Handle<Surface>& surface : parameters_.with) pairs.groups[places.at(&*surface)] |= 2U;
  }
  for (const auto& [a, b] : parameters_.except) {
    const auto place_a = places.find(&*a);
    const auto place_b = places.find(&*b);
    if (place_a == places.end() || place_b == places.end() || place_a == place_b) continue;
    pairs.refused.emplace_back(std::min(place_a->second, place_b->second),
                               std::max(place_a->second, place_b->second));
  }
  return pairs;
}

std::vector<FeatureRange> ContactsBetween::features(const Model& model) const {
  return static_cast<const SurfaceSearch&>(*make_search(model, 0)).features();
}

std::vector<double> ContactsBetween::numbers(const Model& model) const {
  const Parameters& p = parameters_;
  std::vector<double> result = {p.mu.fingerprint(),
                                p.e_n,
                                p.e_t,
                                static_cast<double>(p.friction_directions),
                                p.joined_bodies_touch ? 1.0 : 0.0,
                                p.self_contact ? 1.0 : 0.0};
  const auto add_numbers = [&](const std::vector<Handle<Surface>>& group) {
    result.push_back(static_cast<double>(group.size()));
    for (const Handle<Surface>& surface : group) result.push_back(surface.index());
  };
  add_numbers(p.surfaces);
  add_numbers(p.with);
  for (const auto& [a, b] : p.except) result.insert(result.end(), {1.0 * a.index(), 1.0 * b.index()});
  for (const MaterialPair& pair : p.pairs)
    result.insert(result.end(), {pair.mu.fingerprint(), pair.e_n, pair.e_t});
  const auto add_lengths = [&](const auto& law) {
    if (law.drilling_radius > 0 || law.rolling_arm > 0)  // else the fingerprint is that of sliding
      result.insert(result.end(), {law.drilling_radius, law.rolling_arm});
    if (law.anisotropy != 1.0) result.push_back(law.anisotropy);
  };
  add_lengths(p);
  std::ranges::for_each(p.pairs, add_lengths);
  const auto add_impact_law = [&](const ImpactLaw& law) {
    if (law.kind == ImpactLaw::Kind::newton) return;
    result.insert(result.end(), {static_cast<double>(law.kind), law.stiffness, law.exponent});
  };
  add_impact_law(p.impact_law);
  if (!p.two_pass) result.push_back(1.0);
  for (const MaterialPair& pair : p.pairs) add_impact_law(pair.impact_law);
  for (const auto& element : model.elements()) {
    const auto* surface = dynamic_cast<const Surface*>(element.get());
    if (surface == nullptr) continue;
    result.push_back(surface->radius());
    if (surface->grain()) result.insert(result.end(), surface->grain()->begin(), surface->grain()->end());
    for (const MaterialPoint& vertex : surface->vertices())
      result.insert(result.end(), vertex.offset.begin(), vertex.offset.end());
    if (const Polyhedron* body = surface->polyhedron(); body != nullptr) {
      for (const auto& corners : body->mesh.triangles)
        result.insert(result.end(), corners.begin(), corners.end());
    }
    if (const RoundSolid* solid = surface->round_solid(); solid != nullptr)
      result.insert(result.end(), solid->radii.begin(), solid->radii.end());
    if (!surface->is_half_space()) continue;
    const Polytope::Face& face = surface->polytope()->faces[0];
    result.push_back(face.offset);
    result.insert(result.end(), face.normal.begin(), face.normal.end());
  }
  return result;
}

}  // namespace picus
