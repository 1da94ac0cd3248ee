#pragma once

/// A thin rod whose lower end slides on a rough floor, or lands on it (Painleve 1895; Genot and Brogliato 1999, New
/// results on Painleve paradoxes). With phi the angle of the rod with the floor, j the radius of gyration, b the
/// acceleration of the end away from the floor without contact forces and N the normal force, an end that slips
/// backwards (against the inclination of the rod) has
///
///     d2gap/dt2 = b + B N,   B = (1 + (l/2)^2/j^2 cos(phi) (cos(phi) - mu sin(phi)))/m,   l/2 sin(phi) dphi/dt^2 - g = b
///
///     B > 0            one solution: N = max(0, -b/B)
///     B < 0, b < 0     no force prevents penetration: the velocity jumps without a collision. Slip stops, since only
///                      that impulse lies inside the cone; the angular momentum about the end is conserved
///     B < 0, b >= 0    several: the end lifts off, slides on, or its velocity jumps
///
/// B < 0 requires mu > 4/3 for a thin rod, at tan(phi) = 2. An end that lands (e = 0) sticks if its impulse is inside
/// the friction cone, and otherwise slips on with the impulse on the boundary of the cone. In both cases
/// PlanarContactReference continues.

#include <picus/models/references/planar_contact_reference.hpp>
#include <picus/types.hpp>

#include <cstdint>
#include <optional>

namespace picus::models {

struct PainleveRodParameters {
  double mass;         ///< m, kg
  double length;       ///< l, m
  double mu;           ///< of friction on the floor
  double gravity;      ///< m/s2
  double inclination;  ///< initial, from the vertical towards +x, rad
  double rate;         ///< initial rate of the inclination, rad/s
  double slip;         ///< initial velocity of the lower end along x, m/s
  double height;       ///< initial height of the lower end above the floor, with no velocity along y; m
};

class PainleveRodReference {
 public:
  using Coordinates = PlanarContactReference::Coordinates;

  explicit PainleveRodReference(const PainleveRodParameters& rod, StopRequest stop_request = nullptr);

  /// Number of solutions for the forces at a closed, slipping contact.
  enum class Solutions : std::uint8_t { one, none, several };
  /// The number when the end is on the floor: at the start, or before the impact when it lands.
  Solutions solutions() const { return solutions_; }
  /// Whether the motion is known, that is, not one of several.
  bool is_unique() const { return solutions_ != Solutions::several; }

  /// When the velocity jumps, s: the end lands, or slip stops without a collision. Empty if it never does.
  std::optional<double> jump() const { return jump_; }
  /// The motion at t >= 0; ascending queries are cheap. At the jump, the state after it. Only if the motion is
  /// unique.
  Coordinates at(double t);

 private:
  Coordinates flight(double t) const;
  double landing() const;
  Coordinates after_jump(const Coordinates& before) const;
  PlanarContactReference contact_from(const Coordinates& start, StopRequest stop_request) const;

  PainleveRodParameters rod_;
  Vec3 mass_;  ///< m, m, J
  Solutions solutions_ = Solutions::one;
  std::optional<double> jump_;
  double contact_start_ = 0.0;
  std::optional<PlanarContactReference> contact_;
};

}  // namespace picus::models
