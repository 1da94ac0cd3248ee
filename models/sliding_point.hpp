#pragma once

/// A point mass that slides on a curved or turning face, in space, with or without friction.
///
///       bowl                   sphere                    paddle (from above)
///     \       /                 o  m                          |  / m
///      \  R  / m              .---.                           | o
///       `---o               /   R   \   x_c(t) = A sin(w t)   |/  w t
///                          |    +    |                        +---- x
///
/// z upward, gravity along -z. Bowl: the inner side of a sphere about the origin; sphere: the outer side, at rest or
/// driven along x. The angle is that from the vertical towards x, of the bottom of the bowl or of the top of the sphere.
/// Paddle: a vertical plane through the z axis, which turns about it with w; the point is at R from the axis.

#include <picus/model.hpp>
#include <picus/models/references/sliding_point_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SlidingPoint {
  enum class Face : std::uint8_t { bowl, sphere, paddle };

  Face face = Face::bowl;
  double mu = 0.0;
  double mass = 1.0;    ///< m, kg
  double radius = 1.0;  ///< R, m
  double angle = -1.0;  ///< at the start, rad
  double speed = 0.5;  ///< at the start relative to the face: of increasing angle, or away from the axis, m/s
  double across = 0.0;  ///< horizontal speed at the start, normal to the former; along z on the paddle, m/s
  double amplitude = 0.0;  ///< A, m
  double omega = 3.0;      ///< w, rad/s
  double gravity = 9.81;   ///< m/s2

  /// Angle at which the point leaves a sphere at rest without friction, from a start with `across` = 0, rad; NaN if it
  /// starts too fast to touch it, or without gravity.
  double lift_off() const;
};

/// Node `point`, contact `contact`. Throws ModelError for an amplitude without a sphere.
Model make_sliding_point(const SlidingPoint& parameters = {});

/// Errors of the position, instant of lift-off.
Measures sliding_point_measures(const RunInfo& run, const SlidingPoint& parameters);

/// Position and velocity of the point ("point.x", "point.vx", ...), of bowl and sphere also the angle towards x and its
/// rate ("angle", "rate"), and the normal impulse divided by h ("force"), each with the exact value (of the force: at
/// mid-step); state of the contact and energy.
Signals sliding_point_signals(const RunInfo& run, const SlidingPoint& parameters);

/// The same motion from the equation with explicit contact forces.
SlidingPointReference sliding_point_reference(const SlidingPoint& parameters,
                                              StopRequest stop_request = nullptr);

RegisteredModel registered_sliding_point();

}  // namespace picus::models
