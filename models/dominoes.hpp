#pragma once

/// A row of dominoes, the first of which is pushed, in the x-y plane.
///
///      y    _      _      _      _
///      |   | |    | |    | |    | |     n boxes: height h, thickness d, gaps s
///      | ->| |    | |    | |    | |
///      |   | |    | |    | |    | |     | g
///      +---+-+----+-+----+-+----+-+---> x
///                  s   d
///
/// Each domino hits the next one; the wave soon reaches a limit speed, that of a train of dominoes leaning on each other
/// (references/domino_train.hpp), as long as feet do not slide on the floor.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct Dominoes {
  Index count = 20;
  double height = 0.048;      ///< h, m
  double thickness = 0.0075;  ///< d, m
  double width = 0.024;       ///< along z, m
  double spacing = 0.02;      ///< s, m
  double density = 600.0;     ///< kg/m3
  double rate = 4.0;          ///< initial rate of the first one, rad/s
  double mu_floor = 10.0;     ///< prevents sliding of feet: impacts require more than h/(3 d)
  double mu = 0.0;            ///< between dominoes
  double gravity = 9.81;      ///< m/s2
};

/// Nodes `domino[0]` to `domino[n - 1]`, surfaces of the same names and `floor`, contact set `touch`.
Model make_dominoes(const Dominoes& parameters = {});

/// Measures when the last one is hit, and the mean speed of the wave through the second half of the row.
Measures dominoes_measures(const RunInfo& run, const Dominoes& parameters);

/// "moving", the number of dominoes that rotate, the angle of the first one ("first.angle") and of the last one
/// ("last.angle"), and energy.
Signals dominoes_signals(const RunInfo& run, const Dominoes& parameters);

RegisteredModel registered_dominoes();

}  // namespace picus::models
