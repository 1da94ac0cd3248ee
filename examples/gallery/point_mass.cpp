/// Two masses on a spring, thrown with a spin.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void point_mass_example() {
  Model model("point_mass");
  // [example]
  const auto a = model.add_point("a", {.position = {-0.3, 0, 0}, .velocity = {0.5, -2, 0}});
  const auto b = model.add_point("b", {.position = {0.3, 0, 0}, .velocity = {0.5, 2, 0}});
  model.add<PointMass>({.name = "mass a", .node = a, .mass = 1.0});
  model.add<PointMass>({.name = "mass b", .node = b, .mass = 1.0});
  model.add<SpringDamper>({.name = "spring", .a = a, .b = b, .stiffness = 40.0});
  // [example end]
  run(model, 1.0);
}
