/// A can rolls over a table and stops by its resistance to rolling, a frustum falls onto it, a ball spins to rest.

#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void round_surfaces_example() {
  Model model("round_surfaces");
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
  const Mat3 lying = so3::exp({std::numbers::pi / 2, 0, 0});
  add_body("can", shapes::Cylinder{.length = 0.3, .radius = 0.1}, inertia::cylinder(1.0, 0.1, 0.3, 2),
           {.position = {-0.7, -0.25, 0.1},
            .rotation = lying,
            .velocity = {1, 0, 0},
            .angular_velocity = lying.transpose() * Vec3(0, 10, 0)});
  add_body("frustum", shapes::Cone{.length = 0.2, .bottom_radius = 0.12, .top_radius = 0.06},
           inertia::cylinder(1.0, 0.1, 0.2, 2),
           {.position = {-0.4, 0.35, 0.3}, .rotation = so3::exp({1, 0.5, 0})});
  add_body("ball", shapes::Ball{0.1}, inertia::sphere(1.0, 0.1),
           {.position = {0.5, 0.3, 0.1}, .angular_velocity = {0, 0, 30}});
  model.add<Surface>({.name = "table", .of = shapes::Box{{2, 1.2, 0.05}}, .position = {0, 0, -0.025}});
  model.add<ContactsBetween>({.name = "all", .mu = 0.4, .drilling_radius = 5e-3, .rolling_arm = 5e-3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
  // [example end]
  run(model, 1.5);
}
