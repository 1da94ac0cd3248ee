#pragma once

/// A semicircular masonry arch of n equal blocks on rigid ground, under its own weight, in the x-y plane.
///
///            .--+--+--.
///          /   |    |   \         blocks: sectors of a ring with radii R -+ t/2, 1 m wide
///        /--.           .--\      joints: radial, mu, no restitution; one block's two corners on the other's face
///       |   |     R      |  |
///       |---|-----+------|--|
///      ///////        ////////    g along -y
///
/// The arch is at rest at t = 0; the joint forces at that time are not known. Joints carry no tension: an arch
/// thinner than least_thickness() opens hinges and collapses.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct Arch {
  Index blocks = 15;        ///< n
  double radius = 1.0;      ///< R, m
  double thickness = 0.2;   ///< t/R
  double density = 2000.0;  ///< kg/m3
  double mu = 0.7;
  double gravity = 9.81;  ///< m/s2
};

/// Nodes `block[0]` to `block[n-1]`, starting at the springing at x > 0, each at its centroid; contacts `inner[i]`
/// and `outer[i]` of joint i, 0 to n.
Model make_arch(const Arch& parameters = {});

/// Measures the largest displacement of a block, zero for an arch that can stand according to limit analysis.
Measures arch_measures(const RunInfo& run, const Arch& parameters);

/// "motion", the largest displacement of a block, m; "crown", that of the middle block along y; "fallbacks" of the
/// step; energy.
Signals arch_signals(const RunInfo& run, const Arch& parameters);

RegisteredModel registered_arch();

}  // namespace picus::models
