#pragma once

/// A rigid body in plane motion with one contact under Coulomb's law, which stays closed until its normal force
/// vanishes: equations with explicit contact forces,
///
///     M a = f + N n + F t
///     n . a + c_n = 0                          while the contact is closed
///     F = -mu N sign(u),  u = t . v            during slip
///     t . a + c_t = 0,  |F| <= mu N            during stick
///     N = F = 0                                from the instant on at which N would become negative
///
/// for coordinates (x, y, phi), M = diag(m, m, J), and directions n and t of the gap rate and of the slip rate that
/// depend on them. Fourth-order Runge-Kutta method with steps of 10 us, divided at events (slip ends or reverses,
/// stick ends, the contact opens), which are located to rounding. There are no step multipliers, no inclusion and no
/// position constraint: it shares nothing with the schemes. The contact does not close again.

#include <picus/models/references/stepped_motion.hpp>
#include <picus/types.hpp>

#include <Eigen/Core>

#include <functional>

namespace picus::models {

class PlanarContactReference {
 public:
  struct Coordinates {
    Vec3 q;  ///< x, y (m), phi (rad)
    Vec3 v;  ///< their rates
  };
  /// Directions at some coordinates, and the terms of the second derivatives of gap and slip path besides n . a and
  /// t . a, m/s2.
  struct Directions {
    Vec3 n, t;
    double c_n, c_t;
  };
  struct Parameters {
    Vec3 mass;  ///< m, m, J
    Vec3 load;  ///< f, constant
    double mu;
    Coordinates start;  ///< with the contact closed and no gap rate
    std::function<Directions(const Coordinates& at)> directions;
    double step = 1e-5;  ///< of the Runge-Kutta method, s
  };
  explicit PlanarContactReference(const Parameters& parameters, StopRequest stop_request = nullptr);

  enum class Contact : std::uint8_t { sticks, slips_forth, slips_back, is_open };
  struct Motion {
    Coordinates at;
    Contact contact;
  };
  /// The motion at t >= 0; see HeavyTopReference::at().
  const Motion& at(double t);

  /// The forces N and F at t, N.
  struct Forces {
    double normal, friction;
  };
  Forces forces(double t);

 private:
  struct Solution {
    Vec3 acceleration;
    Forces forces;
  };
  Solution solve(const Coordinates& at, Contact contact) const;
  Contact contact_at_start() const;
  Contact contact_without_slip(const Coordinates& at) const;
  Coordinates advance(const Coordinates& from, Contact contact, double h) const;
  double distance_to_event(const Coordinates& at, Contact contact) const;
  Contact after_event(const Coordinates& at, Contact before) const;
  Motion advance_through_events(Motion motion, double h) const;

  Parameters p_;
  SteppedMotion<Motion> motion_;
};

}  // namespace picus::models
