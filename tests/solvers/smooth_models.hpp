#pragma once

/// Models without contacts for which schemes show their order, and the distance of two outcomes.

#include <picus/state.hpp>
#include <support/bodies.hpp>
#include <support/rods.hpp>

#include <algorithm>

namespace picus {

/// Two bodies, one off its centre of mass, a spring with damper and a nonlinear oscillator. No rows, unless a rod to the
/// ground holds the first body.
inline Model make_free_model(bool has_rod = false) {
  Model model;
  const auto a = model.add_frame("a", {.velocity = {0.3, 0, 0.1}, .angular_velocity = {2, -1, 3}});
  const auto b = model.add_frame("b", {.position = {1, 0.2, -0.3}, .angular_velocity = {-1, 2, 1}});
  const auto s = model.add_scalar("s", {.value = 0.7, .rate = -0.4});
  model.add<support::OffsetBody>({.name = "mass of a",
                                  .node = a,
                                  .mass = 1.4,
                                  .inertia = {0.3, 0.5, 0.7},
                                  .centre = {0.2, 0.1, -0.1},
                                  .gravity = {0, 0, -9.81}});
  model.add<support::OffsetBody>({.name = "mass of b", .node = b, .mass = 0.8, .inertia = {0.2, 0.4, 0.3}});
  model.add<support::Spring>({.name = "spring",
                              .a = MaterialPoint(a, {0.1, 0.2, 0}),
                              .b = MaterialPoint(b, {0, -0.1, 0.1}),
                              .length = 0.9,
                              .stiffness = 30,
                              .damping = 0.2});
  model.add<support::Oscillator>(
      {.name = "oscillator", .node = s, .stiffness = 9, .cubic = 4, .damping = 0.1});
  if (has_rod) {
    const auto pivot = model.add_point("pivot", {.position = {0.1, 0.2, 0.8}});
    model.fix(pivot);
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = MaterialPoint(a, {0, 0, 0.1})});
  }
  return model;
}

/// The largest difference of velocities and configurations.
inline double distance(const System& system, const State& x, const State& y) {
  Vector difference_of_q = Vector::Zero(system.velocity_count());
  difference(system.nodes(), x.q, y.q, difference_of_q);
  return std::max(difference_of_q.lpNorm<Eigen::Infinity>(), (x.v - y.v).lpNorm<Eigen::Infinity>());
}

}  // namespace picus
