/// Cylinders and cones that bounce, roll, fall flat and lie on heaps: exact motions, conservation laws, and a sampler
/// independent of the contact code.

#include "boxes.hpp"
#include "free_collisions.hpp"
#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/dense_algebra.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <vector>

namespace picus::round_motion_test {
namespace {

using std::numbers::pi;

DecoupledNsga ds(double step = 1e-3) {
  return DecoupledNsga({.step = step});
}

/// A body that falls onto a contact below its centre bounces straight up, to e^2 of the height.
struct Drop {
  std::string name;
  Shape below;
  Mat3 rotation_below;
  Vec3 top;      ///< contact point, in the rotated axes of `below`
  double reach;  ///< extent of the can below its centre
  Mat3 rotation;
};

TEST(RoundMotion, CylinderBouncesOffFacesEdgesCornersAndRoundBodies) {
  constexpr double r = 0.1, L = 0.3;
  const double diagonal = std::hypot(r, L / 2);
  const Mat3 lying = so3::exp(Vec3(pi / 2, 0, 0));
  const Mat3 on_rim = so3::exp(Vec3(std::atan2(r, L / 2), 0, 0));
  const Mat3 edge_up = so3::exp(Vec3(0, pi / 4, 0));  // along y
  const Mat3 corner_up = support::rotation_between(Vec3(1, 1, 1), Vec3::UnitZ());
  const Vec3 cube(0.4, 0.4, 0.4);
  const Mat3 along_x = so3::exp(Vec3(0, pi / 2, 0));
  const shapes::Mesh mesh = make_box_mesh(cube);
  const std::vector<Drop> drops = {
      {"side on face", shapes::Box{cube}, Mat3::Identity(), {0, 0, 0.2}, r, lying},
      {"rim on face", shapes::Box{cube}, Mat3::Identity(), {0, 0, 0.2}, diagonal, on_rim},
      {"end on face", shapes::Box{cube}, Mat3::Identity(), {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side on edge along it", shapes::Box{cube}, edge_up, {0, 0, 0.2 * std::sqrt(2)}, r, lying},
      {"side on edge across it", shapes::Box{cube}, edge_up, {0, 0, 0.2 * std::sqrt(2)}, r, along_x},
      {"end on edge", shapes::Box{cube}, edge_up, {0, 0, 0.2 * std::sqrt(2)}, L / 2, Mat3::Identity()},
      {"side on corner", shapes::Box{cube}, corner_up, {0, 0, 0.2 * std::sqrt(3)}, r, lying},
      {"end on corner", shapes::Box{cube}, corner_up, {0, 0, 0.2 * std::sqrt(3)}, L / 2, Mat3::Identity()},
      {"side on ball", shapes::Ball{0.2}, Mat3::Identity(), {0, 0, 0.2}, r, lying},
      {"rim on ball", shapes::Ball{0.2}, Mat3::Identity(), {0, 0, 0.2}, diagonal, on_rim},
      {"end on ball", shapes::Ball{0.2}, Mat3::Identity(), {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side on capsule", shapes::Capsule{1.0, 0.2}, along_x, {0, 0, 0.2}, r, lying},
      {"side along capsule", shapes::Capsule{1.0, 0.2}, along_x, {0, 0, 0.2}, r, along_x},
      {"rim on capsule", shapes::Capsule{1.0, 0.2}, along_x, {0, 0, 0.2}, diagonal, on_rim},
      {"end on capsule", shapes::Capsule{1.0, 0.2}, along_x, {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side on side", shapes::Cylinder{1.0, 0.2}, along_x, {0, 0, 0.2}, r, lying},
      {"side along side", shapes::Cylinder{1.0, 0.2}, along_x, {0, 0, 0.2}, r, along_x},
      {"rim on side", shapes::Cylinder{1.0, 0.2}, along_x, {0, 0, 0.2}, diagonal, on_rim},
      {"end on side", shapes::Cylinder{1.0, 0.2}, along_x, {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side on end", shapes::Cylinder{0.4, 0.2}, Mat3::Identity(), {0, 0, 0.2}, r, lying},
      {"rim on end", shapes::Cylinder{0.4, 0.2}, Mat3::Identity(), {0, 0, 0.2}, diagonal, on_rim},
      {"end on end", shapes::Cylinder{0.4, 0.2}, Mat3::Identity(), {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"end on tip", shapes::Cone{0.4, 0.2}, Mat3::Identity(), {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side on tip", shapes::Cone{0.4, 0.2}, Mat3::Identity(), {0, 0, 0.2}, r, lying},
      {"side on face of a mesh", mesh, Mat3::Identity(), {0, 0, 0.2}, r, lying},
      {"rim on face of a mesh", mesh, Mat3::Identity(), {0, 0, 0.2}, diagonal, on_rim},
      {"end on face of a mesh", mesh, Mat3::Identity(), {0, 0, 0.2}, L / 2, Mat3::Identity()},
      {"side along edge of a mesh", mesh, edge_up, {0, 0, 0.2 * std::sqrt(2)}, r, lying},
      {"side across edge of a mesh", mesh, edge_up, {0, 0, 0.2 * std::sqrt(2)}, r, along_x},
      {"end on edge of a mesh", mesh, edge_up, {0, 0, 0.2 * std::sqrt(2)}, L / 2, Mat3::Identity()},
      {"side on corner of a mesh", mesh, corner_up, {0, 0, 0.2 * std::sqrt(3)}, r, lying},
      {"end on corner of a mesh", mesh, corner_up, {0, 0, 0.2 * std::sqrt(3)}, L / 2, Mat3::Identity()},
  };
  for (const Drop& drop : drops) {
    for (const OtherFrame& frame : frames()) {
      SCOPED_TRACE(fmt::format("{}, scale {}", drop.name, frame.scale));
      if (frame.scale != 1.0) continue;
      const double height = 0.05;
      RoundScene scene;
      scene.model.add<Surface>({.name = "below",
                                .of = drop.below,
                                .position = frame.x,
                                .rotation = frame.Q * drop.rotation_below});
      const Vec3 rest = frame.x + frame.Q * (drop.top + Vec3(0, 0, drop.reach));
      const FrameNode can = scene.add_cylinder(
          "can", 2.0, r, L,
          {.position = rest + frame.Q * Vec3(0, 0, height), .rotation = frame.Q * drop.rotation});
      scene.add_weights(frame.Q * Vec3(0, 0, -g));
      scene.model.add<ContactsBetween>({.name = "all", .e_n = 0.5});
      const double fall = std::sqrt(2 * height / g);
      DecoupledNsga integrator = ds(fall / 200.4);  // between two steps: all contacts at once
      double highest = 0, lowest = 1, aside = 0;
      bool bounced = false;
      const Seen seen =
          run(scene, integrator, 1.9 * fall, [&](const Stepper&, const State& state, const StepReport&) {
            const Vec3 d = frame.Q.transpose() * (state.q.position(can) - rest);
            bounced = bounced || (frame.Q.transpose() * velocity(state, can)).z() > 0;
            aside = std::max(aside, d.head<2>().norm());
            lowest = std::min(lowest, d.z());
            if (bounced) highest = std::max(highest, d.z());
          });
      EXPECT_TRUE(bounced);
      EXPECT_LT(aside, 1e-9);
      EXPECT_GT(lowest, -1e-9 * r);
      EXPECT_NEAR(highest, 0.25 * height, 0.02 * height);  // impacts are located to within a step
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// A tilted wheel rolling in a circle: tilts far from upright and flat. The scheme is of second order: half the step,
// a quarter of the error.
TEST(RoundMotion, DiscRollsOnItsRimInACircle) {
  constexpr double r = 0.1, L = 0.02, mass = 1.5, until = 1.0;
  const Mat3 J = inertia::cylinder(mass, r, L, 2);
  struct Case {
    double tilt, precession;
  };
  for (const Case& one : {Case{1.2, 3.0}, Case{0.8, 12.0}, Case{1.45, 1.0}, Case{0.3, 30.0}}) {
    for (const OtherFrame& frame : frames()) {
      if (frame.scale != 1.0) continue;
      SCOPED_TRACE(fmt::format("tilt {}, precession {}", one.tilt, one.precession));
      const SteadyRolling steady(mass, J(0, 0), J(2, 2), r, L / 2, one.tilt, one.precession);
      std::array<double, 2> errors{};
      for (const int refined : {0, 1}) {
        RoundScene scene;
        scene.model.add<Surface>(
            {.name = "floor", .of = shapes::HalfSpace{}, .position = frame.x, .rotation = frame.Q});
        const Mat3 R = frame.Q * so3::exp(Vec3(0, one.tilt, 0));
        // omega of the frame is in its own axes.
        const Vec3 start = Vec3(0, 0, -steady.rho.z());
        const FrameNode disc =
            scene.add_cylinder("disc", mass, r, L,
                               {.position = frame.x + frame.Q * start,
                                .rotation = R,
                                .velocity = frame.Q * steady.v,
                                .angular_velocity = R.transpose() * frame.Q * steady.omega});
        scene.add_weights(frame.Q * Vec3(0, 0, -g));
        scene.model.add<ContactsBetween>({.name = "all", .mu = 2.0});
        const double h = refined == 0 ? 1e-3 : 5e-4;
        DecoupledNsga integrator = ds(h);
        const Seen seen = run(scene, integrator, until);
        const Vec3 centre = start - steady.circle * Vec3::UnitZ().cross(steady.v).normalized() *
                                        (one.precession > 0 ? -1.0 : 1.0);
        const Mat3 round = so3::exp(one.precession * until * Vec3::UnitZ());
        const Vec3 x = frame.Q.transpose() * (seen.state.q.position(disc) - frame.x);
        const Vec3 axis = frame.Q.transpose() * seen.state.q.rotation(disc).col(2);
        errors[refined ? 1 : 0] =
            (axis - round * steady.axis).norm() + (x - (centre + round * (start - centre))).norm() / r;
        EXPECT_EQ(seen.search.misses, 0);
        EXPECT_LT(seen.penetration, 1e-9);
      }
      EXPECT_LT(errors[1], 2e-2);
      EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.5);
    }
  }
}

// The corrections of dsn involve the mass alone, also where forces depend on velocities: gyroscopic moments are those of
// the smooth motion, without the change of velocity by the contact, an error of O(h).
TEST(RoundMotion, SchemesRollADiscWithTheOrderOfTheirEquations) {
  constexpr double r = 0.1, L = 0.02, mass = 0.5, until = 1.0, tilt = 1.1, precession = 4.0;
  const Mat3 J = inertia::cylinder(mass, r, L, 2);
  const SteadyRolling steady(mass, J(0, 0), J(2, 2), r, L / 2, tilt, precession);
  const Vec3 start(0, 0, -steady.rho.z());
  const Mat3 round = so3::exp(precession * until * Vec3::UnitZ());
  for (const auto& [scheme, order] :
       {std::pair("ds", 2.0), {"ds-a", 2.0}, {"cs", 2.0}, {"mixed", 2.0}, {"dsn", 1.0}}) {
    SCOPED_TRACE(scheme);
    std::array<double, 2> errors{};
    for (const std::size_t i : {0, 1}) {
      RoundScene scene;
      scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
      const Mat3 R = so3::exp(Vec3(0, tilt, 0));
      const FrameNode disc = scene.add_cylinder("disc", mass, r, L,
                                                {.position = start,
                                                 .rotation = R,
                                                 .velocity = steady.v,
                                                 .angular_velocity = R.transpose() * steady.omega});
      scene.add_weights(Vec3(0, 0, -g));
      scene.model.add<ContactsBetween>({.name = "all", .mu = 2.0});
      const auto integrator = make_integrator(scheme, {.step = i == 0 ? 1e-3 : 5e-4});
      const Seen seen = run(scene, *integrator, until);
      const Vec3 axis = seen.state.q.rotation(disc).col(2);
      errors[i] = (axis - round * steady.axis).norm();
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1);
  }
}

// A cone on its side rotates about its tip: the line of contact is at rest, so the axis revolves at the rate omega
// tan(alpha).
TEST(RoundMotion, ConeRollsAboutItsTip) {
  for (const OtherFrame& frame : frames()) {
    SCOPED_TRACE(frame.scale);
    const double L = 0.3 * frame.scale, r = 0.12 * frame.scale, mass = 1.0;
    const double alpha = std::atan2(r, L), turn = 1.5, until = 2.0;
    RoundScene scene;
    scene.model.add<Surface>(
        {.name = "floor", .of = shapes::HalfSpace{}, .position = frame.x, .rotation = frame.Q});
    // The tip is at the origin, the base outward along x and up; -z of the body points to the base.
    const Vec3 to_base(std::cos(alpha), 0, std::sin(alpha));
    const Mat3 lying = so3::exp(Vec3(0, -pi / 2 - alpha, 0));
    ASSERT_LT((lying * -Vec3::UnitZ() - to_base).norm(), 1e-12);
    const Vec3 omega(-turn, 0, 0);
    const Vec3 centre = 0.75 * L * to_base;
    const FrameNode cone = scene.add_cone("cone", mass, r, L,
                                          {.position = frame.x + frame.Q * centre,
                                           .rotation = frame.Q * lying,
                                           .velocity = frame.Q * omega.cross(centre),
                                           .angular_velocity = lying.transpose() * omega});
    scene.add_weights(frame.Q * Vec3(0, 0, -g));
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.8});
    DecoupledNsga integrator = ds();
    const Seen seen = run(scene, integrator, until);
    const Vec3 x = frame.Q.transpose() * (seen.state.q.position(cone) - frame.x);
    const double rate = turn * std::tan(alpha);
    EXPECT_NEAR(std::atan2(x.y(), x.x()), rate * until, 1e-5);
    EXPECT_NEAR(x.z(), centre.z(), 1e-8 * L);
    const Vec3 tip = x + 0.75 * L * (frame.Q.transpose() * seen.state.q.rotation(cone)).col(2);
    EXPECT_LT(tip.norm(), 1e-5 * L);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

TEST(RoundMotion, ColumnOfDrumsStands) {
  RoundScene scene;
  scene.add_floor();
  constexpr double r = 0.5, L = 0.6;
  for (int i = 0; i < 8; ++i) {
    scene.add_cylinder(fmt::format("drum[{}]", i), 100.0, i % 3 == 1 ? 0.8 * r : r, L,
                       {.position = {0.1 * r * std::sin(5.0 * i), 0.1 * r * std::cos(3.0 * i), L * (i + 0.5)},
                        .rotation = so3::exp(Vec3(0, 0, 1.3 * i))});
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  DecoupledNsga integrator = ds();
  const Seen seen = run(scene, integrator, 0.5);
  const Configuration& start = scene.model.initial_configuration();
  for (const FrameNode& drum : scene.bodies)
    EXPECT_LT((seen.state.q.position(drum) - start.position(drum)).norm(), 1e-9);
  EXPECT_EQ(seen.search.misses, 0);
}

// Nothing impedes sliding or rolling over seams.
TEST(RoundMotion, CylindersPassSeamsOfFlushTables) {
  for (const bool rolls : {false, true}) {
    for (const double shift : {0.0, 0.37e-3}) {
      SCOPED_TRACE(fmt::format("{}, shifted by {}", rolls ? "rolls" : "slides", shift));
      RoundScene scene;
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 3; ++j) {
          scene.model.add<Surface>({.name = fmt::format("tile {} {}", i, j),
                                    .of = shapes::Box{{0.25, 0.25, 0.1}},
                                    .position = {0.25 * i, 0.25 * (j - 1) + 0.03, -0.05}});
        }
      }
      constexpr double r = 0.1, L = 0.2, speed = 2.0;
      const Mat3 lying = rolls ? so3::exp(Vec3(pi / 2, 0, 0)) : Mat3(Mat3::Identity());
      const FrameNode can = scene.add_cylinder(
          "can", 1.0, r, L,
          {.position = {0.1 + shift, 0, 0.1},
           .rotation = lying,
           .velocity = {speed, 0, 0},
           .angular_velocity = rolls ? Vec3(lying.transpose() * Vec3(0, speed / r, 0)) : Vec3(Vec3::Zero())});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = rolls ? 0.4 : 0.0});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 0.7);
      EXPECT_NEAR((velocity(seen.state, can) - Vec3(speed, 0, 0)).norm(), 0.0, 1e-8);
      EXPECT_NEAR(seen.state.q.position(can).z(), 0.1, 1e-9);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// Without external forces momenta are conserved, whatever the contacts; restitution and friction only dissipate.
TEST(RoundMotion, CollisionsInFreeFlightKeepMomenta) {
  RoundScene scene;
  scene.add_cylinder("a", 1.0, 0.1, 0.3,
                     {.position = {-0.3, 0.02, 0.01},
                      .rotation = so3::exp(Vec3(0.3, 0.5, 0.1)),
                      .velocity = {1.5, 0, 0},
                      .angular_velocity = {1, 2, 3}});
  scene.add_cone(
      "b", 1.2, 0.15, 0.25,
      {.position = {0.3, -0.03, 0.0}, .rotation = so3::exp(Vec3(0.1, 0.7, -0.4)), .velocity = {-1, 0, 0}});
  scene.add_box("c", {0.2, 0.2, 0.2},
                {.position = {0.02, 0.5, 0.03}, .velocity = {0, -1.2, 0}, .angular_velocity = {3, 1, 0}});
  scene.add_ball("d", {.mass = 0.5, .radius = 0.08},
                 {.position = {0.0, -0.5, 0.03}, .velocity = {0, 1.5, 0}});
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.8});
  DecoupledNsga integrator = ds(5e-4);
  EXPECT_GT(expect_lawful_collisions(scene, integrator, 1200), 2);
}

/// Points on a body and a function that is negative inside, independent of the contact code.
struct Sampled {
  FrameNode node;
  std::vector<Vec3> points;
  std::function<double(const Vec3&)> outside;  // distance to the surface from inside is at most -outside
};

Sampled sampled_round(const FrameNode& node, double base_z, double length, double r_0, double r_1) {
  Sampled body{node, {}, {}};
  for (int i = 0; i < 48; ++i) {
    const Vec3 d(std::cos(2 * pi * i / 48), std::sin(2 * pi * i / 48), 0);
    for (int k = 0; k <= 12; ++k) {
      const double part = k / 12.0;
      body.points.push_back(Vec3(0, 0, base_z + part * length) + (r_0 + part * (r_1 - r_0)) * d);
      body.points.push_back(Vec3(0, 0, base_z) + part * r_0 * d);
      body.points.push_back(Vec3(0, 0, base_z + length) + part * r_1 * d);
    }
  }
  const double cosine = length / std::hypot(length, r_1 - r_0);
  body.outside = [=](const Vec3& X) {
    const double part = (X.z() - base_z) / length;
    return std::max({-part * length, (part - 1) * length,
                     (std::hypot(X.x(), X.y()) - (r_0 + part * (r_1 - r_0))) * cosine});
  };
  return body;
}

// Cylinders, cones, boxes and balls on a heap between walls.
TEST(RoundMotion, MixedHeapPenetratesNowhere) {
  RoundScene scene;
  scene.add_floor();
  constexpr double w = 0.16;
  for (const double side : {-1.0, 1.0}) {
    scene.model.add<Surface>({.name = fmt::format("x{:+}", side),
                              .of = shapes::HalfSpace{{-side, 0, 0}},
                              .position = {side * w, 0, 0}});
    scene.model.add<Surface>({.name = fmt::format("y{:+}", side),
                              .of = shapes::HalfSpace{{0, -side, 0}},
                              .position = {0, side * w, 0}});
  }
  std::vector<Sampled> bodies;
  for (int i = 0; i < 16; ++i) {
    const std::string name = fmt::format("body[{}]", i);
    const FrameStart start{
        .position = {-0.08 + 0.16 * (i % 2) + 0.004 * std::sin(3.3 * i),
                     -0.08 + 0.16 * (i / 2 % 2) + 0.003 * std::cos(5.7 * i), 0.1 + 0.14 * (i / 4)},
        .rotation = so3::exp(Vec3(std::sin(1.7 * i), std::cos(2.9 * i), std::sin(4.1 * i + 1)))};
    if (i % 4 == 0) {
      bodies.push_back(
          sampled_round(scene.add_cylinder(name, 0.2, 0.035, 0.09, start), -0.045, 0.09, 0.035, 0.035));
    } else if (i % 4 == 1) {
      bodies.push_back(sampled_round(scene.add_cone(name, 0.2, 0.05, 0.1, start), -0.025, 0.1, 0.05, 0.0));
    } else if (i % 4 == 2) {
      const Vec3 size(0.07, 0.08, 0.06);
      scene.add_box(name, size, start);
      Sampled box{
          scene.bodies.back(), {}, [=](const Vec3& X) { return (X.cwiseAbs() - 0.5 * size).maxCoeff(); }};
      for (int a = 0; a <= 8; ++a) {
        for (int b = 0; b <= 8; ++b) {
          for (int c = 0; c < 3; ++c) {
            for (const double side : {-0.5, 0.5}) {
              Vec3 part(side, a / 8.0 - 0.5, b / 8.0 - 0.5);
              std::rotate(part.begin(), part.begin() + c, part.end());
              box.points.push_back(size.cwiseProduct(part));
            }
          }
        }
      }
      bodies.push_back(box);
    } else {
      bodies.push_back(
          sampled_round(scene.add_cylinder(name, 0.2, 0.06, 0.02, start), -0.01, 0.02, 0.06, 0.06));
    }
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1});
  DecoupledNsga integrator = ds();
  double depth = 0;
  const double until = std::getenv("PICUS_FULL_TESTS") != nullptr ? 0.6 : 0.3;
  const Seen seen = run(scene, integrator, until, [&](const Stepper&, const State& state, const StepReport&) {
    if (state.step % 20 != 0) return;
    for (const Sampled& a : bodies) {
      for (const Vec3& X : a.points) {
        const Vec3 x = state.q.position(a.node) + state.q.rotation(a.node) * X;
        depth = std::max({depth, -x.z(), std::abs(x.x()) - w, std::abs(x.y()) - w});
        for (const Sampled& b : bodies) {
          if (&a == &b) continue;
          depth = std::max(depth,
                           -b.outside(state.q.rotation(b.node).transpose() * (x - state.q.position(b.node))));
        }
      }
    }
  });
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
  EXPECT_LT(depth, 1e-6 * 0.1);
}

}  // namespace
}  // namespace picus::round_motion_test
