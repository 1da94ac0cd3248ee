#pragma once

/// A hinge: two bodies share a point and the direction of an axis, and rotate freely about it. A scalar node may
/// carry the angle theta of B relative to A about the axis (right-handed).
///
///     x_B + R_B X_B - x_A - R_A X_A = 0                        3 equations
///     t_1 . axis_B = 0,   t_2 . axis_B = 0                     2 equations
///     (cos s t_2 - sin s t_1) . t_B = sin(theta - s) = 0       1 equation, if there is an angle s
///
/// (t_1, t_2, axis) is a right-handed triad of A, and axis_B and t_B are directions of B. They are set at the start:
/// axis_B is then along the axis and theta has the value of the angle's node. The points need not coincide at the
/// start; the solution of the equations brings them together.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class Hinge : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< the hinge as a point of body A, on a frame node or the ground
    MaterialPoint b;           ///< the same, as a point of body B
    Vec3 axis = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    std::optional<ScalarNode> angle = std::nullopt;  ///< theta, rad; its initial value belongs to the start
  };
  Hinge(const Parameters& parameters, const Model& model);
};

}  // namespace picus
