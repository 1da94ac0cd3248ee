#include <picus/energy.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/free_flight.hpp>
#include <support/guides.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace picus::support::energy_test {
namespace {

constexpr double rounding = 1e-12;

TEST(EnergyAudit, ShowsKineticAndPotentialEnergyOfAFall) {
  Model model;
  const PointNode ball = model.add_point("ball", {.position = {0, 0, 5}, .velocity = {1, 0, 0}});
  model.add<PointMass>({.name = "mass", .node = ball, .mass = 2.0, .gravity = {0, 0, -10}});
  const System system(model);
  FreeFlight flight({.step = 0.1});
  State state = flight.start(system);
  EnergyAudit audit(system, state);
  for (int i = 0; i < 5; ++i) {
    flight.step(state);
    audit.add_step(state, 0.1);
  }
  const Energies energies = audit.energies(state);  // after 0.5 s: 1.25 m lower, 5 m/s down
  EXPECT_NEAR(energies.kinetic, 0.5 * 2.0 * (1.0 + 25.0), rounding);
  EXPECT_NEAR(energies.potential, 2.0 * 10.0 * 3.75, rounding);
  EXPECT_NEAR(energies.balance, 0.0, 1e-11);
}

TEST(EnergyAudit, TakesNoStateOfAnotherSystem) {
  const auto with_balls = [](int count) {
    Model model;
    for (int i = 0; i < count; ++i) {
      const PointNode ball = model.add_point("ball" + std::to_string(i));
      model.add<PointMass>({.name = "mass" + std::to_string(i), .node = ball, .gravity = {0, 0, -10}});
    }
    return model;
  };
  const Model model = with_balls(2);
  const System system(model);
  FreeFlight flight({.step = 0.1});
  EnergyAudit audit(system, flight.start(system));
  for (const int count : {1, 2, 5}) {  // also one of an equal model
    const Model other = with_balls(count);
    const System other_system(other);
    FreeFlight other_flight({.step = 0.1});
    EXPECT_THROW(audit.add_step(other_flight.start(other_system), 0.1), ModelError) << count;
  }
}

TEST(EnergyAudit, FollowsAMassThatDependsOnTheConfiguration) {
  Model model;
  const FrameNode frame = model.add_frame("frame", {.velocity = {0, 2, 0}, .angular_velocity = {0, 0, 3}});
  model.add<OffsetBody>({.name = "body", .node = frame, .mass = 2.0, .centre = {0.5, 0, 0}});
  const System system(model);
  FreeFlight flight({.step = 1.0});
  State state = flight.start(system);
  const EnergyAudit audit(system, state);
  const double spin = 0.5 * 9.0;  // unit inertia about the centre of mass
  EXPECT_NEAR(audit.energies(state).kinetic, 0.5 * 2.0 * std::pow(2.0 + 3.0 * 0.5, 2) + spin, rounding);

  state.q.rotation(frame) = so3::exp(Vec3(0, 0, 0.5 * M_PI));  // the centre now moves along -x
  EXPECT_NEAR(audit.energies(state).kinetic, 0.5 * 2.0 * (4.0 + 1.5 * 1.5) + spin, rounding);
}

TEST(EnergyAudit, GathersTheWorkOfADamper) {
  Model model;
  const ScalarNode node = model.add_scalar("s", {.rate = 2.0});
  model.add<Oscillator>({.name = "damped", .node = node, .mass = 1.0, .damping = 0.5});
  const System system(model);
  const double h = 1e-3;
  FreeFlight flight({.step = h});
  State state = flight.start(system);
  EnergyAudit audit(system, state);
  for (int i = 1; i <= 1000; ++i) {
    state.v[node.v] = 2.0 * std::exp(-0.5 * h * i);
    audit.add_step(state, h);
  }
  const Energies energies = audit.energies(state);
  EXPECT_NEAR(energies.work_of_dampers, 2.0 * (std::exp(-1.0) - 1.0), 1e-6);
  EXPECT_EQ(energies.work_of_loads, 0.0);
  EXPECT_NEAR(energies.balance, 0.0, 1e-6);
}

// x = a t^2/2 driven at the node: the reaction m a does all the work, exactly.
TEST(EnergyAudit, GathersTheWorkOfDrivenComponents) {
  const double h = 0.1, a = 3.0, m = 2.0;
  Model model;
  const PointNode ball = model.add_point("ball");
  model.add<PointMass>({.name = "mass", .node = ball, .mass = m});
  model.drive(ball, Component::x,
              {[=](double t) { return 0.5 * a * t * t; }, [=](double t) { return a * t; }, {}});
  const System system(model);
  FreeFlight flight({.step = h});
  State state = flight.start(system);
  EnergyAudit audit(system, state);
  for (int i = 1; i <= 10; ++i) {
    state.time = h * i;
    state.v[0] = a * state.time;
    state.reaction[0] = m * a;
    state.reaction[1] = 7.0;  // of a component that is not driven: no work
    audit.add_step(state, h);
  }
  const Energies energies = audit.energies(state);
  EXPECT_NEAR(energies.work_of_motions, 0.5 * m * a * a, 1e-11);
  EXPECT_NEAR(energies.balance, 0.0, 1e-11);
}

// The same motion prescribed by a constraint, with a jump in speed due to an impulse at the end.
TEST(EnergyAudit, GathersTheWorkOfMovingConstraints) {
  const double h = 0.1, a = 3.0, m = 2.0, jump = 0.5;
  const auto rate = [=](double t) { return a * t + (t > 0.95 ? jump : 0.0); };
  Model model;
  const PointNode ball = model.add_point("ball");
  model.add<PointMass>({.name = "mass", .node = ball, .mass = m});
  model.add<LedCoordinate>(
      {.name = "lead", .point = ball, .motion = {[=](double t) { return 0.5 * a * t * t; }, rate, {}}});
  const System system(model);
  FreeFlight flight({.step = h});
  State state = flight.start(system);
  state.constraint_force[0] = m * a;
  EnergyAudit audit(system, state);
  for (int i = 1; i <= 9; ++i) {
    state.time = h * i;
    state.v[0] = rate(state.time);
    audit.add_step(state, h);
  }
  EXPECT_NEAR(audit.energies(state).balance, 0.0, 1e-11);

  state.time = 1.0;
  state.v[0] = rate(1.0);
  state.constraint_impulse[0] = m * jump;
  audit.add_step(state, h);
  const Energies energies = audit.energies(state);
  EXPECT_NEAR(energies.work_of_motions, energies.kinetic, 0.5 * h * m * a * jump + 1e-11);
}

TEST(EnergyAudit, GathersTheWorkOfContacts) {
  Model model;
  const PointNode ball = model.add_point("ball", {.velocity = {1, 0, -2}});
  model.add<PointMass>({.name = "mass", .node = ball, .mass = 2.0});
  Mat3 axes;
  axes << Vec3::UnitZ(), Vec3::UnitX(), Vec3::UnitY();
  model.add<PlaneContact>({.name = "floor", .point = ball, .axes = axes, .law = {.mu = 0.3, .e_n = 0.5}});
  const System system(model);
  FreeFlight flight({.step = 0.1});
  State state = flight.start(system);
  state.contact_rate << -2, 1, 0;
  EnergyAudit audit(system, state);

  state.v << 0.1, 0, 1;
  state.contact_rate << 1, 0.1, 0;
  state.contact_impulse << 6, -1.8, 0;
  audit.add_step(state, 0.1);
  const Energies energies = audit.energies(state);
  EXPECT_NEAR(energies.work_of_impacts, 0.5 * 6 * (1 - 2), rounding);
  EXPECT_NEAR(energies.work_of_friction, -0.5 * 1.8 * 1.1, rounding);
  EXPECT_NEAR(energies.work_of_contacts, 0.5 * 6 * (1 - 2) - 0.5 * 1.8 * 1.1, rounding);
  EXPECT_EQ(audit.contact_works()[0].friction, energies.work_of_friction);
  EXPECT_NEAR(energies.balance, 0.0, rounding);
}

// One element with mass, spring and damper, one with weight only: their contributions add up to the total.
TEST(EnergyAudit, TellsThePartsOfTheElements) {
  Model model;
  const ScalarNode node = model.add_scalar("s", {.value = 0.3, .rate = 2.0});
  const PointNode ball = model.add_point("ball", {.position = {0, 0, 5}, .velocity = {1, 0, 0}});
  model.add<Oscillator>({.name = "damped", .node = node, .mass = 1.0, .stiffness = 4.0, .damping = 0.5});
  model.add<PointMass>({.name = "mass", .node = ball, .mass = 2.0, .gravity = {0, 0, -10}});
  const System system(model);
  const double h = 1e-3;
  FreeFlight flight({.step = h});
  State state = flight.start(system);
  EnergyAudit audit(system, state);
  for (int i = 1; i <= 10; ++i) {
    flight.step(state);
    audit.add_step(state, h);
  }
  const Energies all = audit.energies(state);
  ElementEnergies sum;
  for (std::size_t i = 0; i < audit.elements().size(); ++i) {
    const ElementEnergies part = audit.element_energies(i, state);
    sum.kinetic += part.kinetic;
    sum.potential += part.potential;
    sum.work += part.work;
  }
  EXPECT_EQ(audit.elements().size(), 2U);
  EXPECT_NEAR(sum.kinetic, all.kinetic, rounding);
  EXPECT_NEAR(sum.potential, all.potential, rounding);
  EXPECT_NEAR(sum.work, all.work_of_dampers, rounding);
  EXPECT_LT(all.work_of_dampers, -1e-3);
  EXPECT_NEAR(all.potential, all.gravitational + all.springs + all.strain + all.other_potential, rounding);
}

}  // namespace
}  // namespace picus::support::energy_test
