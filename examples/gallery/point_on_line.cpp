#include "gallery.hpp"
#include <picus/picus.hpp>

using namespace picus;

void point_on_line_example() {
  Model model("point on line");
  // [example]
  const auto wire = model.add_frame("wire", {.angular_velocity = {0, 0, 3}});
  model.fix(wire, {Component::x, Component::y, Component::z, Component::rx, Component::ry});
  model.drive(wire, Component::rz, PrescribedMotion::constant_speed(3.0));
  const auto bead = model.add_point("bead", {.position = {0.1, 0, 0}, .velocity = {0, 0.3, 0}});
  model.add<PointMass>({.name = "bead_mass", .node = bead, .mass = 0.1});
  model.add<PointOnLine>({.name = "guide", .a = wire, .b = bead, .axis = {1, 0, 0}});
  // [example end]
  run(model, 1.0);
}
