#include <picus/checks.hpp>
#include <picus/elements/joints/rigid_link.hpp>

namespace picus {

RigidLink::RigidLink(Parameters parameters, const Model& model)
    : Element(std::move(parameters.name), {parameters.a, parameters.b}),
      a_(parameters.a, 0),
      b_(parameters.b, 6),
      holds_orientation_(parameters.b.kind == NodeKind::frame) {
  const Culprit who{"rigid link", name()};
  model.require_node(parameters.a, who.text(), "a");
  model.require_node(parameters.b, who.text(), "b");
  if (parameters.b.kind == NodeKind::scalar) {
    throw ModelError(who.text() + ": b is a scalar node, must be a frame or a point");
  }
  if (Node(parameters.a) == parameters.b) throw ModelError(who.text() + ": a and b are the same node");

  const JointPlace start(a_, b_, model.initial_configuration());
  position_.X_A = start.A.R.transpose() * (start.B.x - start.A.x);
  for (int i = 0; i < 3; ++i) {
    orientation_[static_cast<std::size_t>(i)] = {Vec3::Unit(i),
                                                 start.P.transpose() * Vec3::Unit((i + 1) % 3)};
  }
}

std::vector<MaterialPoint> RigidLink::points() const {
  std::vector<MaterialPoint> ends(2);
  ends[0].node = nodes()[0];
  ends[1].node = nodes()[1];
  return ends;
}

void RigidLink::violation(const Configuration& q, double, std::span<double> g) const {
  const JointPlace at(a_, b_, q);
  vector_view<3>(g) = position_.violation(at);
  if (!holds_orientation_) return;
  for (std::size_t i = 0; i < 3; ++i) g[3 + i] = orientation_[i].violation(at);
}

void RigidLink::gradient(const Configuration& q, double, std::span<double> G) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(G.data(), RigidLink::row_count(), dof_count());
  position_.gradient(at, 0, matrix);
  if (!holds_orientation_) return;
  for (Index i = 0; i < 3; ++i) orientation_[static_cast<std::size_t>(i)].gradient(at, 3 + i, matrix);
}

void RigidLink::force_gradient(const Configuration& q, double, std::span<const double> lambda,
                               std::span<double> K) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(K.data(), dof_count(), dof_count());
  position_.add_force_gradient(at, vector_view<3>(lambda), matrix);
  if (!holds_orientation_) return;
  TurningStiffness turning;
  for (std::size_t i = 0; i < 3; ++i) orientation_[i].add_force_gradient(at, lambda[3 + i], turning);
  turning.write(at, matrix);
}

void RigidLink::rate_gradient(const Configuration& q, double, std::span<const double> v,
                              std::span<double> H) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(H.data(), RigidLink::row_count(), dof_count());
  position_.rate_gradient(at, v, 0, matrix);
  if (!holds_orientation_) return;
  for (Index i = 0; i < 3; ++i) orientation_[static_cast<std::size_t>(i)].rate_gradient(at, v, 3 + i, matrix);
}

}  // namespace picus
