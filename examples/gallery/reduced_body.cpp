/// A crank and slider with a flexible rod of 60 solid elements, reduced to 20 coordinates.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void reduced_body_example() {
  // [example]
  Model part("rod");
  const Solid solid =
      add_solid(part, make_box_mesh({.size = {0.6, 0.03, 0.02}, .divisions = {15, 2, 2}}),
                {.name = "rod", .material = {.youngs_modulus = 2e9, .poissons_ratio = 0.3, .density = 1200}});
  const auto nodes_of = [&](std::string_view face) {
    const auto nodes = solid.nodes(face);
    return std::vector<Node>(nodes.begin(), nodes.end());
  };
  const auto basis = std::make_shared<const ReducedBasis>(
      reduce(part, {.interfaces = {{.name = "big end", .nodes = nodes_of("x-")},
                                   {.name = "small end", .nodes = nodes_of("x+")}},
                    .modes = 8,
                    .damping_ratio = 0.02}));

  Model model("reduced body");
  const FrameNode crank = model.add_frame("crank");
  model.fix(crank, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(crank, Component::rz, PrescribedMotion::constant_speed(20));
  const ReducedBodyMesh rod =
      add_reduced_body(model, {.name = "rod", .basis = basis, .position = {0.2, -0.015, -0.01}});
  const PlanarBody slider =
      add_planar_body(model, {.name = "slider", .position = {0.8, 0, 0}, .mass = 0.3, .inertia = 1e-4});
  model.fix(slider.node, {Component::y, Component::rz});
  model.add<Hinge>(
      {.name = "big end", .a = {crank, Vec3(0.2, 0, 0)}, .b = rod.interface("big end"), .axis = {0, 0, 1}});
  model.add<SphericalJoint>({.name = "small end", .a = rod.interface("small end"), .b = slider.node});
  // [example end]
  run(model, 0.4);
}
