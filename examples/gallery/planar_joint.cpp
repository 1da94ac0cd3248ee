#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void planar_joint_example() {
  Model model("planar joint");
  // [example]
  const auto node = model.add_frame(
      "puck", {.position = {0, 0, 0.1}, .velocity = {-2, 1, 0}, .angular_velocity = {0, 0, 12}});
  const auto puck = model.add<RigidBody>(
      {.name = "puck_body", .node = node, .mass = 0.5, .inertia = inertia::cylinder(0.5, 0.2, 0.1)});
  // A table that is tilted by a third against gravity.
  model.add<Gravity>({.name = "gravity", .acceleration = {3.1, 0, -9.3}, .bodies = {puck->mass_point()}});
  model.add<PlanarJoint>({.name = "table",
                          .a = MaterialPoint::on_ground({0, 0, 0}),
                          .b = {node, {0, 0, -0.1}},
                          .normal = {0, 0, 1},
                          .tangent = Vec3(1, 0, 0)});
  // [example end]
  run(model, 1.0);
}
