#pragma once

/// A load f = Q(t) on a scalar node, e.g. the torque of a motor on a hinge angle.

#include <picus/element.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class ScalarLoad : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    ScalarNode node;            ///< the node on which it acts
    TimeFunction<double> load;  ///< Q, in the unit conjugate to that of the node: N m for an angle
  };
  ScalarLoad(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  TimeFunction<double> load_;
};

}  // namespace picus
