#pragma once

/// A stop on a joint coordinate s, such as the angle of a hinge or the displacement of a slider:
///
///     g_N = s - limit >= 0  (lower)   or   g_N = limit - s >= 0  (upper)
///
/// without friction, with Newton's impact law. Gap and impulse have the units of the coordinate: rad and N m s for an
/// angle, m and N s for a displacement.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <limits>
#include <optional>
#include <string>

namespace picus {

class CoordinateStop : public Element, public Contact {
 public:
  /// Which end of the range the stop is at.
  enum class Side : std::uint8_t {
    lower,  ///< s >= limit
    upper,  ///< s <= limit
  };
  struct Parameters {
    std::string name;
    ScalarNode coordinate;                                    ///< s, a joint coordinate
    Side side = Side::lower;                                  ///< whether s stays above the limit or below it
    double limit = std::numeric_limits<double>::quiet_NaN();  ///< of the coordinate; must be given
    double e_n = 0.0;                                         ///< coefficient of restitution, in [0, 1]
    ImpactLaw impact_law = {};                                ///< the law to which e_n refers
  };
  CoordinateStop(const Parameters& parameters, const Model& model);

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration& q_n, const Configuration& q, std::span<double> g) const override;
  void gradient(const Configuration& q, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, std::span<const double> p,
                           std::span<double> K) const override;

 private:
  ScalarNode coordinate_;
  double sign_;  ///< dg_N/ds
  double limit_;
  ContactLaw law_;
};

/// The arguments of add_stops().
struct StopsParameters {
  std::string name;
  ScalarNode coordinate;                       ///< s, a joint coordinate
  std::optional<double> lower = std::nullopt;  ///< smallest s; none: no stop there
  std::optional<double> upper = std::nullopt;  ///< above the lower one
  double e_n = 0.0;                            ///< coefficient of restitution of both, in [0, 1]
  ImpactLaw impact_law = {};                   ///< the law to which e_n refers
};

/// The result of add_stops().
struct Stops {
  std::optional<Handle<CoordinateStop>> lower;  ///< NAME_lower
  std::optional<Handle<CoordinateStop>> upper;  ///< NAME_upper
};

/// Adds the stops "NAME_lower" and "NAME_upper", as far as their limits are given.
Stops add_stops(Model& model, const StopsParameters& parameters);

}  // namespace picus
