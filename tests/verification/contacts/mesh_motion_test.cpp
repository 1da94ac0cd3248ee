/// Bodies, balls and ropes that move on triangle meshes, compared with smooth surfaces, planes and momentum balances.

#include "meshes.hpp"
#include <picus/contact_reading.hpp>
#include <picus/elements/beams/beam_builder.hpp>
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

namespace picus::mesh_motion_test {
namespace {

constexpr double bowl_radius = 0.5, ball_radius = 0.1;  // m

/// The bottom of a sphere about the origin up to 1.2 rad, with the vertices on it: `rings` rings, each with 3
/// triangles more than the previous one, about 3 rings^2 in total. The body is below.
shapes::Mesh make_bowl(Index rings) {
  shapes::Mesh mesh{.points = {Vec3(0, 0, -bowl_radius)}, .is_closed = false};
  constexpr Index sectors = 6;
  const auto place = [](Index ring, Index k) {
    return ring == 0 ? 0 : 1 + sectors * ring * (ring - 1) / 2 + k % (sectors * ring);
  };
  for (Index ring = 1; ring <= rings; ++ring) {
    const double angle = 1.2 * ring / rings;
    for (Index k = 0; k < sectors * ring; ++k) {
      const double turn = 2 * std::numbers::pi * k / (sectors * ring);
      mesh.points.emplace_back(bowl_radius * Vec3(std::sin(angle) * std::cos(turn),
                                                  std::sin(angle) * std::sin(turn), -std::cos(angle)));
    }
    for (Index sector = 0; sector < sectors; ++sector) {
      for (Index i = 0; i < ring; ++i) {
        const Index outer = sector * ring + i, inner = sector * (ring - 1) + i;
        mesh.triangles.push_back({place(ring - 1, inner), place(ring, outer), place(ring, outer + 1)});
        if (i + 1 < ring)
          mesh.triangles.push_back(
              {place(ring - 1, inner), place(ring, outer + 1), place(ring - 1, inner + 1)});
      }
    }
  }
  return mesh;
}

/// The angle of the ball in the smooth bowl after `time`: it rolls as a pendulum, 7/5 (R - r) theta'' = -g sin theta.
double smooth_angle(double start, double time) {
  constexpr int steps = 20000;
  const double h = time / steps, factor = g / (1.4 * (bowl_radius - ball_radius));
  double angle = start, rate = 0;
  for (int i = 0; i < steps; ++i) {  // leapfrog: second order, 1e-8
    rate -= 0.5 * h * factor * std::sin(angle);
    angle += h * rate;
    rate -= 0.5 * h * factor * std::sin(angle);
  }
  return angle;
}

/// Errors of a ball in a bowl of triangles.
struct BowlErrors {
  double angle = 0.0;  ///< largest, rad
  double loss = 0.0;   ///< of energy at the end, relative to the initial height
};

/// The ball starts at rest in the direction `turn`, just above the triangles.
BowlErrors roll_in_bowl(const shapes::Mesh& bowl, double edge_angle, double turn) {
  constexpr double start = 0.6, until = 0.45;
  const Ball ball{.mass = 0.2, .radius = ball_radius};
  Scene scene;
  scene.model.add<Surface>({.name = "bowl", .of = bowl});
  const double reach = bowl_radius - ball_radius;
  const double sagitta = bowl_radius * (1 - std::cos(0.7 * edge_angle));
  const Vec3 side(std::cos(turn), std::sin(turn), 0);
  const Vec3 from = std::sin(start) * side - std::cos(start) * Vec3::UnitZ();
  scene.add_ball("ball", ball, {.position = (reach - sagitta) * from});
  const FrameNode node = scene.bodies[0];
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.8});
  DecoupledNsga integrator({.step = 1e-3});
  BowlErrors errors;
  const Seen seen = run(scene, integrator, until, [&](const Stepper&, const State& state, const StepReport&) {
    if (std::llround(state.time * 1000) % 50 != 0) return;
    const Vec3 x = state.q.position(node);
    const double angle = std::atan2(x.dot(side), -x.z());
    errors.angle = std::max(errors.angle, std::abs(angle - smooth_angle(start, state.time)));
  });
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
  const double inertia = 0.4 * ball.mass * ball.radius * ball.radius;
  const double kinetic = 0.5 * ball.mass * seen.state.v.segment<3>(node.v).squaredNorm() +
                         0.5 * inertia * seen.state.v.segment<3>(node.v + 3).squaredNorm();
  const double fall = (reach - sagitta) * from.z() - seen.state.q.position(node).z();
  errors.loss = (fall - kinetic / (ball.mass * g)) / (reach * (1 - std::cos(start)));
  return errors;
}

// The ball passes from plane to plane; their angles to the smooth surface and to each other are of the order of the
// mesh size: errors are of first order, with a sign that depends on the start (mean squares over six positions).
// Impacts at the edges dissipate a fraction of second order each, of first order over the path.
TEST(MeshMotion, BallRollsInABowlOfTrianglesAsInASmoothOneTheFinerTheBetter) {
  std::array<BowlErrors, 2> errors;
  const std::array<Index, 2> rings = {14, 28};
  for (std::size_t k = 0; k < 2; ++k) {
    const shapes::Mesh bowl = make_bowl(rings[k]);
    EXPECT_EQ(bowl.triangles.size(), static_cast<std::size_t>(6 * rings[k] * rings[k]));
    constexpr int places = 6;
    for (int i = 0; i < places; ++i) {
      const BowlErrors one = roll_in_bowl(bowl, 1.2 / rings[k], 0.37 + i);
      errors[k].angle += one.angle * one.angle / places;
      errors[k].loss += one.loss * one.loss / places;
    }
    errors[k] = {std::sqrt(errors[k].angle), std::sqrt(errors[k].loss)};
  }
  EXPECT_LT(errors[1].angle, 0.6 * errors[0].angle) << errors[0].angle;  // measured 0.0105 and 0.0051 rad
  EXPECT_LT(errors[1].loss, 0.6 * errors[0].loss) << errors[0].loss;     // 3.1 and 1.7 %
  EXPECT_LT(errors[1].angle, 0.006);                                     // over a path of 0.76 rad
}

// Contact forces are opposite and act at one point. Momentum is conserved to the tolerance of a step; angular
// momentum to the order of the scheme, whose position corrections rotate a spinning body by up to h v/r in a step
// that closes a contact.
TEST(MeshMotion, CollisionsOfClosedMeshesInFreeFlightKeepMomenta) {
  constexpr double mass = 0.7, inertia_of_both = 2e-3, h = 5e-4;
  const shapes::Mesh corner =
      make_prism({{-0.1, -0.1}, {0.2, -0.1}, {0.2, 0}, {0, 0}, {0, 0.2}, {-0.1, 0.2}}, 0.15);
  const shapes::Mesh ring = make_ring(make_circle({0.15, 0}, 0.05, 6), 10);
  for (const double mu : {0.0, 0.4}) {
    Scene scene;
    for (const auto& [name, mesh, at, v, w] :
         {std::tuple("corner", corner, Vec3(-0.3, 0.02, 0.01), Vec3(1.2, 0, 0), Vec3(2, -1, 3)),
          std::tuple("ring", ring, Vec3(0.25, -0.03, 0.02), Vec3(-0.8, 0.1, 0), Vec3(-1, 4, 0.5))}) {
      const FrameNode node = scene.add_body(
          name, mass, inertia_of_both * Mat3::Identity(),
          {.position = at, .rotation = so3::exp(Vec3(0.4, 0.2, -0.3)), .velocity = v, .angular_velocity = w});
      scene.model.add<Surface>({.name = name, .of = mesh, .on = node});
    }
    scene.model.add<ContactsBetween>({.name = "all", .mu = mu, .e_n = 0.6});
    DecoupledNsga integrator({.step = h});
    Stepper stepper(scene.model, integrator);
    State state = stepper.start();
    EnergyAudit audit(stepper.system(), state);
    const Momentum before = audit.momentum(state);
    const double energy = audit.energies(state).kinetic;
    int closing = 0;
    double worst_force = 0, worst_moment = 0, largest = 0;
    for (int i = 0; i < 1000; ++i) {
      closing += stepper.step(state).closed_contacts > 0 ? 1 : 0;
      for (const auto& block : stepper.system().contacts()) {
        Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
        for (const FrameNode& node : scene.bodies) {
          const ContactLoad load =
              read_contact_load(stepper.system(), state, h, {block.element, block.role}, node);
          force += load.force;
          moment += load.moment + state.q.position(node).cross(load.force);
          largest = std::max(largest, load.force.norm());
        }
        worst_force = std::max(worst_force, force.norm());
        worst_moment = std::max(worst_moment, moment.norm());
      }
    }
    const Momentum after = audit.momentum(state);
    EXPECT_GT(closing, 0);
    EXPECT_GT(h * largest, 0.1);               // N s: they have collided
    EXPECT_LT(worst_force, 1e-12 * largest);   // rounding
    EXPECT_LT(worst_moment, 1e-12 * largest);  // at positions of up to 1 m
    EXPECT_LT((after.linear - before.linear).norm(), 1e-8);
    constexpr double fastest = 2.0, spin = 20.0, arm = 0.1;  // m/s, rad/s, m
    EXPECT_LT((after.angular - before.angular).norm(),
              closing * (h * fastest / arm) * inertia_of_both * spin);
    EXPECT_LT(audit.energies(state).kinetic, energy);
  }
}

// They stop after v^2/(2 mu g), to within the motion in a step.
TEST(MeshMotion, CapsulesAndRopesSlideOnAPlaneOfTriangles) {
  constexpr double mu = 0.4, speed = 1.5, radius = 0.02, h = 1e-3;
  Scene scene;
  scene.model.add<Surface>({.name = "floor", .of = make_uneven_plane({-1, -0.4, 0}, 0.04)});
  const FrameNode rod = scene.add_body("rod", 0.5, inertia::cylinder(0.5, radius, 0.3, 2),
                                       {.position = {-0.6, 0.2, radius},
                                        .rotation = so3::exp(Vec3(0, std::numbers::pi / 2, 0)),
                                        .velocity = {speed, 0, 0}});
  scene.model.add<Surface>({.name = "rod", .of = shapes::Capsule{0.3, radius}, .on = rod});
  const Section section = Section::circle(radius, {.E = 1e7, .nu = 0.3, .density = 800});
  const BeamMesh rope = make_beam(scene.model, {.name = "rope",
                                                .section = section,
                                                .from = Vec3(-0.8, -0.2, radius),
                                                .to = Vec3(-0.3, -0.2, radius),
                                                .elements = 5,
                                                .velocity = Vec3(speed, 0, 0)});
  scene.model.add<Surface>({.name = "rope", .of = shapes::Rope{rope.nodes, radius}});
  for (const MassPoint& point : rope.mass_points()) scene.masses.push_back(point);
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
  DecoupledNsga integrator({.step = h});
  const Seen seen = run(scene, integrator, 0.5);
  const double way = speed * speed / (2 * mu * g);
  EXPECT_NEAR(seen.state.q.position(rod).x(), -0.6 + way, speed * h);
  EXPECT_NEAR(seen.state.q.position(rope.first()).x(), -0.8 + way, speed * h);
  EXPECT_NEAR(seen.state.q.position(rope.last()).x(), -0.3 + way, speed * h);
  EXPECT_LT(seen.state.v.segment<6>(rod.v).norm(), 1e-6);
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
}

// Tips of the terrain touch the bottom of the box, which is small compared with the terrain: its front still meets
// the wall.
TEST(MeshMotion, BoxOnAWideTerrainIsStoppedByAWall) {
  std::vector<Eigen::Vector2d> profile;  // ridges up to a wall at x = 1, then a plateau
  for (int i = -5; i < 10; ++i) {
    profile.emplace_back(0.1 * i, 0.0);
    profile.emplace_back(0.1 * i + 0.05, -0.05);
  }
  profile.emplace_back(0.999, 0.0);
  profile.emplace_back(1.0, 0.1);
  profile.emplace_back(20.0, 0.1);
  shapes::Mesh terrain{.is_closed = false};
  constexpr Index rows = 12;
  for (const Eigen::Vector2d& x : profile) {
    for (Index k = 0; k <= rows; ++k) {
      const double y = 0.07 * k - 0.42;
      const bool is_low = x.x() < 0.99 && std::abs(y) > 0.12;  // no ridge crosses the edges of the box
      terrain.points.emplace_back(x.x(), y, is_low ? -0.05 : x.y());
    }
  }
  for (Index i = 0; i + 1 < count_of(profile); ++i) {
    for (Index k = 0; k < rows; ++k) {
      const Index a = i * (rows + 1) + k, b = a + rows + 1;
      terrain.triangles.push_back({a, b, b + 1});
      terrain.triangles.push_back({a, b + 1, a + 1});
    }
  }
  Scene scene;
  scene.model.add<Surface>({.name = "terrain", .of = terrain});
  scene.add_box("box", {0.3, 0.3, 0.18}, {.position = {0.8, 0, 0.09}, .velocity = {1, 0, 0}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator({.step = 1e-3});
  double farthest = 0;
  const Seen seen = run(scene, integrator, 0.15, [&](const Stepper&, const State& state, const StepReport&) {
    farthest = std::max(farthest, state.q.position(scene.bodies[0]).x());
  });
  EXPECT_GT(farthest, 0.84);
  EXPECT_LT(farthest, 0.85 + 0.002);  // the wall leans by 1 mm, and the box may tip up against it by as much
  EXPECT_EQ(seen.search.misses, 0);
}

// Lengthwise in a groove, whose walls rise by `slope`, the friction is mu/cos(slope) times the weight.
TEST(MeshMotion, CapsuleSlidesInAGroove) {
  constexpr double mu = 0.3, slope = 0.6, speed = 1.5, radius = 0.03, h = 1e-3;
  const double y = std::tan(slope);
  Scene scene;  // y is up
  scene.model.add<Surface>(
      {.name = "groove",
       .of = make_prism({{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.3 * y}, {0, 0}, {-0.3, 0.3 * y}}, 4.0)});
  const FrameNode rod =
      scene.add_body("rod", 0.5, inertia::cylinder(0.5, radius, 0.3, 2),
                     {.position = {0, radius / std::cos(slope), -0.5}, .velocity = {0, 0, speed}});
  scene.model.add<Surface>({.name = "rod", .of = shapes::Capsule{0.3, radius}, .on = rod});
  scene.add_weights({0, -g, 0});
  scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
  DecoupledNsga integrator({.step = h});
  const Seen seen = run(scene, integrator, 0.5);
  const double way = speed * speed / (2 * mu / std::cos(slope) * g);
  EXPECT_NEAR(seen.state.q.position(rod).z(), -0.5 + way, speed * h);
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
}

}  // namespace
}  // namespace picus::mesh_motion_test
