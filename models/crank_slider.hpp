#pragma once

/// A crank-slider mechanism with clearance between the slider and its guides (Chen and others 2013, section 5.6; Rezaei and
/// Schindler, sections 3 and 4; after Flores, Leine and Glocker 2010).
///
///       y      crank pin                            upper guide
///       |        o                       ==============================
///       |   l_1 / ' .                      +--------------+    ^
///       |      /       ' .  l_2            | 4     2b   3 |    |
///       |     /             ' .            |      o       | 2a | d     2a < d: clearance (d - 2a)/2
///       |    /                   ' . . . . | slider pin   |    |       above and below
///       |   /                              | 1          2 |    |
///       o--+----------> x                  +--------------+    v
///     crank pivot                        ==============================
///                                               lower guide
///
/// Initially the slider is at mid-height between the guides and at rest, crank and rod are along x (or the crank at
/// an angle); the crank rotates at 150 rad/s, and therefore the rod at -75 rad/s. The mechanism is not driven, unless
/// there is a torque. Corners 1 to 4 have the contacts `lower_left`, `lower_right`, `upper_right` and `upper_left`,
/// each with the guide on its side. Instead of the guides a joint can hold the slider without clearance.
///
/// Crank and rod are rigid, or beams of the same masses; or only the rod is a beam. The slider does not rotate,
/// because its pin is at its centre of mass: both corners on one side hit together. Friction with mu < b/a = 2 does
/// not rotate it either, because the two corners balance its moment.

#include <picus/model.hpp>
#include <picus/models/crank_slider_rods.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct CrankSlider {
  enum class Rods : std::uint8_t { rigid, flexible, flexible_rod, reduced_rod, solid_rod, reduced_solid_rod };
  enum class Guide : std::uint8_t { clearance, joint };
  Rods rods = Rods::rigid;
  Guide guide = Guide::clearance;
  Index elements = 2;      ///< of crank and rod each, if flexible; along the rod, if it is a solid
  Index cells_across = 1;  ///< of a solid rod, along each side of its section
  Index modes = 2;         ///< of a reduced rod
  RodBoundary boundary = RodBoundary::held;  ///< of the modes of a reduced rod of beams
  double modulus = 2.1e11;                   ///< E of the flexible bodies, N/m2
  double rod_inertia = 5.9e-4;  ///< J_2, if rigid, kg m2; Flores' value is twice that of a uniform rod
  double restitution = 0.4;     ///< e
  double mu = 0.0;              ///< coefficient of friction at the corners
  double clearance = 1e-3;      ///< between slider and guide at mid-height, m
  double gravity = 10.0;        ///< g, m/s2
  double crank_angle = 0.0;     ///< at the start, rad
  double crank_speed = 150.0;   ///< at the start, rad/s
  double start_height = 0.0;    ///< of the slider above mid-height at the start, m; it moves along x alone
  double torque = 0.0;          ///< on the crank, N m
};

/// Nodes `slider` and, if rigid, `crank` and `rod` (their centres), or, if flexible, `crank[0]`, `rod[0]` and so on
/// along the beams; with a reduced rod the frame of its shapes, `rod`, and its ends. Hinges `crank_pivot`, `crank_pin`
/// and `slider_pin`; contacts as named above, or the joint `guide`. Sensors `bearing`, the force on the crank at its
/// pivot, and `slider`, at 2 kHz. The density of a flexible rod with a rigid crank is chosen to give the mass of the
/// rigid rod.
Model make_crank_slider(const CrankSlider& parameters = {});

/// Measures the first impact, the speed of the crank before it, and the time of two revolutions of the crank.
Measures crank_slider_measures(const RunInfo& run, const CrankSlider& parameters);

Signals crank_slider_signals(const RunInfo& run, const CrankSlider& parameters);

RegisteredModel registered_crank_slider();

}  // namespace picus::models
