#pragma once

/// A Geneva drive made of triangles, axes along z: a pin on a crank enters one of the four slots of a wheel, turns it by
/// a quarter turn while the crank makes a quarter turn, too, and leaves it; for the rest of the turn a disc of the
/// driver, which fits the arcs of the wheel, locks it.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct GenevaDrive {
  double crank = 0.1;       ///< distance of the pin from the axis of the driver, m
  double pin = 0.01;        ///< radius of the pin, m
  double play = 5e-4;       ///< between pin and slot, and between disc and arc, m
  double speed = 6.0;       ///< of the driver, rad/s
  double mu = 0.1;          ///< coefficient of friction
  double density = 2700.0;  ///< of the wheel, kg/m3
};

/// Nodes `driver` and `wheel`, surfaces `disc`, `pin` and `wheel`, contact set `all`. The pin starts on the far side.
Model make_geneva_drive(const GenevaDrive& parameters = {});

/// Largest deviations of the wheel from the drive without play that geometry permits, rad.
struct GenevaLimits {
  double index;  ///< while the pin is in a slot: polygon and play of the pin, at the least lever
  double dwell;  ///< while the disc holds the wheel: play and chords of the disc at the ends of the arcs
};
GenevaLimits geneva_limits(const GenevaDrive& parameters);

/// Measures the largest deviations from the drive without play.
Measures geneva_drive_measures(const RunInfo& run, const GenevaDrive& parameters);

/// "wheel" (angle, in [-pi, pi]), "index_error" and "dwell_error" (deviation from the drive without play while the
/// wheel turns and stands, 0 otherwise), and energy.
Signals geneva_drive_signals(const RunInfo& run, const GenevaDrive& parameters);

RegisteredModel registered_geneva_drive();

}  // namespace picus::models
