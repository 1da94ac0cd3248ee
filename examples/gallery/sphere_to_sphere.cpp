/// A ball rolls off a larger one that stands on the ground.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <cmath>

using namespace picus;

void sphere_to_sphere_example() {
  Model model("sphere_to_sphere");
  // [example]
  const auto node = model.add_frame("ball", {.position = {0.6 * std::sin(0.2), 0.6 * std::cos(0.2), 0}});
  const auto ball =
      model.add<RigidBody>({.name = "ball", .node = node, .mass = 0.5, .inertia = inertia::sphere(0.5, 0.2)});
  model.add<SphereToSphereContact>(
      {.name = "contact", .a = {MaterialPoint::on_ground({0, 0, 0}), 0.4}, .b = {node, 0.2}, .mu = 0.6});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {ball->mass_point()}});
  // [example end]
  run(model, 1.0);
}
