#pragma once

/// The time in which a rigid pendulum on a ball joint swings down, starting horizontally with an angular velocity
/// about the vertical.
///
/// With w = -n_z the depth of its axis n (w = 0 at the start), W_0 the angular velocity and kappa = m g c/I (c:
/// distance from the joint to the centre of mass, I: moment of inertia about an axis through the joint, normal to the
/// pendulum axis), the integrals of energy and of angular momentum about the vertical give
///
///     (dw/dt)^2 = w (2 kappa (1 - w^2) - W_0^2 w),
///
/// and with w = s^2, which removes the singularity at the start,
///
///     t(w) = integral from 0 to sqrt(w) of 2 ds / sqrt(2 kappa (1 - s^4) - W_0^2 s^2).

namespace picus::models {

class SphericalPendulum {
 public:
  /// kappa in 1/s2, > 0; W_0 in rad/s.
  SphericalPendulum(double kappa, double angular_velocity);

  /// The depth w at which it turns back, in (0, 1].
  double lowest() const { return lowest_; }
  /// When the depth w in [0, lowest()) is first reached, s.
  double time_at(double depth) const;

 private:
  double kappa_;
  double angular_velocity_;
  double lowest_;
};

}  // namespace picus::models
