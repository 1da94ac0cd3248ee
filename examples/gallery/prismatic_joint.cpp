#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void prismatic_joint_example() {
  Model model("prismatic joint");
  // [example]
  const auto node = model.add_frame("slider", {.position = {0, 0, 0.2}});
  const auto slider = model.add<RigidBody>(
      {.name = "slider_body", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {0.2, 0.1, 0.1})});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {slider->mass_point()}});
  const auto travel = model.add_scalar("travel");
  model.add<PrismaticJoint>({.name = "rail",
                             .a = MaterialPoint::on_ground({0, 0, 0}),
                             .b = {node, {0, 0, -0.2}},
                             .axis = {2, 0, -1},
                             .displacement = travel});
  model.add<TorsionalSpringDamper>({.name = "spring", .node = travel, .stiffness = 60, .damping = 1});
  // [example end]
  run(model, 1.0);
}
