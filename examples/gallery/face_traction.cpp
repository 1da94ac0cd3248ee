#include "gallery.hpp"
#include <picus/picus.hpp>

void face_traction_example() {
  using namespace picus;
  Model model("face_traction");
  // [example]
  const auto mesh = make_box_mesh({.size = {0.15, 0.15, 1}, .divisions = {2, 2, 10}});
  const auto post = add_solid(
      model, mesh,
      {.name = "post", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000}});
  post.fix(model, "z-");
  add_traction(model, {.name = "shear", .faces = post.faces("z+"), .traction = [](double t) {
                         return Vec3(2e3 * t, 0, 0);
                       }});
  // [example end]
  run(model, 1.0, 2e-3);
}
