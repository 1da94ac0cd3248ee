#pragma once

/// A point mass on a massless rod, problem A01 of the IFToMM library of computational benchmark problems (Gonzalez,
/// Dopico, Lugris and Cuadrado 2006).
///
///      y
///      |
///   P--o---> x      P: m, at (-l, 0) and at rest at the start; gravity along -y
///     l
///
/// With the angle phi between the rod and the x axis, d2phi/dt2 = -g/l cos(phi) (SwingReference).

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct SimplePendulum {
  double mass = 1.0;      ///< m, kg
  double length = 1.0;    ///< l, m
  double gravity = 9.81;  ///< m/s2
};

/// Node `P`, joint `rod`.
Model make_simple_pendulum(const SimplePendulum& parameters = {});

/// The largest change of the energy.
Measures simple_pendulum_measures(const RunInfo& run, const SimplePendulum& parameters);

/// Position of P with its exact values ("P.x", "P.y"), energy, violation.
Signals simple_pendulum_signals(const RunInfo& run, const SimplePendulum& parameters);

RegisteredModel registered_simple_pendulum();

}  // namespace picus::models
