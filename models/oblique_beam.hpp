#pragma once

/// An elastic beam that hits a rigid wall obliquely (thesis, section 4.2.5).
///
///     upper                      |
///        `.                      |
///          `.      v_0           |      y
///            `.   --->           | wall |
///              `. L              |      +-- x
///                `.              |
///          - - - - `.<---------->|
///              angle  distance   |
///                  lower
///
/// All points move towards the wall with v_0 until the lower end hits it. A wave travels through the beam and back,
/// in about 5 ms; then the end leaves the wall and hits it repeatedly, because the beam vibrates in bending. The
/// impulses rotate the beam, and after about half a second the upper end hits the wall. There is no gravity, and the
/// motion is in the x-y plane.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>
#include <numbers>

namespace picus::models {

struct ObliqueBeam {
  double angle = 35.2 * std::numbers::pi / 180.0;  ///< initial angle of the beam with the horizontal, rad
  double speed = 2.0;                              ///< v_0, m/s towards the wall
  double mu = 0.5;                                 ///< coefficient of friction of both ends
  Index elements = 8;                              ///< of equal length
};

/// Nodes `beam[0]` (the lower end) to `beam[ELEMENTS]` (the upper end), contacts `lower` and `upper` with the wall,
/// which is the plane x = 0. Friction direction 0 is upward.
Model make_oblique_beam(const ObliqueBeam& parameters = {});

/// Measures when the ends touch the wall, and for how long.
Measures oblique_beam_measures(const RunInfo& run, const ObliqueBeam& parameters);

Signals oblique_beam_signals(const RunInfo& run, const ObliqueBeam& parameters);

RegisteredModel registered_oblique_beam();

}  // namespace picus::models
