#include "gallery.hpp"
#include <picus/picus.hpp>

void hexahedron_example() {
  using namespace picus;
  Model model("hexahedron");
  // [example]
  const auto mesh = make_box_mesh({.size = {1, 0.12, 0.2}, .divisions = {12, 2, 2}});
  const auto beam = add_solid(
      model, mesh,
      {.name = "beam",
       .material = {
           .youngs_modulus = 1e6, .poissons_ratio = 0.45, .density = 1000, .law = SolidLaw::neo_hooke}});
  beam.fix(model, "x-");
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = beam.mass_points()});
  // [example end]
  run(model, 1.0, 2e-3);
}
