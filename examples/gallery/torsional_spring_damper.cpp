/// A flap on a hinge with a spring whose rest position is 60 degrees.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void torsional_spring_damper_example() {
  Model model("torsional_spring_damper");
  // [example]
  const auto wall = model.add_frame("wall");
  model.fix(wall);
  const auto flap = model.add_frame("flap", {.position = {0.5, 0, 0}});
  model.add<RigidBody>(
      {.name = "flap", .node = flap, .mass = 1.0, .inertia = inertia::box(1.0, {1.0, 0.05, 0.3})});
  const auto angle = model.add_scalar("angle");
  model.add<Hinge>(
      {.name = "hinge", .a = wall, .b = {flap, Vec3(-0.5, 0, 0)}, .axis = Vec3::UnitZ(), .angle = angle});
  model.add<TorsionalSpringDamper>(
      {.name = "spring", .node = angle, .stiffness = 30.0, .damping = 0.5, .free_angle = 1.05});
  // [example end]
  run(model, 1.0);
}
