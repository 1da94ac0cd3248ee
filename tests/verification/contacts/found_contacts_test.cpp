/// Contacts detected while bodies move, compared with those declared by hand, exact solutions and statics.

#include "boxes.hpp"
#include "free_collisions.hpp"
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <numbers>
#include <vector>

namespace picus::found_contacts_test {
namespace {

DecoupledNsga ds(double step = 1e-3) {
  return DecoupledNsga({.step = step});
}

// Balls with point-to-point and point-to-plane contacts: detected ones have the same equations as SphereToSphereContact
// and SphereToFaceContact.
TEST(FoundContacts, MoveBodiesAsThoseDeclaredByHand) {
  const Ball ball{.mass = 0.2, .radius = 0.05};
  const std::vector<Vec3> places = {{0, 0, 0.06}, {0.03, 0.01, 0.18}, {-0.01, 0.02, 0.3}};
  Scene found;
  found.add_floor();
  Model declared;
  std::vector<FrameNode> nodes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::string name = fmt::format("ball[{}]", i);
    found.add_ball(name, ball, {.position = places[i]});
    nodes.push_back(add_ball(declared, name, ball, places[i]));
    declared.add<SphereToFaceContact>({.name = name + " on floor",
                                       .centre = nodes[i],
                                       .radius = ball.radius,
                                       .face = {.normal = {0, 0, 1}},
                                       .mu = 0.4,
                                       .e_n = 0.3});
    for (std::size_t k = 0; k < i; ++k) {
      declared.add<SphereToSphereContact>({.name = fmt::format("{} on {}", i, k),
                                           .a = {nodes[i], ball.radius},
                                           .b = {nodes[k], ball.radius},
                                           .mu = 0.4,
                                           .e_n = 0.3});
    }
  }
  found.add_weights();
  add_weight(declared, nodes, ball, {0, 0, -g});
  found.model.add<ContactsBetween>({.name = "all", .mu = 0.4, .e_n = 0.3});
  constexpr double h = 1e-3, until = 0.3;
  const State by_hand = run(declared, h, until);
  DecoupledNsga integrator = ds(h);
  const Seen seen = run(found, integrator, until);
  EXPECT_GT(seen.search.changes, 3);
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Tolerances of solves, amplified by a few collisions of round bodies.
    EXPECT_NEAR((seen.state.q.position(found.bodies[i]) - by_hand.q.position(nodes[i])).norm(), 0.0, 1e-7);
  }
}

// Under friction at its bottom the resultant contact force on a sliding box acts mu c ahead of its centre, c half its
// height: it tips over the edge as soon as that point has passed it, and slides like a point mass until then.
TEST(FoundContacts, BoxTipsOverTheBorderOfATableWhereStaticsSays) {
  for (const double mu : {0.0, 0.2, 0.5}) {
    for (const double turn : {0.0, 0.4}) {
      SCOPED_TRACE(fmt::format("mu = {}, turned by {}", mu, turn));
      const Mat3 Q = so3::exp(turn * Vec3(0.1, 0.2, 1.0).normalized());
      const Vec3 place(3.0, -2.0, 1.0);
      Scene scene;
      scene.model.add<Surface>({.name = "table",
                                .of = shapes::Box{{2, 1, 0.2}},
                                .position = place + Q * Vec3(-1, 0, -0.1),
                                .rotation = Q});
      constexpr double speed = 2.5, height = 0.2, start = -0.4;
      scene.add_box("crate", {0.4, 0.3, height},
                    {.position = place + Q * Vec3(start, 0.05, height / 2),
                     .rotation = Q,
                     .velocity = Q * Vec3(speed, 0, 0)});
      scene.add_weights(Q * Vec3(0, 0, -g));
      scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
      constexpr double h = 1e-3;
      DecoupledNsga integrator = ds(h);
      double tipped = 0;
      double last_flat = start;
      bool flat = true;
      const Seen seen =
          run(scene, integrator, 0.6, [&](const Stepper&, const State& state, const StepReport&) {
            const Vec3 x = Q.transpose() * (state.q.position(scene.bodies[0]) - place);
            const double angle = so3::log(Q.transpose() * state.q.rotation(scene.bodies[0])).norm();
            flat = flat && angle < 1e-9;
            if (flat) last_flat = x.x();
            if (flat) {
              const double t = state.time;
              EXPECT_NEAR(x.x(), start + speed * t - 0.5 * mu * g * t * t, 1e-3 * h);
              EXPECT_NEAR(x.z(), height / 2, 1e-10);
            }
            tipped = std::max(tipped, angle);
          });
      EXPECT_NEAR(last_flat, -mu * height / 2, speed * h);  // to within a step
      EXPECT_GT(tipped, 0.2);
      EXPECT_EQ(seen.search.misses, 0);
      EXPECT_LT(seen.penetration, 1e-9);
    }
  }
}

// Beyond the edge by less than half its length it stays, by more it falls.
TEST(FoundContacts, BoxOverTheBorderStaysUntilItsCentreIsOut) {
  for (const double out : {-1e-3, 1e-3}) {
    Scene scene;
    scene.model.add<Surface>({.name = "table", .of = shapes::Box{{2, 1, 0.2}}, .position = {-1, 0, -0.1}});
    scene.add_box("crate", {0.4, 0.3, 0.2}, {.position = {out, 0.1, 0.1}});
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

// Nothing impedes sliding over seams: in the direction of motion and about all axes.
TEST(FoundContacts, BoxSlidesOverSeamsOfFlushTables) {
  for (const double shift : {0.0, 0.37e-3, 0.9e-3}) {
    for (const double yaw : {0.0, 0.3}) {
      SCOPED_TRACE(fmt::format("shifted by {}, turned by {}", shift, yaw));
      Scene scene;
      for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 3; ++j) {
          scene.model.add<Surface>({.name = fmt::format("tile {} {}", i, j),
                                    .of = shapes::Box{{0.25, 0.25, 0.1}},
                                    .position = {0.25 * i, 0.25 * (j - 1) + 0.03, -0.05}});
        }
      }
      scene.add_box("box", {0.2, 0.2, 0.2},
                    {.position = {0.1 + shift, 0, 0.1},
                     .rotation = so3::exp(Vec3(0, 0, yaw)),
                     .velocity = {2, 0, 0},
                     .angular_velocity = {0, 0, yaw}});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all"});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 0.7);
      EXPECT_NEAR((velocity(seen.state, scene.bodies[0]) - Vec3(2, 0, 0)).norm(), 0.0, 1e-8);
      EXPECT_NEAR((angular_velocity(seen.state, scene.bodies[0]) - Vec3(0, 0, yaw)).norm(), 0.0, 1e-7);
      EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).z(), 0.1, 1e-9);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// Schemes that enforce velocities only penetrate by part of the motion in a step: by more than the corners are past
// the seam.
TEST(FoundContacts, NoSchemeStumblesOverASeam) {
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    Scene scene;
    for (const double side : {-1.0, 1.0}) {
      scene.model.add<Surface>({.name = side < 0 ? "left" : "right",
                                .of = shapes::Box{{1, 1, 0.2}},
                                .position = {0.5 * side, 0, -0.1}});
    }
    scene.add_box("box", {0.2, 0.2, 0.2}, {.position = {-0.15, 0, 0.101}, .velocity = {0.3, 0, 0}});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all"});
    const auto integrator =
        make_integrator(scheme.name, {.step = 1e-3, .max_iterations = scheme.max_iterations});
    const Seen seen = run(scene, *integrator, 0.5);
    EXPECT_NEAR(velocity(seen.state, scene.bodies[0]).x(), 0.3, 1e-3);
    EXPECT_LT(so3::log(seen.state.q.rotation(scene.bodies[0])).norm(), 1e-2);
  }
}

TEST(FoundContacts, BoxSlidesOverTheCornerOfATable) {
  for (const double mu : {0.0, 0.3}) {
    Scene scene;
    scene.model.add<Surface>({.name = "table", .of = shapes::Box{{2, 2, 0.2}}, .position = {-1, -1, -0.1}});
    scene.add_box("box", {0.4, 0.3, 0.2}, {.position = {-0.35, -0.3, 0.1}, .velocity = {1.8, 1.7, 0}});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
    DecoupledNsga integrator = ds();
    Stepper stepper(scene.model, integrator);
    State state = stepper.start();
    EnergyAudit audit(stepper.system(), state);
    const double start = audit.energies(state).kinetic + audit.energies(state).potential;
    for (int i = 0; i < 500; ++i) {
      stepper.step(state);
      const Energies now = audit.energies(state);
      ASSERT_LE(now.kinetic + now.potential, start * (1 + 1e-4) + 1e-3) << "at " << state.time;
    }
    EXPECT_LT(state.q.position(scene.bodies[0]).z(), 0);
    EXPECT_EQ(stepper.statistics().misses, 0);
  }
}

TEST(FoundContacts, BoxFallsOnRoundBodiesOfTheGround) {
  Scene scene;
  scene.model.add<Surface>({.name = "peg", .of = shapes::Ball{0.1}, .position = {0.005, 0, 0}});
  scene.model.add<Surface>({.name = "bar",
                            .of = shapes::Capsule{0.5, 0.1},
                            .position = {0.6, 0, 0},
                            .rotation = so3::exp(Vec3(std::numbers::pi / 2, 0, 0))});
  scene.add_box("plank", {1.0, 0.2, 0.05}, {.position = {0.3, 0, 0.14}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.6});
  DecoupledNsga integrator = ds();
  const Seen seen = run(scene, integrator, 0.5);
  EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).z(), 0.125, 1e-8);  // on both
  EXPECT_LT(seen.state.v.lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT(seen.penetration, 1e-9);
}

// In the x-y plane, wider than its support: its edge along z crosses the edge of the support.
TEST(FoundContacts, PlanarBoxesStandOnWhateverIsBelow) {
  for (const double depth : {0.05, 0.1, 0.2}) {
    for (const double turn : {0.0, 0.5}) {
      SCOPED_TRACE(fmt::format("depth {}, turned by {}", depth, turn));
      Scene scene;
      scene.model.add<Surface>({.name = "block", .of = shapes::Box{{2, 0.2, 0.1}}, .position = {0, -0.1, 0}});
      scene.add_box("box", {0.2, 0.2, depth},
                    {.position = {0, 0.2, 0}, .rotation = so3::exp(Vec3(0, 0, turn))});
      scene.model.restrict_to_plane(scene.bodies[0]);
      scene.add_weights({0, -g, 0});
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.4, .friction_directions = 1});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 1.0);
      EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).y(), 0.1, 1e-7);
      EXPECT_LT(seen.penetration, 1e-9);
    }
  }
}

// A capsule across the edge of a table rests on its inner end and on the edge: the law of the lever.
TEST(FoundContacts, CapsuleOverTheBorderRestsOnItsEndAndOnTheEdge) {
  constexpr double length = 0.5, radius = 0.04, inner = -0.2, mass = 2.0;
  Scene scene;
  scene.model.add<Surface>({.name = "table", .of = shapes::Box{{2, 1, 0.2}}, .position = {-1, 0, -0.1}});
  const Mat3 along_x = so3::exp(Vec3(0, std::numbers::pi / 2, 0));
  const double centre = inner + length / 2;
  const FrameNode rod = scene.add_body("rod", mass, inertia::diagonal(2e-3, 4e-2, 4e-2),
                                       {.position = {centre - 0.1, 0, radius}});
  scene.model.add<Surface>(
      {.name = "rod", .of = shapes::Capsule{length, radius}, .on = rod, .rotation = along_x});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  DecoupledNsga integrator = ds();
  const double x_centre = centre - 0.1, x_inner = x_centre - length / 2;
  double at_end = 0, at_edge = 0;
  const Seen seen =
      run(scene, integrator, 0.1, [&](const Stepper& stepper, const State& state, const StepReport&) {
        at_end = at_edge = 0;
        for (const auto& contact : stepper.system().contacts()) {
          const double force = state.contact_impulse[contact.first_row] / integrator.step_size();
          const Vec3 place = contact.role->contact_point(state.q).value_or(state.q.position(rod));
          (place.x() < 0.5 * x_inner ? at_end : at_edge) += force;
        }
      });
  const double outer = x_centre / x_inner;  // fraction of the weight on the inner end: the edge is at x = 0
  ASSERT_LT(x_centre, 0);
  EXPECT_NEAR(at_edge, mass * g * (1 - outer), 1e-6 * mass * g);
  EXPECT_NEAR(at_end, mass * g * outer, 1e-6 * mass * g);
  EXPECT_LT(so3::log(seen.state.q.rotation(rod)).norm(), 1e-9);
}

/// A ball that falls onto the middle of a feature of a fixed box: it must bounce straight up, to e^2 of the height.
TEST(FoundContacts, BallBouncesOffFacesEdgesAndCorners) {
  const Vec3 sizes(0.4, 0.6, 0.8);
  for (const Vec3& out : {Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 1, 1)}) {
    for (const double scale : {1.0, 20.0}) {
      SCOPED_TRACE(fmt::format("towards {} {} {}, {} times as large", out.x(), out.y(), out.z(), scale));
      const Vec3 n = out.normalized();
      const Vec3 foot = 0.5 * scale * sizes.cwiseProduct(out);
      const Ball ball{.mass = 0.3, .radius = 0.05 * scale};
      Scene scene;
      scene.model.add<Surface>({.name = "block", .of = shapes::Box{scale * sizes}});
      const double height = 2 * ball.radius;
      scene.add_ball("ball", ball, {.position = foot + (ball.radius + height) * n});
      scene.add_weights(-g * n);
      scene.model.add<ContactsBetween>({.name = "all", .e_n = 0.5});
      const double fall = std::sqrt(2 * height / g);
      const double h = fall / 200;
      DecoupledNsga integrator = ds(h);
      double highest = 0;
      bool bounced = false;
      run(scene, integrator, 1.9 * fall, [&](const Stepper&, const State& state, const StepReport&) {
        const Vec3 v = velocity(state, scene.bodies[0]);
        const Vec3 d = state.q.position(scene.bodies[0]) - foot;
        bounced = bounced || v.dot(n) > 0;
        EXPECT_LT((d - d.dot(n) * n).norm(), 1e-9 * scale);
        EXPECT_GT(d.dot(n), (1 - 1e-9) * ball.radius);
        if (bounced) highest = std::max(highest, d.dot(n) - ball.radius);
      });
      ASSERT_TRUE(bounced);
      EXPECT_NEAR(highest, 0.25 * height, 0.02 * height);  // impacts are located to within a step
    }
  }
}

// Without external forces momenta are conserved, whatever the contacts; without friction and with restitution 1 also
// energy.
TEST(FoundContacts, CollisionsInFreeFlightKeepMomenta) {
  Scene scene;
  scene.add_box("a", {0.3, 0.2, 0.1},
                {.position = {-0.3, 0.02, 0.01},
                 .rotation = so3::exp(Vec3(0.3, 0.5, 0.1)),
                 .velocity = {1.5, 0, 0},
                 .angular_velocity = {1, 2, 3}});
  scene.add_box(
      "b", {0.2, 0.2, 0.2},
      {.position = {0.3, -0.03, 0.0}, .rotation = so3::exp(Vec3(0.1, 0.7, -0.4)), .velocity = {-1, 0, 0}});
  const FrameNode rod = scene.add_body("rod", 1.0, inertia::cylinder(1.0, 0.05, 0.4, 2),
                                       {.position = {0.02, 0.5, 0.03}, .velocity = {0, -1.2, 0}});
  scene.model.add<Surface>({.name = "rod", .of = shapes::Capsule{0.3, 0.05}, .on = rod});
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.8});
  DecoupledNsga integrator = ds();
  EXPECT_GT(expect_lawful_collisions(scene, integrator, 600), 1);
}

// In one step the first ball drives the second into the third, which the predicted motion did not show.
TEST(FoundContacts, StepIsRepeatedWithContactsThatItWasFoundToLack) {
  const Ball ball{.mass = 0.2, .radius = 0.05};
  Scene scene;
  scene.add_ball("fast", ball, {.position = {-0.12, 0, 0}, .velocity = {50, 0, 0}});
  scene.add_ball("middle", ball, {.position = {0, 0, 0}});
  scene.add_ball("last", ball, {.position = {0.106, 0, 0}});
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator = ds();
  const Seen seen = run(scene, integrator, 5e-3);
  EXPECT_GE(seen.search.repeats, 1);
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
  const double total = velocity(seen.state, scene.bodies[0]).x() + velocity(seen.state, scene.bodies[1]).x() +
                       velocity(seen.state, scene.bodies[2]).x();
  EXPECT_NEAR(total, 50, 1e-6);
  for (int i = 1; i < 3; ++i) {
    EXPECT_GE(velocity(seen.state, scene.bodies[i]).x(),
              velocity(seen.state, scene.bodies[i - 1]).x() - 1e-6);
    const double apart =
        (seen.state.q.position(scene.bodies[i]) - seen.state.q.position(scene.bodies[i - 1])).x();
    EXPECT_GE(apart, 2 * ball.radius - 1e-9);
  }
}

// Tumbling boxes, balls and capsules on a heap: no failed step, and sampled points of the boxes are outside of the
// others.
TEST(FoundContacts, MixedHeapPenetratesNowhere) {
  Scene scene;
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
  for (int i = 0; i < 12; ++i) {
    const std::string name = fmt::format("body[{}]", i);
    const FrameStart start{
        .position = {-0.08 + 0.16 * (i % 2) + 0.004 * std::sin(3.3 * i),
                     -0.08 + 0.16 * (i / 2 % 2) + 0.003 * std::cos(5.7 * i), 0.1 + 0.14 * (i / 4)},
        .rotation = so3::exp(Vec3(std::sin(1.7 * i), std::cos(2.9 * i), std::sin(4.1 * i + 1)))};
    if (i % 3 == 0) {
      scene.add_ball(name, {.mass = 0.2, .radius = 0.045}, start);
    } else if (i % 3 == 1) {
      scene.add_box(name, {0.07, 0.08, 0.06}, start);
    } else {
      const FrameNode node = scene.add_body(name, 0.2, inertia::cylinder(0.2, 0.03, 0.1, 2), start);
      scene.model.add<Surface>({.name = name, .of = shapes::Capsule{0.06, 0.03}, .on = node});
    }
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.1});
  DecoupledNsga integrator = ds();
  double depth = 0;
  const Seen seen = run(scene, integrator, 0.5, [&](const Stepper&, const State& state, const StepReport&) {
    if (state.step % 20 == 0) depth = std::max(depth, sampled_depth(scene, state.q));
  });
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
  EXPECT_LT(depth, 1e-6 * 0.1);
  for (const FrameNode& body : scene.bodies) {
    const Vec3 x = seen.state.q.position(body);
    EXPECT_LT(x.head<2>().lpNorm<Eigen::Infinity>(), w);
    EXPECT_GT(x.z(), 0.029);
  }
}

TEST(FoundContacts, AllSchemesTakeThem) {
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    const bool knows_friction = scheme.name != "schatzman-paoli";
    Scene scene;
    scene.add_floor();
    scene.add_ball("ball", {.mass = 0.2, .radius = 0.05},
                   {.position = {0, 0, 0.07}, .velocity = {0.3, 0, 0}});
    scene.add_ball("other", {.mass = 0.2, .radius = 0.05}, {.position = {0.13, 0, 0.0501}});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = knows_friction ? 0.3 : 0.0});
    const auto integrator =
        make_integrator(scheme.name, {.step = 1e-3, .max_iterations = scheme.max_iterations});
    const Seen seen = run(scene, *integrator, 0.5);
    EXPECT_GE(seen.search.changes, 1);
    const double apart =
        (seen.state.q.position(scene.bodies[0]) - seen.state.q.position(scene.bodies[1])).norm();
    EXPECT_GT(apart, 0.1 - 2e-3);  // at velocity level: penetration by part of the motion in a step
    EXPECT_GT(velocity(seen.state, scene.bodies[1]).x(), 0.02);
    EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).z(), 0.05, 2e-3);
  }
}

}  // namespace
}  // namespace picus::found_contacts_test
