#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void hinge_example() {
  Model model("hinge");
  // [example]
  const auto node = model.add_frame("rod", {.position = {0.5, 0, 0}});
  const auto rod = model.add<RigidBody>(
      {.name = "rod_body", .node = node, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.02, 1.0, 0)});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {rod->mass_point()}});
  const auto angle = model.add_scalar("angle");
  model.add<Hinge>({.name = "pin",
                    .a = MaterialPoint::on_ground({0, 0, 0}),
                    .b = {node, {-0.5, 0, 0}},
                    .axis = {0, 1, 0},
                    .angle = angle});
  model.add<TorsionalSpringDamper>({.name = "friction", .node = angle, .damping = 0.2});
  // [example end]
  run(model, 1.0);
}
