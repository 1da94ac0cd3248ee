#pragma once

/// A linear elastic bar that hits a rigid wall and rebounds (thesis, section 3.3.2; Chen 2013, section 5.3; the
/// impacting bar of Acary's slides).
///
///     //|
///     //|               v_0  <---
///     //|          o---o---o---  ...  ---o---o    E, rho, A
///     //|   d_0    bar[0]                bar[n]
///     //|<-------->|<----------- L --------->|
///     --+----------------------------------------> x
///     wall: e, no friction, no gravity
///
/// It moves along x only, where the beam elements are linear in the displacements.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct ElasticBar {
  enum class Mass : std::uint8_t { consistent, lumped };

  double youngs_modulus = 900.0;  ///< E, N/m2
  double density = 1.0;           ///< rho, kg/m3
  double area = 1.0;              ///< A, m2
  double length = 10.0;           ///< L, m
  double gap = 5.005;             ///< d_0, m
  double speed = 10.0;            ///< v_0 towards the wall, m/s
  double restitution = 0.0;       ///< e of the tip node
  Index elements = 200;
  Mass mass = Mass::consistent;  ///< distribution of the mass to the nodes
  double probe = 0.45;           ///< distance of the observed interior point from the tip, m
};

/// Nodes `bar[0]` (the tip) to `bar[n]` (the free end), contact `wall`.
Model make_elastic_bar(const ElasticBar& parameters = {});

/// Measures when the tip hits and leaves the wall, the contact force, and the velocity of the bar afterwards.
Measures elastic_bar_measures(const RunInfo& run, const ElasticBar& parameters);

/// Position and velocity of the tip, of the interior point ("probe") and of the free end ("end"), gap and force at
/// the wall, energies: with their exact values, which are those of the continuous bar. In addition, without exact
/// values, the motion of the nodes at the tip and next to the interior point: for the discretised bar the error
/// vanishes with the step alone.
Signals elastic_bar_signals(const RunInfo& run, const ElasticBar& parameters);

RegisteredModel registered_elastic_bar();

}  // namespace picus::models
