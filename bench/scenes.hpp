#pragma once

/// Models used by several benchmarks.

#include <picus/picus.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace picus::bench {

/// Bodies on spherical joints that swing under gravity.
inline Model make_chain(Index bodies) {
  Model model("chain");
  std::vector<MassPoint> weights;
  MaterialPoint end = MaterialPoint::on_ground(Vec3::Zero());
  for (Index i = 0; i < bodies; ++i) {
    const FrameNode node = model.add_frame(fmt::format("link[{}]", i), {.position = {i + 0.5, 0, 0}});
    const auto body = model.add<RigidBody>({.name = fmt::format("body[{}]", i),
                                            .node = node,
                                            .mass = 1.0,
                                            .inertia = inertia::cylinder(1.0, 0.1, 1.0, 0)});
    model.add<SphericalJoint>({.name = fmt::format("joint[{}]", i), .a = end, .b = {node, Vec3(-0.5, 0, 0)}});
    end = {node, Vec3(0.5, 0, 0)};
    weights.push_back(body->mass_point());
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0.5, -9.81}, .bodies = weights});
  return model;
}

/// A clamped rubber beam that falls under gravity.
inline Model make_cantilever(Index elements) {
  Model model("cantilever");
  const auto beam =
      make_beam(model, {.name = "beam",
                        .section = Section::circle(0.02, {.E = 5e6, .nu = 0.45, .density = 1100}),
                        .to = Vec3(1, 0, 0),
                        .elements = elements});
  model.fix(beam.first());
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = beam.mass_points()});
  return model;
}

/// A block of hexahedra (E = 90 Pa, 1 kg/m3, 0.1 m: the cube of Galvez 2020, section 3.3.4) on a floor that vibrates
/// at 20 Hz and 1 mm.
inline Model make_block(Index divisions) {
  Model model("block");
  const auto mesh =
      make_box_mesh({.size = Vec3::Constant(0.1), .divisions = {divisions, divisions, divisions}});
  const Solid block = add_solid(model, mesh,
                                {.name = "block",
                                 .material = {.youngs_modulus = 90, .poissons_ratio = 0.3, .density = 1},
                                 .formulation = HexahedronFormulation::full});
  constexpr double omega = 40 * M_PI;
  const PrescribedMotion shake{[](double t) { return 1e-3 * std::pow(std::sin(omega * t), 2); },
                               [](double t) { return 1e-3 * omega * std::sin(2 * omega * t); },
                               {}};
  for (const PointNode& node : block.nodes("z-")) {
    model.drive(node, Component::x, shake);
    model.fix(node, {Component::y, Component::z});
  }
  return model;
}

/// The same with `divisions` hexahedra along an edge, touching down on a plane with friction, slightly tilted, moving
/// sideways and rotating: some of the nodes of the bottom face are open, some stick and some slip.
inline Model make_landing_cube(Index divisions) {
  constexpr double side = 0.1;  // m
  constexpr double friction = 0.3;
  constexpr double tilt = 0.01;       // rad: the corner at the origin comes first
  constexpr double clearance = 1e-4;  // m, below that corner
  constexpr double fall = -0.5;       // m/s
  constexpr double sideways = 0.3;    // m/s
  constexpr double turning = 6.0;     // rad/s, about the vertical through that corner
  Model model("cube");
  const auto mesh =
      make_box_mesh({.size = Vec3::Constant(side), .divisions = {divisions, divisions, divisions}});
  const Solid cube = add_solid(model, mesh,
                               {.name = "cube",
                                .material = {.youngs_modulus = 90, .poissons_ratio = 0.3, .density = 1},
                                .formulation = HexahedronFormulation::full,
                                .velocity = {sideways, 0, fall},
                                .angular_velocity = {0, 0, turning}});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = cube.mass_points()});
  const Vec3 normal = Vec3(tilt, tilt / 2, 1).normalized();
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.point = -clearance * normal, .normal = normal},
                               .mu = friction});
  return model;
}

/// Bodies of about 0.1 m that fall into a box and settle there, with friction 0.3 and no restitution; `kind` is
/// "balls", "boxes" or "mixed".
inline Model make_heap(std::string_view kind, int count) {
  constexpr double diameter = 0.1;
  Model model("heap");
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  constexpr double pitch = 1.3 * diameter;
  std::vector<MassPoint> bodies;
  const auto at = [&](int i) {
    return pitch * (i - 0.5 * (side - 1)) + 0.05 * diameter * uniform(generator);
  };
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("body[{}]", i);
    const double size = diameter * (1.0 + 0.1 * uniform(generator));
    const bool is_ball = kind == "balls" || (kind == "mixed" && i % 3 != 2);
    const Vec3 box = 0.65 * Vec3(size, size, size);
    const double mass = 1000.0 * (is_ball ? 0.5236 * size * size * size : box.prod());
    const double x = at(i % side), y = at(i / side % side);
    const int layer = i / side / side;
    const Vec3 turn(uniform(generator), uniform(generator), uniform(generator));
    const FrameNode node = model.add_frame(
        name, {.position = {x, y, 0.8 * diameter + pitch * layer}, .rotation = so3::exp(turn)});
    model.add<RigidBody>({.name = name + " mass",
                          .node = node,
                          .mass = mass,
                          .inertia = is_ball ? inertia::sphere(mass, size / 2) : inertia::box(mass, box)});
    const Shape shape = is_ball ? Shape(shapes::Ball{size / 2}) : Shape(shapes::Box{box});
    model.add<Surface>({.name = name, .of = shape, .on = node});
    bodies.push_back({node, mass});
  }
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const double half = 0.5 * side * pitch + 0.05 * diameter;
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    model.add<Surface>(
        {.name = fmt::format("wall {} {}", n.x(), n.y()), .of = shapes::HalfSpace{n}, .position = -half * n});
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
  return model;
}

}  // namespace picus::bench
