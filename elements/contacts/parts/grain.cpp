#include <picus/elements/contacts/parts/grain.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>

namespace picus {

GrainRows::GrainRows(const Culprit& who, const std::optional<Grain>& grain, std::span<const Node> nodes,
                     Index friction_directions) {
  if (!grain) return;
  require_positive(who, "anisotropy", grain->anisotropy, "");
  direction_ = require_direction(who, "grain", grain->direction);
  excess_ = grain->anisotropy - 1.0;
  if (is_given() && friction_directions < 2)
    throw ModelError(fmt::format("{}: anisotropy is {}, but friction has not two directions", who.text(),
                                 grain->anisotropy));
  node_ = grain->node;
  if (!node_.valid()) return;
  const auto place = std::ranges::find(nodes, node_);
  if (place == nodes.end() || node_.kind != NodeKind::frame)
    throw ModelError(fmt::format("{}: the grain is on a node that is no frame of this contact", who.text()));
  column_ = 3;
  for (auto node = nodes.begin(); node != place; ++node) column_ += velocity_size(node->kind);
}

Vec3 GrainRows::direction(const Configuration& q) const {
  return node_.valid() ? Vec3(q.rotation(node_) * direction_) : direction_;
}

Vec3 GrainRows::row(const Configuration& q, const Vec3& n, const Vec3& e) const {
  if (!is_given()) return e;
  const Vec3 c = n.cross(direction(q));
  return e + excess_ * c.dot(e) * c;
}

GrainRows::Friction GrainRows::friction(const Configuration& q, const Vec3& n,
                                        const ContactDirections::Friction& plain) const {
  Friction result{.force = plain.force, .gradient = plain.gradient, .turn = Mat3::Zero()};
  if (!is_given()) return result;
  const Vec3 d = direction(q);
  const Vec3 c = n.cross(d);
  const Vec3& f = plain.force;
  const Mat3 by_c = excess_ * (c.dot(f) * Mat3::Identity() + c * f.transpose());
  result.force += excess_ * c.dot(f) * c;
  result.gradient += excess_ * c * (c.transpose() * plain.gradient) - by_c * so3::skew(d);
  if (column_ >= 0) result.turn = -by_c * so3::skew(n) * so3::skew(d) * q.rotation(node_);
  return result;
}

}  // namespace picus
