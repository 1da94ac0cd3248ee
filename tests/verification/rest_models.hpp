#pragma once

/// Models that are at rest from the start or come to rest within a given time.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/surface_contacts.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/forces/bushing.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/model.hpp>
#include <picus/so3.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::rest {

inline const Vec3 gravity(0, 0, -9.81);
inline constexpr double g = 9.81;

/// A door leaf of 20 kg, 0.8 m wide and 2 m high, on hinges along a vertical axis at its edge; its weight acts beside
/// them. None of its axes is an inertial axis, so that nothing vanishes exactly. With a `closer`, a spring and damper
/// with critical damping and this frequency, rad/s, the door starts 0.5 rad from its equilibrium.
inline void add_door(Model& model, int hinges, double spacing, double closer = 0.0) {
  const Mat3 turned = so3::exp(Vec3(0.3, -0.5, 0.2));
  const Vec3 centre(0.4, 0, 1.0);
  const FrameNode node = model.add_frame("door", {.position = turned * centre, .rotation = turned});
  const auto leaf = model.add<RigidBody>(
      {.name = "leaf", .node = node, .mass = 20.0, .inertia = inertia::box(20.0, {0.8, 0.04, 2.0})});
  add_gravity(model, {.name = "gravity", .acceleration = turned * gravity, .bodies = {leaf->mass_point()}});
  std::optional<ScalarNode> angle;
  if (closer > 0) angle = model.add_scalar("angle");
  for (int i = 0; i < hinges; ++i) {
    const Vec3 place(0, 0, 1.0 + spacing * (i - 0.5 * (hinges - 1)));
    model.add<Hinge>({.name = "hinge" + std::to_string(i),
                      .a = MaterialPoint::on_ground(turned * place),
                      .b = {node, place - centre},
                      .axis = turned * Vec3(0, 0, 1),
                      .angle = i == 0 ? angle : std::nullopt});
  }
  if (closer == 0) return;
  const double inertia = 20.0 * (0.8 * 0.8 + 0.04 * 0.04) / 12 + 20.0 * 0.4 * 0.4;
  model.add<TorsionalSpringDamper>({.name = "closer",
                                    .node = *angle,
                                    .stiffness = inertia * closer * closer,
                                    .damping = 2 * inertia * closer,
                                    .free_angle = 0.5});
}

/// A beam of 5 kg, welded to the ground at two of its points.
inline void add_welded_twice(Model& model) {
  const Mat3 turned = so3::exp(Vec3(-0.7, 0.4, 0.1));
  const Vec3 centre(0.3, 0.1, 0.2);
  const FrameNode node = model.add_frame("beam", {.position = centre, .rotation = turned});
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = node, .mass = 5.0, .inertia = inertia::box(5.0, {1.0, 0.1, 0.2})});
  add_gravity(model, {.name = "gravity", .acceleration = gravity, .bodies = {body->mass_point()}});
  for (const double x : {-0.5, 0.4}) {
    const Vec3 place(x, 0.02, -0.07);
    model.add<FixedJoint>({.name = x < 0 ? "left" : "right",
                           .a = MaterialPoint::on_ground(centre + turned * place),
                           .b = {node, place}});
  }
}

/// A motor rotates an arm of 2 kg by `angle` until the time `turning`, then holds it against its weight.
inline void add_motor(Model& model, double angle, double turning) {
  const FrameNode node = model.add_frame("arm", {.position = {0.3, 0, 0}});
  const auto arm = model.add<RigidBody>(
      {.name = "body", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, {0.6, 0.1, 0.1})});
  add_gravity(model, {.name = "gravity", .acceleration = gravity, .bodies = {arm->mass_point()}});
  const ScalarNode turn = model.add_scalar("turn");
  model.add<Hinge>({.name = "shaft",
                    .a = MaterialPoint::on_ground({0, 0, 0}),
                    .b = {node, {-0.3, 0, 0}},
                    .axis = {0, 1, 0},
                    .angle = turn});
  const double full = 2 * std::numbers::pi;
  const auto part = [turning, full](double t) { return full * std::clamp(t / turning, 0.0, 1.0); };
  model.drive(
      turn, Component::s,
      {.displacement = [=](double t) { return angle * (part(t) - std::sin(part(t))) / full; },
       .rate = [=](double t) { return angle / turning * (1 - std::cos(part(t))); },
       .acceleration = [=](double t) { return angle * full / (turning * turning) * std::sin(part(t)); }});
}

/// A chain of rods of 1 kg and 0.5 m on hinges with dampers. The first hangs at `angle` from the vertical; the
/// damping stops the motion within a small fraction of `time`.
inline void add_pendulums(Model& model, int rods, double angle, double time) {
  const Mat3 turned = so3::exp(Vec3(0, angle, 0));
  const Vec3 half = turned * Vec3(0, 0, -0.25);
  const double inertia_about_end = 0.5 * 0.5 / 3;
  std::vector<MassPoint> bodies;
  MaterialPoint end = MaterialPoint::on_ground({0, 0, 0});
  Vec3 place = Vec3::Zero();
  for (int i = 0; i < rods; ++i) {
    const std::string number = std::to_string(i);
    const FrameNode node = model.add_frame("rod" + number, {.position = place + half, .rotation = turned});
    bodies.push_back(model
                         .add<RigidBody>({.name = "body" + number,
                                          .node = node,
                                          .mass = 1.0,
                                          .inertia = inertia::box(1.0, {0.02, 0.02, 0.5})})
                         ->mass_point());
    const ScalarNode joint = model.add_scalar("angle" + number);
    model.add<Hinge>(
        {.name = "pin" + number, .a = end, .b = {node, Vec3(0, 0, 0.25)}, .axis = {0, 1, 0}, .angle = joint});
    // Critical for the pendulum of one rod, or for a motion that ends within a thirtieth of the time.
    const double damping = inertia_about_end * std::max(2 * std::sqrt(1.5 * g / 0.5), 30 / time);
    model.add<TorsionalSpringDamper>({.name = "damper" + number, .node = joint, .damping = damping});
    end = {node, Vec3(0, 0, -0.25)};
    place += 2 * half;
  }
  add_gravity(model, {.name = "gravity", .acceleration = gravity, .bodies = bodies});
}

/// Boxes of 0.4 x 0.3 x 0.2 m stacked on the floor, each on its four lower corners, the lowest at `height` above the
/// floor.
inline void add_stack(Model& model, int boxes, double mu, double height) {
  const Vec3 size(0.4, 0.3, 0.2);
  std::vector<MassPoint> bodies;
  Face below{.normal = {0, 0, 1}};
  for (int i = 0; i < boxes; ++i) {
    const std::string number = std::to_string(i);
    const FrameNode node =
        model.add_frame("box" + number, {.position = {0.01 * i, -0.02 * i, height + size.z() * (i + 0.5)}});
    bodies.push_back(
        model
            .add<RigidBody>(
                {.name = "body" + number, .node = node, .mass = 3.0, .inertia = inertia::box(3.0, size)})
            ->mass_point());
    std::vector<MaterialPoint> corners;
    for (int k = 0; k < 4; ++k)
      corners.push_back(
          {node, 0.5 * Vec3(k & 1 ? size.x() : -size.x(), k & 2 ? size.y() : -size.y(), -size.z())});
    add_surface_contacts(model, {.name = "corners" + number, .nodes = corners, .face = below, .mu = mu});
    below = {.node = node, .point = {0, 0, 0.5 * size.z()}, .normal = {0, 0, 1}};
  }
  add_gravity(model, {.name = "gravity", .acceleration = gravity, .bodies = bodies});
}

/// The block on a rubber mount of examples/gallery/bushing.cpp, displaced, with damping that stops it within a
/// fraction of `time`: its slowest motion, a coupled displacement and rotation, decays with 0.34 / slowness.
inline void add_mount(Model& model, double time) {
  const double slowness = time / 120;
  const FrameNode node = model.add_frame("block", {.position = {0, 0.5, 0},
                                                   .velocity = Vec3(0.03, 0, 0) / time,
                                                   .angular_velocity = Vec3(0, 0.1, 0) / time});
  const auto body = model.add<RigidBody>(
      {.name = "block", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, {0.4, 0.6, 0.4})});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {body->mass_point()}});
  const double k = 2.0 / (slowness * slowness);
  const double c = 2 * 2.0 / slowness;
  model.add<Bushing>({.name = "mount",
                      .a = MaterialPoint::on_ground({0, 0, 0}),
                      .b = {node, Vec3(0, -0.5, 0)},
                      .stiffness = Bushing::diagonal({k, 2 * k, k}, {0.3 * k, 0.1 * k, 0.3 * k}),
                      .damping = Bushing::diagonal({c, c, c}, {0.3 * c, 0.1 * c, 0.3 * c})});
}

struct Case {
  std::string name;
  /// Adds bodies that come to rest within a fraction of `time`, s.
  void (*build)(Model& model, double time);
  bool has_contacts = false;
  bool has_friction = false;
  /// Several boxes on four points each, with friction: their reactions are not unique, and Newton's iteration may cycle.
  bool has_redundant_contacts = false;
  bool rests = true;  ///< within nine tenths of the time
  /// No force holds its bodies sideways: the smallest tilt, within the tolerance of the gaps, accelerates them.
  bool slides = false;
};

inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {.name = "door2", .build = [](Model& m, double) { add_door(m, 2, 1.6); }},
      {.name = "door2_near", .build = [](Model& m, double) { add_door(m, 2, 0.137); }},
      {.name = "door3", .build = [](Model& m, double) { add_door(m, 3, 0.8); }},
      {.name = "door3_odd", .build = [](Model& m, double) { add_door(m, 3, 0.731); }},
      {.name = "welded_twice", .build = [](Model& m, double) { add_welded_twice(m); }},
      {.name = "motor",
       .build = [](Model& m, double time) { add_motor(m, std::min(1.0, time), 0.3 * time); }},
      {.name = "pendulum",
       .build = [](Model& m, double time) { add_pendulums(m, 1, 0.5, time); },
       .rests = false},
      {.name = "hanging", .build = [](Model& m, double time) { add_pendulums(m, 3, 0.0, time); }},
      {.name = "closer", .build = [](Model& m, double time) { add_door(m, 1, 0.0, 60 / time); }},
      {.name = "closer2", .build = [](Model& m, double time) { add_door(m, 2, 1.37, 60 / time); }},
      {.name = "closer3", .build = [](Model& m, double time) { add_door(m, 3, 0.731, 60 / time); }},
      {.name = "soft_closer3", .build = [](Model& m, double) { add_door(m, 3, 0.731, 5.0); }, .rests = false},
      {.name = "mount", .build = [](Model& m, double time) { add_mount(m, time); }},
      {.name = "box",
       .build = [](Model& m, double) { add_stack(m, 1, 0.5, 0.0); },
       .has_contacts = true,
       .has_friction = true},
      {.name = "smooth_stack",
       .build = [](Model& m, double) { add_stack(m, 3, 0.0, 0.0); },
       .has_contacts = true,
       .slides = true},
      {.name = "tall_smooth_stack",  // from 16 contacts on it may be solved by sweeps
       .build = [](Model& m, double) { add_stack(m, 5, 0.0, 0.0); },
       .has_contacts = true,
       .slides = true},
      {.name = "stack",
       .build = [](Model& m, double) { add_stack(m, 3, 0.5, 0.0); },
       .has_contacts = true,
       .has_friction = true,
       .has_redundant_contacts = true},
      {.name = "falling_stack",
       .build = [](Model& m,
                   double time) { add_stack(m, 3, 0.5, 0.5 * g * std::pow(std::min(0.1 * time, 0.1), 2)); },
       .has_contacts = true,
       .has_friction = true,
       .has_redundant_contacts = true},
  };
  return all;
}

}  // namespace picus::rest
