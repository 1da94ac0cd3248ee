#pragma once

/// A rigid body in a plane with one contact under Coulomb's law that stays closed until its normal force vanishes: equations
/// with the forces of the contact written out,
///
///     M a = f + N n + F t
///     n . a + c_n = 0                          while the contact is closed
///     F = -mu N sign(u),  u = t . v            where it slips
///     t . a + c_t = 0,  |F| <= mu N            where it sticks
///     N = F = 0                                from the first instant on at which N would be negative
///
/// for coordinates (x, y, phi), M = diag(m, m, J), and directions n and t of the gap rate and of the slip rate that depend on
/// them. Runge and Kutta of fourth order in steps of 10 us, which events (slip ends or turns round, stick ends, the contact
/// opens) divide where they fall, to rounding. No multipliers of a step, no inclusion, no position constraint: it shares nothing
/// with the schemes. The contact does not close again.

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
  /// Directions at a place, and what the second derivatives of gap and slip path have beside n . a and t . a, m/s2.
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
    double step = 1e-5;  ///< of the method, s
  };
  explicit PlanarContactReference(const Parameters& parameters, StopRequest stop_request = nullptr);

  enum class Contact : std::uint8_t { sticks, slips_forth, slips_back, is_open };
  struct Motion {
    Coordinates at;
    Contact contact;
  };
  /// At t >= 0; as HeavyTopReference::at().
  const Motion& at(double t);

  /// N and F at t, N.
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
