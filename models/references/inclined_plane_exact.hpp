#pragma once

/// The exact motion of a point on an inclined plane with Coulomb friction. s is the distance uphill. With the slope
/// angle a, a point moving with velocity w obeys
///
///     d2s/dt2 = -g (sin a + sign(w) mu cos a),
///
/// until w = 0. From then on it sticks if mu >= tan a, or else slides downhill.

namespace picus::models {

class InclinedPlaneExact {
 public:
  /// Initial velocity v_0 uphill in m/s; slope in rad, [0, pi/2); mu >= 0; g in m/s2, > 0.
  InclinedPlaneExact(double speed, double slope, double mu, double gravity);

  /// s in m and ds/dt in m/s at t >= 0.
  double position(double t) const;
  double velocity(double t) const;

  /// When the first slip ends, s; infinite if it never does. v_0 / (g (sin a + mu cos a)) for motion uphill.
  double slip_end() const { return slip_end_; }
  /// Whether the point stays where the first slip ends: mu >= tan a.
  bool sticks() const { return sticks_; }

  /// Forces per unit mass, N/kg: of the plane along its normal, and along s (positive uphill) during the first slip
  /// and while the point sticks.
  double normal_force() const { return normal_force_; }
  double slipping_force() const { return slipping_force_; }
  double sticking_force() const { return sticking_force_; }

 private:
  double speed_;
  double normal_force_;
  double sticking_force_;
  double slipping_force_;
  double first_acceleration_;
  double later_acceleration_;  ///< after the first slip
  double slip_end_;
  bool sticks_;
};

}  // namespace picus::models
