#pragma once

/// A box that hangs from a fixed pivot on a rod, swings, and hits and rubs the floor with its four lower corners:
/// three-dimensional rotation, a constraint, impacts and friction, redundant if all corners stick.

#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/rods.hpp>

namespace picus {

struct BoxOnRod {
  static constexpr double g = 9.81;
  static constexpr double mass = 2;

  explicit BoxOnRod(double mu = 0.4) {
    pivot = model.add_frame("pivot", {.position = {0, 0, 1}});
    model.fix(pivot);
    box = model.add_frame("box", {.position = {0.8, 0, 0.25},
                                  .rotation = so3::exp({0.2, 0.1, 0}),
                                  .velocity = {0, 1.5, 0},
                                  .angular_velocity = {1, -2, 1}});
    model.add<support::OffsetBody>(
        {.name = "mass", .node = box, .mass = mass, .inertia = {0.02, 0.03, 0.04}, .gravity = {0, 0, -g}});
    hook = {box, {0, 0, 0.1}};
    const Vec3 rod = hook.position(model.initial_configuration()) - Vec3(0, 0, 1);
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = hook, .length = rod.norm()});
    Mat3 upwards;
    upwards << 0, 1, 0, 0, 0, 1, 1, 0, 0;
    for (int i = 0; i < 4; ++i) {
      model.add<support::PlaneContact>({.name = "corner " + std::to_string(i),
                                        .point = {box, {i % 2 == 0 ? -0.1 : 0.1, i < 2 ? 0.1 : -0.1, -0.1}},
                                        .axes = upwards,
                                        .law = {.mu = mu, .e_n = 0.3}});
    }
  }

  Model model;
  FrameNode pivot, box;
  MaterialPoint hook;
};

}  // namespace picus
