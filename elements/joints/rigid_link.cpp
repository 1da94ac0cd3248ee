#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/rigid_link.hpp>

namespace picus {
namespace {

constexpr std::string_view kind = "rigid link";

MaterialPoint origin_of(const Node& node) {
  MaterialPoint point;
  point.node = node;
  return point;
}

/// The initial position of b as a point of a.
MaterialPoint place_in_a(const RigidLink::Parameters& p, const Model& model) {
  const Culprit who{kind, p.name};
  model.require_node(p.a, who.text(), "a");
  model.require_node(p.b, who.text(), "b");
  if (p.b.kind == NodeKind::scalar) {
    throw ModelError(who.text() + ": b is a scalar node, must be a frame or a point");
  }
  if (Node(p.a) == p.b) throw ModelError(who.text() + ": a and b are the same node");
  const Configuration& q = model.initial_configuration();
  return {p.a, q.rotation(p.a).transpose() * (q.position(p.b) - q.position(p.a))};
}

}  // namespace

RigidLink::RigidLink(const Parameters& p, const Model& model)
    : Joint(kind, p.name, place_in_a(p, model), origin_of(p.b), Ends::frames_or_points, model) {
  const JointKinematics start = kinematics(model.initial_configuration());
  offset_ = start.A.X;
  add(CoincidentPoints{});
  if (p.b.kind == NodeKind::frame) lock_rotation(start);
}

std::vector<MaterialPoint> RigidLink::points() const {
  return {origin_of(nodes()[0]), origin_of(nodes()[1])};
}

}  // namespace picus
