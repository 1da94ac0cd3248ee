/// A body is spun up about its own axis, while another moment tilts it.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void nodal_moment_example() {
  Model model("nodal_moment");
  // [example]
  const auto body = model.add_frame("body");
  model.add<RigidBody>(
      {.name = "disc", .node = body, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.4, 0.05, 1)});
  const auto rim = model.add_point("rim", {.position = {0.4, 0, 0}});
  model.add<RigidLink>({.name = "mark", .a = body, .b = rim});
  model.add<NodalMoment>({.name = "motor", .node = body, .moment = {0, 1.5, 0}, .follower = true});
  model.add<NodalMoment>({.name = "tilt", .node = body, .moment = {0.4, 0, 0}});
  // [example end]
  run(model, 1.0);
}
