#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void cylindrical_joint_example() {
  Model model("cylindrical joint");
  // [example]
  const auto node = model.add_frame(
      "sleeve", {.position = {0.3, 0, 0}, .velocity = {0, 2.1, 3}, .angular_velocity = {0, 0, 7}});
  const auto sleeve = model.add<RigidBody>(
      {.name = "sleeve_body", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {0.4, 0.1, 0.1})});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {sleeve->mass_point()}});
  model.add<CylindricalJoint>({.name = "pole",
                               .a = MaterialPoint::on_ground({0, 0, 0}),
                               .b = {node, {-0.3, 0, 0}},
                               .axis = {0, 0, 1}});
  // [example end]
  run(model, 1.0);
}
