#pragma once

/// Newton's cradle, or a chain of beads: a ball flies into a row of balls at rest, in the line of their centres, without
/// gravity and friction.
///
///              v
///       ,-.   --->   ,-. ,-.     ,-.
///      ( 0 )        ( 1 ( 2 ... ( N )      masses m, m q, m q^2, ...; the row touches, or has gaps
///       `-'          `-' `-'     `-'
///
/// The motion of the balls in a touching row depends on the impact law; balls that are apart pass the momentum on one
/// by one.

#include <picus/impact_law.hpp>
#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <vector>

namespace picus::models {

struct NewtonsCradle {
  Index balls = 5;     ///< the first one included
  double mass = 1.0;   ///< m of the first, kg
  double ratio = 1.0;  ///< q, mass of each over that before it
  double gap = 0.0;    ///< between the balls of the row, m
  double speed = 1.0;  ///< v, m/s
  double restitution = 1.0;
  ImpactLaw::Kind law = ImpactLaw::Kind::lzb;
  double exponent = 1.5;  ///< of the law of Liu, Zhao and Brogliato: Hertz

  std::vector<double> masses() const;
};

/// Nodes `ball[0]` and so on, contacts `pair[i]` between balls i and i + 1.
Model make_newtons_cradle(const NewtonsCradle& parameters = {});

/// Velocity of each ball ("ball[0].vx"), energy, momentum.
Signals newtons_cradle_signals(const RunInfo& run, const NewtonsCradle& parameters);

/// Velocity of the first and the last ball at the end, and the part of the energy that is left.
Measures newtons_cradle_measures(const RunInfo& run, const NewtonsCradle& parameters);

RegisteredModel registered_newtons_cradle();

}  // namespace picus::models
