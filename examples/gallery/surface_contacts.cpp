/// A box is thrown onto a floor that its eight corners can touch.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <vector>

using namespace picus;

void surface_contacts_example() {
  Model model("surface_contacts");
  // [example]
  const auto node = model.add_frame(
      "box", {.position = {0, 0.7, 0}, .rotation = so3::exp({0.3, 0.2, 0.6}), .velocity = {0.8, 0, 0}});
  const auto box = model.add<RigidBody>(
      {.name = "box", .node = node, .mass = 1.0, .inertia = inertia::box(1.0, {0.6, 0.4, 0.4})});
  std::vector<MaterialPoint> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({node, Vec3(i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.2 : -0.2)});
  add_surface_contacts(
      model, {.name = "corners", .nodes = corners, .face = {.normal = {0, 1, 0}}, .mu = 0.4, .e_n = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81, 0}, .bodies = {box->mass_point()}});
  // [example end]
  run(model, 1.0);
}
