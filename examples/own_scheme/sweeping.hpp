#pragma once

#include <picus/parameter_table.hpp>
#include <picus/time_integrator.hpp>

#include <memory>

/// What the scheme has beside its step.
struct SweepingOptions {
  picus::Index sweeps = 10000;  ///< at most, in a step
  double change = 1e-12;        ///< of impulses in a sweep, relative, at which they are found

  static picus::ParameterTable<SweepingOptions> table();
};

/// Moreau's midpoint rule with contacts by projected Gauss-Seidel sweeps (Moreau 1999; Jean 1999), step size h in s:
///
///     q_m = q_n o exp(h/2 v_n),   M (v - v_n) = h f(q_m, v_n) + G^T mu + G_c^T r,   q = q_n o exp(h/2 (v_n + v))
///     G v + g_t = 0,   G_c v + e G_c v_n against r in Coulomb's cone where the gap at q_m is closed
std::unique_ptr<picus::TimeIntegrator> make_sweeping(double h, const SweepingOptions& options);
