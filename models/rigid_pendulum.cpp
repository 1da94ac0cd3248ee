#include <picus/convergence.hpp>
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/models/references/impacting_pendulum_exact.hpp>
#include <picus/models/rigid_pendulum.hpp>

#include <fmt/format.h>

namespace picus::models {
namespace {

ImpactingPendulumExact exact_motion(const RigidPendulum& p, const RunInfo& run) {
  return {{.mass = p.mass,
           .inertia = p.inertia,
           .length = p.length,
           .gravity = p.gravity,
           .wall = p.wall,
           .restitution = p.restitution},
          run.until + run.integrator.step_size(),
          run.stop_request};
}

/// Impulse of the pivot on the tip in a step, along x (row 0) or y (row 1).
Signal pivot_impulse(const RunInfo& run, Axis axis) {
  const Index row = axis == Axis::x ? 0 : 1;
  const std::string_view name = axis == Axis::x ? "x" : "y";
  return {fmt::format("pivot.impulse_{}", name), "N s",
          fmt::format("impulse of the pivot along {} in a step", name),
          [row, h = run.integrator.step_size()](const Snapshot& at) {
            return h * at.state.constraint_force[row] + at.state.constraint_impulse[row];
          }};
}

}  // namespace

Model make_rigid_pendulum(const RigidPendulum& parameters) {
  if (!(parameters.wall < parameters.length)) {
    throw ModelError(fmt::format("the wall at {} m is out of reach of a pendulum of {} m", parameters.wall,
                                 parameters.length));
  }
  Model model("rigid-pendulum");
  const FrameNode tip = model.add_frame("tip", {.position = {parameters.length, 0.0, 0.0}});
  model.restrict_to_plane(tip);
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = tip, .mass = parameters.mass, .inertia = inertia::planar(parameters.inertia)});
  model.add<Gravity>(
      {.name = "gravity", .acceleration = {0.0, -parameters.gravity, 0.0}, .bodies = {body->mass_point()}});
  model.add<Hinge>({.name = "pivot",
                    .a = MaterialPoint::on_ground(Vec3::Zero()),
                    .b = {tip, Vec3(-parameters.length, 0.0, 0.0)},
                    .axis = Vec3::UnitZ()});
  model.add<NodeToFaceContact>({.name = "wall",
                                .slave = tip,
                                .face = {.point = {parameters.wall, 0.0, 0.0}, .normal = Vec3::UnitX()},
                                .e_n = parameters.restitution});
  return model;
}

Signals rigid_pendulum_signals(const RunInfo& run, const RigidPendulum& parameters) {
  const auto exact = std::make_shared<const ImpactingPendulumExact>(exact_motion(parameters, run));
  // The potential of gravity is measured from the height of the pivot.
  const double offset = parameters.mass * parameters.gravity * parameters.length;
  return {position(run, "tip", Axis::x).against([exact](double t) { return exact->x(t); }),
          velocity(run, "tip", Axis::x).against([exact](double t) { return exact->x_rate(t); }),
          energy(run).against([exact, offset](double t) { return exact->energy(t) - offset; }),
          violation(run),
          pivot_impulse(run, Axis::x),
          pivot_impulse(run, Axis::y),
          normal_impulse(run, "wall")};
}

Measures rigid_pendulum_measures(const RunInfo& run, const RigidPendulum& parameters) {
  const auto exact = std::make_shared<const ImpactingPendulumExact>(exact_motion(parameters, run));
  const std::string source = "exact";
  Measures measures;
  measures.add("first impact at", "s",
               measures.first_time([](const Snapshot& at) { return is_any_closed(at.state); }),
               exact->first_impact(), source);
  measures.add(
      "L1 error of the tip's x", "",
      measures.l1_error(position(run, "tip", Axis::x).against([exact](double t) { return exact->x(t); })),
      0.0, source);
  measures.add("L1 error of its velocity", "",
               measures.l1_error(
                   velocity(run, "tip", Axis::x).against([exact](double t) { return exact->x_rate(t); })),
               0.0, source);
  return measures;
}

RegisteredModel registered_rigid_pendulum() {
  using P = RigidPendulum;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the tip")
          .real("inertia", &P::inertia, Range::positive(), "kg m2",
                "moment of inertia of the tip about itself")
          .real("length", &P::length, Range::positive(), "m", "length of the rod")
          .real("gravity", &P::gravity, Range::positive(), "m/s2", "acceleration of gravity")
          .real("wall", &P::wall, Range::not_negative(), "m", "x of the wall, nearer than the length")
          .real("restitution", &P::restitution, Range::between(0, 1), "",
                "velocity after an impact over that before");
  return ModelParts<P>{
      .info =
          {.name = "rigid-pendulum",
           .summary =
               "A rigid pendulum falls from the horizontal on a wall and bounces until it leans there. Joint "
               "and contact act on the same three coordinates, so that a scheme that imposes the joint on "
               "velocities alone drifts away from it. The exact solution is known.",
           .source = "Chen 2013, section 5.5",
           .step = 1e-3,
           .until = 5.0,
           .convergence = {.quantities = {"tip.x", "tip.vx"},
                           .steps = {1e-2, 7e-3, 5e-3, 3e-3, 2e-3, 1e-3, 7e-4, 5e-4, 3e-4, 2e-4, 1e-4},
                           .until = 1.0}},
      .parameters = table,
      .build = make_rigid_pendulum,
      .measures = rigid_pendulum_measures,
      .signals = rigid_pendulum_signals};
}

}  // namespace picus::models
