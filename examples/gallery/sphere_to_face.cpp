/// A ball with back spin bounces forward, slides and comes back.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void sphere_to_face_example() {
  Model model("sphere_to_face");
  // [example]
  const auto node = model.add_frame(
      "ball", {.position = {0, 0.4, 0}, .velocity = {1.5, 0, 0}, .angular_velocity = {0, 0, 60}});
  const auto ball =
      model.add<RigidBody>({.name = "ball", .node = node, .mass = 0.5, .inertia = inertia::sphere(0.5, 0.1)});
  model.add<SphereToFaceContact>(
      {.name = "floor", .centre = node, .radius = 0.1, .face = {.normal = {0, 1, 0}}, .mu = 0.4, .e_n = 0.6});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {ball->mass_point()}});
  // [example end]
  run(model, 1.0);
}
