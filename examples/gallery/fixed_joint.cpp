#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void fixed_joint_example() {
  Model model("fixed joint");
  // [example]
  const auto handle = model.add_frame("handle", {.velocity = {1, 0, 4}, .angular_velocity = {1, 9, 0}});
  const auto head = model.add_frame("head", {.position = {0.5, 0, 0}, .velocity = {1, 0, 0}});
  const auto wood = model.add<RigidBody>(
      {.name = "wood", .node = handle, .mass = 0.4, .inertia = inertia::cylinder(0.4, 0.02, 1.0, 0)});
  const auto steel = model.add<RigidBody>(
      {.name = "steel", .node = head, .mass = 1.5, .inertia = inertia::box(1.5, {0.06, 0.25, 0.06})});
  model.add<FixedJoint>({.name = "hammer", .a = {handle, {0.5, 0, 0}}, .b = head});
  model.add<Gravity>({.name = "gravity",
                      .acceleration = {0, 0, -9.81},
                      .bodies = {wood->mass_point(), steel->mass_point()}});
  // [example end]
  run(model, 1.0);
}
