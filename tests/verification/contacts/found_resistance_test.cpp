/// Resistance to drilling and rolling of detected contacts, compared with declared ones and with exact solutions.

#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/models/tippe_top.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

namespace picus::found_resistance_test {
namespace {

constexpr Ball ball;
const Vec3 up = Vec3::UnitZ();
const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
const std::vector<std::string> scheme_names = {"ds", "cs", "chen", "moreau-jean"};

/// Surfaces of the ground whose highest points are at z = 0, along x.
const std::vector<std::string> grounds = {"half-space", "box", "triangles", "capsule", "cylinder"};

void add_ground(Model& model, const std::string& kind) {
  if (kind == "half-space") {
    model.add<Surface>({.name = "ground", .of = shapes::HalfSpace{}});
  } else if (kind == "box") {
    model.add<Surface>({.name = "ground", .of = shapes::Box{{4, 2, 0.2}}, .position = {0, 0, -0.1}});
  } else if (kind == "triangles") {
    model.add<Surface>({.name = "ground", .of = make_uneven_plane({-0.5, -0.5, 0}, 0.05)});
  } else if (kind == "capsule") {
    model.add<Surface>(
        {.name = "ground", .of = shapes::Capsule{4, 0.1}, .position = {0, 0, -0.1}, .rotation = along_x});
  } else {
    model.add<Surface>(
        {.name = "ground", .of = shapes::Cylinder{4, 0.1}, .position = {0, 0, -0.1}, .rotation = along_x});
  }
}

/// A ball that begins on the ground.
struct OnGround : Scene {
  OnGround(const std::string& kind, const Vec3& velocity, const Vec3& omega, double drilling_radius,
           double rolling_arm) {
    add_ground(model, kind);
    add_ball("ball", ball, {.position = ball.radius * up, .velocity = velocity, .angular_velocity = omega});
    add_weights();
    model.add<ContactsBetween>(
        {.name = "all", .mu = 0.3, .drilling_radius = drilling_radius, .rolling_arm = rolling_arm});
  }
};

// Drilling torque epsilon mu m g about the normal, inertia 2/5 m r^2: it stops at t = 2 r^2 omega_0/(5 epsilon mu g).
TEST(FoundResistance, ABallThatSpinsDrillsToRestInItsTime) {
  constexpr double omega_0 = 40.0, radius = 2e-3;
  const double slowing = 2.5 * radius * 0.3 * g / (ball.radius * ball.radius);
  const double stop = omega_0 / slowing;
  for (const std::string& kind : grounds) {
    for (const std::string& scheme : scheme_names) {
      SCOPED_TRACE(kind + ", " + scheme);
      const OnGround scene(kind, Vec3::Zero(), omega_0 * up, radius, 0.0);
      const auto integrator = make_integrator(scheme, {.step = stop / 200.5});
      double worst = 0.0, speed = 0.0;
      const Seen seen =
          run(scene, *integrator, 1.3 * stop, [&](const Stepper&, const State& state, const StepReport&) {
            const double exact = std::max(0.0, omega_0 - slowing * state.time);
            worst = std::max(worst, std::abs(angular_velocity(state, scene.bodies[0]).z() - exact));
            speed = std::max(speed, velocity(state, scene.bodies[0]).norm());
          });
      EXPECT_LT(worst, 1e-6 * omega_0);
      EXPECT_LT(speed, 1e-7 * omega_0 * ball.radius);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// Rolling torque c m g, inertia 7/5 m r^2 about the contact: a = 5 c g/(7 r), it stops after v_0^2/(2 a).
TEST(FoundResistance, ABallThatRollsStopsAfterItsWay) {
  constexpr double v_0 = 0.4, arm = 1e-3;
  const double a = 5.0 / 7 * arm * g / ball.radius;
  const double stop = v_0 / a;
  for (const std::string& kind : grounds) {
    for (const std::string& scheme : scheme_names) {
      SCOPED_TRACE(kind + ", " + scheme);
      const OnGround scene(kind, {v_0, 0, 0}, {0, v_0 / ball.radius, 0}, 0.0, arm);
      const double h = stop / 500.5;
      const auto integrator = make_integrator(scheme, {.step = h});
      double worst = 0.0;
      const Seen seen =
          run(scene, *integrator, 1.2 * stop, [&](const Stepper&, const State& state, const StepReport&) {
            const double exact = std::max(0.0, v_0 - a * state.time);
            worst = std::max(worst, std::abs(velocity(state, scene.bodies[0]).x() - exact));
            worst =
                std::max(worst, std::abs(angular_velocity(state, scene.bodies[0]).y() * ball.radius - exact));
          });
      EXPECT_LT(worst, 1e-6 * v_0);
      EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).x(), v_0 * v_0 / (2 * a), v_0 * h)
          << "to within the motion of a step";
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// On a slope it stays if tan(slope) < c/r, and otherwise rolls with 5/7 g (sin - c/r cos).
TEST(FoundResistance, ABallOnASlopeStaysOrRollsAsTheArmSays) {
  constexpr double arm = 3e-3;
  for (const char* const kind : {"box", "triangles"}) {
    for (const double part : {0.5, 0.99, 1.01, 2.0}) {
      SCOPED_TRACE(fmt::format("{}, {}", kind, part));
      const double slope = std::atan(part * arm / ball.radius);
      Scene scene;
      add_ground(scene.model, kind);
      scene.add_ball("ball", ball, {.position = ball.radius * up});
      scene.add_weights(g * Vec3(std::sin(slope), 0, -std::cos(slope)));
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .rolling_arm = arm});
      DecoupledNsga integrator({.step = 1e-3});
      const Seen seen = run(scene, integrator, 0.5);
      const double a = std::max(0.0, 5.0 / 7 * g * (std::sin(slope) - arm / ball.radius * std::cos(slope)));
      EXPECT_NEAR(velocity(seen.state, scene.bodies[0]).x(), 0.5 * a, 1e-8);
      EXPECT_NEAR(angular_velocity(seen.state, scene.bodies[0]).y(), 0.5 * a / ball.radius, 1e-6);
    }
  }
}

// Cylinders roll on their sides and capsules on their ends: a = c g/(r (1 + J/(m r^2))), whatever the number of contacts.
TEST(FoundResistance, CylindersAndCapsulesThatRollSlowDown) {
  constexpr double radius = 0.05, length = 0.2, arm = 1e-3, v_0 = 0.4, mass = 0.7;
  const Mat3 along_y = so3::exp(Vec3(-std::numbers::pi / 2, 0, 0));
  for (const std::string kind : {"half-space", "box", "triangles"}) {
    for (const bool is_capsule : {false, true}) {
      if (kind == "triangles" && !is_capsule) continue;  // there are no such contacts
      SCOPED_TRACE(kind + (is_capsule ? ", capsule" : ", cylinder"));
      RoundScene scene;
      add_ground(scene.model, kind);
      const FrameStart start{.position = radius * up,
                             .rotation = along_y,
                             .velocity = {v_0, 0, 0},
                             .angular_velocity = along_y.transpose() * Vec3(0, v_0 / radius, 0)};
      const FrameNode node = scene.add_body("body", mass, inertia::cylinder(mass, radius, length, 2), start);
      scene.model.add<Surface>({.name = "body",
                                .of = is_capsule ? Shape(shapes::Capsule{length, radius})
                                                 : Shape(shapes::Cylinder{length, radius}),
                                .on = node});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .rolling_arm = arm});
      DecoupledNsga integrator({.step = 1e-3});
      const double a = arm * g / (1.5 * radius);
      double worst = 0.0;
      const Seen seen =
          run(scene, integrator, 1.0, [&](const Stepper&, const State& state, const StepReport&) {
            worst = std::max(worst, std::abs(velocity(state, node).x() - (v_0 - a * state.time)));
          });
      EXPECT_LT(worst, 1e-6 * v_0);
      EXPECT_NEAR(seen.state.q.position(node).x(), v_0 - 0.5 * a, 1e-3 * v_0);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// A ball rolls on a plate that slides on ice. With F the friction on the ball and the relative velocity w = v - V:
// m v' = F, M V' = -F, 2/5 m r w' = -F r - c m g, hence w' = -5/2 c g/r/(1 + 5/2 M/(m + M)). In the end both move
// with m v_0/(m + M).
TEST(FoundResistance, ABallAndAPlateResistEachOther) {
  constexpr double v_0 = 0.5, arm = 1e-3;
  Scene scene;
  scene.model.add<Surface>({.name = "ice", .of = shapes::HalfSpace{}, .material = "ice"});
  const Vec3 size(1.2, 0.2, 0.02);
  scene.add_box("plate", size, {.position = {0.3, 0, 0.01}});
  scene.add_ball("ball", ball,
                 {.position = {0, 0, 0.02 + ball.radius},
                  .velocity = {v_0, 0, 0},
                  .angular_velocity = {0, v_0 / ball.radius, 0}});
  scene.add_weights();
  scene.model.add<ContactsBetween>(
      {.name = "all", .mu = 0.3, .rolling_arm = arm, .pairs = {{.materials = {"ice", ""}, .mu = 0.0}}});
  const double m = ball.mass, M = 600 * size.prod();
  const double slowing = 2.5 * arm * g / ball.radius / (1 + 2.5 * M / (m + M));
  DecoupledNsga integrator({.step = 1e-3});
  double worst = 0.0, momentum = 0.0;
  const Seen seen = run(scene, integrator, 2.5, [&](const Stepper&, const State& state, const StepReport&) {
    const double v = velocity(state, scene.bodies[1]).x(), V = velocity(state, scene.bodies[0]).x();
    worst = std::max(worst, std::abs(v - V - std::max(0.0, v_0 - slowing * state.time)));
    momentum = std::max(momentum, std::abs(m * v + M * V - m * v_0));
  });
  ASSERT_LT(v_0 / slowing, 2.4);
  EXPECT_LT(worst, 1e-6 * v_0);
  EXPECT_LT(momentum, 1e-8 * m * v_0);
  EXPECT_NEAR(velocity(seen.state, scene.bodies[1]).x(), m * v_0 / (m + M), 1e-6 * v_0);
}

// A ball on another one, spinning against each other about the line of their centres, with moments of inertia J_a and
// J_b and the normal force N: both change by epsilon mu N/J until they spin alike.
TEST(FoundResistance, TwoBallsThatSpinAgainstEachOtherAgree) {
  constexpr double radius = 2e-3, spin = 50.0;
  for (const bool is_declared : {false, true}) {
    Scene scene;
    const Ball large{.mass = 0.4, .radius = 0.05};
    // The lower one turns without friction in a cup: on a point of its axis.
    const auto lower = scene.add_ball("lower", large, {.position = {0, 0, large.radius}});
    const auto upper = scene.add_ball(
        "upper", ball,
        {.position = {0, 0, 2 * large.radius + ball.radius}, .angular_velocity = {0, 0, spin}});
    scene.add_weights();
    scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .material = "ice"});
    const auto ice = MaterialPair{.materials = {"ice", ""}, .mu = 0.3};
    if (is_declared) {
      scene.model.add<SphereToSphereContact>({.name = "balls",
                                              .a = {scene.bodies[0], large.radius},
                                              .b = {scene.bodies[1], ball.radius},
                                              .mu = 0.3,
                                              .drilling_radius = radius});
      scene.model.add<ContactsBetween>(
          {.name = "all", .except = {{upper, lower}}, .mu = 0.3, .pairs = {ice}});
    } else {
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .drilling_radius = radius, .pairs = {ice}});
    }
    const double torque = radius * 0.3 * ball.mass * g;
    const double J_a = 0.4 * large.mass * large.radius * large.radius;
    const double J_b = 0.4 * ball.mass * ball.radius * ball.radius;
    const double agree = spin / (torque / J_a + torque / J_b);
    DecoupledNsga integrator({.step = agree / 100.5});
    double worst = 0.0;
    run(scene, integrator, 1.3 * agree, [&](const Stepper&, const State& state, const StepReport&) {
      const double t = std::min(state.time, agree);
      worst = std::max({worst, std::abs(angular_velocity(state, scene.bodies[0]).z() - torque / J_a * t),
                        std::abs(angular_velocity(state, scene.bodies[1]).z() - (spin - torque / J_b * t))});
    });
    EXPECT_LT(worst, 1e-6 * spin) << is_declared;
  }
}

// All at once: bounces, slides, drills and rolls to rest as the declared contact does, which has the same equations.
TEST(FoundResistance, MovesABallAsTheDeclaredContactDoes) {
  const FrameStart start{
      .position = {0, 0, 2 * ball.radius}, .velocity = {0.7, 0.2, -0.5}, .angular_velocity = {10, -25, 40}};
  Model declared;
  const FrameNode node =
      add_ball(declared, "ball", ball, start.position, start.velocity, start.angular_velocity);
  add_weight(declared, {node}, ball, -g * up);
  declared.add<SphereToFaceContact>({.name = "table",
                                     .centre = node,
                                     .radius = ball.radius,
                                     .face = {.normal = up},
                                     .mu = 0.2,
                                     .e_n = 0.6,
                                     .drilling_radius = 3e-3,
                                     .rolling_arm = 1e-3});
  constexpr double h = 1e-3, until = 3.5;
  const State by_hand = run(declared, h, until);
  for (const char* const kind : {"half-space", "box", "triangles"}) {
    SCOPED_TRACE(kind);
    Scene scene;
    add_ground(scene.model, kind);
    scene.add_ball("ball", ball, start);
    scene.add_weights();
    scene.model.add<ContactsBetween>(
        {.name = "all", .mu = 0.2, .e_n = 0.6, .drilling_radius = 3e-3, .rolling_arm = 1e-3});
    DecoupledNsga integrator({.step = h});
    Stepper stepper(scene.model, integrator);
    State state = stepper.start();
    EnergyAudit audit(stepper.system(), state);
    double lost = 0.0;
    for (int i = 0; i < static_cast<int>(until / h); ++i) {
      stepper.step(state);
      if (stepper.has_changed_contacts()) audit.change_contacts(stepper.begin());
      audit.add_step(state, h);
      const Energies energies = audit.energies(state);
      EXPECT_LE(energies.work_of_friction, lost + 1e-9);
      lost = energies.work_of_friction;
    }
    EXPECT_LT(lost, 0.0);
    EXPECT_LT((state.q.position(scene.bodies[0]) - by_hand.q.position(node)).norm(), 1e-8);
    EXPECT_LT((state.q.rotation(scene.bodies[0]) - by_hand.q.rotation(node)).norm(), 1e-6);
    EXPECT_LT(velocity(state, scene.bodies[0]).norm() + angular_velocity(state, scene.bodies[0]).norm(),
              1e-6);
  }
}

// The tippe top with surfaces, on a box and on triangles: it turns over as the one with declared contacts does, as long
// as errors of solves do not grow.
TEST(FoundResistance, ATippeTopTurnsOverOnWhateverIsFound) {
  const models::TippeTop p;
  const double h = 2e-4, until = 0.5;
  const Model declared = models::make_tippe_top(p);
  const State by_hand = run(declared, h, until);
  const Node top = declared.find_node("top");
  EXPECT_GT(std::acos(by_hand.q.rotation(top)(2, 2)), 0.5) << "on its way";
  for (const char* const kind : {"box", "triangles"}) {
    SCOPED_TRACE(kind);
    Scene scene;
    add_ground(scene.model, kind);
    const FrameNode node = scene.add_body(
        "top", p.mass, inertia::diagonal(p.transverse_inertia, p.transverse_inertia, p.axial_inertia),
        {.position = declared.initial_configuration().position(top),
         .rotation = declared.initial_configuration().rotation(top),
         .angular_velocity = {0, 0, p.spin}});
    scene.model.add<Surface>({.name = "sphere",
                              .of = shapes::Ball{p.sphere_radius},
                              .on = node,
                              .position = {0, 0, p.sphere_centre}});
    scene.model.add<Surface>(
        {.name = "stem", .of = shapes::Ball{p.stem_radius}, .on = node, .position = {0, 0, p.stem_centre}});
    scene.add_weights({0, 0, -p.gravity});
    scene.model.add<ContactsBetween>(
        {.name = "all", .mu = p.mu, .drilling_radius = 2.0 / 3 * p.contact_radius});
    DecoupledNsga integrator({.step = h});
    const Seen seen = run(scene, integrator, until);
    EXPECT_EQ(seen.fallbacks, 0);
    EXPECT_LT((seen.state.q.rotation(node) - by_hand.q.rotation(top)).norm(), 1e-5);
    EXPECT_LT((seen.state.q.position(node) - by_hand.q.position(top)).norm(), 1e-6 * p.sphere_radius);
  }
}

}  // namespace
}  // namespace picus::found_resistance_test
