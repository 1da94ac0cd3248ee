#pragma once

/// Friction whose coefficient depends on the sliding speed.
///
///     model.add<picus::NodeToFaceContact>({.name = "sole", .node = foot, .face = floor, .mu = 0.4});
///     model.add<picus::NodeToFaceContact>({.name = "pad", .node = pad, .face = disc,
///         .mu = picus::stribeck({.mu_at_rest = 0.5, .mu_sliding = 0.3, .speed = 0.01})});
///     model.add<picus::NodeToFaceContact>({.name = "heel", .node = heel, .face = floor, .mu = MyLaw{0.9}});
///
/// The law remains Coulomb's, |P_T| <= mu(s) P_N: set-valued at rest, and opposed to the sliding velocity where the
/// bound is reached.

#include <concepts>
#include <memory>
#include <utility>

namespace picus {

/// Coefficient of friction as a function of the sliding speed. Called from several threads at the same time.
class FrictionLaw {
 public:
  /// The coefficient at a speed.
  struct Value {
    double mu = 0.0;     ///< >= 0
    double slope = 0.0;  ///< d mu/ds, s/m; used by Newton's method only
  };
  virtual ~FrictionLaw() = default;
  /// mu(s) for a sliding speed s >= 0, m/s; continuous in s. mu(0) bounds the friction at rest.
  virtual Value at(double speed) const = 0;
};

/// The value of an option `mu`: a number, or a law.
class Friction {
 public:
  /// Coulomb's law with a constant coefficient.
  Friction(double mu = 0.0) : at_rest_(mu) {}  // NOLINT(google-explicit-constructor): `.mu = 0.3`
  // NOLINTBEGIN(google-explicit-constructor): `.mu = stribeck({...})`, `.mu = MyLaw{...}`
  /// A coefficient that depends on the speed, by a law that others may share. A null pointer: no friction.
  template <std::derived_from<FrictionLaw> Law>
  Friction(std::shared_ptr<Law> law) : Friction(Shared{}, std::move(law)) {}
  /// The same by a law that is copied, not shared.
  template <std::derived_from<FrictionLaw> Law>
  Friction(Law law) : Friction(Shared{}, std::make_shared<const Law>(std::move(law))) {}
  // NOLINTEND(google-explicit-constructor)

  /// The coefficient at rest.
  double at_rest() const { return at_rest_; }
  /// The law; null: the coefficient is constant.
  const std::shared_ptr<const FrictionLaw>& law() const { return law_; }
  /// A number that distinguishes laws, so that a resumed run with a different one is recognised: the constant
  /// coefficient, or a sum of values of the law.
  double fingerprint() const;

 private:
  struct Shared {};
  Friction(Shared /*unused*/, std::shared_ptr<const FrictionLaw> law)
      : at_rest_(law ? law->at(0.0).mu : 0.0), law_(std::move(law)) {}

  double at_rest_;
  std::shared_ptr<const FrictionLaw> law_;
};

/// Parameters of stribeck().
struct StribeckParameters {
  double mu_at_rest = 0.0;  ///< mu_s >= 0
  double mu_sliding = 0.0;  ///< mu_k >= 0, reached at high speed
  double speed = 0.0;       ///< v_s > 0 at which the difference of the two has fallen to 1/e, m/s
  double exponent = 2.0;    ///< a >= 1: 1 (Bo and Pavelescu) or 2 (Armstrong-Helouvry)
  double viscosity = 0.0;   ///< c >= 0, growth of the coefficient with speed, s/m
};

/// Falling friction with a viscous part, mu(s) = mu_k + (mu_s - mu_k) exp(-(s / v_s)^a) + c s: the Stribeck curve in
/// the form of Armstrong-Helouvry, Dupont and Canudas de Wit (Automatica 30, 1994, eq. 10), per unit of normal force.
/// Throws ModelError for parameters outside their ranges.
std::shared_ptr<const FrictionLaw> stribeck(const StribeckParameters& parameters);

}  // namespace picus
