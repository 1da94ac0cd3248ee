#pragma once

/// A chain of masses and springs that is pushed along a rough floor (thesis, section 4.2.4).
///
///        y
///        |    l        l                    l
///      F |<------>|<------>|           |<------>|
///     -->#\/\/\/\/#\/\/\/\/#  .  .  .  #\/\/\/\/#      m each, k each, | g
///     /////////////////////////////////////////////     mu, e = 0      v
///        0        1        2              n - 1    -> x
///
/// A force acts on the first mass for a short time. A wave travels through the chain, is reflected, and is damped out
/// by friction.

#include <picus/model.hpp>
#include <picus/models/references/sliding_masses_parameters.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

/// Nodes `mass[0]` to `mass[n-1]` (points), springs `spring[i]` and contacts `floor[i]`.
Model make_sliding_masses(const SlidingMasses& parameters = {});

/// Measures when the wave reaches the last mass, when the chain comes to rest, its final length and position.
Measures sliding_masses_measures(const RunInfo& run, const SlidingMasses& parameters);

Signals sliding_masses_signals(const RunInfo& run, const SlidingMasses& parameters);

RegisteredModel registered_sliding_masses();

}  // namespace picus::models
