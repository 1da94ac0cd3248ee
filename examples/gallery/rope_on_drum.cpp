/// A rope of beam elements falls over a fixed drum and hangs on both sides.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void rope_on_drum_example() {
  Model model("rope_on_drum");
  // [example]
  const double radius = 0.008;
  const auto rubber =
      Section::circle(radius, {.E = 2e6, .nu = 0.4, .density = 1100, .relaxation_time = 5e-3});
  const auto rope = make_beam(model, {.name = "rope",
                                      .section = rubber,
                                      .from = Vec3(-0.5, 0, 0.16),
                                      .to = Vec3(0.42, 0, 0.16),
                                      .elements = 24});
  model.add<Surface>({.name = "rope surface", .of = shapes::Rope{rope.nodes, radius}});
  model.add<Surface>({.name = "drum",
                      .of = shapes::Cylinder{.length = 0.12, .radius = 0.15},
                      .rotation = so3::exp({std::numbers::pi / 2, 0, 0})});
  model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = rope.mass_points()});
  // [example end]
  run(model, 0.5);
}
