/// A plate rotating about its intermediate axis tumbles.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void rigid_body_example() {
  Model model("rigid_body");
  // [example]
  const auto plate = model.add_frame("plate", {.velocity = {0.5, 0, 0}, .angular_velocity = {0.1, 15, 0}});
  model.add<RigidBody>(
      {.name = "body", .node = plate, .mass = 1.0, .inertia = inertia::box(1.0, {0.8, 0.5, 0.1})});
  const auto tip = model.add_point("tip", {.position = {0.4, 0, 0}});
  model.add<RigidLink>({.name = "mark", .a = plate, .b = tip});
  // [example end]
  run(model, 1.0);
}
