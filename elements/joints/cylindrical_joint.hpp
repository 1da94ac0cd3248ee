#pragma once

/// B rotates about an axis of A and slides along it.
///
///     t_1 . D = 0,   t_2 . D = 0,   D = R_A^T (x_B + R_B X_B - x_A) - X_A      2 equations
///     t_1 . axis_B = 0,   t_2 . axis_B = 0                                     2 equations
///     sin(theta - s) = 0                                 1 equation, if there is an angle s
///     axis . (D - D_0) + s_0 - s = 0                     1 equation, if there is a displacement s
///
/// (t_1, t_2, axis) is a right-handed triad of A, and axis_B the direction of B that lies along the axis at the
/// start. The point of B is on the line through the point of A along the axis.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class CylindricalJoint : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< a point of the axis, on a frame node or the ground
    MaterialPoint b;           ///< the same, as a point of body B
    Vec3 axis = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    std::optional<ScalarNode> angle = std::nullopt;         ///< rad; its initial value belongs to the start
    std::optional<ScalarNode> displacement = std::nullopt;  ///< m; its initial value belongs to the start
  };
  CylindricalJoint(const Parameters& parameters, const Model& model);
};

}  // namespace picus
