// Contacts queried through their handles during a run, and the momentum of a model, compared with the laws of motion.

#include <picus/picus.hpp>
#include <support/allocations.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gtest/gtest.h>

namespace picus::contact_reading_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double g = 9.81;
constexpr double mass = 2.0;
constexpr double mu = 0.3;
constexpr double r = 0.1;

/// A ball that is thrown onto the floor, slides, and finally rolls.
struct Bowling {
  explicit Bowling(const Vec3& velocity = {1.0, 0, 0}, double height = r) : model("bowling") {
    node = model.add_frame("ball", {.position = {0, 0, height}, .velocity = velocity});
    const auto ball = model.add<RigidBody>(
        {.name = "ball", .node = node, .mass = mass, .inertia = inertia::sphere(mass, r)});
    model.add<Gravity>({.name = "weight", .acceleration = {0, 0, -g}, .bodies = {ball->mass_point()}});
    floor = model.add<SphereToFaceContact>(
        {.name = "floor", .centre = node, .radius = r, .face = {.normal = {0, 0, 1}}, .mu = mu, .e_n = 0.4});
  }
  Model model;
  FrameNode node;
  InRole<Contact> floor;
};

TEST(ContactReading, OfASlidingBallIsItsWeightAndItsFriction) {
  const Bowling bowling;
  DecoupledNsga integrator({.step = 1e-3});
  int steps = 0;
  StepCallback watch([&](const Snapshot& at) {
    const ContactReading floor = at.contact(bowling.floor);
    const ContactLoad load = at.contact_load(bowling.floor, bowling.node);
    if (at.state.step == 0) {
      EXPECT_EQ(floor.force, Vec3::Zero());
      return;
    }
    ++steps;
    EXPECT_EQ(floor.state, ContactState::slip);
    EXPECT_NEAR(floor.gap, 0.0, 1e-12);
    EXPECT_NEAR(floor.force[0], mass * g, 1e-6);
    expect_near(floor.force, floor.impulse / 1e-3, 1e-12, "force and impulse");
    EXPECT_NEAR(floor.rate[0], 0.0, 1e-9);
    // Slides along x, T_1, and rotates forward about y.
    EXPECT_GT(floor.rate[1], 0.1);
    expect_near(load.force, Vec3(-mu * mass * g, 0, mass * g), 1e-6, "force");
    expect_near(load.moment, Vec3(0, mu * mass * g * r, 0), 1e-6, "moment");
  });
  simulate(bowling.model, integrator, {.until = 0.05}, {&watch});
  EXPECT_EQ(steps, 50);
}

/// Impulses summed in a user's own loop equal the change of momentum, through impacts and flight.
TEST(ContactReading, ImpulsesOfALoopOfOnesOwnAreTheChangeOfMomentum) {
  const Bowling bowling({1.5, 0.5, 0}, 2 * r);
  const System system(bowling.model);
  for (const std::string scheme : {"ds", "chen", "moreau-jean"}) {
    constexpr double h = 1e-3;
    const auto integrator = make_integrator(scheme, {.step = h});
    State state = integrator->start(system);
    const EnergyAudit audit(system, state);
    const Momentum start = audit.momentum(state);
    Vec3 impulse = Vec3::Zero();
    bool was_open = false;
    for (int i = 0; i < 600; ++i) {
      integrator->step(state);
      const ContactLoad load = read_contact_load(system, state, h, bowling.floor, bowling.node);
      impulse += h * load.force;
      const ContactReading floor = read_contact(system, state, h, bowling.floor);
      if (floor.state == ContactState::gap) {
        was_open = true;
        EXPECT_EQ(floor.force, Vec3::Zero());
      }
    }
    EXPECT_TRUE(was_open);
    const Vec3 weight = 0.6 * mass * Vec3(0, 0, -g);
    // Solved to 1e-8 of the momentum of a step.
    expect_near(audit.momentum(state).linear - start.linear, impulse + weight, 1e-8, scheme);
  }
}

TEST(ContactReading, RefusesWhatIsNotOfTheModel) {
  const Bowling one, other;
  const System system(one.model);
  DecoupledNsga integrator;
  const State state = integrator.start(system);
  EXPECT_EQ(message_of<ModelError>([&] { read_contact(system, state, 1e-3, other.floor); }),
            "the contact is none of model \"bowling\"");
  EXPECT_EQ(message_of<ModelError>([&] { read_contact(system, state, 1e-3, {}); }),
            "the contact is not given");
  EXPECT_EQ(message_of<ModelError>([&] { read_contact_load(system, state, 1e-3, one.floor, other.node); }),
            "the node is none of contact \"floor\"");
  EXPECT_EQ(message_of<ModelError>([&] { read_contact(system, State{}, 1e-3, one.floor); }).substr(0, 32),
            "the state is not one of this sys");
}

/// A free body with its centre of mass off the node conserves momentum and angular momentum; so do two bodies
/// connected by a joint.
TEST(Momentum, OfConnectedBodiesInFreeFlightStays) {
  Model model("pair");
  const FrameNode a = model.add_frame(
      "a", {.position = {1, 2, 3}, .velocity = {0.3, -0.2, 0.5}, .angular_velocity = {1, 2, 0.5}});
  const FrameNode b = model.add_frame(
      "b", {.position = {1.5, 2, 3}, .velocity = {0.3, 0.1, -0.6}, .angular_velocity = {0, 2.2, 3}});
  model.add<RigidBody>({.name = "A",
                        .node = a,
                        .mass = 2.0,
                        .inertia = inertia::diagonal(0.1, 0.2, 0.25),
                        .centre_of_mass = {0.05, 0.1, -0.1}});
  model.add<RigidBody>({.name = "B", .node = b, .mass = 0.7, .inertia = inertia::diagonal(0.02, 0.03, 0.03)});
  model.add<SphericalJoint>({.name = "joint", .a = {a, {0.25, 0, 0}}, .b = {b, {-0.25, 0, 0}}});
  const auto drift = [&](double h, double* linear) {
    DecoupledNsga integrator({.step = h});
    Momentum first;
    double worst = 0;
    StepCallback watch([&](const Snapshot& at) {
      const Momentum now = at.momentum();
      if (at.state.step == 0) first = now;
      *linear = std::max(*linear, (now.linear - first.linear).norm() / first.linear.norm());
      worst = std::max(worst, (now.angular - first.angular).norm() / first.angular.norm());
    });
    simulate(model, integrator, {.until = 1.0}, {&watch});
    return worst;
  };
  double coarse_linear = 0;
  double fine_linear = 0;
  const double coarse = drift(4e-3, &coarse_linear);
  const double fine = drift(2e-3, &fine_linear);
  // Scheme of second order.
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  EXPECT_LT(fine_linear, 1e-4);
}

TEST(Momentum, StandsBesideTheEnergiesInTheFile) {
  const Bowling bowling({1.5, 0.5, 0.2}, 3 * r);
  const support::ScratchFolder folder;
  Hdf5Recorder recorder(folder / "ball.h5");
  DecoupledNsga integrator({.step = 1e-3});
  const RunSummary summary = simulate(bowling.model, integrator, {.until = 0.01}, {&recorder});
  const support::ResultReader file(folder / "ball.h5");
  const std::vector<double> linear = file.numbers("momentum/linear");
  const std::vector<double> angular = file.numbers("momentum/angular");
  ASSERT_EQ(linear.size(), 33U);
  const Vec3 p = mass * summary.final_state.v.head<3>();
  const Vec3 L = summary.final_state.q.position(bowling.node).cross(p);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(linear[30 + i], p[i], 1e-12);
    EXPECT_NEAR(angular[30 + i], L[i], 1e-12);
  }
}

#ifdef PICUS_COUNTS_ALLOCATIONS

TEST(ContactReading, AllocatesNothing) {
  const Bowling bowling;
  const System system(bowling.model);
  DecoupledNsga integrator;
  State state = integrator.start(system);
  integrator.step(state);
  const EnergyAudit audit(system, state);
  const long count = support::allocations_of([&] {
    read_contact_load(system, state, 1e-4, bowling.floor, bowling.node);
    audit.momentum(state);
  });
  EXPECT_EQ(count, 0);
}

#endif

}  // namespace
}  // namespace picus::contact_reading_test
