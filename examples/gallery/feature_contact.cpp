/// A ball rolls over the edge of a table.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void feature_contact_example() {
  Model model("feature_contact");
  // [example]
  const auto node = model.add_frame(
      "ball", {.position = {-0.2, 0, 0.6}, .velocity = {0.6, 0, 0}, .angular_velocity = {0, 6, 0}});
  const auto ball =
      model.add<RigidBody>({.name = "ball", .node = node, .mass = 0.5, .inertia = inertia::sphere(0.5, 0.1)});
  const auto corner = [](double x, double y) { return MaterialPoint::on_ground({x, y, 0.5}); };
  model.add<FeatureContact>({.name = "table[0]",
                             .a = Feature::point(node, 0.1),
                             .b = Feature::triangle(corner(-0.4, -0.3), corner(0, -0.3), corner(0, 0.3)),
                             .mu = 0.6});
  model.add<FeatureContact>({.name = "table[1]",
                             .a = Feature::point(node, 0.1),
                             .b = Feature::triangle(corner(-0.4, -0.3), corner(0, 0.3), corner(-0.4, 0.3)),
                             .mu = 0.6});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {ball->mass_point()}});
  // [example end]
  run(model, 0.75);
}
