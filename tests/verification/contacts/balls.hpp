#pragma once

/// Homogeneous balls in a model, and runs of them.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace picus {

inline constexpr double g = 9.81;

struct Ball {
  double mass = 0.2;
  double radius = 0.03;
};

/// Adds a ball at `position` with angular velocity `omega`; its axes are the inertial ones, so that omega has the same
/// components in both.
inline FrameNode add_ball(Model& model, const std::string& name, const Ball& ball, const Vec3& position,
                          const Vec3& velocity = Vec3::Zero(), const Vec3& omega = Vec3::Zero()) {
  const FrameNode node =
      model.add_frame(name, {.position = position, .velocity = velocity, .angular_velocity = omega});
  model.add<RigidBody>(
      {.name = name, .node = node, .mass = ball.mass, .inertia = inertia::sphere(ball.mass, ball.radius)});
  return node;
}

inline void add_weight(Model& model, const std::vector<FrameNode>& nodes, const Ball& ball,
                       const Vec3& acceleration) {
  std::vector<MassPoint> bodies;
  for (const FrameNode& node : nodes) bodies.push_back({node, ball.mass});
  add_gravity(model, {.name = "gravity", .acceleration = acceleration, .bodies = bodies});
}

inline Vec3 velocity(const State& state, const Node& node) {
  return state.v.segment<3>(node.v);
}
/// The angular velocity in inertial axes.
inline Vec3 angular_velocity(const State& state, const Node& node) {
  return state.q.rotation(node) * state.v.segment<3>(node.v + 3);
}

/// visit(state, report) is called after each step.
template <class Visit>
State run(const Model& model, double step, double until, Visit&& visit) {
  const System system(model);
  DecoupledNsga integrator({.step = step});
  State state = integrator.start(system);
  for (std::int64_t i = 0; i < std::llround(until / step); ++i) {
    const StepReport report = integrator.step(state);
    visit(state, report);
  }
  return state;
}
inline State run(const Model& model, double step, double until) {
  return run(model, step, until, [](const State&, const StepReport&) {});
}

}  // namespace picus
