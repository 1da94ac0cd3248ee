#pragma once

/// A linear spring and damper on a scalar node, such as the angle of a hinge:
///
///     f = -k (s - s_0) - c ds/dt,   V = 1/2 k (s - s_0)^2

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class TorsionalSpringDamper : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;
    double stiffness = 0.0;   ///< k, N m/rad, >= 0
    double damping = 0.0;     ///< c, N m s/rad, >= 0
    double free_angle = 0.0;  ///< s_0, rad
  };
  TorsionalSpringDamper(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;
  void conservative_force(const Configuration& q, double t, std::span<double> f) const override;
  double potential_energy(const Configuration& q, double t) const override;

 private:
  ScalarNode node_;
  double k_;
  double c_;
  double s_0_;
};

}  // namespace picus
