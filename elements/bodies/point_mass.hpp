#pragma once

/// A particle at a point node: M = m I (3 x 3), constant.

#include <picus/element.hpp>
#include <picus/elements/bodies/mass_point.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class PointMass : public Element, public Inertia {
 public:
  struct Parameters {
    std::string name;
    PointNode node;     ///< the node that carries the mass
    double mass = 0.0;  ///< kg, > 0
  };
  PointMass(Parameters parameters, const Model& model);

  /// The mass, kg.
  double body_mass() const { return mass_; }
  /// Position and mass, for Gravity.
  MassPoint mass_point() const { return {node_, mass_}; }

  void mass(const Configuration& q, std::span<double> M) const override;
  bool has_constant_mass() const override { return true; }

 private:
  PointNode node_;
  double mass_;
};

}  // namespace picus
