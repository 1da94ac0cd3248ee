#pragma once

/// A pendulum that falls onto a flexibly supported plate (thesis, section 4.2.6).
///
///            o======+======o   -->  tip, initially horizontal: rotates about the vertical with W_0
///            |pivot   rod
///        z   | h_0
///        |   |
///     y--+   |  O
///     -------+---------   plate: rotates about its centre O, which is fixed
///     |               |
///     \               \   spring and damper at each corner, vertical and initially unloaded
///     /               /
///     |               |
///    ---             ---
///
/// The rod hangs from a ball joint and swings down until its tip hits the plate. The plate tilts and returns, the tip
/// bounces, slips and sticks. The motion is three-dimensional.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct PendulumOnPlate {
  double mu = 0.3;                  ///< coefficient of friction between tip and plate
  double angular_velocity = 1.5;    ///< W_0 of the rod about the vertical, rad/s
  double rod_centre = 0.65;         ///< from the pivot to the centre of mass of the rod, m
  double rod_inertia = 5.0 * 1.69;  ///< principal moments about that centre, all equal: m_v l^2, kg m2
  double stiffness = 100.0;         ///< of a support, N/m
  double damping = 1.0;             ///< of a support, N s/m
};

/// Nodes `plate` (centre O), `rod` (centre of mass) and `tip`, on a rigid link to the rod; contact `tip` with the
/// plate, whose friction directions are the axes x and y of the plate.
Model make_pendulum_on_plate(const PendulumOnPlate& parameters = {});

/// Measures the first impact compared with that of the free pendulum, and the contacts of the tip with the plate.
Measures pendulum_on_plate_measures(const RunInfo& run, const PendulumOnPlate& parameters);

Signals pendulum_on_plate_signals(const RunInfo& run, const PendulumOnPlate& parameters);

/// The exact time at which the tip first reaches the plate, s; infinite if it turns back before.
double first_impact(const PendulumOnPlate& parameters);

RegisteredModel registered_pendulum_on_plate();

}  // namespace picus::models
