#include <picus/checks.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

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
  place_.make_anisotropic(who, parameters.anisotropy, law_.friction_directions);
}

std::vector<MaterialPoint> NodeToFaceContact::points() const {
  MaterialPoint origin = place_.slave;
  origin.offset.setZero();
  return {origin, place_.slave};
}

void NodeToFaceContact::displacement(const Configuration& q_n, const Configuration& q,
                                     std::span<double> g) const {
  place_.displacement(q_n, q, Contact::row_count(), g);
}

void NodeToFaceContact::gradient(const Configuration& q, std::span<double> G) const {
  const Index rows = Contact::row_count();
  place_.gradient(q, rows, rows, G);
}

void NodeToFaceContact::geometric_stiffness(const Configuration& q, std::span<const double> p,
                                            std::span<double> K) const {
  place_.geometric_stiffness(q, place_.combination(p, Contact::row_count()), K);
}

}  // namespace picus
