/// Contacts, joints and prescribed motions that overconstrain a body: consistent rows are shared without a remedy,
/// and for contradictory ones the least violation in the mass metric remains.

#include "boxes.hpp"
#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>
#include <picus/error.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/fallbacks.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

namespace picus::conflicts_test {
namespace {

constexpr double h = 1e-3;
constexpr double speed = 0.1;
constexpr double clearance = 1e-3;
constexpr Ball ball{2.0, 0.1};

/// Bodies between walls that move along x.
struct Walls : Scene {
  /// A wall with its middle at x; its thickness is 0.1.
  FrameNode add_wall(const std::string& name, double x, const std::optional<PrescribedMotion>& motion) {
    const FrameNode node = model.add_frame(name, {.position = {x, 0, 0}});
    model.fix(node, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
    if (motion) {
      model.drive(node, Component::x, *motion);
    } else {
      model.fix(node);
    }
    model.add<Surface>({.name = name, .of = shapes::Box{{0.1, 1, 1}}, .on = node});
    return node;
  }
  /// Both walls, so that bodies from x = 0 to `length` have the clearance on each side.
  void add_walls(double length, const PrescribedMotion& left) {
    add_wall("left", -0.05 - clearance, left);
    add_wall("right", length + 0.05 + clearance, std::nullopt);
  }
};

int count_of(const StepReport& report, Fallback fallback) {
  return report.fallbacks[place_of(fallback)];
}

class Conflicts : public testing::TestWithParam<const char*> {};

// Once the left wall has closed both clearances, the overlap D is shared evenly: the ball moves at half the speed of
// the wall, and no contact is lost.
TEST_P(Conflicts, ABallBetweenClosingWallsIsInTheMiddle) {
  Walls scene;
  scene.add_walls(2 * ball.radius, PrescribedMotion::constant_speed(speed));
  scene.add_ball("ball", ball, {.position = {ball.radius, 0, 0}});
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  const auto integrator = make_integrator(GetParam(), {.step = h});
  const double closed = 2 * clearance / speed;
  constexpr double until = 0.1;
  int left_open = 0;
  const Seen seen =
      run(scene, *integrator, until, [&](const Stepper&, const State& state, const StepReport& report) {
        left_open += count_of(report, Fallback::smallest_feasible_shift);
        EXPECT_EQ(report.accepted_residual, 0.0);
        if (state.time < closed - 2 * h) {
          EXPECT_EQ(count_of(report, Fallback::smallest_feasible_shift), 0);
        } else if (state.time > closed + 2 * h) {
          EXPECT_NEAR(velocity(state, scene.bodies[0]).x(), speed / 2, 1e-6);
        }
      });
  EXPECT_GE(left_open, static_cast<int>((until - closed) / h) - 2);
  const double D = speed * until - 2 * clearance;
  // Schemes at velocity level close the gaps to within the motion of one step.
  EXPECT_NEAR(seen.penetration, D / 2, speed * h / 2);
  EXPECT_NEAR(seen.state.q.position(scene.bodies[0]).x(), ball.radius + clearance + D / 2, speed * h / 2);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Conflicts,
                         testing::Values("ds", "dsn", "ds-np", "ds-a", "cs", "chen", "newmark", "hht",
                                         "newmark-implicit", "moreau-jean", "mixed:base=bathe",
                                         "mixed:base=generalized-alpha"));

// min sum k_i s_i^2 with sum s_i = D: s_i ~ 1 / k_i, and 1 / k of a contact is the sum of 1 / m over the bodies it
// moves.
TEST(ConflictingRows, AreViolatedByTheirEffectiveMasses) {
  const std::array<double, 3> masses = {1.0, 5.0, 0.5};
  Walls scene;
  scene.add_walls(6 * ball.radius, PrescribedMotion::constant_speed(speed));
  for (int i = 0; i < 3; ++i) {
    scene.add_ball("ball " + std::to_string(i), {masses[static_cast<std::size_t>(i)], ball.radius},
                   {.position = {(2 * i + 1) * ball.radius, 0, 0}});
  }
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator({.step = h});
  constexpr double until = 0.05;
  const State state = run(scene, integrator, until).state;
  const double D = speed * until - 2 * clearance;
  const std::array compliances = {1 / masses[0], 1 / masses[0] + 1 / masses[1], 1 / masses[1] + 1 / masses[2],
                                  1 / masses[2]};
  double sum = 0;
  for (const double one : compliances) sum += one;
  double right = 6 * ball.radius + clearance;  // the inner face of the right wall
  for (std::size_t i = 3; i-- > 0;) {
    const double x = state.q.position(scene.bodies[i]).x();
    EXPECT_NEAR(x + ball.radius - right, D * compliances[i + 1] / sum, 1e-5 * D) << i;
    right = x - ball.radius;
  }
}

// The weld has the effective mass of the ball, and so has the contact, which without the weld could not move.
TEST(ConflictingRows, AJointGivesWayAsAContactDoes) {
  Walls scene;
  const FrameNode ram = scene.add_wall("ram", -0.05, PrescribedMotion::constant_speed(speed));
  scene.add_wall("stop", 2 * ball.radius + 0.05 + clearance, std::nullopt);
  scene.add_ball("ball", ball, {.position = {ball.radius, 0, 0}});
  const FrameNode node = scene.bodies[0];
  scene.model.add<FixedJoint>(
      {.name = "weld", .a = {ram, Vec3(0.05 + ball.radius, 0, 0)}, .b = {node, Vec3::Zero()}});
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  DecoupledNsga integrator({.step = h});
  constexpr double until = 0.05;
  const Seen seen = run(scene, integrator, until);
  const double D = speed * until - clearance;
  EXPECT_NEAR(seen.penetration, D / 2, 1e-5 * D);
  EXPECT_NEAR(seen.state.q.position(node).x(), ball.radius + clearance + D / 2, 1e-5 * D);
}

// A press between bodies without any freedom moves as prescribed, beside a ball that falls undisturbed.
TEST(ConflictingRows, APrescribedMotionGoesOnIntoAWall) {
  Walls scene;
  scene.add_walls(0.0, PrescribedMotion::constant_speed(speed));
  scene.add_ball("ball", ball, {.position = {0, 0, 3}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator({.step = h});
  int left_open = 0;
  const Seen seen = run(scene, integrator, 0.1, [&](const Stepper&, const State&, const StepReport& report) {
    left_open += count_of(report, Fallback::smallest_feasible_shift);
  });
  EXPECT_NEAR(seen.penetration, speed * 0.1 - 2 * clearance, 1e-12);
  EXPECT_GT(left_open, 0);
  EXPECT_NEAR(velocity(seen.state, scene.bodies[0]).z(), -g * 0.1, 1e-9);
}

// When the walls have opened again no trace of the conflict remains.
TEST(ConflictingRows, AreForgottenWhenTheyAgreeAgain) {
  constexpr double amplitude = 1.5e-3, omega = 20.0;
  PrescribedMotion motion;
  motion.displacement = [](double t) { return amplitude * (1 - std::cos(omega * t)); };
  motion.rate = [](double t) { return amplitude * omega * std::sin(omega * t); };
  Walls scene;
  scene.add_walls(2 * ball.radius, motion);
  scene.add_ball("ball", ball, {.position = {ball.radius, 0, 0}});
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator({.step = h});
  double late = 0, early = 0;
  const Seen seen =
      run(scene, integrator, 0.3, [&](const Stepper&, const State& state, const StepReport& report) {
        (state.time < 0.25 ? early : late) += count_of(report, Fallback::smallest_feasible_shift);
      });
  EXPECT_NEAR(seen.penetration, (2 * amplitude - 2 * clearance) / 2, 1e-3 * clearance);
  EXPECT_GT(early, 0);
  EXPECT_EQ(late, 0);
  EXPECT_LE(velocity(seen.state, scene.bodies[0]).norm(), amplitude * omega);
}

TEST(ConflictingRows, AreToldAndCanBeRefused) {
  Walls scene;
  scene.add_walls(2 * ball.radius, PrescribedMotion::constant_speed(speed));
  scene.add_ball("ball", ball, {.position = {ball.radius, 0, 0}});
  scene.model.add<ContactsBetween>({.name = "all"});
  DecoupledNsga integrator({.step = h});
  const RunSummary summary = simulate(scene.model, integrator, {.until = 0.05});
  const auto place = place_of(Fallback::smallest_feasible_shift);
  EXPECT_EQ(summary.fallback_names[place], "least violation");
  EXPECT_GE(summary.fallbacks[place], 25);
  EXPECT_NEAR(summary.worst_penetration, 1.5e-3, 1e-6);
  EXPECT_THAT(summary.warnings,
              testing::ElementsAre(testing::AllOf(testing::HasSubstr("steps were hard to solve"),
                                                  testing::HasSubstr("contact \"all: ball on "))));
  DecoupledNsga strict({.step = h, .fallbacks = {.smallest_feasible_shift = false}});
  EXPECT_THAT(support::message_of<SolverError>([&] { simulate(scene.model, strict, {.until = 0.05}); }),
              testing::AllOf(testing::HasSubstr("the position sub-problem was not solved"),
                             testing::EndsWith("; contacts cannot stop what is driven: x of node \"left\"")));
}

/// Four columns of balls in a box, which a plate crushes from above.
struct Press {
  int layers;
  double mu;
  double step;
  double speed;   ///< of the plate
  double radius;  ///< of the balls
  double offset;  ///< by which balls are out of line, radii
  const char* scheme = "ds";
};

std::ostream& operator<<(std::ostream& out, const Press& press) {
  return out << press.layers << " layers, mu " << press.mu << ", h " << press.step << ", speed "
             << press.speed << ", radius " << press.radius << ", offset " << press.offset << ", "
             << press.scheme;
}

class Crushed : public testing::TestWithParam<Press> {
 protected:
  static constexpr double width_in_radii = 13.0 / 3;

  /// The plate is at `top` first.
  FrameNode build(Scene& scene, double top) const {
    const Press& press = GetParam();
    const double r = press.radius;
    const double w = width_in_radii * r;
    scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
    const double thickness = 4 * r;
    const auto add_wall = [&](const std::string& name, const Vec3& size, const Vec3& x) {
      scene.model.add<Surface>({.name = name, .of = shapes::Box{size}, .position = x});
    };
    const double height = 20 * r;
    for (const int side : {-1, 1}) {
      const std::string name = side < 0 ? " behind" : " in front";
      const double at = side * (w + thickness) / 2;
      add_wall("wall x" + name, {thickness, 4 * w, height}, {at, 0, height / 2 - r});
      add_wall("wall y" + name, {0.99 * w, thickness, height}, {0, at, height / 2 - r});
    }
    const FrameNode plate = scene.model.add_frame("plate", {.position = {0, 0, top + thickness / 2}});
    using enum Component;
    scene.model.fix(plate, {x, y, rx, ry, rz});
    scene.model.drive(plate, z, PrescribedMotion::constant_speed(-press.speed));
    scene.model.add<Surface>(
        {.name = "plate", .of = shapes::Box{{0.99 * w, 0.99 * w, thickness}}, .on = plate});
    const double mass = 7400 * r * r * r;
    for (int i = 0; i < 4 * press.layers; ++i) {
      const double middle = 1.045 * r;
      const Vec3 place((i % 2 == 0 ? -1 : 1) * middle + press.offset * r * (i % 5),
                       (i / 2 % 2 == 0 ? -1 : 1) * middle - press.offset * r * (i % 4),
                       r * (1.02 + 2.02 * (i / 4)));
      scene.add_ball("ball " + std::to_string(i), {mass, r}, {.position = place});
    }
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = press.mu});
    return plate;
  }
};

// The plate moves on, and the columns yield by no more than straight ones, whose contacts share the overlap as
// 1 : 2 : ... : 2 : 1. No residual is accepted above its tolerance, and no ball leaves the box.
TEST_P(Crushed, ColumnsGiveWayByTheLeast) {
  const Press& press = GetParam();
  const double r = press.radius;
  const double height = 2 * r * press.layers;
  const double overlap = 0.05 * r;
  const double top = height + 0.3 * r;
  Scene scene;
  const FrameNode plate = build(scene, top);
  const auto integrator = make_integrator(press.scheme, {.step = press.step});
  const double until = press.step * std::ceil((top - height + overlap) / press.speed / press.step);
  int left_open = 0;
  double accepted = 0;
  const Seen seen =
      run(scene, *integrator, until, [&](const Stepper&, const State&, const StepReport& report) {
        left_open += count_of(report, Fallback::smallest_feasible_shift);
        accepted = std::max(accepted, report.accepted_residual);
      });
  const double bottom = seen.state.q.position(plate).z() - 2 * r;
  EXPECT_NEAR(bottom, top - press.speed * until, 1e-12);
  EXPECT_EQ(accepted, 0.0);
  const double D = height - bottom;
  EXPECT_LE(seen.penetration, 1.01 * D / std::max(press.layers, 2));
  if (press.offset == 0) {
    EXPECT_GT(left_open, 0);
    EXPECT_NEAR(seen.penetration, D / std::max(press.layers, 2), 0.01 * D);
  }
  const double reach = (width_in_radii / 2 - 1) * r + D;
  for (const FrameNode& body : scene.bodies) {
    const Vec3& x = seen.state.q.position(body);
    EXPECT_LE(std::max(std::abs(x.x()), std::abs(x.y())), reach);
    EXPECT_GE(x.z(), r - D);
    EXPECT_LE(x.z(), bottom - r + D);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Balls, Crushed,
    testing::Values(Press{1, 0.0, 1e-3, 0.2, 0.03, 0.0}, Press{2, 0.3, 1e-3, 0.2, 0.03, 0.0},
                    Press{3, 0.3, 1e-3, 0.2, 0.03, 0.0}, Press{3, 0.3, 4e-3, 0.2, 0.03, 7e-3},
                    Press{2, 0.8, 1e-3, 0.1, 0.02, 1e-2}, Press{4, 0.5, 4e-3, 0.2, 0.03, 0.0},
                    Press{3, 0.8, 4e-3, 0.2, 0.03, 7e-3}, Press{3, 0.5, 4e-3, 0.2, 0.02, 1e-2},
                    Press{4, 0.8, 4e-3, 0.2, 0.03, 2e-2}, Press{3, 0.1, 2e-3, 0.2, 0.05, 1e-2},
                    Press{3, 0.3, 4e-3, 0.2, 0.03, 7e-3, "cs"}));

/// A box on another one with a given part of its mass.
struct Stack {
  const char* scheme;
  double ratio;
  double step;
};

std::ostream& operator<<(std::ostream& out, const Stack& stack) {
  return out << stack.scheme << ", ratio " << stack.ratio << ", h " << stack.step;
}

class HeavyOnLight : public testing::TestWithParam<Stack> {
 protected:
  static constexpr double mu = 0.3;

  /// Gaps of `drop` below both.
  Scene build(double drop, double speed_below, double speed_above) const {
    Scene scene;
    scene.add_floor();
    const auto add = [&](const std::string& name, double mass, const Vec3& size, const Vec3& x, double v) {
      const FrameNode node =
          scene.add_body(name, mass, inertia::box(mass, size), {.position = x, .velocity = {v, 0, 0}});
      scene.model.add<Surface>({.name = name, .of = shapes::Box{size}, .on = node});
    };
    add("light", 1.0, {0.2, 0.3, 0.1}, {0, 0, 0.05 + drop}, speed_below);
    add("heavy", GetParam().ratio, {0.15, 0.2, 0.1}, {0.01, 0.02, 0.15 + 2 * drop}, speed_above);
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
    return scene;
  }
};

// The floor holds the light one as long as friction does: the heavy one slides by v^2 / (2 mu g).
TEST_P(HeavyOnLight, SlidesToAStop) {
  constexpr double v = 0.3;
  const Scene scene = build(0.0, 0.0, v);
  const auto integrator = make_integrator(GetParam().scheme, {.step = GetParam().step});
  const Seen seen = run(scene, *integrator, 0.2);
  EXPECT_LE(seen.penetration, 1e-9);
  EXPECT_LE(std::abs(seen.state.q.position(scene.bodies[0]).x()), 1e-9);
  // In its first and last steps friction acts for a part of the step.
  EXPECT_NEAR(seen.state.q.position(scene.bodies[1]).x() - 0.01, v * v / (2 * mu * g), v * GetParam().step);
  EXPECT_LE(seen.state.v.norm(), 1e-8);
}

// Dropped while both slide, they penetrate nowhere and gain no energy.
TEST_P(HeavyOnLight, IsNotDriven) {
  const Scene scene = build(1e-3, 0.5, 1.0);
  const auto integrator = make_integrator(GetParam().scheme, {.step = GetParam().step});
  const auto energy = [&](const State& state) {
    double sum = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Vec3 v = velocity(state, scene.bodies[i]);
      sum += scene.masses[i].mass * (v.squaredNorm() / 2 + g * state.q.position(scene.bodies[i]).z());
    }
    return sum;
  };
  double last = std::numeric_limits<double>::infinity();
  const Seen seen =
      run(scene, *integrator, 0.15, [&](const Stepper&, const State& state, const StepReport& report) {
        EXPECT_EQ(report.accepted_residual, 0.0);
        const double now = energy(state);
        EXPECT_LE(now, last * (1 + 1e-9)) << state.time;
        last = now;
      });
  EXPECT_LE(seen.penetration, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Boxes, HeavyOnLight,
                         testing::Values(Stack{"ds", 1e4, 1e-2}, Stack{"ds", 1e5, 1e-2},
                                         Stack{"ds", 1e6, 1e-2}, Stack{"ds", 1e6, 2e-3},
                                         Stack{"dsn", 1e6, 5e-3}, Stack{"dsn", 1e4, 1e-2}));

// Consistent rows need no remedy: a rod on a hinge that lies on a peg at `arm` from it. Friction at the peg passes
// through the hinge, which can carry it: the normal force is m g / 2 divided by the arm.
TEST(RedundantRows, OfAHingeAndAStickingContactAreShared) {
  constexpr double length = 1.0, thickness = 0.1, arm = 0.9;
  for (const double mu : {0.0, 0.5}) {
    for (const char* scheme : {"ds", "cs", "newmark", "moreau-jean", "mixed:base=bathe"}) {
      SCOPED_TRACE(std::string(scheme) + ", mu " + std::to_string(mu));
      Scene scene;
      scene.model.add<Surface>({.name = "peg", .of = shapes::Ball{0.05}, .position = {arm, 0, -0.05}});
      scene.add_box("rod", {length, thickness, thickness},
                    {.position = {length / 2, 0, thickness / 2}, .velocity = {0, 0, 0}});
      scene.model.add<Hinge>({.name = "hinge",
                              .a = MaterialPoint::on_ground(Vec3::Zero()),
                              .b = {scene.bodies[0], Vec3(-length / 2, 0, -thickness / 2)},
                              .axis = {0, 1, 0}});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
      const auto integrator = make_integrator(scheme, {.step = h});
      const Seen seen = run(scene, *integrator, 0.1);
      const double normal = scene.masses[0].mass * g * length / 2 / arm;
      EXPECT_EQ(seen.fallbacks, 0);
      EXPECT_LE(seen.state.v.norm(), 1e-9);
      EXPECT_NEAR(seen.state.contact_impulse[0] / h, normal, 1e-6 * normal);
    }
  }
}

// A belt pulls with mu m g at a block held by a vertical guide: the contact slips, and the guide carries the force.
TEST(RedundantRows, OfAGuideAndABeltLetTheContactSlip) {
  constexpr double mu = 0.3, side = 0.2;
  Scene scene;
  const FrameNode belt = scene.model.add_frame("belt", {.position = {0, 0, -0.05}});
  scene.model.fix(belt, {Component::y, Component::z, Component::rx, Component::ry, Component::rz});
  scene.model.drive(belt, Component::x, PrescribedMotion::constant_speed(0.5));
  scene.model.add<Surface>({.name = "belt", .of = shapes::Box{{10, 1, 0.1}}, .on = belt});
  scene.add_box("block", {side, side, side}, {.position = {0, 0, side / 2}});
  const FrameNode node = scene.bodies[0];
  scene.model.add<PrismaticJoint>({.name = "guide",
                                   .a = MaterialPoint::on_ground(Vec3(0, 0, side / 2)),
                                   .b = {node, Vec3::Zero()},
                                   .axis = {0, 0, 1}});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = mu});
  const double weight = scene.masses[0].mass * g;
  for (const char* scheme : {"ds", "cs", "newmark", "moreau-jean", "mixed:base=bathe"}) {
    SCOPED_TRACE(scheme);
    const auto integrator = make_integrator(scheme, {.step = h});
    const Seen seen = run(scene, *integrator, 0.1);
    double normal = 0, friction = 0;
    Vector P = seen.state.contact_impulse / h;
    for (Index row = 0; row + 2 < P.size(); row += 3) {
      normal += P[row];
      friction += P.segment<2>(row + 1).norm();
    }
    EXPECT_EQ(seen.fallbacks, 0);
    EXPECT_NEAR(normal, weight, 1e-6 * weight);
    EXPECT_NEAR(friction, mu * weight, 1e-6 * weight);
    EXPECT_LE(velocity(seen.state, node).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace picus::conflicts_test
