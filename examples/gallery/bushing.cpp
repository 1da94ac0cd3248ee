/// A block on a rubber mount, set off sideways and with a twist.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void bushing_example() {
  Model model("bushing");
  // [example]
  const auto node = model.add_frame(
      "block", {.position = {0, 0.5, 0}, .velocity = {1.5, 0, 0}, .angular_velocity = {0, 6, 0}});
  model.add<RigidBody>(
      {.name = "block", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, {0.4, 0.6, 0.4})});
  model.add<Bushing>({.name = "mount",
                      .a = MaterialPoint::on_ground({0, 0, 0}),
                      .b = {node, Vec3(0, -0.5, 0)},
                      .stiffness = Bushing::diagonal({3e3, 6e3, 3e3}, {80, 20, 80}),
                      .damping = Bushing::diagonal({8, 8, 8}, {0.4, 0.1, 0.4})});
  // [example end]
  run(model, 1.0);
}
