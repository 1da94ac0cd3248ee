// A hanging chain of five bodies: its modes about equilibrium, and its motion from a displaced start.

#include "gallery.hpp"
#include <picus/picus.hpp>

#include <string>

void vibration_modes_example() {
  using picus::Vec3;
  picus::Model model("vibration_modes");
  const auto ground = model.add_frame("ground");
  model.fix(ground);
  picus::FrameNode last = ground;
  for (int i = 0; i < 5; ++i) {
    const std::string number = "[" + std::to_string(i) + "]";
    const auto link = model.add_frame("link" + number, {.position = {0.1 + 0.2 * i, 0, 0}});
    model.restrict_to_plane(link);
    const auto body = model.add<picus::RigidBody>(
        {.name = "body" + number, .node = link, .mass = 0.2, .inertia = picus::inertia::planar(7e-4)});
    model.add<picus::Gravity>(
        {.name = "gravity" + number, .acceleration = {0, -9.81, 0}, .bodies = {body->mass_point()}});
    const Vec3 end_of_last(i == 0 ? 0.0 : 0.1, 0, 0);
    model.add<picus::Hinge>({.name = "hinge" + number,
                             .a = {last, end_of_last},
                             .b = {link, Vec3(-0.1, 0, 0)},
                             .axis = Vec3::UnitZ()});
    last = link;
  }
  // [example]
  const picus::System system(model);
  const picus::State state = picus::find_equilibrium(system);
  const picus::VibrationModes modes = picus::find_vibration_modes(system, state, {.count = 3});
  const double lowest = modes.frequencies[0];  // Hz
  // [example end]
  run(model, 1.0);
  if (!(lowest > 0)) throw std::runtime_error("the chain does not vibrate");
}
