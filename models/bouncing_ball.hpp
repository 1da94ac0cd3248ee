#pragma once

/// A ball that falls onto a rigid floor and bounces until it is at rest (thesis, section 2.4).
///
///      y
///      |      O    ball: m
///      |      :
///      |      : h_0         | g
///      |      :             v
///      +------:---------> x
///     /////////////////////   floor: e, no friction
///
/// Infinitely many impacts occur in a finite time; from then on the ball is at rest.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct BouncingBall {
  double mass = 1.0;         ///< m, kg
  double height = 0.8;       ///< h_0, m
  double restitution = 0.8;  ///< e
  double gravity = 9.8;      ///< g, m/s2
};

/// Node `ball` (a point), contact `floor`.
Model make_bouncing_ball(const BouncingBall& parameters = {});

/// Measures the errors of height and velocity, and when the ball comes to rest.
Measures bouncing_ball_measures(const RunInfo& run, const BouncingBall& parameters);

Signals bouncing_ball_signals(const RunInfo& run, const BouncingBall& parameters);

RegisteredModel registered_bouncing_ball();

}  // namespace picus::models
