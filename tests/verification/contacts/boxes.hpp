#pragma once

/// Boxes and other bodies with surfaces in a model, and observations of their motion.

#include "balls.hpp"
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/so3.hpp>
#include <picus/stepper.hpp>

#include <string>
#include <vector>

namespace picus {

/// A model in which bodies lie and fall.
struct Scene {
  Model model;
  std::vector<FrameNode> bodies;
  std::vector<Vec3> sizes;  ///< of the boxes, as bodies; zero of others
  std::vector<MassPoint> masses;

  FrameNode add_body(const std::string& name, double mass, const Mat3& inertia, const FrameStart& start) {
    const FrameNode node = model.add_frame(name, start);
    model.add<RigidBody>({.name = name + " body", .node = node, .mass = mass, .inertia = inertia});
    masses.push_back({node, mass});
    bodies.push_back(node);
    sizes.emplace_back(Vec3::Zero());
    return node;
  }
  /// A wooden box, with a surface.
  Handle<Surface> add_box(const std::string& name, const Vec3& size, const FrameStart& start) {
    const double mass = 600 * size.prod();
    const FrameNode node = add_body(name, mass, inertia::box(mass, size), start);
    sizes.back() = size;
    return model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
  }
  Handle<Surface> add_ball(const std::string& name, const Ball& ball, const FrameStart& start) {
    const FrameNode node = add_body(name, ball.mass, inertia::sphere(ball.mass, ball.radius), start);
    return model.add<Surface>({.name = name, .of = shapes::Ball{ball.radius}, .on = node});
  }
  /// A half-space below z = 0.
  Handle<Surface> add_floor() { return model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}}); }
  void add_weights(const Vec3& acceleration = {0, 0, -g}) {
    add_gravity(model, {.name = "gravity", .acceleration = acceleration, .bodies = masses});
  }
};

/// Observations of a run of a scene.
struct Seen {
  State state;
  SearchStatistics search;
  int fallbacks = 0;
  int worst_iterations = 0;  ///< of a sub-problem in a step
  double penetration = 0.0;  ///< largest of the contacts, m
};

/// Penetration of the corners, the midpoints of edges and points in between of each box into any other, m.
inline double sampled_depth(const Scene& scene, const Configuration& q) {
  double deepest = 0;
  for (std::size_t a = 0; a < scene.bodies.size(); ++a) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      if (a == b || scene.sizes[a].isZero() || scene.sizes[b].isZero()) continue;
      constexpr int n = 8;
      for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
          for (int k = 0; k <= n; ++k) {
            const bool on_surface = i % n == 0 || j % n == 0 || k % n == 0;
            if (!on_surface) continue;
            const Vec3 part(i / double(n) - 0.5, j / double(n) - 0.5, k / double(n) - 0.5);
            const Vec3 x =
                q.position(scene.bodies[a]) + q.rotation(scene.bodies[a]) * scene.sizes[a].cwiseProduct(part);
            const Vec3 X = q.rotation(scene.bodies[b]).transpose() * (x - q.position(scene.bodies[b]));
            deepest = std::max(deepest, (0.5 * scene.sizes[b] - X.cwiseAbs()).minCoeff());
          }
        }
      }
    }
  }
  return deepest;
}

/// visit(stepper, state, report) is called after each step.
template <class Visit>
Seen run_found(const Model& model, TimeIntegrator& integrator, double until, Visit&& visit) {
  Seen seen;
  Stepper stepper(model, integrator);
  seen.state = stepper.start();
  Vector gaps;
  const std::int64_t steps = std::llround(until / integrator.step_size());
  for (std::int64_t i = 0; i < steps; ++i) {
    const StepReport report = stepper.step(seen.state);
    for (const int count : report.fallbacks) seen.fallbacks += count;
    for (const SubproblemReport& solved : report.subproblems)
      seen.worst_iterations = std::max(seen.worst_iterations, solved.iterations);
    gaps.resize(stepper.system().contact_row_count());
    if (gaps.size() > 0) stepper.system().evaluate_gaps(seen.state.q, seen.state.q, gaps);
    for (const auto& contact : stepper.system().contacts())
      seen.penetration = std::max(seen.penetration, -gaps[contact.first_row]);
    visit(stepper, seen.state, report);
  }
  seen.search = stepper.statistics();
  return seen;
}
template <class Visit>
Seen run(const Scene& scene, TimeIntegrator& integrator, double until, Visit&& visit) {
  return run_found(scene.model, integrator, until, visit);
}
inline Seen run(const Scene& scene, TimeIntegrator& integrator, double until) {
  return run(scene, integrator, until, [](const Stepper&, const State&, const StepReport&) {});
}

}  // namespace picus
