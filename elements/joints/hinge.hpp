#pragma once

/// A hinge: two bodies share a point and the direction of an axis, and turn freely about it. A scalar node
/// may carry the angle theta by which B is turned against A about the axis (right-handed).
///
///     x_B + R_B X_B - x_A - R_A X_A = 0                        3 equations
///     t_1 . axis_B = 0,   t_2 . axis_B = 0                     2 equations
///     (cos s t_2 - sin s t_1) . t_B = sin(theta - s) = 0       1 equation, if there is an angle s
///
/// (t_1, t_2, axis) is a right-handed triad of A, and axis_B and t_B are directions of B. They are taken from
/// the start: axis_B is then along the axis and theta has the value of the angle's node. The points need not
/// meet at the start; whoever solves the equations brings them together.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/joints/parts/coincident_points.hpp>
#include <picus/elements/joints/parts/perpendicular_directions.hpp>
#include <picus/elements/joints/parts/turning_angle.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <array>
#include <optional>
#include <string>

namespace picus {

class Hinge : public Element, public BilateralConstraint, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;           ///< the hinge as a point of body A, on a frame node
    MaterialPoint b;           ///< the same as a point of body B, on another frame node
    Vec3 axis = Vec3::Zero();  ///< in the inertial frame at the start, of any length but zero
    std::optional<ScalarNode> angle = std::nullopt;  ///< theta, rad; its initial value belongs to the start
  };
  Hinge(const Parameters& parameters, const Model& model);

  /// 6, or 5 without an angle.
  Index row_count() const override { return has_angle_ ? 6 : 5; }
  void violation(const Configuration& q, double t, std::span<double> g) const override;
  void gradient(const Configuration& q, double t, std::span<double> G) const override;
  void force_gradient(const Configuration& q, double t, std::span<const double> lambda,
                      std::span<double> K) const override;
  void rate_gradient(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override;

  /// Lines from both nodes to the hinge.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1, 2, 3}}; }

 private:
  JointEnd a_;
  JointEnd b_;
  bool has_angle_;
  ScalarNode angle_;
  CoincidentPoints points_;
  std::array<PerpendicularDirections, 2> axes_;
  TurningAngle turn_;
};

}  // namespace picus
