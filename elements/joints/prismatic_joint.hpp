#pragma once

/// A slider: B moves along an axis of A without rotating relative to A.
///
///     t_1 . D = 0,   t_2 . D = 0,   D = R_A^T (x_B + R_B X_B - x_A) - X_A      2 equations
///     a_1 . b_2 = 0,   a_2 . b_3 = 0,   a_3 . b_1 = 0                          3 equations
///     axis . (D - D_0) + s_0 - s = 0                     1 equation, if there is a displacement s
///
/// (t_1, t_2, axis) is a right-handed triad of A, a_i are the axes of A, and b_i directions of B that lie along them
/// at the start. The point of B is on the line through the point of A along the axis.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class PrismaticJoint : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< a point of the axis, on a frame node or the ground
    MaterialPoint b;           ///< the sliding point, on a frame node or the ground
    Vec3 axis = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    std::optional<ScalarNode> displacement = std::nullopt;  ///< s, m; its initial value belongs to the start
  };
  PrismaticJoint(const Parameters& parameters, const Model& model);
};

}  // namespace picus
