#pragma once

/// Two bodies share a point and rotate freely about it.
///
///     x_B + R_B X_B - x_A - R_A X_A = 0                        3 equations

#include <picus/elements/joints/joint.hpp>
#include <picus/observable.hpp>

namespace picus {

class SphericalJoint : public Joint, public Observable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;  ///< on a frame node, a point node or the ground
    MaterialPoint b;  ///< likewise, on another body
  };
  SphericalJoint(const Parameters& parameters, const Model& model);

  /// "rotation" (3), the rotation vector of b relative to a since the start, |rotation| <= pi, and "angular_velocity"
  /// (3) of b relative to a, both in the axes of a.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

 private:
  Mat3 P_0_;  ///< from axes of B to axes of A
};

}  // namespace picus
