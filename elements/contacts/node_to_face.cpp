#include <picus/checks.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace picus {
namespace {

std::vector<Node> nodes_of(const NodeToFaceContact::Parameters& parameters) {
  std::vector<Node> nodes;
  if (!parameters.slave.is_ground()) nodes.push_back(parameters.slave.node);
  if (parameters.face.node) nodes.push_back(*parameters.face.node);
  return nodes;
}

}  // namespace

NodeToFaceContact::NodeToFaceContact(const Parameters& parameters, const Model& model)
    : Element(parameters.name, nodes_of(parameters)) {
  const Culprit who{"contact", name()};
  const Face& face = parameters.face;
  const bool is_ground = parameters.slave.is_given() && parameters.slave.is_ground();
  if (is_ground) {
    require_place(who, "slave", parameters.slave, model);
  } else {
    require_point(who, "slave", parameters.slave, model);
  }
  if (is_ground && !face.node)
    throw ModelError(fmt::format("{}: the slave and the face are both on the ground", who.text()));
  if (face.node && !is_ground && parameters.slave.node == *face.node) {
    throw ModelError(fmt::format("{}: the slave and the face are on the same node", who.text()));
  }
  place_ = {parameters.slave, face.node.value_or(FrameNode{}), face.point,
            checked_directions(who, face, model)};
  law_ = checked_law(who, parameters.mu, parameters.e_n, parameters.e_t, parameters.friction_directions,
                     parameters.impact_law);
  require_positive(who, "anisotropy", parameters.anisotropy, "");
  if (parameters.anisotropy != 1.0 && law_.friction_directions < 2)
    throw ModelError(fmt::format("{}: anisotropy is {}, but friction has not two directions", who.text(),
                                 parameters.anisotropy));
  anisotropy_ = parameters.anisotropy;
}

std::vector<MaterialPoint> NodeToFaceContact::points() const {
  MaterialPoint origin = place_.slave;
  origin.offset.setZero();
  return {origin, place_.slave};
}

void NodeToFaceContact::displacement(const Configuration& q_n, const Configuration& q,
                                     std::span<double> g) const {
  place_.displacement(q_n, q, Contact::row_count(), g);
  if (law_.friction_directions == 2) g[2] *= anisotropy_;
}

void NodeToFaceContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index rows = Contact::row_count();
  place_.gradient(q, rows, rows, G);
  if (law_.friction_directions < 2) return;
  for (std::size_t i = 2; i < G.size(); i += static_cast<std::size_t>(rows)) G[i] *= anisotropy_;
}

void NodeToFaceContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                            std::span<double> K) const {
  std::array<double, 3> scaled{};
  std::ranges::copy(p, scaled.begin());
  scaled[2] *= anisotropy_;
  place_.geometric_stiffness(q, place_.combination({scaled.data(), p.size()}, Contact::row_count()), K);
}

}  // namespace picus
