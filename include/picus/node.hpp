#pragma once

/// The three kinds of node; nothing else carries degrees of freedom.
///
///     frame    x in R3 (inertial frame), R in SO(3)    u = dx/dt (inertial), Omega (body), dR/dt = R Omega^
///     point    x in R3                                 u = dx/dt
///     scalar   s in R                                  ds/dt
///
/// Node handles are plain values that the Model hands out. They hold where the node sits in a Configuration
/// and in a velocity vector, so that elements reach their data without a look-up.

#include <picus/types.hpp>

namespace picus {

/// What a node carries.
enum class NodeKind : std::uint8_t {
  frame,   ///< position and rotation
  point,   ///< position
  scalar,  ///< one number
};

/// Number of velocity components of a node: 6, 3 or 1.
constexpr Index velocity_size(NodeKind kind) {
  return kind == NodeKind::frame ? 6 : kind == NodeKind::point ? 3 : 1;
}

/// Number of configuration entries of a node: 12 (x, then R column by column), 3 or 1.
constexpr Index configuration_size(NodeKind kind) {
  return kind == NodeKind::frame ? 12 : kind == NodeKind::point ? 3 : 1;
}

/// Any node. A default-made handle belongs to no model and is refused wherever a node is needed.
struct Node {
  Index index = -1;                  ///< number of the node in its model, in order of creation
  NodeKind kind = NodeKind::scalar;  ///< what it carries
  Index q = -1;                      ///< first entry in Configuration::data()
  Index v = -1;                      ///< first entry in velocity-like vectors
  /// Model::number() of the model that made it, 0: none. Nodes of two models are never taken for each other.
  std::uint32_t model = 0;

  /// Whether a model has made it.
  bool valid() const { return index >= 0; }
  friend bool operator==(const Node&, const Node&) = default;
};

/// A node of kind frame; the type keeps a hinge from being given a point.
struct FrameNode : Node {};
/// A node of kind point.
struct PointNode : Node {};
/// A node of kind scalar.
struct ScalarNode : Node {};

/// A single velocity component of a node. Frames have all six, points x, y and z, scalars only s.
/// Translations are along the inertial axes, rotations about the axes of the body frame.
enum class Component : std::uint8_t {
  x = 0,   ///< translation along the inertial x axis
  y = 1,   ///< along y
  z = 2,   ///< along z
  rx = 3,  ///< rotation about the x axis of the body
  ry = 4,  ///< about y
  rz = 5,  ///< about z
  s = 6,   ///< the number of a scalar node
};

}  // namespace picus
