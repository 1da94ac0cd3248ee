#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void rigid_link_example() {
  Model model("rigid link");
  // [example]
  const auto hub = model.add_frame("hub", {.angular_velocity = {0, 0, 8}});
  const auto weight = model.add_point("weight", {.position = {0.5, 0, 0}, .velocity = {0, 4, 0}});
  const Mat3 disc = inertia::cylinder(2.0, 0.4, 0.05);
  model.add<RigidBody>({.name = "disc", .node = hub, .mass = 2.0, .inertia = disc});
  model.add<PointMass>({.name = "weight_mass", .node = weight, .mass = 0.5});
  model.add<RigidLink>({.name = "spoke", .a = hub, .b = weight});
  // [example end]
  run(model, 1.0);
}
