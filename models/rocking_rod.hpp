#pragma once

/// A rod that rocks on two supports (thesis, section 4.2.2; Zander, Foerg and Ulbrich 2007).
///
///        y
///        |            . -'
///     ___|___    . -' rod: m, J, thin
///        |   . C'  )                    | g
///     . -h_1-  | theta                  v
///        |     x
///   -----1-----+-----------> x       1: (-a/2, 0), mu_1
///        :     |
///       -h_2 - - - - 2               2: (+a/2, -h_2), mu_2
///        :<--- a --->:
///
/// The rod falls, tilted counterclockwise, and hits support 1 first. Unlike in most models the contact face moves: it
/// belongs to the rod, and the supports are points.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct RockingRod {
  /// Thesis, table 4.1: in I and II the supports are level, in III and IV the right one is lower; support 1 is
  /// frictionless in II and IV.
  enum class Case : std::uint8_t { one, two, three, four };

  Case supports = Case::one;
  double restitution = 0.6262;  ///< e_N of both supports; e_T = 0

  double level_difference() const;  ///< h_2, m
  double mu_1() const;
  double mu_2() const;
};

/// Node `rod` at its centre of mass, fixed points and contacts `support_1` and `support_2`. Friction forces are
/// positive if they push the rod along its x axis.
Model make_rocking_rod(const RockingRod& parameters = {});

/// Measures the final position of the rod, and the support forces.
Measures rocking_rod_measures(const RunInfo& run, const RockingRod& parameters);

Signals rocking_rod_signals(const RunInfo& run, const RockingRod& parameters);

RegisteredModel registered_rocking_rod();

}  // namespace picus::models
