#pragma once

/// A ball on an arm whose other end is shaken, in a horizontal plane: the acceleration of that point drives it through
/// the mass matrix alone, also where the user gives only the motion and its rate.
///
///       y
///       |     x(t) = A (1 - cos(w t))
///       |    <-o->-------> x          o: the shaken point, node of the body
///              | c
///              |  ) phi
///              O   ball: m, r
///
/// With J = 2/5 m r^2 + m c^2 of the ball about the point,
///
///     J d2phi/dt2 = -m c cos(phi) d2x/dt2,
///
/// by the method of Runge and Kutta with steps of 0.1 ms. The shaker starts with its full acceleration and is undefined
/// before, so that a scheme that looks back from the start fails.

#include <picus/model.hpp>
#include <picus/models/references/followed_motion.hpp>
#include <picus/models/registered_model.hpp>

#include <functional>

namespace picus::models {

struct ShakenPendulum {
  double mass = 2.0;                ///< m, kg
  double arm = 0.4;                 ///< c, m
  double radius = 0.1;              ///< r, m
  double amplitude = 0.3;           ///< A, m
  double frequency = 7.0;           ///< w, rad/s
  bool gives_acceleration = false;  ///< whether the motion of the point comes with its acceleration
};

/// Node `point`, body `ball`.
Model make_shaken_pendulum(const ShakenPendulum& parameters = {});

/// Error of the position of the ball.
Measures shaken_pendulum_measures(const RunInfo& run, const ShakenPendulum& parameters);

/// Position and velocity of the centre of the ball ("ball.x", "ball.y", "ball.vx", "ball.vy") and the rate of phi
/// ("rate"), each with its exact values; energy.
Signals shaken_pendulum_signals(const RunInfo& run, const ShakenPendulum& parameters);

struct PendulumMotion {
  double angle;  ///< phi, rad
  double rate;   ///< rad/s
};
/// The motion as a function of time from the equation above.
std::function<PendulumMotion(double t)> shaken_pendulum_reference(const ShakenPendulum& parameters,
                                                                  StopRequest stop_request = nullptr);

RegisteredModel registered_shaken_pendulum();

}  // namespace picus::models
