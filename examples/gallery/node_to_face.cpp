/// A rod falls onto a rough floor, which either end can touch.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void node_to_face_example() {
  Model model("node_to_face");
  // [example]
  const auto node = model.add_frame(
      "rod", {.position = {0, 0.6, 0}, .rotation = so3::exp({0, 0, 0.7}), .velocity = {0.5, 0, 0}});
  const auto rod = model.add<RigidBody>(
      {.name = "rod", .node = node, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.02, 1.0, 0)});
  for (const double x : {-0.5, 0.5}) {
    model.add<NodeToFaceContact>({.name = x < 0 ? "end[0]" : "end[1]",
                                  .slave = {node, Vec3(x, 0, 0)},
                                  .face = {.normal = {0, 1, 0}},
                                  .mu = 0.3,
                                  .e_n = 0.5});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {rod->mass_point()}});
  // [example end]
  run(model, 1.0);
}
