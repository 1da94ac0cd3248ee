#pragma once

/// A spinning rigid box that falls onto a floor and bounces on its corners (thesis, section 3.3.1).
///
///        z           6___________7
///        |          /|          /|
///        |         4___________5 |     m, edges l_x, l_y, l_z; the axes of the box are those of the drawing at
///        |         | 2_ _ _ _ _|_3     the start; corner 5, at (+, -, +), hits first
///        |   y     |/          |/
///        |  /      0___________1       Omega_0 (body axes), v_0 along x     | g
///        | /            : h_0                                               v
///        |/             :
///        +--------------:--------> x
///       ///////////////////////////    floor: e, no friction
///
/// The corners are nodes on rigid links to the centre of mass, as in the thesis, or points of the body; the motion is
/// the same.

#include <picus/model.hpp>
#include <picus/models/registered_model.hpp>

#include <memory>

namespace picus::models {

struct BoxImpact {
  enum class Variant : std::uint8_t { rigid_links, body_points };

  Variant variant = Variant::rigid_links;
  double mass = 46.8;        ///< m, kg
  double length_x = 0.1;     ///< l_x, m
  double length_y = 0.2;     ///< l_y, m
  double length_z = 0.3;     ///< l_z, m
  double height = 1.0;       ///< h_0, m
  double speed = 3.0;        ///< v_0 along x, m/s
  double spin_x = 60.0;      ///< Omega_x, rad/s
  double spin_y = 60.0;      ///< Omega_y, rad/s
  double restitution = 0.8;  ///< e
  double gravity = 9.81;     ///< m/s2
};

/// Node `box` (a frame), with rigid links also `corner[0]` to `corner[7]`; contacts `floor[0]` to `floor[7]`.
Model make_box_impact(const BoxImpact& parameters = {});

/// Measures the first impact and the evolution of the energy.
Measures box_impact_measures(const RunInfo& run, const BoxImpact& parameters);

/// Motion of the centre and of corner 5 ("p", the x_p of the thesis), gap and gap rate of that corner, energy.
Signals box_impact_signals(const RunInfo& run, const BoxImpact& parameters);

RegisteredModel registered_box_impact();

}  // namespace picus::models
