/// Steps in which bodies move farther than the thickness of those in their way.

#include "boxes.hpp"
#include <picus/simulate.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <type_traits>
#include <variant>
#include <vector>

namespace picus::passing_bodies_test {
namespace {

constexpr double speed = 100, h = 1e-3;
constexpr int phases = 7;

/// A plate 1 cm thick of size 20 cm, whose border is slanted.
std::vector<Vec3> plate_corners() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    const double side = (i & 1) != 0 ? 0.5 : -0.5;
    const double half = side < 0 ? 0.1 : 0.09;
    corners.emplace_back(0.01 * side, (i & 2) != 0 ? half : -half, (i & 4) != 0 ? half : -half);
  }
  return corners;
}

shapes::Mesh plate_mesh() {
  return {.points = plate_corners(),
          .triangles = {{0, 2, 3},
                        {0, 3, 1},
                        {4, 5, 7},
                        {4, 7, 6},
                        {0, 1, 5},
                        {0, 5, 4},
                        {2, 6, 7},
                        {2, 7, 3},
                        {0, 4, 6},
                        {0, 6, 2},
                        {1, 3, 7},
                        {1, 7, 5}}};
}

/// The same lengths times `scale`.
Shape scaled(const Shape& shape, double scale) {
  return std::visit(
      [&](auto copy) -> Shape {
        using One = decltype(copy);
        if constexpr (std::is_same_v<One, shapes::Ball>) copy.radius *= scale;
        if constexpr (std::is_same_v<One, shapes::Box>) copy.size *= scale;
        if constexpr (std::is_same_v<One, shapes::Capsule> || std::is_same_v<One, shapes::Cylinder>) {
          copy.length *= scale;
          copy.radius *= scale;
        }
        if constexpr (std::is_same_v<One, shapes::Hull> || std::is_same_v<One, shapes::Mesh>) {
          for (Vec3& point : copy.points) point *= scale;
        }
        return copy;
      },
      shape);
}

/// Where a scene lies, and how large it is; bullets fly along the first axis.
struct Setting {
  double scale = 1.0;
  Vec3 origin = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

struct Shot {
  double velocity = 0.0;  ///< of the bullet at the end, along its path, over its size
  double place = 0.0;     ///< likewise
  SearchStatistics search;
};

/// A bullet against a fixed body. The moment of inertia of the bullet is large: if it turned several times in a step, its
/// path would be arbitrary.
Shot shoot(const Setting& setting, const Shape& bullet, const Shape& target, const Vec3& from) {
  Scene scene;
  const double scale = setting.scale;
  scene.add_body("bullet", 1.0, inertia::sphere(1.0, scale),
                 {.position = setting.origin + setting.axes * (scale * from),
                  .rotation = setting.axes,
                  .velocity = setting.axes * Vec3(scale * speed, 0, 0)});
  scene.model.add<Surface>({.name = "bullet", .of = scaled(bullet, scale), .on = scene.bodies[0]});
  scene.model.add<Surface>(
      {.name = "target", .of = scaled(target, scale), .position = setting.origin, .rotation = setting.axes});
  scene.model.add<ContactsBetween>({.name = "all", .e_n = 0.5});
  DecoupledNsga integrator({.step = h});
  const RunSummary summary = simulate(scene.model, integrator, {.until = 0.02});
  const State& state = summary.final_state;
  const Vec3 way = setting.axes.transpose() * (state.q.position(scene.bodies[0]) - setting.origin);
  const Vec3 velocity = setting.axes.transpose() * Vec3(state.v.segment<3>(scene.bodies[0].v));
  return {velocity.x() / scale, way.x() / scale, summary.search};
}

const std::array<Setting, 2> settings = {
    Setting{}, Setting{.scale = 20, .origin = {3, -7, 11}, .axes = so3::exp(Vec3(0.4, -1.1, 0.7))}};
const std::array<Shape, 3> bullets = {shapes::Ball{0.02}, shapes::Box{{0.03, 0.03, 0.03}},
                                      shapes::Capsule{.length = 0.04, .radius = 0.01}};

// Steps of ten times the thickness of the plates, with the start moved by fractions of a step: wherever the end of the
// step is, on the far side or inside, the face in front stops the bullet.
TEST(PassingBodies, BulletsAreStoppedByTheFaceInFront) {
  const std::array<Shape, 4> targets = {shapes::Box{{0.01, 0.2, 0.2}}, shapes::Box{{0.04, 0.04, 0.04}},
                                        shapes::Hull{plate_corners()}, plate_mesh()};
  for (const Setting& setting : settings) {
    for (std::size_t bullet = 0; bullet < bullets.size(); ++bullet) {
      for (std::size_t target = 0; target < targets.size(); ++target) {
        for (int phase = 0; phase < phases; ++phase) {
          SCOPED_TRACE(
              fmt::format("scale {}, bullet {}, target {}, phase {}", setting.scale, bullet, target, phase));
          const Vec3 from(-1.0 - speed * h * phase / phases, 0.003, 0.004);
          const Shot shot = shoot(setting, bullets[bullet], targets[target], from);
          EXPECT_LT(shot.place, 0);
          EXPECT_NEAR(shot.velocity, -0.5 * speed, 1);
          EXPECT_EQ(shot.search.misses, 0);
        }
      }
    }
  }
}

// Round bodies have the same feature on both sides.
TEST(PassingBodies, RoundOnesAreNotPassedUnseen) {
  const std::array<Shape, 3> targets = {shapes::Ball{0.02}, shapes::Capsule{.length = 0.2, .radius = 0.01},
                                        shapes::Cylinder{.length = 0.2, .radius = 0.02}};
  for (const Setting& setting : settings) {
    for (std::size_t bullet = 0; bullet < bullets.size(); ++bullet) {
      for (std::size_t target = 0; target < targets.size(); ++target) {
        for (int phase = 0; phase < phases; ++phase) {
          SCOPED_TRACE(
              fmt::format("scale {}, bullet {}, target {}, phase {}", setting.scale, bullet, target, phase));
          const Vec3 from(-1.0 - speed * h * phase / phases, 0.003, 0.004);
          const Shot shot = shoot(setting, bullets[bullet], targets[target], from);
          const bool has_passed = std::abs(shot.velocity - speed) < 1e-6;
          EXPECT_TRUE(!has_passed || shot.search.misses > 0);
        }
      }
    }
  }
}

// A body that flies past the border of a plate within a step has touched neither of its sides.
TEST(PassingBodies, WhatFliesPastABorderIsNotHeld) {
  for (const Setting& setting : settings) {
    for (const double aside : {0.121, -0.121}) {
      for (int phase = 0; phase < phases; ++phase) {
        SCOPED_TRACE(fmt::format("scale {}, {} m aside, phase {}", setting.scale, aside, phase));
        const Vec3 from(-1.0 - speed * h * phase / phases, aside, 0.0);
        const Shot shot = shoot(setting, bullets[0], shapes::Box{{0.01, 0.2, 0.2}}, from);
        EXPECT_NEAR(shot.velocity, speed, 1e-9);
        EXPECT_EQ(shot.search.misses, 0);
      }
    }
  }
}

}  // namespace
}  // namespace picus::passing_bodies_test
