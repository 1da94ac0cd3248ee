#pragma once

/// A rigid connection: two bodies share a point and keep their initial relative orientation.
///
///     x_B + R_B X_B - x_A - R_A X_A = 0                        3 equations
///     a_1 . b_2 = 0,   a_2 . b_3 = 0,   a_3 . b_1 = 0          3 equations
///
/// a_i are the axes of A and b_i directions of B that lie along them at the start. RigidLink instead keeps the
/// initial distance between the nodes.

#include <picus/elements/joints/joint.hpp>
#include <picus/observable.hpp>

namespace picus {

class FixedJoint : public Joint, public Observable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;  ///< the joint as a point of body A, on a frame node or the ground
    MaterialPoint b;  ///< the same, as a point of body B
  };
  FixedJoint(const Parameters& parameters, const Model& model);

  /// "opening" (3), m, and "misalignment" (3), rad, in the axes of A: the residual violation of the equations.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

 private:
  Mat3 P_0_;  ///< from axes of B to axes of A
};

}  // namespace picus
