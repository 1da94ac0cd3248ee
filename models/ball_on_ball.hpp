#pragma once

/// A ball that rolls or slides down a fixed ball until it lifts off, in the x-y plane.
///
///            y
///            |     _
///            | theta( ) ball: m, r, solid
///          __|__  /
///        /   |  `/         theta from the vertical, positive towards x
///       |    +   |  fixed, R         L = R + r, g along -y
///        \______/
///
/// Exact lift-off, with w_0 the rate at theta_0: without friction 3 cos(theta) = 2 cos(theta_0) + L w_0^2 / g, in pure rolling
/// 17 cos(theta) = 10 cos(theta_0) + 7 L w_0^2 / g; from rest at the top cos(theta) = 2/3 and 10/17.

#include <picus/model.hpp>
#include <picus/models/references/planar_contact_reference.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct BallOnBall {
  double mass = 1.0;          ///< m, kg
  double fixed_radius = 0.7;  ///< R, m
  double radius = 0.3;        ///< r, m
  double mu = 0.2;
  double gravity = 9.81;  ///< m/s2
  double angle = 0.2;     ///< theta_0, rad
  double rate = 1.0;      ///< w_0, rad/s
  bool rolls = false;     ///< whether it rolls initially; otherwise it does not spin

  double length() const { return fixed_radius + radius; }
  /// theta at lift-off for frictionless sliding, or for pure rolling, rad.
  double sliding_lift_off() const;
  double rolling_lift_off() const;
};

/// Node `ball`, contact `contact`.
Model make_ball_on_ball(const BallOnBall& parameters = {});

/// Measures when and at which angle the ball lifts off, and the error of the angle.
Measures ball_on_ball_measures(const RunInfo& run, const BallOnBall& parameters);

/// Angle and rate of the line of centres ("angle", "rate"), spin of the ball ("spin") and the normal impulse divided
/// by h ("force"), each with the exact value (of the force: at mid-step); state of the contact and energy.
Signals ball_on_ball_signals(const RunInfo& run, const BallOnBall& parameters);

/// The same motion from equations with explicit contact forces.
PlanarContactReference ball_on_ball_reference(const BallOnBall& parameters,
                                              StopRequest stop_request = nullptr);

RegisteredModel registered_ball_on_ball();

}  // namespace picus::models
