/// Cylinders and cones with sharp rims, against statics, exact motions and conservation laws.

#include "boxes.hpp"
#include "rounds.hpp"
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <vector>

namespace picus::round_contacts_test {
namespace {

using std::numbers::pi;

DecoupledNsga ds(double step = 1e-3) {
  return DecoupledNsga({.step = step});
}

/// Somewhere else, turned, and larger: what happens must not depend on it.
struct Frame {
  Mat3 Q = Mat3::Identity();
  Vec3 x = Vec3::Zero();
  double scale = 1.0;
};
std::vector<Frame> frames() {
  return {{},
          {so3::exp(Vec3(0.7, -1.1, 0.4)), Vec3(3, -2, 1), 1.0},
          {so3::exp(Vec3(-0.2, 0.5, 2.4)), Vec3(-8, 5, 4), 20.0}};
}

double total_force(const Stepper& stepper, const State& state, double h) {
  double sum = 0;
  for (const auto& contact : stepper.system().contacts()) sum += state.contact_impulse[contact.first_row] / h;
  return sum;
}

TEST(RoundContacts, CylinderStandsOnItsEnd) {
  for (const Frame& frame : frames()) {
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

// Leaned by an angle it falls back or over where its centre passes the lowest point of the rim: tan = r/(L/2).
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

// Gravity that leans by less than atan(2 r/L) lets it stand, by more tips it, in any direction: the rim is round.
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
  for (const Frame& frame : frames()) {
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

// The law of the lever, and the border as an edge under the side.
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

// Standing on its end over the border it falls once its centre is out, to either side of a corner of the table, too.
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
  for (const Frame& frame : frames()) {
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

// The upper one lies across the lower one, which is fixed, in the middle of both: the axes are r_1 + r_2 apart.
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

/// What falls through its centre onto a contact bounces straight up, to e^2 of the height.
struct Drop {
  std::string name;
  Shape below;
  Mat3 rotation_below;
  Vec3 top;      ///< where it is met, in the axes of `below` turned
  double reach;  ///< of the can below its centre
  Mat3 rotation;
};

TEST(RoundContacts, CylinderBouncesOffFacesEdgesCornersAndRoundBodies) {
  constexpr double r = 0.1, L = 0.3;
  const double diagonal = std::hypot(r, L / 2);
  const Mat3 lying = so3::exp(Vec3(pi / 2, 0, 0));
  const Mat3 on_rim = so3::exp(Vec3(std::atan2(r, L / 2), 0, 0));
  const Mat3 edge_up = so3::exp(Vec3(0, pi / 4, 0));  // along y
  const Mat3 corner_up = Mat3(Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitZ()));
  const Vec3 cube(0.4, 0.4, 0.4);
  const Mat3 along_x = so3::exp(Vec3(0, pi / 2, 0));
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
  };
  for (const Drop& drop : drops) {
    for (const Frame& frame : frames()) {
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
      EXPECT_NEAR(highest, 0.25 * height, 0.02 * height);  // impacts are to the step
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

// A wheel that leans, and goes round: tilts far from upright and flat. The scheme is of second order: half the step, a quarter of the
// error.
TEST(RoundContacts, DiscRollsOnItsRimInACircle) {
  constexpr double r = 0.1, L = 0.02, mass = 1.5, until = 1.0;
  const Mat3 J = inertia::cylinder(mass, r, L, 2);
  struct Case {
    double tilt, precession;
  };
  for (const Case& one : {Case{1.2, 3.0}, Case{0.8, 12.0}, Case{1.45, 1.0}, Case{0.3, 30.0}}) {
    for (const Frame& frame : frames()) {
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
        errors[static_cast<std::size_t>(refined)] =
            (axis - round * steady.axis).norm() + (x - (centre + round * (start - centre))).norm() / r;
        EXPECT_EQ(seen.search.misses, 0);
        EXPECT_LT(seen.penetration, 1e-9);
      }
      EXPECT_LT(errors[1], 2e-2);
      EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.5);
    }
  }
}

// A cone on its side turns about its tip: what is on the line of contact stands still, so the axis goes round at the rate
// omega tan(alpha).
TEST(RoundContacts, ConeRollsAboutItsTip) {
  for (const Frame& frame : frames()) {
    SCOPED_TRACE(frame.scale);
    const double L = 0.3 * frame.scale, r = 0.12 * frame.scale, mass = 1.0;
    const double alpha = std::atan2(r, L), turn = 1.5, until = 2.0;
    RoundScene scene;
    scene.model.add<Surface>(
        {.name = "floor", .of = shapes::HalfSpace{}, .position = frame.x, .rotation = frame.Q});
    // The tip is at the origin, the base away along x and up; -z of the body is towards the base.
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

// A coin that leans and turns falls onto its lowest point, rolls over its rim while it goes down, claps, and lies flat: it has one contact
// first, then several. No impact gives it energy.
TEST(RoundContacts, CoinFallsFlatFromItsRim) {
  constexpr double r = 0.0375, L = 0.0064, mass = 0.22;
  for (const double spin : {0.0, 5.0, 20.0}) {
    for (const double tilt : {0.02, 0.15, 0.6}) {
      SCOPED_TRACE(fmt::format("spin {}, tilt {}", spin, tilt));
      RoundScene scene;
      scene.add_floor();
      const Mat3 R = so3::exp(Vec3(0.3 * tilt, tilt, 0));
      const double lean = std::acos(R(2, 2));
      const FrameNode coin =
          scene.add_cylinder("coin", mass, r, L,
                             {.position = {0, 0, r * std::sin(lean) + L / 2 * std::cos(lean)},
                              .rotation = R,
                              .angular_velocity = R.transpose() * Vec3(0, 0, spin)});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
      DecoupledNsga integrator = ds();
      Stepper stepper(scene.model, integrator);
      State state = stepper.start();
      EnergyAudit audit(stepper.system(), state);
      const auto energy = [&] {
        const Energies now = audit.energies(state);
        return now.kinetic + now.potential - mass * g * L / 2;
      };
      const double start = energy();
      for (int i = 0; i < 2000; ++i) {
        stepper.step(state);
        ASSERT_LE(energy(), start * (1 + 1e-3) + 1e-9) << "at " << state.time;
      }
      EXPECT_EQ(stepper.statistics().misses, 0);
      EXPECT_NEAR(state.q.position(coin).z(), L / 2, 1e-9);
      EXPECT_LT(std::hypot(state.q.rotation(coin)(0, 2), state.q.rotation(coin)(1, 2)), 1e-7);
    }
  }
}

TEST(RoundContacts, ColumnOfDrumsStands) {
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

// Nothing hinders what slides or rolls over seams.
TEST(RoundContacts, CylindersPassSeamsOfFlushTables) {
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

// Nothing outside acts: momenta stay, whatever they do to each other; restitution and friction only take energy.
TEST(RoundContacts, CollisionsInFreeFlightKeepMomenta) {
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
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  EnergyAudit audit(stepper.system(), state);
  const Momentum before = audit.momentum(state);
  const double energy = audit.energies(state).kinetic;
  int closed = 0;
  for (int i = 0; i < 1200; ++i) {
    closed += stepper.step(state).closed_contacts;
    ASSERT_LE(audit.energies(state).kinetic, energy * (1 + 1e-5));
  }
  EXPECT_GT(closed, 2);
  const Momentum after = audit.momentum(state);
  const double unit = before.linear.norm() + before.angular.norm() + 10;
  EXPECT_LT((after.linear - before.linear).norm(), 1e-8 * unit);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-4 * unit);  // the order of the scheme
  EXPECT_EQ(stepper.statistics().misses, 0);
}

/// Points on a body and a function that is negative inside, without the code of contacts.
struct Sampled {
  FrameNode node;
  std::vector<Vec3> points;
  std::function<double(const Vec3&)> outside;  // distance to the surface from inside is -outside or less
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
TEST(RoundContacts, MixedHeapPenetratesNowhere) {
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
}  // namespace picus::round_contacts_test
