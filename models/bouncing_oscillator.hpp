#pragma once

/// Two balls on a vertical spring that fall onto a rigid floor (Chen and others 2013, section 5.2; with k = 1e3 N/m
/// the two-ball oscillator of Acary's slides).
///
///      y
///      |      O    upper: m
///      |      <
///      |      >    k, free length l     | g
///      |      <                         v
///      |      O    lower: m
///      |      : h_0
///      +------:---------> x
///     /////////////////////   floor: e, no friction
///
/// Heights are those of the contact point under each ball: the paper's centre of the lower ball at 1.001 m, with a radius
/// of 0.2 m, is h_0 = 0.801 m.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct BouncingOscillator {
  double mass = 1.0;         ///< m of each ball, kg
  double stiffness = 1e4;    ///< k, N/m
  double length = 1.0;       ///< l, m
  double height = 0.801;     ///< h_0, m
  double restitution = 0.8;  ///< e
  double gravity = 10.0;     ///< g, m/s2
};

/// Nodes `lower` and `upper` (points that move vertically), contact `floor`.
Model make_bouncing_oscillator(const BouncingOscillator& parameters = {});

/// Measures the first impact of the lower ball, and the errors of its motion.
Measures bouncing_oscillator_measures(const RunInfo& run, const BouncingOscillator& parameters);

Signals bouncing_oscillator_signals(const RunInfo& run, const BouncingOscillator& parameters);

RegisteredModel registered_bouncing_oscillator();

}  // namespace picus::models
