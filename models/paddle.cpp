#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/rigid_link.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/paddle.hpp>
#include <picus/prescribed_motion.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>

namespace picus::models {
namespace {

constexpr Index paddle_cells_across = 2;  // of the width
constexpr Index edge_nodes = paddle_cells_across + 1;

Mat3 paddle_axes(const Paddle& p) {
  return so3::exp(Vec3(0, 0, -p.lean));
}

/// The slide at the start: the lower edge is above the floor by the given height.
Vec3 paddle_slide_start(const Paddle& p) {
  const Vec3 edge = paddle_axes(p) * Vec3(p.length, -0.5 * p.thickness, 0);
  return {0, p.height - edge.y(), 0};
}

/// Adds the solid in the axes of the paddle, or mapped to its position.
Solid add_paddle(Model& model, const Paddle& p, const Vec3& velocity,
                 const std::function<Vec3(const Vec3&)>& map = {}) {
  return add_solid(model,
                   make_box_mesh({.size = {p.length, p.thickness, p.width},
                                  .divisions = {p.elements, 1, paddle_cells_across},
                                  .origin = {0, -0.5 * p.thickness, -0.5 * p.width},
                                  .map = map}),
                   {.name = "paddle",
                    .material = {.youngs_modulus = p.modulus, .poissons_ratio = 0.3, .density = p.density},
                    .damping_time = p.damping_time,
                    .velocity = velocity});
}

/// The nodes of the lower edge at the end: x varies fastest, then y.
std::vector<PointNode> paddle_edge(const Paddle& p, const Solid& solid) {
  std::vector<PointNode> edge;
  const Index row = p.elements + 1;
  for (Index k = 0; k < edge_nodes; ++k) edge.push_back(solid.nodes()[2 * row * k + p.elements]);
  return edge;
}

std::vector<Node> paddle_root(const Solid& solid) {
  const std::vector<PointNode> nodes = solid.nodes("x-");
  return {nodes.begin(), nodes.end()};
}

std::string paddle_edge_name(Index i) {
  return fmt::format("edge[{}]", i);
}

FrameNode add_slide(Model& model, const Paddle& p) {
  const FrameNode slide = model.add_frame(
      "slide",
      {.position = paddle_slide_start(p), .rotation = paddle_axes(p), .velocity = Vec3(p.speed, 0, 0)});
  model.fix(slide, {Component::z, Component::rx, Component::ry, Component::rz});
  model.drive(slide, Component::x, PrescribedMotion::constant_speed(p.speed));
  const double way = p.height + p.depth, rate = std::numbers::pi / p.duration;
  const auto ends = [T = p.duration](double t) { return t >= T; };
  model.drive(
      slide, Component::y,
      {.displacement = [=](double t) { return ends(t) ? -way : -0.5 * way * (1 - std::cos(rate * t)); },
       .rate = [=](double t) { return ends(t) ? 0.0 : -0.5 * way * rate * std::sin(rate * t); },
       .acceleration =
           [=](double t) { return ends(t) ? 0.0 : -0.5 * way * rate * rate * std::cos(rate * t); }});
  return slide;
}

std::vector<PointNode> add_full_paddle(Model& model, const Paddle& p, const FrameNode& slide) {
  const Solid solid = add_paddle(
      model, p, Vec3(p.speed, 0, 0),
      [R = paddle_axes(p), x = paddle_slide_start(p)](const Vec3& X) -> Vec3 { return x + R * X; });
  int count = 0;
  for (const Node& node : paddle_root(solid))
    model.add<RigidLink>({.name = fmt::format("root[{}]", count++), .a = slide, .b = node});
  return paddle_edge(p, solid);
}

std::vector<PointNode> add_reduced_paddle(Model& model, const Paddle& p, const FrameNode& slide) {
  Model part("paddle");
  const Solid solid = add_paddle(part, p, Vec3::Zero());
  const std::vector<PointNode> edge = paddle_edge(p, solid);
  ReductionOptions options{.interfaces = {{.name = "root", .nodes = paddle_root(solid)}},
                           .modes = static_cast<int>(p.modes),
                           .frame = "root"};
  std::vector<std::string> names, nodes;
  for (Index i = 0; i < edge_nodes; ++i) {
    const PointNode& node = edge[i];
    if (p.body == Paddle::Body::reduced_edge) {
      options.interfaces.push_back({.name = paddle_edge_name(i), .nodes = {node}});
      names.push_back(paddle_edge_name(i));
    } else {
      options.loaded_nodes.push_back(node);
      nodes.push_back(part.node_name(node));
      names.push_back(nodes.back());
    }
  }
  const ReducedBodyMesh body =
      add_reduced_body(model, {.name = "paddle",
                               .basis = std::make_shared<const ReducedBasis>(reduce(part, options)),
                               .position = paddle_slide_start(p),
                               .rotation = paddle_axes(p),
                               .velocity = {p.speed, 0, 0},
                               .nodes = nodes});
  model.add<FixedJoint>({.name = "clamp", .a = {slide}, .b = {body.frame}});
  std::vector<PointNode> points;
  for (const std::string& name : names) points.push_back(body.point(name));
  return points;
}

}  // namespace

Model make_paddle(const Paddle& p) {
  Model model("paddle");
  const FrameNode slide = add_slide(model, p);
  const std::vector<PointNode> edge =
      p.body == Paddle::Body::full ? add_full_paddle(model, p, slide) : add_reduced_paddle(model, p, slide);
  Index i = 0;
  for (const PointNode& node : edge) {
    model.add<NodeToFaceContact>({.name = paddle_edge_name(i++),
                                  .slave = node,
                                  .face = {.normal = Vec3::UnitY(), .tangent = Vec3(Vec3::UnitX())},
                                  .mu = p.mu});
  }
  return model;
}

Signals paddle_signals(const RunInfo& run, const Paddle& /*parameters*/) {
  std::vector<Signal> normal, friction;
  for (Index i = 0; i < edge_nodes; ++i) {
    normal.push_back(normal_force(run, paddle_edge_name(i)));
    friction.push_back(friction_force(run, paddle_edge_name(i)));
  }
  const auto sum = [](std::vector<Signal> parts) {
    return [parts = std::move(parts)](const Snapshot& at) {
      double total = 0.0;
      for (const Signal& part : parts) total += part.value(at);
      return total;
    };
  };
  return {{"normal", "N", "normal force of all contacts, mean of the step", sum(normal)},
          {"friction", "N", "friction of all contacts, mean of the step", sum(friction)},
          gap(run, paddle_edge_name(0)).named("edge.gap"),
          slip_rate(run, paddle_edge_name(0)).named("edge.speed"),
          energy(run)};
}

Measures paddle_measures(const RunInfo& run, const Paddle& p) {
  Measures measures;
  measures.add("first touch at", "s",
               measures.first_time([](const Snapshot& at) { return is_any_closed(at.state); }));
  const Signal force = paddle_signals(run, p).front();
  measures.add("largest normal force", "N", measures.largest(force.value));
  measures.add("normal force at the end", "N", measures.at_end(force.value));
  return measures;
}

RegisteredModel registered_paddle() {
  using P = Paddle;
  auto table =
      ParameterTable<P>()
          .choice("body", &P::body,
                  {{"full", P::Body::full},
                   {"reduced", P::Body::reduced},
                   {"reduced-edge", P::Body::reduced_edge}},
                  "hexahedra; reduced, clamped at its slide; or reduced with its edge as an interface, too")
          .integer("elements", &P::elements, {.low = 1, .high = 1000}, "cells along the paddle")
          .integer("modes", &P::modes, {.low = 0, .high = 70}, "vibration modes of a reduced paddle")
          .real("length", &P::length, Range::positive(), "m", "length of the paddle")
          .real("width", &P::width, Range::positive(), "m", "width of the paddle")
          .real("thickness", &P::thickness, Range::positive(), "m", "thickness of the paddle")
          .real("modulus", &P::modulus, Range::positive(), "N/m2", "Young's modulus")
          .real("density", &P::density, Range::positive(), "kg/m3", "density")
          .real("damping_time", &P::damping_time, Range::not_negative(), "s",
                "damping of the material, viscosity over stiffness")
          .real("lean", &P::lean, Range::between(0, 1.5), "rad", "of the paddle below the horizontal")
          .real("depth", &P::depth, Range::not_negative(), "m", "by which it is pressed down")
          .real("height", &P::height, Range::positive(), "m", "of the edge above the floor at the start")
          .real("duration", &P::duration, Range::positive(), "s", "of coming down")
          .real("speed", &P::speed, {}, "m/s", "along the floor")
          .real("mu", &P::mu, Range::not_negative(), "", "coefficient of friction of the floor");
  return ModelParts<P>{
      .info =
          {.name = "paddle",
           .summary =
               "An elastic paddle is put down on a rough floor and drawn along it. Its edge hits, bounces "
               "and slides; the paddle is a solid, in full or reduced.",
           .source = "own",
           .step = 1e-4,
           .until = 0.2},
      .parameters = table,
      .build = make_paddle,
      .measures = paddle_measures,
      .signals = paddle_signals};
}

}  // namespace picus::models
