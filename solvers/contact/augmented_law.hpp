#pragma once

/// The contact conditions of one contact as equations: unilateral contact with Coulomb friction in the
/// augmented Lagrangian form of Alart and Curnier (Galvez 2020, section 4.1), the same at position level
/// (y = gap and tangential displacement, P = position multiplier) and at velocity level (y = rates of the impact law, P
/// = impulse).
///
/// With xi = P - p y, P = k x, tau = xi_T / |xi_T|:
///
///     gap    xi_N < 0             -k/p P = 0
///     stick  |xi_T| <= mu xi_N    -k y_N = 0,  -k y_T = 0
///     slip   |xi_T| >  mu xi_N    -k y_N = 0,  k/p (-P_T + mu xi_N tau) = 0
///
/// Where the direction tau of friction is known, because the contact slides in it, a closed contact slips along it
/// whatever y_T.
///
/// With an apex a > 0 (the expansion of an impact after Poisson) P_N >= a: the contact is open for xi_N < a, where
/// P_N = a and friction has the bound mu a.
///
/// Equality counts as stick, so that tau is never 0/0. A closed contact without friction slips: P_T = 0. Rolling rows
/// stick or slip independently, with the same equations; the state of the contact is that of sliding. Where mu depends
/// on y, its gradient enters the derivatives of the slip equations.

#include <picus/element.hpp>
#include <picus/state.hpp>
#include <picus/types.hpp>

#include <array>

namespace picus {

/// One contact of a contact problem, as plain data.
struct ContactCone {
  Index rows = 1;       ///< number of rows
  Index first_row = 0;  ///< index of the normal row in vectors of all contact rows
  double mu = 0.0;
  double k = 1.0;            ///< scale of the multiplier, kg
  double p = 1.0;            ///< penalty parameter, kg
  double epsilon = 0.0;      ///< proximal regularisation of active rows, kg
  bool is_candidate = true;  ///< false: the contact is treated as open
  Index rolling_rows = 0;    ///< number of rolling rows, which are the last ones
  double apex = 0.0;         ///< a, least normal multiplier of a candidate, >= 0
  /// d mu/dy in the sliding rows 1 and 2, s/m.
  std::array<double, 2> mu_gradient{};
  /// Known directions of friction: a unit vector in the sliding rows and one in the rolling rows, where zero stands for
  /// an unknown direction; null: none is known. Entry 0 is unused.
  const double* direction = nullptr;
};

/// Residual of one contact and its derivatives, column by column with `rows` rows.
struct ContactEquations {
  ContactState state = ContactState::gap;
  std::array<double, max_contact_rows> r{};
  std::array<double, max_contact_rows * max_contact_rows> D{};  ///< dr/dy
  std::array<double, max_contact_rows * max_contact_rows> E{};  ///< dr/dx, regularised where active
};

/// State and residual of a contact at (y, P), vectors with `rows` entries.
ContactState contact_residual(const ContactCone& cone, const double* y, const double* P, double* r);

/// The same with derivatives.
ContactEquations contact_equations(const ContactCone& cone, const double* y, const double* P);

}  // namespace picus
