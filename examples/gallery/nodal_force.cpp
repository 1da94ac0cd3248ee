/// A rocket: the thrust at its tail rotates with it.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void nodal_force_example() {
  Model model("nodal_force");
  // [example]
  const auto rocket = model.add_frame("rocket", {.position = {0, 0.5, 0}});
  model.add<RigidBody>(
      {.name = "hull", .node = rocket, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.05, 1.0, 1)});
  const auto nose = model.add_point("nose", {.position = {0, 1, 0}});
  model.add<RigidLink>({.name = "axis", .a = rocket, .b = nose});
  model.add<NodalForce>(
      {.name = "thrust", .point = {rocket, Vec3(0, -0.5, 0)}, .force = {0.6, 12, 0}, .follower = true});
  // [example end]
  run(model, 1.0);
}
