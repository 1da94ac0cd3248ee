#pragma once

/// A massless rigid rod between two points.
///
///     (|d|^2 - L^2)/(2 L) = 0,   d = x_B + R_B X_B - x_A - R_A X_A             1 equation
///
/// The multiplier is the compressive force in the rod, N: if positive it pushes the points apart.

#include <picus/elements/joints/joint.hpp>
#include <picus/observable.hpp>

namespace picus {

class DistanceJoint : public Joint, public Observable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint a;                              ///< on a frame node, a point node or the ground
    MaterialPoint b;                              ///< likewise, on another body
    std::optional<double> length = std::nullopt;  ///< L, m, > 0; by default the distance at the start
  };
  /// Throws ModelError if the points coincide at the start: the rod then has no direction.
  DistanceJoint(const Parameters& parameters, const Model& model);

  /// L, m.
  double length() const { return length_; }

  /// "distance", m, and "direction" (3), the unit vector from a to b in inertial axes.
  std::vector<Quantity> quantities() const override;
  void observe(const Motion& motion, std::span<double> values) const override;

 private:
  double length_;
};

}  // namespace picus
