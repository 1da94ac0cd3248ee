/// A motor torque that rises and falls turns a flap on a hinge.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <cmath>

using namespace picus;

void scalar_load_example() {
  Model model("scalar_load");
  // [example]
  const auto wall = model.add_frame("wall");
  model.fix(wall);
  const auto flap = model.add_frame("flap", {.position = {0.5, 0, 0}});
  model.add<RigidBody>(
      {.name = "flap", .node = flap, .mass = 1.0, .inertia = inertia::box(1.0, {1.0, 0.05, 0.3})});
  const auto angle = model.add_scalar("angle");
  model.add<Hinge>(
      {.name = "hinge", .a = wall, .b = {flap, Vec3(-0.5, 0, 0)}, .axis = Vec3::UnitZ(), .angle = angle});
  model.add<ScalarLoad>(
      {.name = "motor", .node = angle, .load = [](double t) { return 10 * std::sin(6.28 * t); }});
  // [example end]
  run(model, 1.0);
}
