#pragma once

/// A tippe top: a sphere with a stem that spins on a floor, inverts itself and stands on its stem.
///
///        stem   __           e_3, axis of the top
///              (  ) C_2       |
///               ||            |      C_1 = S + a_1 e_3   centre of the sphere, radius R_1
///            .------.         |      C_2 = S + a_2 e_3   centre of the stem's end, radius R_2
///           (  + C_1 )        |      S                   centre of mass: m, J = diag(I_1, I_1, I_3)
///            \ + S  /
///        -----`----'------- floor, normal z
///
/// Parameters and initial conditions are those of Leine and Glocker (2003), section 6: inclined by 0.1 rad, spinning
/// about its axis. Both ends have a small contact disc of radius R, where friction couples sliding and drilling
/// (Coulomb-Contensou); the ellipsoidal approximation of that law in the element has epsilon = 2/3 R, as for pure
/// drilling under uniform pressure.
///
/// While only the sphere is in contact and there is no drilling friction, Jellett's integral, the component of the
/// angular momentum about S along the vector from S to the contact, is conserved whatever the friction (Jellett
/// 1872).

#include <picus/model.hpp>
#include <picus/models/references/tippe_top_reference.hpp>
#include <picus/models/registered_model.hpp>

namespace picus::models {

struct TippeTop {
  double mass = 6e-3;                ///< m, kg
  double transverse_inertia = 8e-7;  ///< I_1, kg m2
  double axial_inertia = 7e-7;       ///< I_3, kg m2
  double sphere_radius = 1.5e-2;     ///< R_1, m
  double sphere_centre = 3e-3;       ///< a_1, m
  double stem_radius = 5e-3;         ///< R_2, m
  double stem_centre = 1.6e-2;       ///< a_2, m
  double mu = 0.3;
  double contact_radius = 5e-4;  ///< R, m
  double gravity = 9.81;         ///< m/s2
  double inclination = 0.1;      ///< initial, rad
  double spin = 180.0;           ///< initial, about the axis, rad/s
};

/// Node `top` at S, contacts `sphere` and `stem`.
Model make_tippe_top(const TippeTop& parameters = {});

/// When the stem touches, and the largest inclination and height of the top.
Measures tippe_top_measures(const RunInfo& run, const TippeTop& parameters);

/// "inclination" of the axis and height of the centre of mass ("top.z"), with the reference values as long as the
/// stem is in the air; "spin" about the vertical, "jellett", gaps of both contacts and energy.
Signals tippe_top_signals(const RunInfo& run, const TippeTop& parameters);

RegisteredModel registered_tippe_top();

}  // namespace picus::models
