// Equilibria with contact and friction.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <support/message.hpp>
#include <support/rods.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace picus {
namespace {

using support::Spring;
using testing::HasSubstr;

constexpr double g = 10.0;

/// A block of 2 kg, 0.4 m wide and 0.2 m high, above the ground y = 0, with a contact at each lower corner.
struct Block {
  Block(double gap, double mu, const Vec3& push = Vec3::Zero()) : model("block") {
    node = model.add_frame("block", {.position = {0, 0.1 + gap, 0}});
    const auto body = model.add<RigidBody>(
        {.name = "body", .node = node, .mass = 2.0, .inertia = inertia::box(2.0, Vec3(0.4, 0.2, 0.4))});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {body->mass_point()}});
    for (int i = 0; i < 4; ++i) {
      const Vec3 corner(i % 2 == 0 ? -0.2 : 0.2, -0.1, i < 2 ? -0.2 : 0.2);
      model.add<NodeToFaceContact>({.name = "corner " + std::to_string(i),
                                    .slave = {node, corner},
                                    .face = {.normal = Vec3::UnitY()},
                                    .mu = mu});
    }
    model.add<NodalForce>({.name = "push", .point = node, .force = push});
  }
  Model model;
  FrameNode node;
};

TEST(StaticContact, ABlockThatNothingHoldsComesToRestOnTheGround) {
  const Block block(0.05, 0.5);
  const System system(block.model);
  const State state = find_equilibrium(system);
  EXPECT_NEAR(state.q.position(block.node).y(), 0.1, 1e-10);
  EXPECT_LT((state.q.rotation(block.node) - Mat3::Identity()).norm(), 1e-8);
  double weight = 0;
  for (const auto& contact : system.contacts()) {
    const double P = state.contact_impulse[contact.first_row];
    EXPECT_NEAR(P, 5.0, 1e-3);  // of many solutions the one nearest to the start, which is symmetric
    weight += P;
  }
  EXPECT_NEAR(weight, 20.0, 1e-6);
}

TEST(StaticContact, FrictionHoldsWhatIsPushedLessThanItsLimit) {
  const Block block(0.0, 0.5, Vec3(9.0, 0, 0));
  const System system(block.model);
  const State state = find_equilibrium(system);
  EXPECT_NEAR(state.q.position(block.node).x(), 0.0, 1e-9);
  double friction = 0;
  for (const auto& contact : system.contacts()) {
    friction += state.contact_impulse.segment(contact.first_row + 1, 2).norm();
    EXPECT_EQ(state.contact_state[&contact - system.contacts().data()], ContactState::stick);
  }
  EXPECT_GE(friction, 9.0 - 1e-6);
}

TEST(StaticContact, NothingHoldsWhatIsPushedBeyondItsLimit) {
  const Block block(0.0, 0.5, Vec3(11.0, 0, 0));
  const System system(block.model);
  EXPECT_THAT(support::message_of<SolverError>([&] { find_equilibrium(system); }),
              HasSubstr("nothing holds x of node \"block\""));
}

TEST(StaticContact, WhatIsLiftedIsHeldByNothingButOpenContacts) {
  const Block block(0.0, 0.5, Vec3(0, 25.0, 0));
  const System system(block.model);
  const std::string message = support::message_of<SolverError>([&] { find_equilibrium(system); });
  EXPECT_THAT(message, HasSubstr("nothing holds y of node \"block\""));
  EXPECT_THAT(message, HasSubstr("contact \"corner 0\" is open"));
  EXPECT_THAT(message, HasSubstr("contact \"corner 2\" is open, and 1 more"));
}

/// A block on the ground, pulled by F along x against a spring (k = 50, force k e x/l) and friction.
struct Sled {
  explicit Sled(double force, double mu = 0.3) : model("sled") {
    const PointNode wall = model.add_point("wall");
    sled = model.add_point("sled", {.position = {1, 0, 0}});
    model.fix(wall);
    model.fix(sled, {Component::z});
    const auto mass = model.add<PointMass>({.name = "mass", .node = sled, .mass = 2.0});
    // Not ramped: the weight acts from the start, so that the friction limit is constant.
    model.add<NodalForce>(
        {.name = "pull", .point = sled, .force = [force](double t) { return Vec3(force * t, 0, 0); }});
    model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {mass->mass_point()}});
    model.add<NodeToFaceContact>({.name = "ground",
                                  .slave = sled,
                                  .face = {.normal = Vec3::UnitY()},
                                  .mu = mu,
                                  .friction_directions = 1});
    model.add<Spring>({.name = "spring", .a = wall, .b = sled, .stiffness = 50.0});
  }
  Model model;
  PointNode sled;
};

TEST(StaticContact, ASledSticksThenSlides) {
  const Sled pulled(30.0);
  const System system(pulled.model);
  StaticEquilibrium statics({.increments = 20, .ramp_loads = false});
  State state = statics.start(system);
  for (int i = 1; i <= 20; ++i) {
    statics.step(state);
    const double F = 30.0 * state.time;
    const double x = state.q.position(pulled.sled).x();
    const double spring = 50.0 * (x * x - 1) / 2 * x;
    EXPECT_NEAR(spring, std::max(F - 0.3 * 20, 0.0), 1e-6) << "F = " << F;
    EXPECT_NEAR(state.contact_slip[1], (x - 1) * (state.contact_slip[1] < 0 ? -1 : 1), 1e-9);
  }
}

TEST(StaticContact, FrictionalWorkBalancesTheEnergy) {
  const auto defect = [](int increments) {
    const Sled pulled(30.0);
    StaticEquilibrium statics({.increments = increments, .ramp_loads = false});
    const Energies energies = simulate(pulled.model, statics, {.until = 1.0}).energies;
    EXPECT_LT(energies.work_of_contacts, -1.0);
    return std::abs(energies.balance);
  };
  // Trapezoidal rule; the increment in which sliding begins is exact, as the force is linear in it.
  EXPECT_NEAR(defect(20) / defect(40), 4.0, 0.4);
}

}  // namespace
}  // namespace picus
