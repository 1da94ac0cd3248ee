#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void spherical_joint_example() {
  Model model("spherical joint");
  // [example]
  const Mat3 R = so3::exp({0.6, 0, 0});
  const auto node = model.add_frame(
      "top", {.position = R * Vec3(0, 0, 0.4), .rotation = R, .angular_velocity = {0, 0, 80}});
  const auto top = model.add<RigidBody>(
      {.name = "top_body", .node = node, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.3, 0.05)});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = {top->mass_point()}});
  model.add<SphericalJoint>(
      {.name = "tip", .a = MaterialPoint::on_ground({0, 0, 0}), .b = {node, {0, 0, -0.4}}});
  // [example end]
  run(model, 1.0);
}
