#include "gallery.hpp"

#include <picus/picus.hpp>

using namespace picus;

int main() {
  Model model("beam");
  // [example]
  const auto root = model.add_frame("root");
  const auto tip = model.add_frame("tip", {.position = {0.5, 0, 0}, .velocity = {0, 0, 1}});
  const auto steel =
      Section::rectangle(0.02, 0.005, {.E = 2.1e11, .nu = 0.3, .density = 7850, .relaxation_time = 1e-5});
  model.add<Beam>({.name = "spring", .a = root, .b = tip, .section = steel});
  model.fix(root);
  // [example end]
  run(model, 1.0);
}
