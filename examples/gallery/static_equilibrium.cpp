// A chain of ten bars between two supports: a static analysis finds its hanging shape, the run shows how it swings.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <cmath>
#include <string>

void static_equilibrium_example() {
  using picus::Vec3;
  picus::Model model("static_equilibrium");
  const auto ground = model.add_frame("ground");
  model.fix(ground);
  picus::FrameNode last = ground;
  Vec3 joint(-0.5, 0, 0);
  const int bars = 10;
  for (int i = 0; i < bars; ++i) {
    const double slope = i < bars / 2 ? -0.6 : 0.6;  // starts in a V shape
    const Vec3 half = 0.5 / bars * Vec3(1, slope, 0);
    const std::string number = "[" + std::to_string(i) + "]";
    const auto bar = model.add_frame("bar" + number, {.position = joint + half});
    model.restrict_to_plane(bar);
    const auto body = model.add<picus::RigidBody>(
        {.name = "body" + number, .node = bar, .mass = 0.1, .inertia = picus::inertia::planar(1e-4)});
    model.add<picus::Gravity>(
        {.name = "gravity" + number, .acceleration = {0, -9.81, 0}, .bodies = {body->mass_point()}});
    const Vec3 end_of_last = joint - model.initial_configuration().position(last);
    model.add<picus::Hinge>(
        {.name = "hinge" + number, .a = {last, end_of_last}, .b = {bar, -half}, .axis = Vec3::UnitZ()});
    joint += 2 * half;
    last = bar;
  }
  const Vec3 end_of_last = joint - model.initial_configuration().position(last);
  model.add<picus::Hinge>(
      {.name = "end", .a = {ground, joint}, .b = {last, end_of_last}, .axis = Vec3::UnitZ()});
  // [example]
  picus::StaticEquilibrium statics({.increments = 10});
  const picus::RunSummary summary = picus::simulate(model, statics, {.until = 1.0});
  const Vec3 lowest = summary.final_state.q.position(last);
  // [example end]
  run(model, 1.0);
  if (!(lowest.y() < 0)) throw std::runtime_error("the chain does not hang");
}
