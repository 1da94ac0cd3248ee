#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void screw_joint_example() {
  Model model("screw joint");
  // [example]
  const auto node = model.add_frame("nut", {.position = {0, 0, 1}});
  const auto nut = model.add<RigidBody>(
      {.name = "nut_body", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {0.5, 0.1, 0.1})});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {nut->mass_point()}});
  model.add<ScrewJoint>({.name = "spindle",
                         .a = MaterialPoint::on_ground({0, 0, 0}),
                         .b = node,
                         .axis = {0, 0, 1},
                         .pitch = 0.5});
  // [example end]
  run(model, 1.0);
}
