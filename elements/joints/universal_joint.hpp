#pragma once

/// A universal (Cardan) joint: two bodies share a point and rotate about the two arms of a massless cross, one of
/// which is fixed in A and the other in B.
///
///     x_B + R_B X_B - x_A - R_A X_A = 0                        3 equations
///     axis_a . axis_b = cos(angle between them at the start)   1 equation
///     rho sin(theta_a - s) = 0                                 1 equation, if there is an angle_a s
///     rho sin(theta_b - s) = 0                                 1 equation, if there is an angle_b s
///
/// theta_a is the angle of the cross relative to A about axis_a, and theta_b that of B relative to the cross about
/// axis_b; rho is the sine of the angle between the axes. The arms of common crosses are perpendicular.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class UniversalJoint : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;             ///< the centre of the cross as a point of A, on a frame node or the ground
    MaterialPoint b;             ///< the same, as a point of B
    Vec3 axis_a = Vec3::Zero();  ///< the arm fixed in A, in the inertial frame at the start
    Vec3 axis_b = Vec3::Zero();  ///< the arm fixed in B, in the inertial frame at the start
    std::optional<ScalarNode> angle_a = std::nullopt;  ///< rad; its initial value belongs to the start
    std::optional<ScalarNode> angle_b = std::nullopt;  ///< rad; likewise
  };
  UniversalJoint(const Parameters& parameters, const Model& model);
};

}  // namespace picus
