/// A crate slides off a table onto the objects below: all contacts are detected.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void contacts_between_example() {
  Model model("contacts_between");
  // [example]
  std::vector<MassPoint> bodies;
  const auto add_body = [&](const std::string& name, const Shape& shape, const Mat3& inertia,
                            const FrameStart& start) {
    const auto node = model.add_frame(name, start);
    bodies.push_back(
        model.add<RigidBody>({.name = name + " mass", .node = node, .mass = 1.0, .inertia = inertia})
            ->mass_point());
    model.add<Surface>({.name = name, .of = shape, .on = node});
  };
  add_body("crate", shapes::Box{{0.4, 0.3, 0.2}}, inertia::box(1.0, {0.4, 0.3, 0.2}),
           {.position = {-0.5, 0, 0.8}, .velocity = {2, 0, 0}});
  add_body("ball", shapes::Ball{0.12}, inertia::sphere(1.0, 0.12), {.position = {0.25, 0.02, 0.12}});
  add_body("can", shapes::Capsule{.length = 0.2, .radius = 0.08}, inertia::cylinder(1.0, 0.08, 0.3, 2),
           {.position = {0.55, -0.03, 0.18}});
  model.add<Surface>({.name = "table", .of = shapes::Box{{1, 0.8, 0.1}}, .position = {-0.5, 0, 0.65}});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
  // [example end]
  run(model, 1.5);
}
