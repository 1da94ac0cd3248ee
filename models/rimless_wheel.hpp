#pragma once

/// A rimless spoked wheel that rolls down a slope, in the x-y plane.
///
///        \ | /
///       --\|/--      hub: m, J; n massless spokes of length l
///         /|\        theta of the stance spoke from the vertical, positive downhill; g along -y
///     ___/ | \       slope gamma, falling towards +x: mu, e = 0
///          o`--.___
///
/// One foot stands and sticks; when the next one lands, the other lifts off. On a rough slope (mu > tan(pi/n)) the
/// impacts are those of RimlessWheelReference.

#include <picus/model.hpp>
#include <picus/models/references/rimless_wheel_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct RimlessWheel {
  Index spokes = 8;      ///< n
  double mass = 1.0;     ///< m, kg
  double inertia = 0.1;  ///< J about the hub, kg m2
  double length = 1.0;   ///< l, m
  double slope = 0.08;   ///< gamma, rad
  double mu = 1.0;
  double gravity = 9.81;  ///< m/s2
  double angle = 0.0;     ///< initial theta, rad
  double rate = 1.0;      ///< initial rate of theta, rad/s
};

/// Node `hub`, contacts `foot[0]`, initially in contact at the origin, to `foot[n - 1]`; the next one downhill is
/// `foot[1]`.
Model make_rimless_wheel(const RimlessWheel& parameters = {});

/// Error of the x position of the hub, and the largest rate.
Measures rimless_wheel_measures(const RunInfo& run, const RimlessWheel& parameters);

/// Position of the hub ("hub.x", "hub.y") and "rate" of downhill rotation, each with the reference values; number of
/// feet on the slope ("feet") and energy.
Signals rimless_wheel_signals(const RunInfo& run, const RimlessWheel& parameters);

/// The same motion from impact to impact.
RimlessWheelReference rimless_wheel_reference(const RimlessWheel& parameters,
                                              StopRequest stop_request = nullptr);

RegisteredModel registered_rimless_wheel();

}  // namespace picus::models
