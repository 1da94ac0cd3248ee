#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void universal_joint_example() {
  Model model("universal joint");
  // [example]
  const auto shaft = model.add_frame("shaft", {.angular_velocity = {6, 0, 0}});
  model.fix(shaft, {Component::x, Component::y, Component::z, Component::ry, Component::rz});
  model.drive(shaft, Component::rx, PrescribedMotion::constant_speed(6.0));
  const auto driven =
      model.add_frame("driven", {.position = {0.6, 0.3, 0}, .rotation = so3::exp({0, 0, 0.464})});
  model.add<RigidBody>(
      {.name = "rotor", .node = driven, .mass = 1.0, .inertia = inertia::cylinder(1.0, 0.1, 0.5, 0)});
  model.add<UniversalJoint>(
      {.name = "cross", .a = shaft, .b = {driven, {-0.67, 0, 0}}, .axis_a = {0, 0, 1}, .axis_b = {-1, 2, 0}});
  model.add<PointOnLine>(
      {.name = "bearing", .a = MaterialPoint::on_ground({0, 0, 0}), .b = driven, .axis = {2, 1, 0}});
  // [example end]
  run(model, 1.0);
}
