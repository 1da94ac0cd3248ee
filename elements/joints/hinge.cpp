#include <picus/checks.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/require_point.hpp>

#include <cmath>

namespace picus {
namespace {

std::vector<Node> nodes_of(const Hinge::Parameters& parameters) {
  std::vector<Node> nodes = {parameters.a.node, parameters.b.node};
  if (parameters.angle) nodes.push_back(*parameters.angle);
  return nodes;
}

}  // namespace

Hinge::Hinge(Parameters parameters, const Model& model)
    : Element(parameters.name, nodes_of(parameters)),
      a_(parameters.a.node, 0),
      b_(parameters.b.node, 6),
      has_angle_(parameters.angle.has_value()),
      angle_(parameters.angle.value_or(ScalarNode{})),
      points_{parameters.a.offset, parameters.b.offset} {
  const Culprit who{"hinge", name()};
  require_frame_point(who, "a", parameters.a, model);
  require_frame_point(who, "b", parameters.b, model);
  if (parameters.a.node == parameters.b.node) throw ModelError(who.text() + ": a and b are on the same node");
  if (has_angle_) model.require_node(angle_, who.text(), "angle");
  const Vec3 axis = require_direction(who, "axis", parameters.axis);

  const Configuration& start = model.initial_configuration();
  const JointPose A = a_.pose(start);
  const JointPose B = b_.pose(start);
  const Vec3 axis_A = A.R.transpose() * axis;
  const Vec3 t_1 = axis_A.unitOrthogonal();
  const Vec3 t_2 = axis_A.cross(t_1);
  const Mat3 A_in_B = B.R.transpose() * A.R;
  axes_ = {PerpendicularDirections{t_1, A_in_B * axis_A}, PerpendicularDirections{t_2, A_in_B * axis_A}};
  const double theta = has_angle_ ? start.value(angle_) : 0.0;
  turn_ = {t_1, t_2, A_in_B * (std::cos(theta) * t_1 + std::sin(theta) * t_2)};
}

void Hinge::violation(const Configuration& q, double, std::span<double> g) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  vector_view<3>(g) = points_.violation(A, B);
  g[3] = axes_[0].violation(A, B);
  g[4] = axes_[1].violation(A, B);
  if (has_angle_) g[5] = turn_.violation(A, B, q.value(angle_));
}

void Hinge::gradient(const Configuration& q, double, std::span<double> G) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(G.data(), Hinge::row_count(), dof_count());
  points_.gradient(A, B, 0, matrix);
  axes_[0].gradient(A, B, 3, matrix);
  axes_[1].gradient(A, B, 4, matrix);
  if (has_angle_) turn_.gradient(A, B, q.value(angle_), angle_column, 5, matrix);
}

void Hinge::force_gradient(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(K.data(), dof_count(), dof_count());
  points_.add_force_gradient(A, B, vector_view<3>(lambda), matrix);
  axes_[0].add_force_gradient(A, B, lambda[3], matrix);
  axes_[1].add_force_gradient(A, B, lambda[4], matrix);
  if (has_angle_) turn_.add_force_gradient(A, B, q.value(angle_), angle_column, lambda[5], matrix);
}

void Hinge::rate_gradient(const Configuration& q, double, std::span<const double> v,
                          std::span<double> H) const {
  const JointPose A = a_.pose(q);
  const JointPose B = b_.pose(q);
  JointMatrix matrix(H.data(), Hinge::row_count(), dof_count());
  points_.rate_gradient(A, B, v, 0, matrix);
  axes_[0].rate_gradient(A, B, v, 3, matrix);
  axes_[1].rate_gradient(A, B, v, 4, matrix);
  if (has_angle_) turn_.rate_gradient(A, B, q.value(angle_), angle_column, v, 5, matrix);
}

}  // namespace picus
