#pragma once

/// A heavy top that spins about a fixed point (Bruels and Cardona; thesis, sections 2.8.4 and 2.9).
///
///      z                                  | g
///      |                                  v
///      |
///      +---------------(+)------ y      centre of mass at (0, l, 0): m, J = diag(J_t, J_a, J_t)
///     pivot     l       Omega_y
///
/// The frame of the top is at its centre of mass, a spherical joint connects it to the pivot: three bilateral
/// constraints, no contact. The axis is initially horizontal.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct SpinningTop {
  double mass = 15.0;                    ///< m, kg
  double transverse_inertia = 0.234375;  ///< J_t about the centre of mass, kg m2
  double axial_inertia = 0.46875;        ///< J_a, kg m2
  double distance = 1.0;                 ///< l, m
  double gravity = 9.81;                 ///< m/s2
  double spin = 150.0;                   ///< Omega_y, rad/s
  double precession = -4.61538;          ///< Omega_z, rad/s
};

/// Node `top` (a frame), joint `pivot`.
Model make_spinning_top(const SpinningTop& parameters = {});

/// Measures the deviation of R from a rotation, and the largest change of the energy.
Measures spinning_top_measures(const RunInfo& run, const SpinningTop& parameters);

/// Position and velocity of the centre of mass, reaction of the pivot ("pivot.x" to "pivot.z"), all with exact
/// values; energy, violation and |R^T R - I| ("orthogonality").
Signals spinning_top_signals(const RunInfo& run, const SpinningTop& parameters);

RegisteredModel registered_spinning_top();

}  // namespace picus::models
