#pragma once

/// A spring and damper on a scalar node, such as the angle of a hinge:
///
///     f = -F(s - s_0) - c ds/dt,   V = integral of F
///
/// F(e) = k e, or any ScalarLaw; c ds/dt, or any ScalarLaw of ds/dt.

#include <picus/element.hpp>
#include <picus/elements/forces/scalar_law.hpp>
#include <picus/model.hpp>

#include <optional>
#include <string>

namespace picus {

class TorsionalSpringDamper : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;                                      ///< the angle s, such as that of a hinge
    double stiffness = 0.0;                               ///< k, N m/rad, >= 0; not with a law
    double damping = 0.0;                                 ///< c, N m s/rad, >= 0; not with a damping_law
    double free_angle = 0.0;                              ///< s_0, rad
    std::optional<ScalarLaw> law = std::nullopt;          ///< F, N m, as a function of s - s_0, rad
    std::optional<ScalarLaw> damping_law = std::nullopt;  ///< N m, as a function of the rate ds/dt, rad/s
  };
  TorsionalSpringDamper(const Parameters& parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  ScalarNode node_;
  ScalarLaw law_;
  ScalarLaw damping_;
  double s_0_;
  bool has_spring_;
  bool has_damper_;
};

}  // namespace picus
