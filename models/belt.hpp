#pragma once

/// A block on a spring that falls onto a running belt (thesis, section 4.2.3).
///
///      y
///      |                . # block: m, a point
///      |            . '          | g
///      |        . '  k, l        v
///      |    . '
///      |. ' ) angle
///      o-------------------------------> x
///      #####################################   belt: v_0 ->, mu, e_N, e_T = 0
///
/// The block bounces until it stays on the belt and moves with it, until the spring force exceeds the friction limit.
/// From then on it slips back and forth in a limit cycle.

#include <picus/model.hpp>
#include <picus/models/references/belt_parameters.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

/// Nodes `block` (a point), `belt` (a frame moving along x) and `anchor` at the origin, contact `contact`.
Model make_belt(const Belt& parameters = {});

/// Measures when the block settles on the belt, when it begins to slip, and its errors.
Measures belt_measures(const RunInfo& run, const Belt& parameters);

Signals belt_signals(const RunInfo& run, const Belt& parameters);

RegisteredModel registered_belt();

}  // namespace picus::models
