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

  const JointPose A = a_.pose(model.initial_configuration());
  const JointPose B = b_.pose(model.initial_configuration());
  position_.X_A = A.R.transpose() * (B.x - A.x);
  const Mat3 axes_of_A_in_B = B.R.transpose() * A.R;
  for (int i = 0; i < 3; ++i) {
    orientation_[static_cast<std::size_t>(i)] = {Vec3::Unit(i), axes_of_A_in_B.col((i + 1) % 3)};
  }
}

void RigidLink::violation(const Configuration& q, double, std::span<double> g) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  vector_view<3>(g) = position_.violation(A, B);
  if (!holds_orientation_) return;
  for (std::size_t i = 0; i < 3; ++i) g[3 + i] = orientation_[i].violation(A, B);
}

void RigidLink::gradient(const Configuration& q, double, std::span<double> G) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(G.data(), RigidLink::row_count(), dof_count());
  position_.gradient(A, B, 0, matrix);
  if (!holds_orientation_) return;
  for (Index i = 0; i < 3; ++i) orientation_[static_cast<std::size_t>(i)].gradient(A, B, 3 + i, matrix);
}

void RigidLink::force_gradient(const Configuration& q, double, std::span<const double> lambda,
                               std::span<double> K) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(K.data(), dof_count(), dof_count());
  position_.add_force_gradient(A, B, vector_view<3>(lambda), matrix);
  if (!holds_orientation_) return;
  for (std::size_t i = 0; i < 3; ++i) orientation_[i].add_force_gradient(A, B, lambda[3 + i], matrix);
}

void RigidLink::rate_gradient(const Configuration& q, double, std::span<const double> v,
                              std::span<double> H) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(H.data(), RigidLink::row_count(), dof_count());
  position_.rate_gradient(A, B, v, 0, matrix);
  if (!holds_orientation_) return;
  for (Index i = 0; i < 3; ++i)
    orientation_[static_cast<std::size_t>(i)].rate_gradient(A, B, v, 3 + i, matrix);
}

}  // namespace picus
