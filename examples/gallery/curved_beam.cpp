#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void curved_beam_example() {
  Model model("curved beam");
  // [example]
  const auto nylon = Section::circle(0.01, {.E = 2e8, .nu = 0.4, .density = 1200, .relaxation_time = 1e-3});
  const Centreline helix = arc({.from = {0.2, 0, 0}, .axis = Vec3::UnitY(), .angle = 12.6, .rise = -0.4});
  const auto coil = make_beam(model, {.name = "coil", .section = nylon, .centreline = helix, .elements = 15});
  model.fix(coil.first());
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = coil.mass_points()});
  // [example end]
  run(model, 1.0);
}
