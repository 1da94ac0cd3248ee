#pragma once

/// The exact motion of a linear elastic bar that hits a rigid wall and rebounds, by d'Alembert. X in [0, L] is the
/// distance of a material point from the tip of the undeformed bar; the wall is at x = 0, the bar at x > 0:
///
///     x(X, t) = X + d_0 - v_0 min(t, t_s) + v_0 max(t - t_r, 0),   t_s = t_1 + X/c,   t_r = t_1 + (2 L - X)/c
///
///     ^ x      \         /         v = -v_0 below both fronts, 0 between them, +v_0 above
///     |         \.     ./
///     |          \ `. '/           t_1 = d_0/v_0, c^2 = E/rho
///     |     wall  -----            closed from t_1 for 2 L/c with the force rho c v_0 A
///     +-----------|---|----> t
///
/// The tip touches the wall at t_1. A compression front v_0/c travels to the free end and stops each point at t_s;
/// the front reflected at the free end releases each point with the velocity v_0 at t_r. When it reaches the tip the
/// bar lifts off, undeformed and with all its energy. The coefficient of restitution does not matter: the tip has no
/// mass.
///
/// (Doyen, Ern, Piperno 2011, SIAM J. Sci. Comput. 33, 223-249)

namespace picus::models {

struct ImpactingBarParameters {
  double youngs_modulus;  ///< E, N/m2, > 0
  double density;         ///< rho, kg/m3, > 0
  double area;            ///< A, m2, > 0
  double length;          ///< L, m, > 0
  double gap;             ///< d_0 at t = 0, m, >= 0
  double speed;           ///< v_0 towards the wall, m/s, > 0
};

class ImpactingBarExact {
 public:
  explicit ImpactingBarExact(const ImpactingBarParameters& bar);

  /// x(X, t) in m, its rate in m/s and the strain dx/dX - 1; at a front the values behind it. t >= 0.
  double position(double X, double t) const;
  double velocity(double X, double t) const;
  double strain(double X, double t) const;

  /// The force of the wall on the bar, N, >= 0.
  double contact_force(double t) const;
  /// Energies at t, J.
  double kinetic_energy(double t) const;
  double strain_energy(double t) const;

  double wave_speed() const { return wave_speed_; }  ///< c, m/s
  double closes_at() const { return closes_at_; }    ///< t_1, s
  double opens_at() const;                           ///< t_1 + 2 L/c, s
  double impact_force() const;                       ///< rho c v_0 A, N

 private:
  /// t_s and t_r at the point X.
  double stops_at(double X) const;
  double rebounds_at(double X) const;
  /// The length of bar that is compressed and at rest, m.
  double stopped_length(double t) const;

  ImpactingBarParameters bar_;
  double wave_speed_;
  double closes_at_;
};

}  // namespace picus::models
