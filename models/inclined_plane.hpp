#pragma once

/// A block that is launched up an inclined plane and comes to rest (thesis, section 4.2.1).
///
///      y               n   v_0
///      |                \  .'
///      |                 #'     block: m, a point
///      |               .'
///      |             .'              | g
///      |           .'  mu, e = 0     v
///      |         .'
///      |       .'
///      |     .'
///      |   .' ) slope
///      +-----------------------> x
///
/// It stays where it stops, because mu > tan(slope). There the friction force changes sign: instead of braking the
/// block it holds it.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>
#include <numbers>

namespace picus::models {

struct InclinedPlane {
  double mass = 1.0;                       ///< m, kg
  double speed = 2.0;                      ///< v_0, m/s uphill
  double slope = std::numbers::pi / 12.0;  ///< rad
  double mu = 0.3;                         ///< coefficient of friction
  double gravity = 9.81;                   ///< g, m/s2
};

/// Node `block` (a point moving in the x-y plane), contact `plane` with one friction direction.
Model make_inclined_plane(const InclinedPlane& parameters = {});

/// Measures when the slip ends, the distance travelled, and the impulses of a step.
Measures inclined_plane_measures(const RunInfo& run, const InclinedPlane& parameters);

Signals inclined_plane_signals(const RunInfo& run, const InclinedPlane& parameters);

RegisteredModel registered_inclined_plane();

}  // namespace picus::models
