#pragma once

/// A block that rocks from one edge to the other on a rough floor (Housner, Bulletin of the Seismological Society of
/// America 53 (1963) 403), in the plane x-y.
///
///        b              it starts turned by an angle about one edge, at rest, and falls back; each time that it
///      +---+            stands upright the other edge hits. Without restitution, and if the edge that it leaves
///    h |   |            carries no impulse, the impact multiplies its rate by
///      |   |
///    --+---+-- floor        r = 1 - 3/2 sin^2 alpha,   tan alpha = b/h

#include <picus/impact_law.hpp>
#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct RockingBlock {
  double width = 0.2;   ///< b, m
  double height = 1.0;  ///< h, m
  double mass = 2.0;    ///< kg
  double mu = 0.8;
  double restitution = 0.0;
  double angle = 0.05;    ///< at the start, rad; less than alpha
  double gravity = 9.81;  ///< m/s2
  ImpactLaw::Kind law = ImpactLaw::Kind::newton;
};

/// Node `block`, contacts `left` and `right`.
Model make_rocking_block(const RockingBlock& parameters = {});

/// Housner's ratio r.
double rocking_block_kept(const RockingBlock& parameters);

/// Angle and rate of the block, energy, and the gaps of both edges.
Signals rocking_block_signals(const RunInfo& run, const RockingBlock& parameters);

/// Ratio of the rates after and before the first impact.
Measures rocking_block_measures(const RunInfo& run, const RockingBlock& parameters);

RegisteredModel registered_rocking_block();

}  // namespace picus::models
