#pragma once

/// The three kinds of node; nothing else carries degrees of freedom.
///
///     frame    x in R3 (inertial frame), R in SO(3)    u = dx/dt (inertial), Omega (body), dR/dt = R Omega^
///     point    x in R3                                 u = dx/dt
///     scalar   s in R                                  ds/dt
///
/// Node handles are plain values returned by the Model. They contain the position of the node's entries in a
/// Configuration and in a velocity vector, so that elements access their data without a look-up.

#include <picus/types.hpp>

namespace picus {

/// Kind of a node.
enum class NodeKind : std::uint8_t {
  frame,   ///< position and rotation
  point,   ///< position
  scalar,  ///< one coordinate
};

/// Number of velocity components of a node: 6, 3 or 1.
constexpr Index velocity_size(NodeKind kind) {
  return kind == NodeKind::frame ? 6 : kind == NodeKind::point ? 3 : 1;
}

/// Number of configuration entries of a node: 12 (x, then R column by column), 3 or 1.
constexpr Index configuration_size(NodeKind kind) {
  return kind == NodeKind::frame ? 12 : kind == NodeKind::point ? 3 : 1;
}

/// Any node. A default-constructed handle belongs to no model and is rejected wherever a node is needed.
struct Node {
  Index index = -1;                  ///< number of the node in its model, in order of creation
  NodeKind kind = NodeKind::scalar;  ///< frame, point or scalar
  Index q = -1;                      ///< first entry in Configuration::data()
  Index v = -1;                      ///< first entry in vectors of natural layout
  /// Model::number() of its model, 0: none. It keeps nodes of different models from being confused.
  std::uint32_t model = 0;

  /// Whether it belongs to a model.
  bool valid() const { return index >= 0; }
  friend bool operator==(const Node&, const Node&) = default;
};

/// A node of kind frame; the type prevents, e.g., a hinge from being attached to a point.
struct FrameNode : Node {};
/// A node of kind point.
struct PointNode : Node {};
/// A node of kind scalar.
struct ScalarNode : Node {};

/// A single velocity component of a node. Frames have the first six, points x, y and z, scalars only s.
/// Translations are along the inertial axes, rotations about the axes of the body frame.
enum class Component : std::uint8_t {
  x = 0,   ///< translation along the inertial x axis
  y = 1,   ///< along y
  z = 2,   ///< along z
  rx = 3,  ///< rotation about the x axis of the body
  ry = 4,  ///< about y
  rz = 5,  ///< about z
  s = 6,   ///< the coordinate of a scalar node
};

}  // namespace picus
