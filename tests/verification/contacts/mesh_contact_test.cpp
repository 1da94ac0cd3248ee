/// Bodies of triangle meshes compared with boxes, statics and closed forms.

#include "meshes.hpp"
#include <picus/models/surface_depth.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/dense_algebra.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

namespace picus::mesh_contact_test {
namespace {

DecoupledNsga ds(double step = 1e-3) {
  return DecoupledNsga({.step = step});
}

/// The two representations of a box.
enum class Made { box, mesh };

void add_table(Scene& scene, Made made, const Vec3& size, const Vec3& x, const Mat3& R = Mat3::Identity()) {
  if (made == Made::box) {
    scene.model.add<Surface>({.name = "table", .of = shapes::Box{size}, .position = x, .rotation = R});
  } else {
    scene.model.add<Surface>({.name = "table", .of = make_box_mesh(size), .position = x, .rotation = R});
  }
}

void add_crate(Scene& scene, Made made, const std::string& name, const Vec3& size, const FrameStart& start) {
  if (made == Made::box) {
    scene.add_box(name, size, start);
    return;
  }
  shapes::Mesh mesh = make_box_mesh(size);
  add_mesh_body(scene, name, mesh, start);
}

const std::vector<std::pair<Made, Made>> pairs = {
    {Made::mesh, Made::box}, {Made::box, Made::mesh}, {Made::mesh, Made::mesh}};

// As FoundContacts.BoxTipsOverTheBorderOfATableWhereStaticsSays for boxes: it tips when the resultant of friction and
// normal force at the bottom reaches the edge.
TEST(MeshContact, BoxOfTrianglesTipsOverTheBorderWhereStaticsSays) {
  for (const auto& [crate, table] : pairs) {
    for (const double mu : {0.0, 0.3}) {
      SCOPED_TRACE(fmt::format("crate {}, table {}, mu = {}", int(crate), int(table), mu));
      const Mat3 Q = so3::exp(0.4 * Vec3(0.1, 0.2, 1.0).normalized());
      const Vec3 place(3.0, -2.0, 1.0);
      Scene scene;
      add_table(scene, table, {2, 1, 0.2}, place + Q * Vec3(-1, 0, -0.1), Q);
      constexpr double speed = 2.5, height = 0.2, start = -0.4;
      add_crate(scene, crate, "crate", {0.4, 0.3, height},
                {.position = place + Q * Vec3(start, 0.05, height / 2),
                 .rotation = Q,
                 .velocity = Q * Vec3(speed, 0, 0)});
      scene.add_weights(Q * Vec3(0, 0, -g));
      scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
      constexpr double h = 1e-3;
      DecoupledNsga integrator = ds(h);
      double tipped = 0, last_flat = start;
      bool flat = true;
      Index most = 0;
      const Seen seen =
          run(scene, integrator, 0.6, [&](const Stepper& stepper, const State& state, const StepReport&) {
            const Vec3 x = Q.transpose() * (state.q.position(scene.bodies[0]) - place);
            const double angle = so3::log(Q.transpose() * state.q.rotation(scene.bodies[0])).norm();
            flat = flat && angle < 1e-9;
            if (flat) {
              const double t = state.time;
              last_flat = x.x();
              EXPECT_NEAR(x.x(), start + speed * t - 0.5 * mu * g * t * t, 1e-3 * h);
              EXPECT_NEAR(x.z(), height / 2, 1e-10);
              most = std::max(most, count_of(stepper.system().contacts()));
            }
            tipped = std::max(tipped, angle);
          });
      EXPECT_NEAR(last_flat, -mu * height / 2, speed * h);  // to within a step
      EXPECT_GT(tipped, 0.2);
      EXPECT_EQ(seen.search.misses, 0);
      EXPECT_LT(seen.penetration, 1e-9);
      EXPECT_LE(most, 6);  // four corners, and two that replace those beyond the edge
    }
  }
}

TEST(MeshContact, BoxOfTrianglesOverTheBorderStaysUntilItsCentreIsOut) {
  for (const auto& [crate, table] : pairs) {
    for (const double out : {-1e-3, 1e-3}) {
      SCOPED_TRACE(fmt::format("crate {}, table {}, out {}", int(crate), int(table), out));
      Scene scene;
      add_table(scene, table, {2, 1, 0.2}, {-1, 0, -0.1});
      add_crate(scene, crate, "crate", {0.4, 0.3, 0.2}, {.position = {out, 0.1, 0.1}});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 0.8);
      const double angle = so3::log(seen.state.q.rotation(scene.bodies[0])).norm();
      if (out < 0) {
        EXPECT_LT(angle, 1e-10);
        EXPECT_LT((seen.state.q.position(scene.bodies[0]) - Vec3(out, 0.1, 0.1)).norm(), 1e-10);
      } else {
        EXPECT_GT(angle, 0.1);
      }
    }
  }
}

// Exactly above each other every corner meets a corner; rotated ones have crossing edges.
TEST(MeshContact, TowersOfBoxesOfTrianglesStay) {
  for (const double disorder : {0.0, 0.1}) {
    SCOPED_TRACE(disorder);
    Scene scene;
    scene.add_floor();
    for (int i = 0; i < 8; ++i) {
      const double side = disorder * std::sin(12.9 * i);
      add_crate(scene, i % 3 == 2 ? Made::box : Made::mesh, fmt::format("box[{}]", i), Vec3(1, 1, 1),
                {.position = {side, disorder * std::cos(7.1 * i), 0.5 + i},
                 .rotation = so3::exp(Vec3(0, 0, 5 * side))});
    }
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
    DecoupledNsga integrator = ds();
    Index most = 0;
    const Seen seen =
        run(scene, integrator, 0.2, [&](const Stepper& stepper, const State&, const StepReport&) {
          most = std::max(most, count_of(stepper.system().contacts()));
        });
    const Configuration& start = scene.model.initial_configuration();
    for (const FrameNode& body : scene.bodies)
      EXPECT_LT((seen.state.q.position(body) - start.position(body)).norm(), 1e-9);
    EXPECT_LE(most, 8 * 4);
    EXPECT_EQ(seen.search.misses, 0);
    EXPECT_EQ(seen.search.repeats, 0);
    EXPECT_EQ(seen.search.changes, 0);
  }
}

/// An L of 0..2 x 0..2 without 1..2 x 1..2, times `size`, 0.8 thick.
shapes::Mesh make_l(double size) {
  return make_prism({{0, 0}, {2 * size, 0}, {2 * size, size}, {size, size}, {size, 2 * size}, {0, 2 * size}},
                    0.8 * size);
}

// An L on its back, on its foot (stable), and on the tips of both arms, with its concave corner up: there its centre
// is above the middle between the tips, and it is stable too. Released slightly above and slightly rotated, it comes
// to rest there.
TEST(MeshContact, ConcaveBodyRestsInItsStablePositions) {
  constexpr double size = 0.1;
  const std::vector<Vec3> downs = {{0, 0, -1}, {0, -1, 0}, Vec3(1, 1, 0).normalized()};
  for (const Made table : {Made::box, Made::mesh}) {
    for (const Vec3& down : downs) {
      SCOPED_TRACE(fmt::format("table {}, down {} {} {}", int(table), down.x(), down.y(), down.z()));
      Scene scene;
      add_table(scene, table, {2, 2, 0.2}, {0, 0, -0.1});
      shapes::Mesh mesh = make_l(size);
      const Mat3 R = support::rotation_between(down, -Vec3::UnitZ());
      centre_mesh(mesh, 1);
      double lowest = 0;
      for (const Vec3& x : mesh.points) lowest = std::min(lowest, (R * x).z());
      const Mat3 tilted = so3::exp(Vec3(0.02, 0.03, 0.3)) * R;
      add_mesh_body(scene, "L", mesh, {.position = {0.1, 0.05, -lowest + 0.01}, .rotation = tilted});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 1.0);
      const FrameNode& body = scene.bodies[0];
      EXPECT_NEAR(seen.state.q.position(body).z(), -lowest, 1e-9);
      EXPECT_NEAR((seen.state.q.rotation(body) * down + Vec3::UnitZ()).norm(), 0.0, 1e-8);
      EXPECT_LT(seen.state.v.lpNorm<Eigen::Infinity>(), 1e-8);
      EXPECT_LT(seen.penetration, 1e-9);
    }
  }
}

// A ball in a straight groove, whose walls rise by `slope`: without friction it presses on each by half the weight
// divided by the cosine; with friction, which is indeterminate across the groove, it rolls down an incline on r
// cos(slope), with the acceleration g sin/(1 + 2/(5 cos^2)).
TEST(MeshContact, BallRestsAndRollsInAGroove) {
  constexpr double slope = 0.6, radius = 0.05, incline = 0.2;
  const double y = std::tan(slope);
  const shapes::Mesh groove =
      make_prism({{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.3 * y}, {0, 0}, {-0.3, 0.3 * y}}, 4.0);
  // Its y axis points up, its -z down the slope.
  for (const bool is_moving : {false, true}) {
    Scene scene;
    scene.model.add<Surface>({.name = "groove", .of = groove});
    const Ball ball{.mass = 0.3, .radius = radius};
    scene.add_ball("ball", ball, {.position = {0, radius / std::cos(slope), 1.0}});
    scene.add_weights(is_moving ? Vec3(0, -g * std::cos(incline), -g * std::sin(incline)) : Vec3(0, -g, 0));
    scene.model.add<ContactsBetween>({.name = "all", .mu = is_moving ? 0.6 : 0.0});
    DecoupledNsga integrator = ds();
    const double acceleration = g * std::sin(incline) / (1 + 0.4 / std::pow(std::cos(slope), 2));
    const Seen seen =
        run(scene, integrator, 0.8, [&](const Stepper& stepper, const State& state, const StepReport&) {
          ASSERT_EQ(stepper.system().contacts().size(), 2U);
          if (is_moving) return;
          const double weight = ball.mass * g;
          for (const auto& contact : stepper.system().contacts()) {
            EXPECT_NEAR(state.contact_impulse[contact.first_row] / integrator.step_size(),
                        weight / (2 * std::cos(slope)), 1e-6 * weight);
          }
        });
    const double way = is_moving ? 0.5 * acceleration * 0.8 * 0.8 : 0.0;
    EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).z(), 1.0 - way, 1e-6);
    EXPECT_EQ(seen.search.changes, 0);  // one plane each, however it is triangulated
    EXPECT_LT(seen.penetration, 1e-10);
  }
}

// A plane divided into triangles of all shapes is a plane: a ball rolls and a box slides as on a half-space.
TEST(MeshContact, FlatTerrainIsAPlane) {
  const shapes::Mesh terrain = make_uneven_plane({-0.5, -0.5, 0}, 0.05);
  std::vector<std::pair<Vec3, Mat3>> on_half_space;
  for (const bool is_mesh : {false, true}) {
    Scene scene;
    if (is_mesh) {
      scene.model.add<Surface>({.name = "terrain", .of = terrain});
    } else {
      scene.add_floor();
    }
    scene.add_ball("ball", {.mass = 0.3, .radius = 0.05},
                   {.position = {0, 0, 0.05}, .velocity = {1.5, 0.2, 0}});
    add_crate(scene, Made::box, "box", {0.1, 0.12, 0.06},
              {.position = {0, 0.3, 0.03}, .velocity = {2, 0, 0}, .angular_velocity = {0, 0, 3}});
    add_crate(scene, Made::mesh, "mesh", {0.1, 0.12, 0.06},
              {.position = {0, -0.3, 0.03}, .velocity = {2, 0, 0}, .angular_velocity = {0, 0, 3}});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
    DecoupledNsga integrator = ds();
    const Seen seen = run(scene, integrator, 0.5);
    EXPECT_EQ(seen.search.misses, 0);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Vec3 x = seen.state.q.position(scene.bodies[i]);
      const Mat3 R = seen.state.q.rotation(scene.bodies[i]);
      if (!is_mesh) on_half_space.emplace_back(x, R);
      EXPECT_NEAR((x - on_half_space[i].first).norm(), 0.0, 1e-7);
      EXPECT_NEAR((R - on_half_space[i].second).norm(), 0.0, 1e-6);
    }
  }
}

// A bracket that falls onto the border of a table: one of its corners passes from above the table to beside it within a
// step, after which its edge is in contact instead.
TEST(MeshContact, BracketWhoseCornerSlipsOffTheBorderStaysOutOfTheTable) {
  for (const Mat3& Q : {Mat3(Mat3::Identity()), so3::exp(Vec3(0.7, -1.1, 0.4))}) {
    Scene scene;
    scene.model.add<Surface>({.name = "table",
                              .of = shapes::Box{{1, 1, 0.2}},
                              .position = Q * Vec3(-0.5, 0, -0.1),
                              .rotation = Q});
    const FrameNode node = scene.add_body("bracket", 1.0, inertia::box(1.0, Vec3(0.2, 0.2, 0.2)),
                                          {.position = Q * Vec3(-0.04, 0, 0.3),
                                           .rotation = Q * so3::exp(Vec3(0.4, 0.5, 0.1)),
                                           .velocity = Q * Vec3(0.3, 0, 0)});
    scene.model.add<Surface>(
        {.name = "bracket",
         .of = make_prism({{-0.1, -0.1}, {0.2, -0.1}, {0.2, 0}, {0, 0}, {0, 0.2}, {-0.1, 0.2}}, 0.15),
         .on = node});
    scene.add_weights(Q * Vec3(0, 0, -g));
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.4, .e_n = 0.2});
    const models::SurfaceSampler sampler(scene.model, 8);
    DecoupledNsga integrator({.step = 1e-3});
    double depth = 0;
    const Seen seen = run(scene, integrator, 0.4, [&](const Stepper&, const State& state, const StepReport&) {
      if (state.step % 5 == 0) depth = std::max(depth, sampler.deepest(state.q).relative);
    });
    EXPECT_LT(depth, 1e-6);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

}  // namespace
}  // namespace picus::mesh_contact_test
