#pragma once

/// A ball that rolls on a rough floor into a row of balls at rest, in the x-y plane.
///
///              v_0
///       ,-.   --->    ,-. ,-. ,-.
///      ( 0 )         ( 1 ( 2 ( 3 )        N solid balls: m, r; g along -y
///     --`-'-----------`-'-`-'-`-'----> x  floor: mu, e = 0; between balls: mu_between, e = 0 or 1
///          <-distance->
///
/// The balls of the row touch each other and the floor, and all these contacts may be sticking when the first ball
/// arrives. For frictionless balls the exact motion is known (SphereChainExact).

#include <picus/model.hpp>
#include <picus/models/references/sphere_chain_exact.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SphereChain {
  Index balls = 5;       ///< N, the first one included
  double mass = 1.0;     ///< m, kg
  double radius = 0.05;  ///< r, m
  double mu = 0.3;       ///< coefficient of friction on the floor
  double mu_between = 0.0;
  bool elastic = false;      ///< e = 1 between the balls
  double distance = 0.1007;  ///< initial distance of the first ball from the row, m
  double speed = 1.0;        ///< v_0, m/s
  double gravity = 9.81;     ///< m/s2
};

/// Nodes `ball[0]` to `ball[N - 1]`, contacts `floor[i]` and `pair[i]` between balls i and i + 1.
Model make_sphere_chain(const SphereChain& parameters = {});

/// Errors of the positions of the first and the last ball.
Measures sphere_chain_measures(const RunInfo& run, const SphereChain& parameters);

/// Position, velocity and spin of the first and the last ball ("first.x", "first.vx", "first.spin", "last.x", ...),
/// with exact values unless there is friction between the balls; energy.
Signals sphere_chain_signals(const RunInfo& run, const SphereChain& parameters);

SphereChainExact sphere_chain_exact(const SphereChain& parameters);

RegisteredModel registered_sphere_chain();

}  // namespace picus::models
