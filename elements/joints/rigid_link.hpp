#pragma once

/// A rigid link: B keeps its place and orientation as seen from A, both taken from the start (Galvez 2020,
/// eq. 2.41).
///
///     x_B - x_A - R_A X = 0                                    3 equations
///     a_1 . b_2 = 0,   a_2 . b_3 = 0,   a_3 . b_1 = 0          3 equations, not for a point B
///
/// a_i are the body axes of A and b_i directions of B that lie along them at the start. Near the solution the
/// gradients of the last three are the axes a_3, a_1, a_2: full rank.

#include <picus/drawable.hpp>
#include <picus/element.hpp>
#include <picus/elements/joints/parts/coincident_points.hpp>
#include <picus/elements/joints/parts/perpendicular_directions.hpp>
#include <picus/model.hpp>

#include <array>
#include <string>

namespace picus {

class RigidLink : public Element, public BilateralConstraint, public Drawable {
 public:
  struct Parameters {
    std::string name;
    FrameNode a;
    Node b;  ///< a frame or a point, another one than a
  };
  RigidLink(Parameters parameters, const Model& model);

  /// X: from A to B in the axes of A, m.
  const Vec3& offset() const { return position_.X_A; }

  /// 6, or 3 when B is a point.
  Index row_count() const override { return holds_orientation_ ? 6 : 3; }
  void violation(const Configuration& q, double t, std::span<double> g) const override;
  void gradient(const Configuration& q, double t, std::span<double> G) const override;
  void force_gradient(const Configuration& q, double t, std::span<const double> lambda,
                      std::span<double> K) const override;
  void rate_gradient(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override;

  /// A line from a to b.
  std::vector<MaterialPoint> points() const override;
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  JointEnd a_;
  JointEnd b_;
  bool holds_orientation_;
  CoincidentPoints position_;
  std::array<PerpendicularDirections, 3> orientation_;
};

}  // namespace picus
