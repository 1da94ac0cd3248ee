#pragma once

/// A moment M(t) on a frame node: f = (0, R^T M) for M in inertial axes, f = (0, M) for a follower moment in body
/// axes.

#include <picus/element.hpp>
#include <picus/elements/forces/time_function.hpp>
#include <picus/model.hpp>

#include <string>

namespace picus {

class NodalMoment : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    FrameNode node;             ///< the node on which it acts
    TimeFunction<Vec3> moment;  ///< M, N m
    bool follower = false;      ///< whether M is in the body axes of the node
  };
  NodalMoment(Parameters parameters, const Model& model);

  Traits traits() const override;
  void force(const Motion& motion, std::span<double> f) const override;
  void tangents(const Motion& motion, std::span<double> K, std::span<double> C) const override;

 private:
  FrameNode node_;
  TimeFunction<Vec3> moment_;
  bool follower_;
};

}  // namespace picus
