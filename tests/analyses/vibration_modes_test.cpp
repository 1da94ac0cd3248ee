// Frequencies and shapes against closed forms.

#include "modes.hpp"
#include <picus/picus.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/result_reader.hpp>
#include <support/rods.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus {
namespace {

using support::message_of;
using support::Rod;
using support::Spring;
using testing::HasSubstr;

/// n points of mass m in a row along x, a apart, between two walls, with springs of natural length l; optionally
/// every second node is massless.
Model make_row(int n, double m, double k, double a, double l, std::initializer_list<Component> fixed,
               bool every_second = false) {
  Model model("row");
  std::vector<PointNode> nodes;
  for (int i = 0; i <= n + 1; ++i) {
    nodes.push_back(model.add_point(numbered("node", i), {.position = {a * i, 0, 0}}));
    if (i == 0 || i == n + 1) {
      model.fix(nodes.back());
    } else {
      model.fix(nodes.back(), fixed);
      if (!every_second || i % 2 == 0)
        model.add<PointMass>({.name = numbered("mass", i), .node = nodes.back(), .mass = m});
    }
    if (i == 0) continue;
    const auto left = nodes[i - 1];
    model.add<Spring>(
        {.name = numbered("spring", i), .a = left, .b = nodes.back(), .length = l, .stiffness = k});
  }
  return model;
}

TEST(VibrationModes, ChainOfMassesAndSprings) {
  const int n = 8;
  const double m = 0.7, k = 30.0;
  const VibrationModes modes = modes_of(make_row(n, m, k, 1, 1, {Component::y, Component::z}), {.count = 20});
  ASSERT_EQ(modes.frequencies.size(), n);  // there are no others
  for (int i = 1; i <= n; ++i) {
    const double omega = 2 * std::sqrt(k / m) * std::sin(i * pi / (2 * (n + 1)));
    EXPECT_NEAR(2 * pi * modes.frequencies[i - 1], omega, rounded * omega);
    EXPECT_LT(modes.residuals[i - 1], 1e-12);
    EXPECT_NEAR(m * modes.shapes.col(i - 1).squaredNorm(), 1.0, rounded);
    // The shape is a sine.
    const double peak = modes.shapes.col(i - 1)[3] / std::sin(i * pi / (n + 1));
    for (int j = 1; j <= n; ++j)
      EXPECT_NEAR(modes.shapes.col(i - 1)[3 * j], peak * std::sin(i * j * pi / (n + 1)), 1e-9);
  }
}

TEST(VibrationModes, NodesWithoutMassAreSprungInSeries) {
  // Every second of 9 nodes has mass: 4 masses, with springs of half the stiffness between them.
  const double m = 0.7, k = 30.0;
  const VibrationModes modes =
      modes_of(make_row(9, m, k, 1, 1, {Component::y, Component::z}, true), {.count = 20});
  ASSERT_EQ(modes.frequencies.size(), 4);
  for (int i = 1; i <= 4; ++i) {
    const double omega = 2 * std::sqrt(k / 2 / m) * std::sin(i * pi / 10);
    EXPECT_NEAR(2 * pi * modes.frequencies[i - 1], omega, rounded * omega);
  }
}

TEST(VibrationModes, StringUnderTensionVibratesAlikeInBothDirections) {
  const int n = 7;
  const double m = 0.2, k = 50.0, a = 1.0, l = 0.8;
  const double tension = k * (a * a - l * l) / (2 * l) * a / l;
  const VibrationModes modes = modes_of(make_row(n, m, k, a, l, {Component::x}), {.count = 2 * n});
  ASSERT_EQ(modes.frequencies.size(), 2 * n);
  for (int i = 1; i <= n; ++i) {
    const double omega = 2 * std::sqrt(tension / (m * a)) * std::sin(i * pi / (2 * (n + 1)));
    EXPECT_NEAR(2 * pi * modes.frequencies[2 * i - 2], omega, balanced * omega);
    EXPECT_NEAR(2 * pi * modes.frequencies[2 * i - 1], omega, balanced * omega);
  }
}

/// A body on a hinge about z at the origin, its centre at c below, held by `hinges` hinges on one axis.
struct Pendulum {
  static constexpr double m = 2.0, c = 0.6, J = 0.3, g = 9.81;
  explicit Pendulum(double angle, int hinges = 1, double spring = 0.0) : model("pendulum") {
    const FrameNode ground = model.add_frame("ground");
    const Mat3 R = so3::exp(Vec3(0, 0, angle));
    body = model.add_frame("body", {.position = R * Vec3(0, -c, 0), .rotation = R});
    model.fix(ground);
    const auto mass = model.add<RigidBody>(
        {.name = "mass", .node = body, .mass = m, .inertia = Vec3(0.2, 0.25, J).asDiagonal()});
    std::optional<ScalarNode> turn;
    if (spring > 0) turn = model.add_scalar("turn", {.value = angle});
    for (int i = 0; i < hinges; ++i) {
      model.add<Hinge>({.name = numbered("hinge", i),
                        .a = {ground, Vec3(0, 0, i)},
                        .b = {body, Vec3(0, c, i)},
                        .axis = Vec3::UnitZ(),
                        .angle = i == 0 ? turn : std::nullopt});
    }
    if (spring > 0) {
      model.add<TorsionalSpringDamper>({.name = "spring", .node = *turn, .stiffness = spring});
    } else {
      model.add<Gravity>({.name = "gravity", .acceleration = {0, -g, 0}, .bodies = {mass->mass_point()}});
    }
  }
  Model model;
  FrameNode body;
};

TEST(VibrationModes, TorsionPendulum) {
  const Pendulum pendulum(0.0, 1, 12.0);
  const VibrationModes modes = modes_of(pendulum.model);
  ASSERT_EQ(modes.frequencies.size(), 1);
  const double J = Pendulum::J + Pendulum::m * Pendulum::c * Pendulum::c;
  EXPECT_NEAR(modes.eigenvalues[0], 12.0 / J, rounded * 12 / J);
}

TEST(VibrationModes, CompoundPendulumOwesItsFrequencyToTheCurvatureOfItsConstraints) {
  // Forces alone have no stiffness here: all of K comes from the multipliers.
  for (const int hinges : {1, 3}) {  // redundant ones change nothing
    const Pendulum pendulum(1.2, hinges);
    const VibrationModes modes = modes_of(pendulum.model);
    ASSERT_EQ(modes.frequencies.size(), 1);
    const double J = Pendulum::J + Pendulum::m * Pendulum::c * Pendulum::c;
    const double exact = Pendulum::m * Pendulum::g * Pendulum::c / J;
    EXPECT_NEAR(modes.eigenvalues[0], exact, balanced * exact);
    EXPECT_LT(modes.asymmetry, 1e-6);
  }
}

TEST(VibrationModes, AnInvertedPendulumIsUnstable) {
  Model model("inverted");
  const PointNode pivot = model.add_point("pivot");
  const PointNode bob = model.add_point("bob", {.position = {0, 2, 0}});
  model.fix(pivot);
  model.fix(bob, {Component::z});
  const auto mass = model.add<PointMass>({.name = "mass", .node = bob, .mass = 3.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {mass->mass_point()}});
  model.add<Rod>({.name = "rod", .a = pivot, .b = bob, .length = 2.0});
  const VibrationModes modes = modes_of(model);
  ASSERT_EQ(modes.frequencies.size(), 1);
  EXPECT_NEAR(modes.eigenvalues[0], -10.0 / 2, balanced);
  EXPECT_NEAR(modes.frequencies[0], -std::sqrt(5.0) / (2 * pi), balanced);
  EXPECT_LT(modes.eigenvalues[0], -modes.roundings[0]);
}

TEST(VibrationModes, AFreeMoleculeHasSixZeroModesAndMultipleOnes) {
  // Four atoms at the corners of a regular tetrahedron: w^2 m/k = 0 (6), 1 (2), 2 (3), 4 (1).
  Model model("tetrahedron");
  const double m = 0.3, k = 5.0;
  const std::array<Vec3, 4> corners = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)};
  std::vector<PointNode> atoms;
  for (int i = 0; i < 4; ++i) {
    const Vec3 x = corners[i] / std::sqrt(8.0);
    atoms.push_back(model.add_point(numbered("atom", i), {.position = x}));
    model.add<PointMass>({.name = numbered("mass", i), .node = atoms.back(), .mass = m});
    for (int j = 0; j < i; ++j) {
      model.add<Spring>(
          {.name = numbered("bond", i) + numbered("", j), .a = atoms[i], .b = atoms[j], .stiffness = k});
    }
  }
  const System system(model);
  const State state = StaticEquilibrium().start(system);
  const VibrationModes modes = find_vibration_modes(system, state, {.count = 12});
  const std::array<double, 12> exact = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 4};
  ASSERT_EQ(modes.eigenvalues.size(), 12);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(modes.eigenvalues[i] * m / k, exact[i], rounded);
  // Motions without stiffness are distinguished from vibrations.
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(std::abs(modes.eigenvalues[i]) > modes.roundings[i], exact[i] > 0) << i;
}

TEST(VibrationModes, ClosedContactsHoldOrAreLeftOut) {
  Model model("held");
  const PointNode wall = model.add_point("wall", {.position = {0, 1, 0}});
  const PointNode ball = model.add_point("ball");
  const PointNode side = model.add_point("side", {.position = {1, 0, 0}});
  model.fix(wall);
  model.fix(side);
  model.fix(ball, {Component::z});
  const auto mass = model.add<PointMass>({.name = "mass", .node = ball, .mass = 2.0});
  model.add<Gravity>({.name = "gravity", .acceleration = {0, -10, 0}, .bodies = {mass->mass_point()}});
  model.add<Spring>({.name = "up", .a = wall, .b = ball, .stiffness = 30.0});
  model.add<Spring>({.name = "across", .a = side, .b = ball, .stiffness = 80.0});
  model.add<NodeToFaceContact>({.name = "floor", .slave = ball, .face = {.normal = Vec3::UnitY()}});
  const VibrationModes held = modes_of(model);
  ASSERT_EQ(held.eigenvalues.size(), 1);  // frictionless: it slides along x
  EXPECT_NEAR(held.eigenvalues[0], 40.0, balanced * 40);
  const VibrationModes open = modes_of(model, {.holds_contacts = false});
  ASSERT_EQ(open.eigenvalues.size(), 2);
  EXPECT_NEAR(open.eigenvalues[0], 15.0, balanced * 15);
  EXPECT_NEAR(open.eigenvalues[1], 40.0, balanced * 40);
}

TEST(VibrationModes, AreRecordedInTheLayoutOfARun) {
  const support::ScratchFolder folder;
  Model model("bob");
  const PointNode wall = model.add_point("wall");
  const PointNode bob = model.add_point("bob", {.position = {2, 0, 0}});
  model.fix(wall);
  model.fix(bob, {Component::z});
  model.add<PointMass>({.name = "mass", .node = bob, .mass = 4.0});
  model.add<Spring>({.name = "spring", .a = wall, .b = bob, .length = 1.9, .stiffness = 10.0});
  model.add<NodalForce>({.name = "pull", .point = bob, .force = Vec3(1, 0, 0)});
  const System system(model);
  const State state = find_equilibrium(system);
  const VibrationModes modes = find_vibration_modes(system, state);
  Hdf5Recorder recorder(folder / "modes.h5");
  record_modes(system, state, modes, {&recorder});
  const support::ResultReader result(folder / "modes.h5");
  const std::vector<double> time = result.numbers("time");
  ASSERT_EQ(time.size(), 2U);
  EXPECT_EQ(result.text("/time", "unit"), "Hz");
  EXPECT_THAT(result.text("/time", "description"), testing::StartsWith("frequencies of the records"));
  EXPECT_EQ(result.text("/VTKHDF/Steps/Values", "unit"), "Hz");
  const std::vector<double> x = result.numbers("nodes/bob/position");
  const std::vector<double> v = result.numbers("nodes/bob/velocity");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(time[i], modes.frequencies[i]);
    const Vec3 shape(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    EXPECT_NEAR(4.0 * shape.squaredNorm(), 1.0, rounded);
    const Vec3 moved = Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]) - state.q.position(bob);
    EXPECT_NEAR(moved.lpNorm<Eigen::Infinity>(), 0.1 * system.length_scale(), rounded);
    EXPECT_NEAR(std::abs(moved.dot(shape)), moved.norm() * shape.norm(), rounded);  // parallel
    const double factor = std::stod(result.text("/integrator", "factor_" + std::to_string(i + 1)));
    EXPECT_LT((factor * shape - moved).norm(), 1e-8 * moved.norm());  // of a text with nine digits
  }
  EXPECT_EQ(result.text("/", "outcome"), "complete");
}

TEST(VibrationModes, WantAStateAndRecordersThatAreTheirs) {
  const Model model = make_row(2, 1.0, 10.0, 1.0, 0.9, {Component::y, Component::z});
  const Model other = make_row(3, 1.0, 10.0, 1.0, 0.9, {Component::y, Component::z});
  const Model equal = make_row(2, 1.0, 10.0, 1.0, 0.9, {Component::y, Component::z});
  const System system(model), other_system(other), equal_system(equal);
  const State state = find_equilibrium(system);
  const VibrationModes modes = find_vibration_modes(system, state);
  const auto refusal = [&](const System& of) {
    return message_of<ModelError>([&] { find_vibration_modes(of, state); });
  };
  EXPECT_EQ(refusal(other_system), "the state is of another model than \"row\"");
  EXPECT_EQ(refusal(equal_system), "the state is of another model than \"row\"");
  EXPECT_THROW(find_rotating_modes(other_system, state, {}), ModelError);
  EXPECT_EQ(message_of<OptionError>([&] { record_modes(system, state, modes, {nullptr}); }),
            "recorder 1 of the vibration modes is null");
  StepCallback callback([](const Snapshot&) { FAIL() << "nothing must be recorded"; });
  EXPECT_EQ(message_of<OptionError>([&] {
              record_modes(system, state, modes, {&callback, &callback});
            }),
            "recorder 2 of the vibration modes is recorder 1 again");
  const VibrationModes theirs = find_vibration_modes(other_system, find_equilibrium(other_system));
  EXPECT_EQ(message_of<ModelError>([&] { record_modes(system, state, theirs, {}); }),
            "the vibration modes have 15 components, model \"row\" has 12");
}

TEST(VibrationModes, FollowerLoadsShowAsAsymmetry) {
  Model model("follower");
  const FrameNode ground = model.add_frame("ground");
  const FrameNode body = model.add_frame("body", {.position = {0, -1, 0}});
  model.fix(ground);
  model.add<RigidBody>({.name = "mass", .node = body, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add<Hinge>(
      {.name = "hinge", .a = {ground, Vec3::Zero()}, .b = {body, Vec3::UnitY()}, .axis = Vec3::UnitZ()});
  model.add<NodalForce>({.name = "thrust", .point = body, .force = Vec3(0, -4, 0), .follower = true});
  const System system(model);
  // A force along the rod has no moment about the hinge in any position: a zero mode.
  const State state = find_equilibrium(system, {.allow_free_motions = true});
  const VibrationModes modes = find_vibration_modes(system, state);
  EXPECT_GT(modes.asymmetry, 0.01);
}

/// The stiffness of a motion that nothing resists is a rounding error, with which its equation is not compared.
TEST(VibrationModes, OfATopThatHangsAreTwoPendulumsAndASpinWithoutStiffness) {
  constexpr double m = 2.0, l = 0.3, g = 9.81;
  const Mat3 J = Vec3(0.05, 0.05, 0.02).asDiagonal();  // about the centre
  support::Random random(17);
  for (int i = 0; i < 20; ++i) {
    // Neither gravity nor the axis is along a coordinate axis.
    const Mat3 R = random.rotation(), Q = random.rotation();
    const Vec3 c = l * Q.col(2);
    Model model("top");
    const FrameNode node = model.add_frame("top", {.rotation = R});
    model.fix(node, {Component::x, Component::y, Component::z});
    const auto body = model.add<RigidBody>(
        {.name = "body", .node = node, .mass = m, .inertia = Q * J * Q.transpose(), .centre_of_mass = c});
    model.add<Gravity>({.name = "gravity", .acceleration = g / l * (R * c), .bodies = {body->mass_point()}});
    const System system(model);
    const State state = find_equilibrium(system, {.allow_free_motions = true});
    const VibrationModes modes = find_vibration_modes(system, state);
    ASSERT_EQ(modes.eigenvalues.size(), 3);
    const double expected = m * g * l / (J(0, 0) + m * l * l);
    EXPECT_NEAR(modes.eigenvalues[0], 0.0, 1e-12 * expected) << i;
    EXPECT_NEAR(modes.eigenvalues[1], expected, balanced * expected);
    EXPECT_NEAR(modes.eigenvalues[2], expected, balanced * expected);
  }
}

TEST(VibrationModes, OfAFreeChainOfBodiesAreMotionsWithoutFrequency) {
  Model model("free");
  std::vector<FrameNode> nodes;
  for (int i = 0; i < 3; ++i) {
    nodes.push_back(model.add_frame(numbered("body", i), {.position = {1.0 + i, 2, 3}}));
    model.add<RigidBody>({.name = numbered("mass", i),
                          .node = nodes.back(),
                          .mass = 2.0,
                          .inertia = inertia::box(2.0, Vec3(0.1, 0.2, 0.3))});
    if (i == 0) continue;
    model.add<SphericalJoint>({.name = numbered("joint", i),
                               .a = {nodes[i - 1], Vec3(0.3, 0.1, 0)},
                               .b = {nodes[i], Vec3(-0.7, 0.1, 0)}});
  }
  const System system(model);
  const State state = find_equilibrium(system, {.allow_free_motions = true});
  const VibrationModes modes = find_vibration_modes(system, state, {.count = 12});
  ASSERT_EQ(modes.eigenvalues.size(), 12);
  EXPECT_LT(modes.eigenvalues.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(VibrationModes, RefuseWhatIsNoEquilibriumAndBadOptions) {
  const Pendulum pendulum(0.5);
  const System system(pendulum.model);
  StaticEquilibrium statics;
  State state = statics.start(system);  // without load
  state.load_factor = 1.0;
  EXPECT_THAT(message_of<SolverError>([&] { find_vibration_modes(system, state); }),
              HasSubstr("vibration modes need an equilibrium: the residual of"));
  EXPECT_EQ(message_of<OptionError>([&] { find_vibration_modes(system, state, {.count = 0}); }),
            "count is 0, must be at least 1");
  EXPECT_EQ(message_of<OptionError>([&] { find_vibration_modes(system, state, {.shift = NAN}); }),
            "shift is nan, must be finite");
  EXPECT_EQ(message_of<OptionError>([&] { find_vibration_modes(system, state, {.dense_limit = -1}); }),
            "dense-limit is -1, must be not negative");
}
}  // namespace
}  // namespace picus
