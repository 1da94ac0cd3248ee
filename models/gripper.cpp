#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/gripper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::models {
namespace {

/// s^2 (3 - 2 s) from 0 to 1, and its integrals: acceleration, velocity and displacement of the upper ends divided by
/// a.
struct Lift {
  double begin;  ///< s
  double jerk;   ///< s

  double part(double t) const { return std::clamp((t - begin) / jerk, 0.0, 1.0); }
  /// Time after the jerk phase, s.
  double beyond(double t) const { return std::max(t - begin - jerk, 0.0); }
  double acceleration(double t) const {
    const double s = part(t);
    return s * s * (3 - 2 * s);
  }
  double rate(double t) const {
    const double s = part(t);
    return jerk * s * s * s * (1 - s / 2) + beyond(t);
  }
  double way(double t) const {
    const double s = part(t);
    const double b = beyond(t);
    return jerk * jerk * s * s * s * s * (0.25 - s / 10) + 0.5 * jerk * b + 0.5 * b * b;
  }
};

Lift lift_of(const Gripper& p) {
  return {.begin = p.squeeze, .jerk = p.jerk};
}

/// Slip of the crate: how far it is below where it would be if it stuck to the upper ends of the fingers.
double slide(const Snapshot& at, const Node& crate, const Gripper& p) {
  const double start = at.system.model().initial_configuration().position(crate).z();
  return start + p.acceleration * lift_of(p).way(at.state.time) - at.state.q.position(crate).z();
}

void add_finger(Model& model, const std::string& name, double side, const Gripper& p) {
  // From 0.2 of the crate's height to 0.4 above the crate; the lower half is the pad, which stays within the side of
  // the crate.
  const double height = 1.2 * p.size;
  const Vec3 size(p.thickness, 0.4 * p.size, height);
  const double inner = side * p.size / 2;
  auto mesh =
      make_box_mesh({.size = size,
                     .divisions = {2, 1, p.cells},
                     .origin = {side < 0 ? inner - p.thickness : inner, -size.y() / 2, 0.2 * p.size}});
  for (const CellFace& face : mesh.faces(side < 0 ? "x+" : "x-")) {
    const bool is_low =
        std::ranges::all_of(face, [&](Index point) { return mesh.points[point].z() < 0.81 * p.size; });
    if (is_low) mesh.face_sets["pad"].push_back(face);
  }
  const Solid finger =
      add_solid(model, mesh,
                {.name = name,
                 .material = {.youngs_modulus = p.modulus, .poissons_ratio = 0.3, .density = 1000},
                 .damping_time = p.damping_time});
  const std::vector<PointNode> top = finger.nodes("z+");
  for (const PointNode& node : finger.nodes()) model.fix(node, {Component::y});
  const double share = p.force / static_cast<double>(top.size());
  for (const PointNode& node : top) {
    model.drive(
        node, Component::z,
        {.displacement = [a = p.acceleration, lift = lift_of(p)](double t) { return a * lift.way(t); },
         .rate = [a = p.acceleration, lift = lift_of(p)](double t) { return a * lift.rate(t); },
         .acceleration = [a = p.acceleration,
                          lift = lift_of(p)](double t) { return a * lift.acceleration(t); }});
    model.add<NodalForce>({.name = fmt::format("push on {}", model.node_name(node)),
                           .point = node,
                           .force = [push = -side * share, time = p.squeeze](double t) {
                             const double s = std::clamp(t / time, 0.0, 1.0);
                             return Vec3(push * s * s * (3 - 2 * s), 0, 0);
                           }});
  }
  model.add<Surface>({.name = name + " pad", .of = shapes::Faces{finger.faces("pad")}});
}

}  // namespace

double gripper_least_force(const Gripper& p) {
  return p.mass * (p.gravity + p.acceleration) / (2 * p.mu);
}

Model make_gripper(const Gripper& p) {
  Model model("gripper");
  const Vec3 size = Vec3::Constant(p.size);
  const FrameNode crate = model.add_frame("crate", {.position = {0, 0, p.size / 2}});
  model.fix(crate, {Component::y, Component::rx, Component::rz});
  const auto body = model.add<RigidBody>(
      {.name = "crate body", .node = crate, .mass = p.mass, .inertia = inertia::box(p.mass, size)});
  const auto box = model.add<Surface>({.name = "crate", .of = shapes::Box{size}, .on = crate});
  add_finger(model, "left", -1, p);
  add_finger(model, "right", 1, p);
  const auto floor = model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -p.gravity}, .bodies = {body->mass_point()}});
  model.add<ContactsBetween>({.name = "grip", .except = {{box, floor}}, .mu = p.mu});
  model.add<ContactsBetween>({.name = "stand", .surfaces = {box}, .with = {floor}});
  return model;
}

Signals gripper_signals(const RunInfo& run, const Gripper& p) {
  const Node crate = run.system.model().find_node("crate");
  return {{"slide", "m", "way of the crate down along the fingers",
           [crate, p](const Snapshot& at) { return slide(at, crate, p); }},
          position(run, "crate", Axis::z).named("height"),
          {"lift", "m", "way of the upper ends",
           [p](const Snapshot& at) { return p.acceleration * lift_of(p).way(at.state.time); }},
          energy(run)};
}

Measures gripper_measures(const RunInfo& run, const Gripper& p) {
  const Node crate = run.system.model().find_node("crate");
  Measures measures;
  const bool is_held = p.force >= gripper_least_force(p);
  measures.add("slide at the end", "m",
               measures.at_end([crate, p](const Snapshot& at) { return slide(at, crate, p); }),
               is_held ? std::optional(0.0) : std::nullopt, "2 mu N >= m (g + a)");
  return measures;
}

RegisteredModel registered_gripper() {
  using P = Gripper;
  auto table =
      ParameterTable<P>()
          .real("mass", &P::mass, Range::positive(), "kg", "mass of the crate")
          .real("size", &P::size, Range::positive(), "m", "edges of the crate")
          .real("mu", &P::mu, Range::positive(), "", "coefficient of friction of the fingers on the crate")
          .real("force", &P::force, Range::positive(), "N", "with which each finger presses")
          .real("acceleration", &P::acceleration, {}, "m/s2", "of the fingers, upwards")
          .real("gravity", &P::gravity, Range::not_negative(), "m/s2", "acceleration of gravity")
          .real("squeeze", &P::squeeze, Range::positive(), "s", "time in which the force grows")
          .real("jerk", &P::jerk, Range::positive(), "s", "time in which the acceleration grows")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus of the fingers")
          .real("thickness", &P::thickness, Range::positive(), "m", "thickness of the fingers")
          .real("damping_time", &P::damping_time, Range::not_negative(), "s", "of the fingers")
          .integer("cells", &P::cells, {.low = 2, .high = 200}, "cells along a finger, an even number");
  return ModelParts<P>{
      .info = {.name = "gripper",
               .summary = "Two elastic fingers press on a crate and lift it by friction. It is held as long "
                          "as 2 mu N is at least m (g + a), however the force is spread over the pads.",
               .source = "Coulomb",
               .step = 1e-3,
               .until = 0.5,
               .convergence = {.quantities = {"slide", "height"}, .steps = {2e-3, 1e-3, 5e-4}}},
      .parameters = table,
      .build = make_gripper,
      .measures = gripper_measures,
      .signals = gripper_signals};
}

}  // namespace picus::models
