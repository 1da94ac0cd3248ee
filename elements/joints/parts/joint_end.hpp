#pragma once

/// Data that a joint stores for its ends and scalars. What is computed from them is in joint_ends.hpp, which only
/// source files need.

#include <picus/material_point.hpp>
#include <picus/types.hpp>

#include <span>
#include <string_view>

namespace picus {

struct JointPose;
struct JointKinematics;
/// The local velocities of a joint.
using JointVelocity = std::span<const double>;

class JointEnd {
 public:
  /// The origin of the ground.
  JointEnd() = default;
  /// A point whose velocity components begin at local component `first`.
  JointEnd(const MaterialPoint& point, Index first) : point_(point), first_(first) {}

  const MaterialPoint& point() const { return point_; }

  JointPose pose(const Configuration& q) const;

 private:
  MaterialPoint point_;
  Index first_ = -1;
};

/// A scalar node of a joint, such as its angle, or none.
struct JointScalar {
  Node node;                   ///< not valid: none
  Index column = -1;           ///< its local component
  std::string_view unit = {};  ///< of its value

  bool is_given() const { return column >= 0; }
  double value(const JointKinematics& at) const;
  double rate(JointVelocity v) const;
};

}  // namespace picus
