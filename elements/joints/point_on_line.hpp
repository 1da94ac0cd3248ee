#pragma once

/// A point of B stays on a line of A (a bead on a wire).
///
///     t_1 . D = 0,   t_2 . D = 0,   D = R_A^T (x_B + R_B X_B - x_A) - X_A      2 equations
///     axis . (D - D_0) + s_0 - s = 0                     1 equation, if there is a displacement s
///
/// (t_1, t_2, axis) is a right-handed triad of A. If A is a point node or the ground, the direction of the line is
/// constant.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class PointOnLine : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< a point of the line, on a frame node, a point node or the ground
    MaterialPoint b;           ///< the sliding point, on any of these
    Vec3 axis = Vec3::Zero();  ///< along the line, in the inertial frame at the start, of any length but zero
    std::optional<ScalarNode> displacement = std::nullopt;  ///< s, m; its initial value belongs to the start
  };
  PointOnLine(const Parameters& parameters, const Model& model);
};

}  // namespace picus
