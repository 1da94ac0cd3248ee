#include "gallery.hpp"
#include <picus/picus.hpp>

void face_pressure_example() {
  using namespace picus;
  Model model("face_pressure");
  // [example]
  const auto mesh = make_box_mesh({.size = {1, 1, 0.04}, .divisions = {8, 8, 1}});
  const auto plate = add_solid(
      model, mesh,
      {.name = "plate", .material = {.youngs_modulus = 2e6, .poissons_ratio = 0.4, .density = 1000}});
  for (const char* edge : {"x-", "x+"}) plate.fix(model, edge);
  add_pressure(model, {.name = "gust", .faces = plate.faces("z-"), .pressure = [](double t) {
                         return t < 0.1 ? 2000.0 : 0.0;
                       }});
  // [example end]
  run(model, 1.0, 2e-3);
}
