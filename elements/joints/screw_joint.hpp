#pragma once

/// A nut B on a spindle A: B rotates about an axis of A and advances along it by one pitch per turn.
///
///     t_1 . D = 0,   t_2 . D = 0,   D = R_A^T (x_B + R_B X_B - x_A) - X_A      2 equations
///     t_1 . axis_B = 0,   t_2 . axis_B = 0                                     2 equations
///     p/(2 pi) sin(theta - 2 pi/p axis . (D - D_0)) = 0                        1 equation
///     sin(theta + s_0 - s) = 0                           1 equation, if there is an angle s
///     axis . (D - D_0) + s_0 - s = 0                     1 equation, if there is a displacement s
///
/// (t_1, t_2, axis) is a right-handed triad of A, axis_B the direction of B that lies along the axis at the start,
/// and theta the angle by which B has rotated since then. The sine allows any number of turns without a record of
/// them. Steps must be short enough not to jump by half a pitch.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class ScrewJoint : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< a point of the axis, on a frame node or the ground
    MaterialPoint b;           ///< the same, as a point of body B
    Vec3 axis = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    double pitch = 0.0;        ///< p, m per turn; > 0 right-handed, < 0 left-handed; not zero (a hinge)
    std::optional<ScalarNode> angle = std::nullopt;         ///< rad; its initial value belongs to the start
    std::optional<ScalarNode> displacement = std::nullopt;  ///< m; its initial value belongs to the start
  };
  ScrewJoint(const Parameters& parameters, const Model& model);
};

}  // namespace picus
