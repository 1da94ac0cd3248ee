#pragma once

/// A thin rod whose lower end slides on a rough floor, or lands on it (Painleve 1895; Genot and Brogliato 1999, New results on
/// Painleve paradoxes). With phi the angle of the rod with the floor, j the radius of gyration, b the acceleration of the end
/// away from the floor without contact forces and N the normal force, an end that slips back (against the lean of the rod) has
///
///     d2gap/dt2 = b + B N,   B = (1 + (l/2)^2/j^2 cos(phi) (cos(phi) - mu sin(phi)))/m,   l/2 sin(phi) dphi/dt^2 - g = b
///
///     B > 0            one solution: N = max(0, -b/B)
///     B < 0, b < 0     no force keeps the end out of the floor: the velocity jumps, though nothing collides. Slip stops, as the
///                      only impulse inside the cone stops it; the angular momentum about the end stays
///     B < 0, b >= 0    several: the end leaves the floor, slides on, or jumps
///
/// B < 0 needs mu > 4/3 for a thin rod, at tan(phi) = 2. An end that lands (e = 0) sticks if its impulse is inside the cone, and
/// slips on along the edge of the cone if not. After either, PlanarContactReference.

#include <picus/models/references/planar_contact_reference.hpp>
#include <picus/types.hpp>

#include <cstdint>
#include <optional>

namespace picus::models {

struct PainleveRodParameters {
  double mass;         ///< m, kg
  double length;       ///< l, m
  double mu;           ///< of the floor
  double gravity;      ///< m/s2
  double inclination;  ///< from the vertical towards +x at the start, rad
  double rate;         ///< of the inclination at the start, rad/s
  double slip;         ///< velocity of the lower end along x at the start, m/s
  double height;       ///< of the lower end above the floor at the start, where it has no velocity along y; m
};

class PainleveRodReference {
 public:
  using Coordinates = PlanarContactReference::Coordinates;

  explicit PainleveRodReference(const PainleveRodParameters& rod, StopRequest stop_request = nullptr);

  /// Forces at a contact that is closed and slips.
  enum class Solutions : std::uint8_t { one, none, several };
  /// When the end is on the floor: at the start, or when it lands, before the impact.
  Solutions solutions() const { return solutions_; }
  /// Whether the motion is known: not where there are several.
  bool is_unique() const { return solutions_ != Solutions::several; }

  /// When the velocity jumps, s: the end lands, or slip stops by itself. None if it never does.
  std::optional<double> jump() const { return jump_; }
  /// At t >= 0, ascending instants are cheap; the jump itself is over. Only where the motion is unique.
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
