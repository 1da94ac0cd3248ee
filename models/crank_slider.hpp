#pragma once

/// A crank-slider mechanism with clearance between the slider and its guides (Chen and others 2013, section 5.6; after
/// Flores, Leine and Glocker 2010).
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
/// Start: crank and rod along x, slider in the middle of the guides and at rest; the crank turns with 150 rad/s, and so
/// the rod with -75 rad/s. Nothing drives the mechanism. Corners 1 to 4 are the contacts `lower_left`, `lower_right`,
/// `upper_right` and `upper_left`, each with the guide on its side.
///
/// Crank and rod are rigid, or beams of the same masses. Without friction nothing
/// turns the slider, because its pin is its centre of mass: both corners on one side hit together.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct CrankSlider {
  enum class Rods : std::uint8_t { rigid, flexible };
  Rods rods = Rods::rigid;
  Index elements = 2;          ///< of crank and rod each, where flexible
  double restitution = 0.4;    ///< e
  double mu = 0.0;             ///< coefficient of friction at the corners
  double gravity = 10.0;       ///< g, m/s2
  double crank_speed = 150.0;  ///< rad/s
};

/// Nodes `slider` and, rigid, `crank` and `rod` (their centres), or, flexible, `crank[0]`, `rod[0]` and so on along the
/// beams. Hinges `crank_pivot`, `crank_pin` and `slider_pin`; contacts as named above.
Model make_crank_slider(const CrankSlider& parameters = {});

/// Measures the first impact and two revolutions of the crank.
std::unique_ptr<Observer> make_crank_slider_observer(const CrankSlider& parameters = {});

Signals crank_slider_signals(const RunInfo& run, const CrankSlider& parameters);

RegisteredModel registered_crank_slider();

}  // namespace picus::models
