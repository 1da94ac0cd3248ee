#pragma once

/// Common helpers of the tests of joints: bodies, runs of the decoupled scheme, and reported quantities.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/observable.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <support/dense_algebra.hpp>
#include <support/evaluate.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace picus::joint_models {

inline const Vec3 gravity(0, 0, -9.81);

/// A body with its centre of mass on its node, and gravity on it.
inline FrameNode add_body(Model& model, const std::string& name, double mass, const Mat3& inertia,
                          const FrameStart& start, const Vec3& g = gravity) {
  const FrameNode node = model.add_frame(name, start);
  const auto body =
      model.add<RigidBody>({.name = name + "_body", .node = node, .mass = mass, .inertia = inertia});
  model.add<Gravity>({.name = name + "_weight", .acceleration = g, .bodies = {body->mass_point()}});
  return node;
}

inline PointNode add_mass(Model& model, const std::string& name, double mass, const PointStart& start,
                          const Vec3& g = gravity) {
  const PointNode node = model.add_point(name, start);
  const auto body = model.add<PointMass>({.name = name + "_mass", .node = node, .mass = mass});
  model.add<Gravity>({.name = name + "_weight", .acceleration = g, .bodies = {body->mass_point()}});
  return node;
}

/// Calls a function with the start and the state after each step.
class Watch : public Recorder {
 public:
  explicit Watch(std::function<void(const State&)> see) : see_(std::move(see)) {}
  void begin(const RunInfo&) override {}
  void record(const Snapshot& snapshot) override { see_(snapshot.state); }
  void finish(const std::string&) override {}

 private:
  std::function<void(const State&)> see_;
};

inline RunSummary run(
    const Model& model, const SchemeOptions& options, double until,
    const std::function<void(const State&)>& see = [](const State&) {},
    const DecoupledNsgaOptions& own = {}) {
  DecoupledNsga integrator(options, own);
  Watch watch(see);
  return simulate(model, integrator, {.until = until}, {&watch});
}

/// All quantities that an element reports.
template <class E>
Vector observed(const E& element, const Configuration& q, const Vector& v) {
  Index size = 0;
  for (const Quantity& quantity : element.quantities()) size += quantity.size();
  Vector values = Vector::Zero(size);
  element.observe({q, v, 0.0}, std::span(values.data(), size));
  return values;
}
template <class E>
Vector observed(const E& element, const State& state) {
  return observed(element, state.q, state.v);
}

/// The smallest singular value of a joint's gradient: zero if its equations depend on each other.
template <class E>
double least_singular_value(const E& joint, const Configuration& q) {
  const Vector values = support::singular_values(support::gradient(joint, q));
  return values[values.size() - 1];
}

/// Errors at h and h/2 of a second-order run, whose ratio is 4 up to the next order.
inline void expect_second_order(const std::function<double(double)>& error_of, double h) {
  const double coarse = error_of(h);
  const double fine = error_of(h / 2);
  EXPECT_NEAR(coarse / fine, 4.0, 0.6) << "errors " << coarse << " and " << fine;
  EXPECT_GT(fine, 1e-10) << "the error is rounding, which has no order";
}

}  // namespace picus::joint_models
