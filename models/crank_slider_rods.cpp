#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/joints/rigid_link.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/elements/reduced/add_reduced_body.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/crank_slider_rods.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/analyses/reduction.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace picus::models {
namespace {

const Vec3 normal_of_plane = Vec3::UnitZ();

/// A beam along x from the origin, in the plane.
BeamMesh add_beam_part(Model& part, const Rod& rod, const RodSection& section, Index elements) {
  const BeamMesh beam =
      make_beam(part, {.name = rod.name,
                       .section = Section::rectangle(section.width, section.height, section.material),
                       .to = Vec3(rod.length, 0, 0),
                       .elements = static_cast<int>(elements)});
  for (const FrameNode& node : beam.nodes) part.restrict_to_plane(node);
  return beam;
}

/// A pin at an end of the part: a point, which does not resist its rotation.
PointNode add_pin(Model& part, const std::string& name, const FrameNode& end) {
  const PointNode pin = part.add_point(name, {.position = part.initial_configuration().position(end)});
  part.restrict_to_plane(pin);
  part.add<SphericalJoint>({.name = name, .a = end, .b = pin});
  return pin;
}

/// The part along x from the origin.
Solid add_solid_part(Model& part, const Rod& rod, const RodSection& section, Index elements, Index across,
                     const Vec3& velocity, const Vec3& spin,
                     const std::function<Vec3(const Vec3&)>& map = {}) {
  return add_solid(part,
                   make_box_mesh({.size = {rod.length, section.height, section.width},
                                  .divisions = {elements, across, across},
                                  .origin = {0, -0.5 * section.height, -0.5 * section.width},
                                  .map = map}),
                   {.name = rod.name,
                    .material = {.youngs_modulus = section.material.E,
                                 .poissons_ratio = section.material.nu,
                                 .density = section.material.density},
                    .velocity = velocity,
                    .angular_velocity = spin});
}

std::vector<Node> nodes_of(const Solid& solid, std::string_view set) {
  const std::vector<PointNode> nodes = solid.nodes(set);
  return {nodes.begin(), nodes.end()};
}

ReducedBodyMesh add_reduced_rod(Model& model, const Rod& rod, ReducedBasis basis, const Vec3& gravity,
                                const std::vector<std::string>& nodes = {}) {
  return add_reduced_body(model, {.name = rod.name,
                                  .basis = std::make_shared<const ReducedBasis>(std::move(basis)),
                                  .position = rod.from,
                                  .rotation = so3::exp(rod.angle * normal_of_plane),
                                  .velocity = rod.velocity,
                                  .angular_velocity = rod.spin * normal_of_plane,
                                  .gravity = gravity,
                                  .nodes = nodes});
}

}  // namespace

Vec3 Rod::direction() const {
  return {std::cos(angle), std::sin(angle), 0.0};
}

Vec3 Rod::last_velocity() const {
  return velocity + spin * normal_of_plane.cross(to() - from);
}

RodEnds add_rigid_rod(Model& model, const Rod& rod, double mass, double inertia) {
  const Vec3 half(0.5 * rod.length, 0.0, 0.0);
  const FrameNode node = model.add_frame(rod.name, {.position = 0.5 * (rod.from + rod.to()),
                                                    .rotation = so3::exp(rod.angle * normal_of_plane),
                                                    .velocity = 0.5 * (rod.velocity + rod.last_velocity()),
                                                    .angular_velocity = rod.spin * normal_of_plane});
  model.restrict_to_plane(node);
  const auto body = model.add<RigidBody>(
      {.name = rod.name + "_body", .node = node, .mass = mass, .inertia = inertia::planar(inertia)});
  return {.body = node, .first = {node, -half}, .last = {node, half}, .weights = {body->mass_point()}};
}

RodEnds add_beam_rod(Model& model, const Rod& rod, const RodSection& section, Index elements) {
  const BeamMesh beam =
      make_beam(model, {.name = rod.name,
                        .section = Section::rectangle(section.width, section.height, section.material),
                        .from = rod.from,
                        .to = rod.to(),
                        .elements = static_cast<int>(elements),
                        .orientation = normal_of_plane.cross(rod.direction()),
                        .velocity = rod.velocity,
                        .angular_velocity = rod.spin * normal_of_plane});
  for (const FrameNode& node : beam.nodes) model.restrict_to_plane(node);
  return {
      .body = beam.nodes.front(), .first = beam.first(), .last = beam.last(), .weights = beam.mass_points()};
}

RodEnds add_reduced_beam_rod(Model& model, const Rod& rod, const RodSection& section, Index elements,
                             Index modes, RodBoundary boundary, const Vec3& gravity) {
  Model part(rod.name);
  const BeamMesh beam = add_beam_part(part, rod, section, elements);
  const std::string first_name = part.node_name(beam.first());
  const std::string last_name = part.node_name(beam.last());
  ReductionOptions options{.modes = static_cast<int>(modes)};
  std::vector<std::string> nodes;
  switch (boundary) {
    case RodBoundary::held:
      options.interfaces = {{.name = "first", .nodes = {beam.first()}},
                            {.name = "last", .nodes = {beam.last()}}};
      break;
    case RodBoundary::clamped:
      options.interfaces = {{.name = "first", .nodes = {beam.first()}}};
      options.frame = "first";
      options.loaded_nodes = {beam.last()};
      nodes = {last_name};
      break;
    case RodBoundary::pinned:
      options.interfaces = {{.name = "first", .nodes = {add_pin(part, "first pin", beam.first())}},
                            {.name = "last", .nodes = {add_pin(part, "last pin", beam.last())}}};
      break;
    case RodBoundary::free:
      options.loaded_nodes = {beam.first(), beam.last()};
      nodes = {first_name, last_name};
      break;
  }
  const ReducedBodyMesh body = add_reduced_rod(model, rod, reduce(part, options), gravity, nodes);
  model.restrict_to_plane(body.frame);
  for (const auto& [name, node] : body.attached) model.restrict_to_plane(node);
  const auto end = [&](const std::string& interface, const std::string& node) -> MaterialPoint {
    const auto found = body.attached.find(interface);
    const Node at = found != body.attached.end() ? found->second : body.attached.at(node);
    if (at.kind == NodeKind::frame) return FrameNode{at};
    return PointNode{at};
  };
  return {
      .body = body.frame, .first = end("first", first_name), .last = end("last", last_name), .weights = {}};
}

RodEnds add_solid_rod(Model& model, const Rod& rod, const RodSection& section, Index elements, Index across) {
  const Vec3 spin = rod.spin * normal_of_plane;
  const Solid solid = add_solid_part(
      model, rod, section, elements, across, rod.velocity - spin.cross(rod.from), spin,
      [&rod, R = so3::exp(rod.angle * normal_of_plane)](const Vec3& X) -> Vec3 { return rod.from + R * X; });
  const auto add_end = [&](const std::string& name, const Vec3& position, const Vec3& velocity,
                           std::string_view face) {
    const FrameNode end = model.add_frame(rod.name + name, {.position = position,
                                                            .rotation = so3::exp(rod.angle * normal_of_plane),
                                                            .velocity = velocity,
                                                            .angular_velocity = spin});
    model.restrict_to_plane(end);
    int count = 0;
    for (const Node& node : nodes_of(solid, face)) {
      model.add<RigidLink>({.name = fmt::format("{}{}[{}]", rod.name, name, count++), .a = end, .b = node});
    }
    return end;
  };
  const FrameNode first = add_end(".first", rod.from, rod.velocity, "x-");
  const FrameNode last = add_end(".last", rod.to(), rod.last_velocity(), "x+");
  return {.body = first, .first = first, .last = last, .weights = solid.mass_points()};
}

RodEnds add_reduced_solid_rod(Model& model, const Rod& rod, const RodSection& section, Index elements,
                              Index across, Index modes, const Vec3& gravity) {
  Model part(rod.name);
  const Solid solid = add_solid_part(part, rod, section, elements, across, Vec3::Zero(), Vec3::Zero());
  const ReducedBodyMesh body =
      add_reduced_rod(model, rod,
                      reduce(part, {.interfaces = {{.name = "first", .nodes = nodes_of(solid, "x-")},
                                                   {.name = "last", .nodes = nodes_of(solid, "x+")}},
                                    .modes = static_cast<int>(modes)}),
                      gravity);
  const FrameNode first = body.interface("first"), last = body.interface("last");
  model.restrict_to_plane(first);
  model.restrict_to_plane(last);
  return {.body = body.frame, .first = first, .last = last, .weights = {}};
}

}  // namespace picus::models
