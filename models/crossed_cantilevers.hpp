#pragma once

/// Two cantilevers of round section that cross at right angles, one above the other; a load at the end of the upper one
/// presses it onto the lower one.
///
/// With f(x, y) the displacement at x under a unit force at y, bending and shear, the contact force is
/// (F f_b(b, L_b) - gap)/(f_a(a, a) + f_b(b, b)), for crossing points a and b away from the clamps.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct CrossedCantilevers {
  Index elements = 16;           ///< of each beam
  double lower_length = 1.0;     ///< L_a, m
  double upper_length = 0.8;     ///< L_b, m
  double lower_crossing = 0.63;  ///< a, m
  double upper_crossing = 0.47;  ///< b, m
  double radius = 0.01;          ///< of the sections, m
  double modulus = 2e11;         ///< Young's modulus, N/m2
  double poissons_ratio = 0.3;   ///< of the material
  double density = 7800.0;       ///< kg/m3
  double gap = 0.0;              ///< without load, m
  double load = 1.0;             ///< F, N
};

/// Nodes `lower[0]` and `upper[0]`, clamped, to `lower[n]` and `upper[n]`; surfaces `lower` and `upper`, contact set
/// `all`.
Model make_crossed_cantilevers(const CrossedCantilevers& parameters = {});

/// The closed form.
struct CrossedCantileversExact {
  double force;      ///< in the contact, N
  double lower_tip;  ///< downwards, m
  double upper_tip;  ///< downwards, m
};
CrossedCantileversExact crossed_cantilevers_exact(const CrossedCantilevers& parameters);

/// Measures force and displacements of the ends.
Measures crossed_cantilevers_measures(const RunInfo& run, const CrossedCantilevers& parameters);

/// "force" in the contact, "lower_tip" and "upper_tip" (displacements downwards), and energy.
Signals crossed_cantilevers_signals(const RunInfo& run, const CrossedCantilevers& parameters);

RegisteredModel registered_crossed_cantilevers();

}  // namespace picus::models
