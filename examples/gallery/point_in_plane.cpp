#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void point_in_plane_example() {
  Model model("point in plane");
  // [example]
  const auto node = model.add_frame(
      "rod", {.position = {0, 0, 0.4}, .rotation = so3::exp({0.64, 0, 0}), .velocity = {0.3, 0, 0}});
  const auto rod = model.add<RigidBody>(
      {.name = "rod_body", .node = node, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.02, 1.0)});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {rod->mass_point()}});
  model.add<PointInPlane>({.name = "ice",
                           .a = MaterialPoint::on_ground({0, 0, 0}),
                           .b = {node, {0, 0, -0.5}},
                           .normal = {0, 0, 1}});
  // [example end]
  run(model, 1.0);
}
