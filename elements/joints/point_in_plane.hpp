#pragma once

/// A point of B stays in a plane of A.
///
///     normal . D = 0,   D = R_A^T (x_B + R_B X_B - x_A) - X_A                  1 equation
///     t_1 . (D - D_0) + s_0 - s = 0                      1 equation, if there is a displacement x
///     t_2 . (D - D_0) + s_0 - s = 0                      1 equation, if there is a displacement y
///
/// (t_1, t_2, normal) is a right-handed triad of A. If A is a point node or the ground, the normal is constant.

#include <picus/elements/joints/coordinate_joint.hpp>

namespace picus {

class PointInPlane : public CoordinateJoint {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;             ///< a point of the plane, on a frame node, a point node or the ground
    MaterialPoint b;             ///< the sliding point, on any of these
    Vec3 normal = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    /// t_1 is the component of this vector in the plane, inertial frame at the start; by default any direction in the
    /// plane.
    std::optional<Vec3> tangent = std::nullopt;
    std::optional<ScalarNode> x = std::nullopt;  ///< along t_1, m; its initial value belongs to the start
    std::optional<ScalarNode> y = std::nullopt;  ///< along t_2 = normal x t_1, m; likewise
  };
  PointInPlane(const Parameters& parameters, const Model& model);
};

}  // namespace picus
