#pragma once

/// A rigid motion of everything, x -> Q x + y and R -> Q R, as another observer would see the model.

#include <picus/model.hpp>
#include <support/random.hpp>

namespace picus::support {

struct RigidMotion {
  Mat3 Q;
  Vec3 y;

  explicit RigidMotion(Random& random) : Q(random.rotation()), y(random.vec3(2.0)) {}

  Configuration operator()(const Model& model, const Configuration& q) const {
    Configuration result = q;
    for (const Node& node : model.nodes()) {
      if (node.kind == NodeKind::scalar) continue;
      result.position(node) = Q * q.position(node) + y;
      if (node.kind == NodeKind::frame) result.rotation(node) = Q * q.rotation(node);
    }
    return result;
  }

  /// The matrix that rotates local velocities and forces of an element: Q for translations, which have inertial axes,
  /// and 1 for everything else.
  Eigen::MatrixXd turn(const Element& element) const {
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(element.dof_count(), element.dof_count());
    Index first = 0;
    for (const Node& node : element.nodes()) {
      if (node.kind != NodeKind::scalar) result.block<3, 3>(first, first) = Q;
      first += velocity_size(node.kind);
    }
    return result;
  }

  /// The same for velocities of all nodes.
  Vector velocity(const Model& model, const Vector& v) const {
    Vector result = v;
    for (const Node& node : model.nodes()) {
      if (node.kind != NodeKind::scalar) result.segment<3>(node.v) = Q * v.segment<3>(node.v);
    }
    return result;
  }
};

/// Resultant force and moment about the origin, (6), of local generalised forces on an element's nodes.
inline Vector resultant(const Element& element, const Configuration& q, const Vector& f) {
  Vector result = Vector::Zero(6);
  Index first = 0;
  for (const Node& node : element.nodes()) {
    if (node.kind != NodeKind::scalar) {
      const Vec3 F = f.segment<3>(first);
      result.head<3>() += F;
      result.tail<3>() += q.position(node).cross(F);
    }
    if (node.kind == NodeKind::frame) result.tail<3>() += q.rotation(node) * f.segment<3>(first + 3);
    first += velocity_size(node.kind);
  }
  return result;
}

}  // namespace picus::support
