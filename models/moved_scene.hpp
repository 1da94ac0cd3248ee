#pragma once

/// Two balls before a wall and a pendulum, anywhere in space, and with a fast wheel far away: neither changes their
/// motion.
///
///      z         spring |                 |            balls a, b: r = 0.1 m on a floor, mu = 0.3, e = 0.2
///      |                |                 |            wall at 0.6 m, mu = 0.1
///      |   a ->   b    | wall   hinge o---O bob        all bodies 1.5 kg
///      |___O_____O_____|__> x
///          mu, e                                ... 1 km ...  ( wheel )  1000 rad/s
///
/// Ball a falls, bounces and rolls against b, which rolls on; the bob swings on a hinge with a spring. No impact occurs
/// at the end of a step of 1 ms, where rounding would decide to which of two steps it belongs.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <vector>

namespace picus::models {

struct MovedScene {
  static constexpr double size = 0.5;  ///< of the bodies and their motion, about, m

  double x = 0.0, y = 0.0, z = 0.0;  ///< place of the scene, m
  bool has_wheel = false;

  Vec3 place() const { return {x, y, z}; }
};

/// Bodies `a`, `b`, `bob` and, with it, `wheel`; contacts `floor a`, `floor b`, `wall a`, `wall b` and `pair`.
Model make_moved_scene(const MovedScene& parameters = {});

/// Places of the balls at the end.
Measures moved_scene_measures(const RunInfo& run, const MovedScene& parameters);

/// Relative to the place: the centres of the bodies ("a.x" ... "bob.z") and a mark on each of their first two axes, at
/// the size of the scene ("a.1.x", "a.2.x" ...).
Signals moved_scene_signals(const RunInfo& run, const MovedScene& parameters);

RegisteredModel registered_moved_scene();

}  // namespace picus::models
