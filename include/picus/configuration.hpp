#pragma once

/// The positions and rotations of all nodes: a plain value, copied and compared bit for bit.

#include <picus/node.hpp>
#include <picus/types.hpp>

#include <string_view>
#include <vector>

namespace picus {

/// The configuration q of all nodes, an element of the product of R3 x SO(3), R3 and R.
/// Entries of a node start at Node::q: x (3) and R (9, column by column) of a frame, x of a point, s of a scalar.
/// Change it only through retract() and the setters of the Model; increments are never added to the entries.
///
/// A configuration belongs to a model: access through a node of another model, one without entries here, or one of the
/// wrong kind (the rotation of a point) throws ModelError.
class Configuration {
 public:
  Configuration() = default;
  /// From the entries of all nodes, in the order of Node::q. It belongs to no model and accepts any node whose entries
  /// lie within it.
  explicit Configuration(std::vector<double> data) : data_(std::move(data)) {}
  /// An empty configuration of the model with this number.
  explicit Configuration(std::uint32_t model) : model_(model) {}

  /// Position of a frame or point node in the inertial frame, metres.
  Eigen::Map<const Vec3> position(const Node& node) const {
    require_position(node);
    return Eigen::Map<const Vec3>(data_.data() + node.q);
  }
  /// Writable.
  Eigen::Map<Vec3> position(const Node& node) {
    require_position(node);
    return Eigen::Map<Vec3>(data_.data() + node.q);
  }

  /// Rotation of a frame node: R maps components in the body frame to components in the inertial frame.
  Eigen::Map<const Mat3> rotation(const Node& node) const {
    require_rotation(node);
    return Eigen::Map<const Mat3>(data_.data() + node.q + 3);
  }
  /// Writable; must remain a rotation.
  Eigen::Map<Mat3> rotation(const Node& node) {
    require_rotation(node);
    return Eigen::Map<Mat3>(data_.data() + node.q + 3);
  }

  /// Value of a scalar node.
  double value(const Node& node) const {
    require_value(node);
    return data_[node.q];
  }
  /// Writable.
  double& value(const Node& node) {
    require_value(node);
    return data_[node.q];
  }

  /// Throws ModelError unless the node has a position() here.
  void require_position(const Node& node) const {
    if (!holds(node, 3) || node.kind == NodeKind::scalar) [[unlikely]]
      refuse("position", node, node.kind != NodeKind::scalar);
  }
  /// Number of its model (Node::model); `any_model` if constructed from entries.
  std::uint32_t model() const { return model_; }
  /// Stands for any model.
  static constexpr std::uint32_t any_model = 0xFFFFFFFF;

  /// The entries of all nodes; metres, direction cosines, and the units of scalars.
  std::span<const double> data() const { return data_; }
  /// Writable.
  std::span<double> data() { return data_; }

  /// Appends the entries of one more node; the Model numbers nodes in this order.
  void append(std::span<const double> entries) { data_.insert(data_.end(), entries.begin(), entries.end()); }

  /// Replaces the entries; the model remains the same.
  void assign(std::vector<double> data) { data_ = std::move(data); }

  /// Whether all entries are equal, bit for bit except for signed zeros.
  friend bool operator==(const Configuration& a, const Configuration& b) { return a.data_ == b.data_; }

 private:
  bool holds(const Node& node, std::size_t count) const {
    return node.model == model_ && node.q + count <= data_.size();
  }
  void require_rotation(const Node& node) const {
    if (!holds(node, 12) || node.kind != NodeKind::frame) [[unlikely]]
      refuse("rotation", node, node.kind == NodeKind::frame);
  }
  void require_value(const Node& node) const {
    if (!holds(node, 1) || node.kind != NodeKind::scalar) [[unlikely]]
      refuse("value", node, node.kind == NodeKind::scalar);
  }
  /// Throws, unless the configuration belongs to no model and has the entries.
  void refuse(std::string_view what, const Node& node, bool has_it) const;

  std::vector<double> data_;
  std::uint32_t model_ = any_model;
};

/// q = q_0 o exp(increment): x = x_0 + dx, R = R_0 exp(Psi^), s = s_0 + ds, node by node. `increment` has the layout of
/// velocities; q may be q_0 itself.
void retract(std::span<const Node> nodes, const Configuration& q_0, ConstVectorRef increment,
             Configuration& q);

/// The increment that takes q_0 to q by retract(): (x - x_0, log(R_0^T R), s - s_0).
void difference(std::span<const Node> nodes, const Configuration& q_0, const Configuration& q,
                VectorRef increment);

/// Removes the rounding errors that products of rotations accumulate from all R (so3::orthonormalized).
void orthonormalize(std::span<const Node> nodes, Configuration& q);

}  // namespace picus
