/// A soft block falls on the border of a table, bends over it and stays.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void solid_on_table_example() {
  Model model("solid_on_table");
  // [example]
  auto mesh =
      make_box_mesh({.size = {0.4, 0.12, 0.06}, .divisions = {8, 2, 2}, .origin = {-0.27, -0.06, 0.02}});
  mesh.face_sets["all"] = mesh.boundary();
  const auto block = add_solid(model, mesh,
                               {.name = "block",
                                .material = {.youngs_modulus = 1e5, .poissons_ratio = 0.3, .density = 1000},
                                .damping_time = 0.01});
  model.add<Surface>({.name = "block", .of = shapes::Faces{block.faces("all")}});
  model.add<Surface>({.name = "table", .of = shapes::Box{{0.6, 0.4, 0.05}}, .position = {-0.3, 0, -0.025}});
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = block.mass_points()});
  // [example end]
  run(model, 0.5);
}
