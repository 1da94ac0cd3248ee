#pragma once

/// A force F(t) at a material point x_P = x + R X:
///
///     inertial axes:  f = (F, X x R^T F)
///     follower:       f = (R F, X x F),   F in the axes of the frame node

#include <picus/element.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/material_point.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class NodalForce : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint point;       ///< the point of application
    TimeFunction<Vec3> force;  ///< F, newtons
    bool follower = false;     ///< whether F rotates with the frame node
  };
  NodalForce(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  MaterialPoint point_;
  TimeFunction<Vec3> force_;
  bool follower_;
  bool has_lever_;  ///< whether X is not zero
};

}  // namespace picus
