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

Hinge::Hinge(const Parameters& parameters, const Model& model)
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

  const Configuration& q_0 = model.initial_configuration();
  const JointPlace start(a_, b_, q_0);
  const Mat3 A_in_B = start.P.transpose();
  const Vec3 axis_A = start.A.R.transpose() * axis;
  const Vec3 t_1 = axis_A.unitOrthogonal();
  const Vec3 t_2 = axis_A.cross(t_1);
  axes_ = {PerpendicularDirections{t_1, A_in_B * axis_A}, PerpendicularDirections{t_2, A_in_B * axis_A}};
  const double theta = has_angle_ ? q_0.value(angle_) : 0.0;
  turn_ = {t_1, t_2, A_in_B * (std::cos(theta) * t_1 + std::sin(theta) * t_2), 12};
}

std::vector<MaterialPoint> Hinge::points() const {
  std::vector<MaterialPoint> chain(4);
  chain[0].node = chain[1].node = nodes()[0];
  chain[2].node = chain[3].node = nodes()[1];
  chain[1].offset = points_.X_A;
  chain[2].offset = points_.X_B;
  return chain;
}

void Hinge::violation(const Configuration& q, double, std::span<double> g) const {
  const JointPlace at(a_, b_, q);
  vector_view<3>(g) = points_.violation(at);
  g[3] = axes_[0].violation(at);
  g[4] = axes_[1].violation(at);
  if (has_angle_) g[5] = turn_.violation(at, q.value(angle_));
}

void Hinge::gradient(const Configuration& q, double, std::span<double> G) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(G.data(), Hinge::row_count(), dof_count());
  points_.gradient(at, 0, matrix);
  axes_[0].gradient(at, 3, matrix);
  axes_[1].gradient(at, 4, matrix);
  if (has_angle_) turn_.gradient(at, q.value(angle_), 5, matrix);
}

void Hinge::force_gradient(const Configuration& q, double, std::span<const double> lambda,
                           std::span<double> K) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(K.data(), dof_count(), dof_count());
  points_.add_force_gradient(at, vector_view<3>(lambda), matrix);
  TurningStiffness turning;
  axes_[0].add_force_gradient(at, lambda[3], turning);
  axes_[1].add_force_gradient(at, lambda[4], turning);
  if (has_angle_) turn_.add_force_gradient(at, q.value(angle_), lambda[5], turning, matrix);
  turning.write(at, matrix);
}

void Hinge::rate_gradient(const Configuration& q, double, std::span<const double> v,
                          std::span<double> H) const {
  const JointPlace at(a_, b_, q);
  JointMatrix matrix(H.data(), Hinge::row_count(), dof_count());
  points_.rate_gradient(at, v, 0, matrix);
  axes_[0].rate_gradient(at, v, 3, matrix);
  axes_[1].rate_gradient(at, v, 4, matrix);
  if (has_angle_) turn_.rate_gradient(at, q.value(angle_), v, 5, matrix);
}

}  // namespace picus
