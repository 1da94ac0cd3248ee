#pragma once

/// A chain of four-bar linkages, problem A02 of the IFToMM library of computational benchmark problems (Gonzalez,
/// Dopico, Lugris and Cuadrado 2006, after Bayo and Avello 1994).
///
///     B_0-----B_1-----B_2   ...   --> v_0
///      |       |       |
///      |       |       |                   2 N + 1 slender rods: l, m
///     A_0     A_1     A_2   ...            y up, gravity along -y
///
/// One degree of freedom, but N + 1 in the configurations where all rods are aligned, which the chain passes twice
/// per revolution. With the angle phi between the upright rods and the x axis, the equation of motion is that of a
/// pendulum (SwingReference),
///
///     d2phi/dt2 = -k cos(phi),   k = g/l ((N + 1)/2 + N) / ((N + 1)/3 + N)

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct FourBarChain {
  Index windows = 2;      ///< N
  double mass = 1.0;      ///< m of each rod, kg
  double length = 1.0;    ///< l, m
  double speed = 1.0;     ///< v_0 of B_0 along x at the start, m/s
  double gravity = 9.81;  ///< m/s2
};

/// Nodes `upright[i]` and `coupler[i]` at the middle of the rods.
Model make_four_bar_chain(const FourBarChain& parameters = {});

/// The largest change of the energy.
Measures four_bar_chain_measures(const RunInfo& run, const FourBarChain& parameters);

/// Position of B_0 with its exact values ("B0.x", "B0.y"), energy, violation.
Signals four_bar_chain_signals(const RunInfo& run, const FourBarChain& parameters);

RegisteredModel registered_four_bar_chain();

}  // namespace picus::models
