#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void beam3_example() {
  Model model("beam3");
  // [example]
  const auto root = model.add_frame("root");
  const auto middle = model.add_frame("middle", {.position = {0.25, 0, 0}});
  const auto tip = model.add_frame("tip", {.position = {0.5, 0, 0}});
  const auto rubber = Section::rectangle(0.04, 0.02, {.E = 2e7, .nu = 0.45, .density = 1100});
  const auto strip =
      model.add<Beam3>({.name = "strip", .a = root, .middle = middle, .b = tip, .section = rubber});
  model.fix(root);
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = strip->mass_points()});
  // [example end]
  run(model, 1.0);
}
