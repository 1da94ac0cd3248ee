/// A body hangs from a progressive spring at its corner.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void spring_damper_example() {
  Model model("spring_damper");
  // [example]
  const auto node = model.add_frame("body", {.position = {0, -0.6, 0}});
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {0.4, 0.2, 0.2})});
  model.add<SpringDamper>({.name = "spring",
                           .a = MaterialPoint::on_ground({0, 0, 0}),
                           .b = {node, Vec3(0.2, 0.1, 0)},
                           .law = ScalarLaw::table({-0.5, 0, 0.2, 0.4}, {-20, 0, 8, 60}),
                           .damping_law = ScalarLaw::linear(0.5)});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {body->mass_point()}});
  // [example end]
  run(model, 1.0);
}
