#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void coordinate_stop_example() {
  Model model("coordinate stop");
  // [example]
  const auto node = model.add_frame("flap", {.position = {0.5, 0, 0}});
  const auto flap = model.add<RigidBody>(
      {.name = "flap_body", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {1.0, 0.3, 0.02})});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {flap->mass_point()}});
  const auto angle = model.add_scalar("angle");
  const MaterialPoint frame = MaterialPoint::on_ground({0, 0, 0});
  model.add<Hinge>({.name = "pin", .a = frame, .b = {node, {-0.5, 0, 0}}, .axis = {0, 1, 0}, .angle = angle});
  add_stops(model, {.name = "stop", .coordinate = angle, .lower = -0.5, .upper = 1.2, .e_n = 0.7});
  // [example end]
  run(model, 1.0);
}
