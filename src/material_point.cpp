#include <picus/material_point.hpp>

#include <Eigen/Geometry>

namespace picus {

Vec3 MaterialPoint::velocity(const Configuration& q, ConstVectorRef v) const {
  if (is_ground()) return Vec3::Zero();
  q.require_position(node);
  const Vec3 u = v.segment<3>(node.v);
  if (!on_frame()) return u;
  const Vec3 omega = v.segment<3>(node.v + 3);
  return u + q.rotation(node) * omega.cross(offset);
}

Vec3 MaterialPoint::acceleration(const Configuration& q, ConstVectorRef v,
                                 ConstVectorRef acceleration_of_nodes) const {
  if (is_ground()) return Vec3::Zero();
  q.require_position(node);
  const Vec3 a = acceleration_of_nodes.segment<3>(node.v);
  if (!on_frame()) return a;
  const Vec3 omega = v.segment<3>(node.v + 3);
  const Vec3 alpha = acceleration_of_nodes.segment<3>(node.v + 3);
  return a + q.rotation(node) * (alpha.cross(offset) + omega.cross(omega.cross(offset)));
}

}  // namespace picus
