#include <picus/checks.hpp>
#include <picus/elements/contacts/surface_contacts.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

#include <array>
#include <map>

namespace picus {
namespace {

void require_points(const Culprit& who, const SurfaceContactParameters& parameters, const Model& model) {
  const std::vector<MaterialPoint>& points = parameters.nodes.points();
  if (points.empty()) throw ModelError(fmt::format("{}: nodes is empty", who.text()));
  std::map<std::pair<Index, std::array<double, 3>>, std::size_t> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MaterialPoint& point = points[i];
    require_point(who, fmt::format("nodes[{}]", i), point, model);
    if (parameters.face.node && point.node == *parameters.face.node) {
      throw ModelError(fmt::format("{}: nodes[{}] is on the node of the face", who.text(), i));
    }
    const std::array<double, 3> offset = {point.offset.x(), point.offset.y(), point.offset.z()};
    const auto [known, is_new] = seen.emplace(std::pair(point.node.index, offset), i);
    if (!is_new) {
      throw ModelError(fmt::format("{}: nodes[{}] and nodes[{}] are the same point of node \"{}\"",
                                   who.text(), known->second, i, model.node_name(point.node)));
    }
  }
}

}  // namespace

std::vector<Handle<NodeToFaceContact>> add_surface_contacts(Model& model,
                                                            const SurfaceContactParameters& parameters) {
  const Culprit who{"surface contacts", parameters.name};
  const std::vector<MaterialPoint>& points = parameters.nodes.points();
  require_points(who, parameters, model);
  checked_directions(who, parameters.face, model);
  checked_law(who, parameters.mu, parameters.e_n, parameters.e_t, parameters.friction_directions,
              parameters.impact_law);

  std::vector<Handle<NodeToFaceContact>> result;
  result.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    result.push_back(model.add<NodeToFaceContact>({.name = fmt::format("{}[{}]", parameters.name, i),
                                                   .slave = points[i],
                                                   .face = parameters.face,
                                                   .mu = parameters.mu,
                                                   .e_n = parameters.e_n,
                                                   .e_t = parameters.e_t,
                                                   .impact_law = parameters.impact_law,
                                                   .friction_directions = parameters.friction_directions,
                                                   .anisotropy = parameters.anisotropy}));
  }
  return result;
}

}  // namespace picus
