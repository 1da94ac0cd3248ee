// Equilibria against closed forms.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <support/bodies.hpp>
#include <support/guides.hpp>
#include <support/random.hpp>
#include <support/result_reader.hpp>
#include <support/rods.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

namespace picus {
namespace {

using support::Rod;
using support::Spring;
using testing::ElementsAre;

/// Forces are in equilibrium to 1e-8 of their size by default; in what follows the stiffness is of the order of force
/// over length.
constexpr double balanced = 1e-7;

/// A spring of natural length l along x from the origin to a massless node that is otherwise free.
struct Pull {
  explicit Pull(double force, double stiffness = 10.0) : model("pull") {
    const PointNode wall = model.add_point("wall");
    tip = model.add_point("tip", {.position = {1, 0, 0}});
    model.fix(wall);
    model.fix(tip, {Component::y, Component::z});
    model.add<Spring>({.name = "spring", .a = wall, .b = tip, .stiffness = stiffness});
    model.add<NodalForce>({.name = "pull", .point = tip, .force = Vec3(force, 0, 0)});
  }
  Model model;
  PointNode tip;
};

TEST(StaticEquilibrium, StretchesASpringWithoutAnyMass) {
  // e = (x^2 - 1)/2, k e x = F: at F = 60, k = 10 the root is x^3 - x = 12.
  const Pull pull(60.0);
  const System system(pull.model);
  const State state = find_equilibrium(system);
  const double x = state.q.position(pull.tip).x();
  EXPECT_NEAR(x * x * x - x, 12.0, balanced * 12);
  EXPECT_EQ(state.v.norm(), 0.0);
  EXPECT_NEAR(state.time, 1.0, 1e-12);
  EXPECT_NEAR(state.reaction[0], -60.0, balanced * 60);  // the wall holds the pulling force
}

TEST(StaticEquilibrium, RecordsEveryIncrementWithTheLoadFactorAsTime) {
  const support::ScratchFolder folder;
  const Pull pull(60.0);
  StaticEquilibrium statics({.increments = 4});
  Hdf5Recorder recorder(folder / "pull.h5");
  const RunSummary summary = simulate(pull.model, statics, {.until = 1.0}, {&recorder});
  EXPECT_EQ(summary.steps, 4);
  EXPECT_EQ(summary.subproblems[0].name, "static");
  const support::ResultReader result(folder / "pull.h5");
  EXPECT_THAT(result.numbers("time"), ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0));
  const std::vector<double> x = result.numbers("nodes/tip/position");
  for (std::size_t i = 0; i <= 4; ++i) {
    const double at = x[3 * i];
    EXPECT_NEAR(at * at * at - at, 3.0 * static_cast<double>(i), 12 * balanced);
  }
  EXPECT_EQ(result.text("/", "integrator"), "static");
  for (const char* const axis : {"time", "VTKHDF/Steps/Values"}) EXPECT_EQ(result.text(axis, "unit"), "1");
  EXPECT_EQ(result.text("time", "description"),
            "load factors of the records; as many as there are complete records");
  EXPECT_EQ(result.text("VTKHDF/Steps/Values", "description"),
            "load factors of the pictures; as many as there are complete pictures");
  EXPECT_THAT(result.shape("solver/fallbacks"), ElementsAre(5, 1));
  EXPECT_THAT(result.text("solver/fallbacks", "description"), testing::StartsWith("step cut: "));
}

TEST(StaticEquilibrium, SpeaksOfLoadFactorsWhereARunSpeaksOfTimes) {
  const Pull pull(60.0);
  const auto message = [&](const SimulationOptions& options) {
    StaticEquilibrium statics({.increments = 4});
    try {
      simulate(pull.model, statics, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::atomic<bool> stop = true;
  EXPECT_EQ(message({.stop_request = &stop}), "interrupted at load factor 0");
  EXPECT_EQ(message({.until = -1.0}), "the final load factor is -1, must be positive and finite");
  EXPECT_EQ(message({.until = 1e300}), "1e+300 in steps of 0.25 are more steps than can be counted");
}

TEST(StaticEquilibrium, LetsAPendulumSwingDownFromTheHorizontal) {
  // Without load there is no stiffness at all, and Newton's method alone cannot start.
  Model model("pendulum");
  const PointNode pivot = model.add_point("pivot");
  const PointNode bob = model.add_point("bob", {.position = {2, 0, 0}});
  model.fix(pivot);
  const auto mass = model.add<PointMass>({.name = "mass", .node = bob, .mass = 3.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {mass->mass_point()}});
  model.add<Rod>({.name = "rod", .a = pivot, .b = bob, .length = 2.0});
  const System system(model);
  const State state = find_equilibrium(system);
  EXPECT_LT((state.q.position(bob) - Vec3(0, -2, 0)).norm(), 1e-6);
  EXPECT_NEAR(state.constraint_force[0], -30.0, 30 * balanced);  // tension from the weight
}

/// A bar on two strings from positions that do not satisfy them: tensions and weight balance in every number of
/// increments, or there is an error (without load the bar may turn freely, which refuses a tenth of the positions).
TEST(StaticEquilibrium, BalancesABarOnStringsFromPositionsThatViolateThem) {
  const Vec3 P = Vec3::Zero(), Q(1.3, 0.4, 0.2), weight(0, 0, -19.62);
  support::Random random(3);
  int found = 0;
  for (int i = 0; i < 100; ++i) {
    Model model("trapeze");
    const FrameNode bar = model.add_frame(
        "bar", {.position = Vec3(0.5, 0.3, -1.0) + random.vec3(0.3), .rotation = so3::exp(random.vec3(0.5))});
    const auto body = model.add<RigidBody>({.name = "body",
                                            .node = bar,
                                            .mass = 2.0,
                                            .inertia = inertia::box(2.0, {1, 0.1, 0.1}),
                                            .centre_of_mass = {-0.15, 0.02, 0.03}});
    model.add<DistanceJoint>(
        {.name = "left string", .a = MaterialPoint::on_ground(P), .b = {bar, {-0.5, 0, 0}}, .length = 0.8});
    model.add<DistanceJoint>(
        {.name = "right string", .a = MaterialPoint::on_ground(Q), .b = {bar, {0.5, 0, 0}}, .length = 1.1});
    model.add<Gravity>({.name = "gravity", .acceleration = weight / 2.0, .bodies = {body->mass_point()}});
    const System system(model);
    try {
      const State state = find_equilibrium(system, {.increments = 1 + i % 20});
      const Vec3 x = state.q.position(bar), arm = 0.5 * state.q.rotation(bar).col(0);
      const Vec3 forces = state.constraint_force[0] * (x - arm - P).normalized() +
                          state.constraint_force[1] * (x + arm - Q).normalized() + weight;
      EXPECT_LT(forces.norm(), 1e-6 * weight.norm()) << i;
      ++found;
    } catch (const SolverError&) {
    }
  }
  EXPECT_GE(found, 80);
}

/// Rounding errors of the positions of a slender strip, times its shear stiffness, act on its moments: far from the
/// origin, and along no axis, they are a thousand times those of the angles.
TEST(StaticEquilibrium, StretchesSlenderStripsInAnyPlaceAndDirection) {
  constexpr double L = 2.0, E = 2e11;
  for (const Vec3& origin : {Vec3(0, 0, 0), Vec3(3, 4, 5)}) {
    for (const double t : {3e-3, 1e-3}) {
      for (const double part : {0.5, 0.1, -0.5}) {
        const Vec3 along = Vec3(1, 2, -0.5).normalized();
        Model model("strip");
        const auto strip =
            make_beam(model, {.name = "strip",
                              .section = Section::rectangle(t, 2 * t, {.E = E, .nu = 0.3, .density = 7800}),
                              .from = origin,
                              .to = Vec3(origin + L * along),
                              .elements = 80,
                              .orientation = Vec3(0, 0, 1)});
        model.fix(strip.first());
        const double EI = E * 2 * std::pow(t, 4) / 12, EA = E * 2 * t * t;
        const double force = part * std::pow(std::numbers::pi / 2, 2) * EI / (L * L);  // of the buckling load
        model.add<NodalForce>({.name = "force", .point = strip.last(), .force = Vec3(-force * along)});
        const State state = find_equilibrium(System(model));
        const double change = (state.q.position(strip.last()) - origin).norm() - L;
        EXPECT_NEAR(change, -force * L / EA, 1e-3 * std::abs(force) * L / EA) << origin.x() << " " << t;
      }
    }
  }
}

TEST(StaticEquilibrium, ClosesConstraintsThatTheStartViolates) {
  Model model("bar");
  const PointNode a = model.add_point("a");
  const PointNode b = model.add_point("b", {.position = {1.2, 0.1, 0}});
  const PointNode c = model.add_point("c", {.position = {1, -1, 0}});
  model.fix(a);
  model.fix(c);
  model.fix(b, {Component::z});
  model.add<Rod>({.name = "rod", .a = a, .b = b, .length = 1.0});
  model.add<Spring>({.name = "spring", .a = c, .b = b, .stiffness = 5.0});
  const System system(model);
  StaticEquilibrium statics;
  const State state = statics.start(system);
  EXPECT_NEAR(state.q.position(b).norm(), 1.0, 1e-10);
  // The spring force is zero where both lengths are 1: b lies at (1, 0) or at the other intersection of the circles.
  EXPECT_NEAR((state.q.position(b) - Vec3(1, 0, 0)).norm(), 0.0, 1e-6);
}

TEST(StaticEquilibrium, FollowsDrivenComponentsAndMovingConstraints) {
  // In a row of three equal springs the ends are displaced: one as a component, one by a constraint.
  Model model("row");
  std::vector<PointNode> nodes;
  for (int i = 0; i < 4; ++i) {
    nodes.push_back(model.add_point("node[" + std::to_string(i) + "]", {.position = Vec3(i, 0, 0)}));
    if (i > 0 && i < 3) model.fix(nodes.back(), {Component::y, Component::z});
  }
  model.fix(nodes[0], {Component::y, Component::z});
  model.fix(nodes[3], {Component::y, Component::z});
  model.drive(nodes[0], Component::x, PrescribedMotion::constant_speed(-0.3));
  model.add<support::LedCoordinate>(
      {.name = "leader",
       .point = nodes[3],
       .motion = {.displacement = [](double t) { return 3 + 0.6 * t; }, .rate = [](double) { return 0.6; }}});
  for (std::size_t i = 0; i < 3; ++i) {
    model.add<Spring>(
        {.name = "spring " + std::to_string(i), .a = nodes[i], .b = nodes[i + 1], .stiffness = 7.0});
  }
  const double l = 1.3;  // of each spring at the end: 3.9 in all
  const double tension = 7.0 * (l * l - 1) / 2 * l;
  StaticEquilibrium statics({.increments = 5});
  const RunSummary summary = simulate(model, statics, {.until = 1.0});
  const State& state = summary.final_state;
  EXPECT_NEAR(state.q.position(nodes[1]).x(), -0.3 + l, balanced);
  EXPECT_NEAR(state.q.position(nodes[2]).x(), -0.3 + 2 * l, balanced);
  EXPECT_NEAR(state.reaction[0], -tension, balanced * tension);
  EXPECT_NEAR(std::abs(state.constraint_force[0]), tension, balanced * tension);
}

TEST(StaticEquilibrium, LoadsThatAreNotRampedActFromTheStart) {
  const Pull pull(60.0);
  const System system(pull.model);
  StaticEquilibrium statics({.ramp_loads = false});
  const State state = statics.start(system);
  const double x = state.q.position(pull.tip).x();
  EXPECT_NEAR(x * x * x - x, 12.0, balanced * 12);
  EXPECT_EQ(state.load_factor, 1.0);
}

TEST(StaticEquilibrium, RelativeEquilibriumInARotatingFrame) {
  // k e x = m w^2 x with e = (x^2 - l^2)/(2 l): x^2 = l^2 + 2 l m w^2/k, l = 1.
  Model model("sling");
  const PointNode hub = model.add_point("hub");
  const PointNode stone = model.add_point("stone", {.position = {1, 0, 0}});
  model.fix(hub);
  model.fix(stone, {Component::y});
  model.add<PointMass>({.name = "mass", .node = stone, .mass = 2.0});
  model.add<Spring>({.name = "cord", .a = hub, .b = stone, .stiffness = 100.0});
  const System system(model);
  const State state = find_equilibrium(system, {.angular_velocity = Vec3(0, 0, 5)});
  EXPECT_NEAR(state.q.position(stone).squaredNorm(), 1 + 2 * 2.0 * 25 / 100, 1e-6);
}

TEST(StaticEquilibrium, RelativeEquilibriumOfARigidBodyOnAHinge) {
  // A rod hangs from a hinge at the radius a of a shaft that rotates at w: with its centre at c, inertia m k^2 about
  // the centre (a thin rod) and the angle s from the vertical, m w^2 (a + c sin s) c cos s + J w^2 sin s cos s = m g
  // c sin s.
  const double a = 0.5, c = 0.4, m = 2.0, J = 0.1, w = 4.0, g = 9.81;
  Model model("governor");
  const FrameNode shaft = model.add_frame("shaft");
  const FrameNode rod = model.add_frame("rod", {.position = {a, 0, -c}});
  model.fix(shaft);
  const auto body = model.add<RigidBody>(
      {.name = "body", .node = rod, .mass = m, .inertia = Vec3(J, J, 1e-9).asDiagonal()});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, 0, -g}, .bodies = {body->mass_point()}});
  model.add<Hinge>(
      {.name = "hinge", .a = {shaft, Vec3(a, 0, 0)}, .b = {rod, Vec3(0, 0, c)}, .axis = Vec3::UnitY()});
  const System system(model);
  const State state = find_equilibrium(system, {.angular_velocity = Vec3(0, 0, w)});
  const Vec3 x = state.q.position(rod);
  const double sine = (x.x() - a) / c;
  const double cosine = -x.z() / c;
  EXPECT_NEAR(sine * sine + cosine * cosine, 1.0, 1e-10);
  EXPECT_GT(sine, 0.1);
  EXPECT_NEAR(m * w * w * x.x() * c * cosine + J * w * w * sine * cosine, m * g * c * sine, 1e-6);
}

/// The defect of the energy balance when a cubic spring is pulled in `increments`.
double energy_defect(int increments) {
  Model model("cubic");
  const ScalarNode s = model.add_scalar("s");
  const PointNode bob = model.add_point("bob", {.position = {1, 0, 0}});
  model.fix(bob, {Component::y, Component::z});
  const PointNode wall = model.add_point("wall");
  model.fix(wall);
  model.add<support::Oscillator>({.name = "spring", .node = s, .stiffness = 1.0, .cubic = 2.0});
  model.add<ScalarLoad>({.name = "load", .node = s, .load = 5.0});
  const auto mass = model.add<PointMass>({.name = "mass", .node = bob, .mass = 2.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {9, 0, 0}, .bodies = {mass->mass_point()}});
  model.add<Spring>({.name = "cord", .a = wall, .b = bob, .stiffness = 20.0});
  StaticEquilibrium statics({.increments = increments});
  const Energies energies = simulate(model, statics, {.until = 1.0}).energies;
  EXPECT_EQ(energies.kinetic, 0.0);
  return std::abs(energies.balance);
}

TEST(StaticEquilibrium, BalancesTheEnergyUpToTheTrapezoidalRule) {
  const double coarse = energy_defect(20);
  const double fine = energy_defect(40);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(coarse / fine, 4.0, 0.3);  // second order
}

TEST(StaticEquilibrium, ManyMasslessSpringsInAStraightRow) {
  // A cord of n massless springs with a weight at each node, suspended at both ends and initially slack: a mechanism
  // stiffened only by its load. Each support carries half of the weight.
  Model model("cord");
  const int n = 20;
  std::vector<PointNode> nodes;
  for (int i = 0; i <= n; ++i) {
    nodes.push_back(model.add_point("node[" + std::to_string(i) + "]", {.position = Vec3(i, 0, 0)}));
    if (i == 0 || i == n) {
      model.fix(nodes.back());
      continue;
    }
    model.fix(nodes.back(), {Component::z});
    model.add<NodalForce>(
        {.name = "weight " + std::to_string(i), .point = nodes.back(), .force = Vec3(0, -1, 0)});
  }
  for (std::size_t i = 0; i < n; ++i) {
    model.add<Spring>(
        {.name = "spring " + std::to_string(i), .a = nodes[i], .b = nodes[i + 1], .stiffness = 1e4});
  }
  const System system(model);
  const State state = find_equilibrium(system);
  EXPECT_NEAR(state.reaction[nodes[0].v + 1], (n - 1) / 2.0, 1e-5);
  EXPECT_NEAR(state.reaction[nodes[n].v + 1], (n - 1) / 2.0, 1e-5);
  for (std::size_t i = 0; i <= n; ++i) {  // symmetric
    EXPECT_NEAR(state.q.position(nodes[i]).y(), state.q.position(nodes[n - i]).y(), 1e-6);
  }
  EXPECT_LT(state.q.position(nodes[n / 2]).y(), -0.1);
}

}  // namespace
}  // namespace picus
