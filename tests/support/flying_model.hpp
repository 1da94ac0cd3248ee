#pragma once

/// A small model with everything that a result can contain, for FreeFlight.

#include <picus/drawable.hpp>
#include <picus/model.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/rods.hpp>

#include <numbers>
#include <vector>

namespace picus::support {

/// A line from a material point to a fixed point in space.
class DrawnLine : public Element, public Drawable {
 public:
  struct Parameters {
    std::string name;
    MaterialPoint from;
    Vec3 to;
  };
  DrawnLine(const Parameters& p, const Model&) : Element(p.name, {p.from.node}), p_(p) {}

  std::vector<MaterialPoint> points() const override {
    MaterialPoint end;
    end.offset = p_.to;
    return {p_.from, end};
  }
  std::vector<std::vector<Index>> polylines() const override { return {{0, 1}}; }

 private:
  Parameters p_;
};

/// A frame "spinner" that rotates about z at pi rad/s, a point "ball" that starts 2 m above the plane of the contact
/// "floor" at 1 m/s along x, a scalar "angle" at 0.5 rad/s, and a rod "tie" between ball and spinner that nothing
/// enforces.
inline Model make_flying_model() {
  Model model("flight");
  const FrameNode spinner = model.add_frame(
      "spinner",
      {.position = {0, 0, 1}, .velocity = {0, 1, 0}, .angular_velocity = {0, 0, std::numbers::pi}});
  const PointNode ball = model.add_point("ball", {.position = {1, 0, 2}, .velocity = {1, 0, 0}});
  const ScalarNode angle = model.add_scalar("angle", {.value = 0.25, .rate = 0.5});
  model.add<OffsetBody>({.name = "top", .node = spinner, .mass = 2.0, .gravity = {0, 0, -10}});
  model.add<PointMass>({.name = "mass", .node = ball, .mass = 3.0, .gravity = {0, 0, -10}});
  model.add<Oscillator>({.name = "rotor", .node = angle});
  const Mat3 upwards = axes_of(Vec3::UnitZ());
  model.add<PlaneContact>({.name = "floor", .point = ball, .axes = upwards, .law = {.mu = 0.3, .e_n = 0.5}});
  model.add<PlaneContact>({.name = "ice", .point = ball, .axes = upwards, .law = {.friction_directions = 0}});
  model.add<Rod>({.name = "tie", .a = ball, .b = MaterialPoint(spinner, {0.5, 0, 0}), .length = 1.0});
  model.add<DrawnLine>({.name = "string", .from = MaterialPoint(spinner, {0.5, 0, 0}), .to = {0, 0, 3}});
  model.note_parameter("colour", "none yet");
  model.note_parameter("colour", "red & \"blue\" <\xC3\xA4>");
  return model;
}

}  // namespace picus::support
