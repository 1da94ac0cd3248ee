/// Bodies beside triangle meshes and thin solids, outside of them but near enough for their faces to be examined: they
/// move as if there were nothing, or as beside a box.

#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/elements/solids/solid.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace picus::beside_meshes_test {
namespace {

using std::numbers::pi;

double distance_of_mesh(const shapes::Mesh& mesh, const Vec3& x) {
  double distance = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k] : mesh.triangles)
    distance = std::min(distance, distance_of_triangle(x, mesh.points[i], mesh.points[j], mesh.points[k]));
  return distance;
}

/// A quadrilateral plate, divided along one of its diagonals.
shapes::Mesh make_plate(bool other_diagonal, double scale) {
  shapes::Mesh plate{.is_closed = false};
  plate.points = {{0, 0, 0}, {0.6, 0.3, 0}, {1, 1, 0}, {1.3, 2, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  if (other_diagonal) plate.triangles = {{0, 1, 3}, {1, 2, 3}};
  for (Vec3& x : plate.points) x *= scale;
  return plate;
}

// Balls and upright capsules, in a grid around a plate, none of them over it.
TEST(BesideMeshes, BallsAndCapsulesFallFreelyBesideAPlateOfTwoTriangles) {
  for (const double scale : {0.01, 1.0, 30.0}) {
    for (const bool other_diagonal : {false, true}) {
      SCOPED_TRACE(fmt::format("scale {}, diagonal {}", scale, other_diagonal));
      const shapes::Mesh plate = make_plate(other_diagonal, scale);
      const double r = 0.1 * scale;
      const auto fall = [&](bool with_plate) {
        Scene scene;
        for (int i = -2; i <= 8; ++i) {
          for (int k = -2; k <= 7; ++k) {
            const Vec3 x = scale * Vec3(0.21 * i, 0.21 * k + 0.1, 0.35);
            if (distance_of_mesh(plate, Vec3(x.x(), x.y(), 0)) < 1.02 * r) continue;
            const std::string name = fmt::format("body {} {}", i, k);
            if (i % 2 == 0) {
              scene.add_ball(name, {.mass = 1, .radius = r}, {.position = x});
            } else {
              scene.model.add<Surface>(
                  {.name = name,
                   .of = shapes::Capsule{r, r},
                   .on = scene.add_body(name, 1, inertia::sphere(1, r), {.position = x})});
            }
          }
        }
        if (with_plate) scene.model.add<Surface>({.name = "plate", .of = plate});
        scene.add_weights({0, 0, -g * scale});
        scene.model.add<ContactsBetween>({.name = "all"});
        DecoupledNsga integrator({.step = 5e-3});
        const State end = run(scene, integrator, 0.4).state;
        std::vector<Vec3> places;
        for (const FrameNode& body : scene.bodies) places.emplace_back(end.q.position(body));
        return places;
      };
      const std::vector<Vec3> places = fall(true);
      EXPECT_GT(places.size(), 40U);
      EXPECT_EQ(places, fall(false));
    }
  }
}

/// Quadrilaterals of two triangles between circles of latitude.
shapes::Mesh make_faceted_ball(double radius, Index rings, Index sides) {
  shapes::Mesh ball;
  for (Index i = 1; i < rings; ++i) {
    for (Index k = 0; k < sides; ++k) {
      const double a = pi * i / rings, b = 2 * pi * k / sides;
      ball.points.emplace_back(radius *
                               Vec3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
    }
  }
  const Index top = count_of(ball.points), bottom = top + 1, last = (rings - 2) * sides;
  ball.points.emplace_back(0, 0, radius);
  ball.points.emplace_back(0, 0, -radius);
  for (Index k = 0; k < sides; ++k) {
    const Index next = (k + 1) % sides;
    ball.triangles.push_back({top, k, next});
    ball.triangles.push_back({bottom, last + next, last + k});
    for (Index at = 0; at < last; at += sides) {
      ball.triangles.push_back({at + k, at + sides + k, at + sides + next});
      ball.triangles.push_back({at + k, at + sides + next, at + next});
    }
  }
  return ball;
}

shapes::Mesh make_star(double radius, double height) {
  std::vector<Eigen::Vector2d> base;
  for (int i = 0; i < 10; ++i) base.push_back(models::polar((i % 2 == 0 ? 1.0 : 0.45) * radius, pi * i / 5));
  return make_prism(base, height);
}

TEST(BesideMeshes, FlightsPastMeshesStayStraight) {
  struct Obstacle {
    std::string name;
    shapes::Mesh mesh;
  };
  const std::vector<Obstacle> obstacles = {
      {"faceted ball", make_faceted_ball(0.2, 6, 8)},
      {"L", make_prism({{-0.2, -0.2}, {0.2, -0.2}, {0.2, 0.0}, {0.0, 0.0}, {0.0, 0.2}, {-0.2, 0.2}}, 0.2)},
      {"star", make_star(0.25, 0.1)}};
  constexpr double h = 2e-3, least_gap = 2e-3, until = 1.2;
  for (const auto& [name, mesh] : obstacles) {
    for (const double length : {0.0, 0.1}) {  // 0: a ball
      const double r = length > 0 ? 0.06 : 0.1;
      int flights = 0;
      for (unsigned seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE(fmt::format("{}, length {}, seed {}", name, length, seed));
        std::mt19937 generator(seed);
        const auto any = [&] { return std::uniform_real_distribution<>(-1, 1)(generator); };
        const auto any_vector = [&] {
          const double x = any(), y = any(), z = any();
          return Vec3(x, y, z);
        };
        const Mat3 R_mesh = so3::exp(3 * any_vector()), R = so3::exp(3 * any_vector());
        const Vec3 way = any_vector().normalized();
        const Vec3 from = -0.6 * way + (0.2 + 0.15 * std::abs(any())) * way.cross(any_vector()).normalized();
        double gap = std::numeric_limits<double>::infinity();
        for (double t = 0; t < until; t += 0.01) {
          for (double s = -0.5; s <= 0.5; s += length > 0 ? 0.1 : 2.0) {
            const Vec3 x = from + t * way + s * length * R.col(2);
            gap = std::min(gap, distance_of_mesh(mesh, R_mesh.transpose() * x) - r);
          }
        }
        if (gap < least_gap) continue;
        ++flights;
        Scene scene;
        const FrameNode body = scene.add_body("body", 1, inertia::sphere(1, r),
                                              {.position = from, .rotation = R, .velocity = way});
        scene.model.add<Surface>(
            {.name = "body",
             .of = length > 0 ? Shape(shapes::Capsule{length, r}) : Shape(shapes::Ball{r}),
             .on = body});
        scene.model.add<Surface>({.name = name, .of = mesh, .rotation = R_mesh});
        scene.model.add<ContactsBetween>({.name = "all"});
        DecoupledNsga integrator({.step = h});
        const State end = run(scene, integrator, until).state;
        EXPECT_LT((end.q.position(body) - from - until * way).norm(), 1e-12);
        EXPECT_EQ(velocity(end, body), way);
      }
      EXPECT_GT(flights, 10);
    }
  }
}

// A corner of a plate points at the side of an upright cone, whose end is below it.
TEST(BesideMeshes, ConesStandAndSlideBesideAMeshAsBesideABox) {
  constexpr double length = 0.16, radius = 0.1, level = 0.055, h = 1e-3, speed = 0.5;
  const Vec3 size(0.2, 0.2, 0.005);
  for (const double top : {0.0, 0.05}) {
    const double slope = (radius - top) / length;
    for (const double gap : {0.003, 0.015, 0.1}) {
      for (const double v : {0.0, speed}) {
        SCOPED_TRACE(fmt::format("top {}, gap {}, v {}", top, gap, v));
        const double corner = radius - slope * level + gap * std::hypot(1.0, slope);
        const auto end_beside = [&](const Shape& plate) {
          Scene scene;
          const FrameNode body = scene.add_body("cone", 1, inertia::cylinder(1, 0.08, length),
                                                {.position = {0, 0, length / 2}, .velocity = {v, 0, 0}});
          scene.model.add<Surface>({.name = "cone", .of = shapes::Cone{length, radius, top}, .on = body});
          scene.add_floor();
          scene.model.add<Surface>({.name = "plate",
                                    .of = plate,
                                    .position = {corner + size.x() / std::sqrt(2.0), 0, level + size.z() / 2},
                                    .rotation = so3::exp(Vec3(0, 0, pi / 4))});
          scene.add_weights();
          scene.model.add<ContactsBetween>({.name = "all"});
          DecoupledNsga integrator({.step = h});
          Vec3 last(0, 0, length / 2);
          const Seen seen =
              run(scene, integrator, 0.25, [&](const Stepper&, const State& state, const StepReport&) {
                const Vec3 x = state.q.position(body);
                EXPECT_LT((x - last).norm(), 1.001 * h * speed);
                last = x;
              });
          EXPECT_LT(seen.penetration, 1e-6);
          return last;
        };
        EXPECT_LT((end_beside(make_box_mesh(size)) - end_beside(shapes::Box{size})).norm(), 1e-4);
      }
    }
  }
}

TEST(BesideMeshes, ConesStandOnAMeshAsOnABox) {
  constexpr double length = 0.16, radius = 0.1;
  const Vec3 size(0.4, 0.3, 0.005);
  for (const double top : {0.0, 0.05}) {
    for (const double height : {0.0, 0.02}) {
      SCOPED_TRACE(fmt::format("top {}, height {}", top, height));
      const auto end_on = [&](const Shape& plate) -> Vec3 {
        Scene scene;
        const FrameNode body = scene.add_body("cone", 1, inertia::cylinder(1, 0.08, length),
                                              {.position = {0.12, 0.02, height + length / 2}});
        scene.model.add<Surface>({.name = "cone", .of = shapes::Cone{length, radius, top}, .on = body});
        scene.model.add<Surface>({.name = "plate", .of = plate, .position = {0, 0, -size.z() / 2}});
        scene.add_weights();
        scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
        DecoupledNsga integrator({.step = 1e-3});
        return run(scene, integrator, 0.2).state.q.position(body);
      };
      EXPECT_LT((end_on(make_box_mesh(size)) - end_on(shapes::Box{size})).norm(), 1e-9);
    }
  }
}

// The chord of an edge across an end of a coin shrinks to nothing where the coin slides off the edge: its two crossings
// with the rim meet there.
TEST(BesideMeshes, CoinsFallOnAMeshAsOnABox) {
  constexpr double r = 0.1, length = 0.02;
  const Vec3 size(0.3, 0.2, 0.2);
  for (const unsigned seed : {3U, 7U, 12U, 20U, 25U}) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto end_on = [&](const Shape& box) -> Vec3 {
      std::mt19937 generator(seed);
      const auto any = [&] { return std::uniform_real_distribution<>(-1, 1)(generator); };
      const auto any_vector = [&] {
        const double x = any(), y = any(), z = any();
        return Vec3(x, y, z);
      };
      const Vec3 place = 0.05 * any_vector();
      const Mat3 R = so3::exp(3 * any_vector()), R_box = so3::exp(3 * any_vector());
      Scene scene;
      const FrameNode body =
          scene.add_body("coin", 1, inertia::cylinder(1, r, length),
                         {.position = {place.x(), place.y(), 0.45}, .rotation = R, .velocity = {0, 0, -0.5}});
      scene.model.add<Surface>({.name = "coin", .of = shapes::Cylinder{length, r}, .on = body});
      scene.model.add<Surface>({.name = "box", .of = box, .rotation = R_box});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = seed % 2 == 0 ? 0.3 : 0.0});
      DecoupledNsga integrator({.step = 1e-3});
      return run(scene, integrator, 0.4).state.q.position(body);
    };
    EXPECT_LT((end_on(make_box_mesh(size)) - end_on(shapes::Box{size})).norm(), 1e-4);
  }
}

/// Over a layer of fixed cells whose upper side is at z = 0 in the middle and `rise` lower at two of its borders.
FrameNode add_box_over_plate(Scene& scene, double cell, double thickness, double rise, const Shape& shape,
                             const FrameStart& start) {
  const int n = 4;
  auto mesh = make_box_mesh({.size = {n * cell, n * cell, thickness},
                             .divisions = {n, n, 1},
                             .origin = {-n * cell / 2, -n * cell / 2, -thickness}});
  const double half = n * cell / 2;
  for (Vec3& x : mesh.points) x.z() -= rise * x.x() * x.x() / (half * half);
  mesh.face_sets["all"] = mesh.boundary();
  const Solid plate = add_solid(
      scene.model, mesh,
      {.name = "plate", .material = {.youngs_modulus = 1e9, .poissons_ratio = 0.3, .density = 1000}});
  for (const PointNode& node : plate.nodes()) scene.model.fix(node);
  scene.model.add<Surface>({.name = "plate", .of = shapes::Faces{plate.faces("all")}});
  const FrameNode body = scene.add_body("body", 1, inertia::sphere(1, 0.05), start);
  scene.model.add<Surface>({.name = "body", .of = shape, .on = body});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  return body;
}

TEST(BesideMeshes, BoxesComeToRestOnSolidPlatesThinnerThanTheirCells) {
  const Vec3 size(0.12, 0.08, 0.02);
  for (const Shape& shape : {Shape(shapes::Box{size}), Shape(make_box_mesh(size))}) {
    for (const double cell : {0.05, 0.3}) {
      for (const double ratio : {0.01, 0.03, 0.1, 0.3, 1.0}) {
        for (const double height : {0.0, 0.02}) {
          SCOPED_TRACE(fmt::format("cell {}, thickness {} of it, height {}", cell, ratio, height));
          Scene scene;
          const FrameNode body = add_box_over_plate(scene, cell, ratio * cell, 0, shape,
                                                    {.position = {0.02, 0.01, size.z() / 2 + height}});
          DecoupledNsga integrator({.step = 2e-3});
          const Seen seen = run(scene, integrator, 0.1);
          EXPECT_LT((seen.state.q.position(body) - Vec3(0.02, 0.01, size.z() / 2)).norm(), 1e-6);
          EXPECT_EQ(seen.fallbacks, 0);
        }
      }
    }
  }
}

// Over a vault no face is below a body between two of them.
TEST(BesideMeshes, BodiesFlyFreelyOverAThinVault) {
  constexpr double cell = 0.1, thickness = 0.005, rise = 0.03, z = 0.025;
  for (const Shape& shape : {Shape(shapes::Box{{0.04, 0.03, 0.02}}), Shape(shapes::Ball{0.01})}) {
    Scene scene;
    const FrameNode body = add_box_over_plate(scene, cell, thickness, rise, shape,
                                              {.position = {-0.13, 0.013, z}, .velocity = {1, 0, 0}});
    DecoupledNsga integrator({.step = 1e-3});
    double lowest = 1;
    run(scene, integrator, 0.05, [&](const Stepper&, const State& state, const StepReport&) {
      lowest = std::min(lowest, velocity(state, body).x());
    });
    EXPECT_NEAR(lowest, 1, 1e-12);
  }
}

}  // namespace
}  // namespace picus::beside_meshes_test
