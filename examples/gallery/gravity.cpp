/// A rope of fifty masses falls from the horizontal; one call gives all of them their weight.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <string>
#include <vector>

using namespace picus;

void gravity_example() {
  Model model("gravity");
  // [example]
  std::vector<MassPoint> masses;
  MaterialPoint last = MaterialPoint::on_ground({0, 0, 0});
  for (int i = 0; i < 50; ++i) {
    const auto number = "[" + std::to_string(i) + "]";
    const auto node = model.add_point("node" + number, {.position = {0.02 * (i + 1), 0, 0}});
    masses.push_back(
        model.add<PointMass>({.name = "mass" + number, .node = node, .mass = 0.01})->mass_point());
    model.add<SpringDamper>(
        {.name = "rope" + number, .a = last, .b = node, .stiffness = 2e3, .damping = 0.2});
    last = node;
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = masses});
  // [example end]
  run(model, 1.0);
}
