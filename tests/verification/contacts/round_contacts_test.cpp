/// Cylinders and cones with sharp rims, at rest and sliding, compared with statics.

#include "boxes.hpp"
#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <numbers>
#include <vector>

namespace picus::round_contacts_test {
namespace {

using std::numbers::pi;

DecoupledNsga ds(double step = 1e-3) {
  return DecoupledNsga({.step = step});
}

double total_force(const Stepper& stepper, const State& state, double h) {
  double sum = 0;
  for (const auto& contact : stepper.system().contacts()) sum += state.contact_impulse[contact.first_row] / h;
  return sum;
}

TEST(RoundContacts, CylinderStandsOnItsEnd) {
  for (const OtherFrame& frame : frames()) {
    for (const bool on_box : {false, true}) {
      SCOPED_TRACE(fmt::format("scale {}, on a {}", frame.scale, on_box ? "box" : "half-space"));
      const double r = 0.1 * frame.scale, L = 0.4 * frame.scale, mass = 3.0;
      RoundScene scene;
      if (on_box) {
        scene.model.add<Surface>({.name = "table",
                                  .of = shapes::Box{Vec3(1, 1, 0.2) * frame.scale},
                                  .position = frame.x + frame.Q * Vec3(0.1, 0, -0.1) * frame.scale,
                                  .rotation = frame.Q});
      } else {
        scene.model.add<Surface>(
            {.name = "floor", .of = shapes::HalfSpace{}, .position = frame.x, .rotation = frame.Q});
      }
      const FrameNode can = scene.add_cylinder("can", mass, r, L,
                                               {.position = frame.x + frame.Q * Vec3(0, 0, L / 2),
                                                .rotation = frame.Q * so3::exp(Vec3(0, 0, 0.3))});
      scene.add_weights(frame.Q * Vec3(0, 0, -g));
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.4});
      DecoupledNsga integrator = ds();
      double force = 0;
      std::size_t contacts = 0;
      const Seen seen =
          run(scene, integrator, 1.0, [&](const Stepper& stepper, const State& state, const StepReport&) {
            force = total_force(stepper, state, integrator.step_size());
            contacts = stepper.system().contacts().size();
          });
      const Configuration& start = scene.model.initial_configuration();
      EXPECT_LT((seen.state.q.position(can) - start.position(can)).norm(), 1e-9 * r);
      EXPECT_LT(so3::log(start.rotation(can).transpose() * seen.state.q.rotation(can)).norm(), 1e-9);
      EXPECT_NEAR(force, mass * g, 1e-9 * mass * g);
      EXPECT_GE(contacts, 3U);
      EXPECT_EQ(seen.search.changes, 0);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// Tilted by an angle it falls back or over depending on whether its centre passes the lowest point of the rim:
// tan = r/(L/2).
TEST(RoundContacts, LeaningCylinderFallsBackOrOverWhereStaticsSays) {
  constexpr double r = 0.1, L = 0.4;
  const double critical = std::atan2(r, L / 2);
  for (const double part : {0.97, 1.03}) {
    for (const double turn : {0.0, 0.4}) {
      SCOPED_TRACE(fmt::format("{} of the critical angle, turned by {}", part, turn));
      const Mat3 lean = so3::exp(part * critical * Vec3(std::cos(turn), std::sin(turn), 0));
      RoundScene scene;
      scene.add_floor();
      const double height = L / 2 * std::cos(part * critical) + r * std::sin(part * critical);
      const FrameNode can =
          scene.add_cylinder("can", 3.0, r, L, {.position = {0, 0, height}, .rotation = lean});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.8});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 2.0);
      const double angle = std::acos(std::min(1.0, seen.state.q.rotation(can)(2, 2)));
      EXPECT_NEAR(angle, part < 1 ? 0.0 : pi / 2, 1e-6);
      EXPECT_NEAR(seen.state.q.position(can).z(), part < 1 ? L / 2 : r, 1e-8);
      EXPECT_EQ(seen.search.misses, 0);
      EXPECT_LT(seen.penetration, 1e-9);
    }
  }
}

// Gravity inclined by less than atan(2 r/L) lets it stand, by more tips it, in any direction: the rim is circular.
TEST(RoundContacts, CylinderOnASlopeTipsWhereStaticsSays) {
  constexpr double r = 0.1, L = 0.5;
  const double critical = std::atan2(r, L / 2);
  for (const double direction : {0.0, 0.39, 1.1, 2.0}) {
    for (const double part : {0.999, 1.001}) {
      SCOPED_TRACE(fmt::format("direction {}, {} of the critical slope", direction, part));
      RoundScene scene;
      scene.add_floor();
      const FrameNode can = scene.add_cylinder("can", 3.0, r, L, {.position = {0, 0, L / 2}});
      const double slope = part * critical;
      scene.add_weights(g * Vec3(std::sin(slope) * std::cos(direction), std::sin(slope) * std::sin(direction),
                                 -std::cos(slope)));
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.9});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 1.0);
      const double angle = so3::log(seen.state.q.rotation(can)).norm();
      if (part < 1) {
        EXPECT_LT(angle, 1e-6);
      } else {
        EXPECT_GT(angle, 1e-3);
      }
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

TEST(RoundContacts, CylinderRollsDownAnInclineWithoutSlip) {
  for (const OtherFrame& frame : frames()) {
    SCOPED_TRACE(frame.scale);
    const double r = 0.1 * frame.scale, L = 0.3 * frame.scale, slope = 0.3;
    RoundScene scene;
    scene.model.add<Surface>(
        {.name = "floor", .of = shapes::HalfSpace{}, .position = frame.x, .rotation = frame.Q});
    const Mat3 lying = frame.Q * so3::exp(Vec3(pi / 2, 0, 0));
    const FrameNode can = scene.add_cylinder(
        "can", 2.0, r, L, {.position = frame.x + frame.Q * Vec3(0, 0, r), .rotation = lying});
    scene.add_weights(frame.Q * Vec3(g * std::sin(slope), 0, -g * std::cos(slope)));
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
    constexpr double h = 1e-3;
    DecoupledNsga integrator = ds(h);
    const Seen seen = run(scene, integrator, 1.0);
    const Vec3 x = frame.Q.transpose() * (seen.state.q.position(can) - frame.x);
    const Vec3 v = frame.Q.transpose() * velocity(seen.state, can);
    const Vec3 omega = frame.Q.transpose() * angular_velocity(seen.state, can);
    const double a = 2.0 / 3.0 * g * std::sin(slope);
    EXPECT_NEAR(v.x(), a, 1e-6 * a);
    EXPECT_NEAR(x.x(), 0.5 * a, 1e-6 * a);
    EXPECT_NEAR(omega.y() * r, v.x(), 1e-7 * a);
    EXPECT_NEAR(x.z(), r, 1e-9 * r);
    EXPECT_LT(std::abs(x.y()) + std::abs(v.y()) + std::abs(v.z()), 1e-8 * r);
    EXPECT_EQ(seen.search.changes, 0);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

TEST(RoundContacts, CylinderSlidesOnItsEndAgainstFriction) {
  constexpr double r = 0.2, L = 0.1, mu = 0.25, speed = 2.0;
  RoundScene scene;
  scene.add_floor();
  const FrameNode can =
      scene.add_cylinder("can", 2.0, r, L, {.position = {0, 0, L / 2}, .velocity = {speed, 0, 0}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
  constexpr double h = 1e-3;
  DecoupledNsga integrator = ds(h);
  const Seen seen = run(scene, integrator, 0.5, [&](const Stepper&, const State& state, const StepReport&) {
    const double t = state.time;
    ASSERT_NEAR(velocity(state, can).x(), speed - mu * g * t, 1e-6);
    ASSERT_NEAR(state.q.position(can).x(), speed * t - 0.5 * mu * g * t * t, 1e-3 * h);
    ASSERT_NEAR(state.q.position(can).z(), L / 2, 1e-10);
  });
  EXPECT_EQ(seen.search.misses, 0);
}

// The law of the lever, with the edge under the side.
TEST(RoundContacts, CylinderOverTheBorderRestsOnItsRimAndOnTheEdge) {
  constexpr double r = 0.04, L = 0.5, mass = 2.0;
  for (const double inner : {-0.3, -0.26}) {
    RoundScene scene;
    scene.model.add<Surface>({.name = "table", .of = shapes::Box{{2, 1, 0.2}}, .position = {-1, 0, -0.1}});
    const FrameNode rod = scene.add_cylinder(
        "rod", mass, r, L, {.position = {inner + L / 2, 0, r}, .rotation = so3::exp(Vec3(0, pi / 2, 0))});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
    DecoupledNsga integrator = ds();
    const double centre = inner + L / 2;
    double at_rim = 0, at_edge = 0;
    const Seen seen =
        run(scene, integrator, 0.2, [&](const Stepper& stepper, const State& state, const StepReport&) {
          at_rim = at_edge = 0;
          for (const auto& contact : stepper.system().contacts()) {
            const double force = state.contact_impulse[contact.first_row] / integrator.step_size();
            const double x = contact.role->contact_point(state.q)->x();
            (x < inner / 2 ? at_rim : at_edge) += force;
          }
        });
    EXPECT_NEAR(at_edge, mass * g * (1 - centre / inner), 1e-6 * mass * g);
    EXPECT_NEAR(at_rim, mass * g * centre / inner, 1e-6 * mass * g);
    EXPECT_LT((seen.state.q.position(rod) - scene.model.initial_configuration().position(rod)).norm(), 1e-10);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

// Standing on its end across the edge it falls once its centre is beyond, also to either side of a corner of the
// table.
TEST(RoundContacts, CylinderOverTheBorderStandsUntilItsCentreIsOut) {
  constexpr double r = 0.1, L = 0.3;
  for (const Vec3& out : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)}) {
    for (const double part : {-1e-3, 1e-3}) {
      SCOPED_TRACE(fmt::format("towards {} {}, {}", out.x(), out.y(), part));
      RoundScene scene;
      scene.model.add<Surface>({.name = "table", .of = shapes::Box{{2, 2, 0.2}}, .position = {-1, -1, -0.1}});
      const Vec3 inside = -0.5 * (Vec3(1, 1, 0) - out);
      const Vec3 x = inside + part * out + Vec3(0, 0, L / 2);
      const FrameNode can = scene.add_cylinder("can", 3.0, r, L, {.position = x});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
      DecoupledNsga integrator = ds();
      const Seen seen = run(scene, integrator, 1.0);
      if (part < 0) {
        EXPECT_LT((seen.state.q.position(can) - x).norm(), 1e-9);
        EXPECT_LT(so3::log(seen.state.q.rotation(can)).norm(), 1e-9);
      } else {
        EXPECT_LT(seen.state.q.position(can).z(), 0.9 * L / 2);
      }
      EXPECT_EQ(seen.search.misses, 0);
      EXPECT_LT(seen.penetration, 1e-9);
    }
  }
}

// Two planes at the angle beta to the horizontal: N = m g/(2 cos beta).
TEST(RoundContacts, CylinderLiesInAGroove) {
  for (const OtherFrame& frame : frames()) {
    const double r = 0.1 * frame.scale, L = 0.4 * frame.scale, beta = 0.7, mass = 2.0;
    RoundScene scene;
    for (const double side : {-1.0, 1.0}) {
      scene.model.add<Surface>({.name = side < 0 ? "left" : "right",
                                .of = shapes::HalfSpace{{-side * std::sin(beta), 0, std::cos(beta)}},
                                .position = frame.x,
                                .rotation = frame.Q});
    }
    const FrameNode can = scene.add_cylinder("can", mass, r, L,
                                             {.position = frame.x + frame.Q * Vec3(0, 0, r / std::cos(beta)),
                                              .rotation = frame.Q * so3::exp(Vec3(pi / 2, 0, 0))});
    scene.add_weights(frame.Q * Vec3(0, 0, -g));
    scene.model.add<ContactsBetween>({.name = "all"});
    DecoupledNsga integrator = ds();
    double force = 0;
    const Seen seen =
        run(scene, integrator, 0.5, [&](const Stepper& stepper, const State& state, const StepReport&) {
          EXPECT_EQ(stepper.system().contacts().size(), 4U);
          force = total_force(stepper, state, integrator.step_size());
        });
    EXPECT_NEAR(force, mass * g / std::cos(beta), 1e-8 * mass * g);
    EXPECT_LT((seen.state.q.position(can) - scene.model.initial_configuration().position(can)).norm(),
              1e-9 * r);
  }
}

// The upper one lies across the lower one, which is fixed, both at their middles: the axes are r_1 + r_2 apart.
TEST(RoundContacts, CrossedCylindersAreAsFarApartAsTheirRadii) {
  for (const double angle : {pi / 2, 0.9, 0.3}) {
    constexpr double r_1 = 0.1, r_2 = 0.06;
    RoundScene scene;
    scene.model.add<Surface>({.name = "below",
                              .of = shapes::Cylinder{1.0, r_1},
                              .position = {0.3, 0.1, 0},
                              .rotation = so3::exp(Vec3(0, pi / 2, 0))});
    const FrameNode can =
        scene.add_cylinder("can", 2.0, r_2, 0.5,
                           {.position = {0.3, 0.1, r_1 + r_2 + 1e-3},
                            .rotation = so3::exp(Vec3(0, 0, angle)) * so3::exp(Vec3(0, pi / 2, 0))});
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
    DecoupledNsga integrator = ds();
    const Seen seen = run(scene, integrator, 0.3);
    EXPECT_NEAR(seen.state.q.position(can).z(), r_1 + r_2, 1e-9);
    EXPECT_EQ(seen.search.misses, 0);
  }
}

}  // namespace
}  // namespace picus::round_contacts_test
