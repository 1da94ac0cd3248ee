#pragma once

/// A point that moves with a node, either the node itself or a body-fixed point at an offset in a frame node's axes; or
/// a point of the ground. It is used by contacts, springs and joints, and adds no unknowns.

#include <picus/configuration.hpp>
#include <picus/node.hpp>

namespace picus {

/// Position x_P = x + R X (frame) or x (point); rates with respect to the node's own velocity:
/// dx_P = u - R X^ Omega, so that the gradient is [I, -R X^] (3 x 6) or I (3 x 3).
struct MaterialPoint {
  Node node;                   ///< a frame or point node; not valid(): the ground
  Vec3 offset = Vec3::Zero();  ///< X in the axes of the frame node, metres; zero for a point node

  MaterialPoint() = default;
  /// The origin of a frame node.
  MaterialPoint(const FrameNode& frame) : node(frame) {}  // NOLINT: a node is the point at its origin
  /// A point node.
  MaterialPoint(const PointNode& point) : node(point) {}  // NOLINT
  /// A body-fixed point at an offset in the axes of the frame node, metres.
  MaterialPoint(const FrameNode& frame, const Vec3& offset_in_frame) : node(frame), offset(offset_in_frame) {}

  /// A point at rest in the inertial frame.
  static MaterialPoint on_ground(const Vec3& position) {
    MaterialPoint point;
    point.node.kind = NodeKind::point;  // distinguishes it from an uninitialised handle
    point.offset = position;
    return point;
  }

  /// Whether it belongs to no node and therefore never moves.
  bool is_ground() const { return !node.valid(); }
  /// False for a default-constructed point, and for one on a default-constructed node: these count as ground, but were
  /// never specified as such.
  bool is_given() const { return node.valid() || node.kind == NodeKind::point; }
  /// Whether it moves with a frame node and is affected by its rotation.
  bool on_frame() const { return node.kind == NodeKind::frame; }
  /// Velocity components of its node: 6, 3, or 0 for the ground.
  Index dof_count() const { return is_ground() ? 0 : velocity_size(node.kind); }

  /// x_P in the inertial frame, metres.
  Vec3 position(const Configuration& q) const {
    if (is_ground()) return offset;
    if (!on_frame()) return q.position(node);
    return q.position(node) + q.rotation(node) * offset;
  }

  /// dx_P/dt in the inertial frame, m/s; v has the natural layout.
  Vec3 velocity(const Configuration& q, ConstVectorRef v) const;

  /// d2x_P/dt2 in the inertial frame, m/s2; acceleration_of_nodes has the natural layout, as v.
  Vec3 acceleration(const Configuration& q, ConstVectorRef v, ConstVectorRef acceleration_of_nodes) const;
};

}  // namespace picus
