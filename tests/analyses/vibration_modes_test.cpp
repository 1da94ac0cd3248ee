// Frequencies and shapes against closed forms.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/record_modes.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/analyses/vibration_modes.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/rods.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace picus {
namespace {

using support::message_of;
using support::Rod;
using support::Spring;
using testing::HasSubstr;

constexpr double pi = std::numbers::pi;

/// Statics balance forces to 1e-8 of their size, and geometric stiffness is as exact as forces are.
constexpr double balanced = 1e-7;
/// Where no force is at work.
constexpr double rounded = 1e-10;

std::string numbered(const char* name, int i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

VibrationModes modes_of(const Model& model, const VibrationModesOptions& options = {}) {
  const System system(model);
  return find_vibration_modes(system, find_equilibrium(system), options);
}

/// n points of mass m in a row along x, a apart, between two walls, with springs of natural length l; every second
/// node is without mass if asked for.
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
    const auto left = nodes[static_cast<std::size_t>(i - 1)];
    model.add<Spring>(
        {.name = numbered("spring", i), .a = left, .b = nodes.back(), .length = l, .stiffness = k});
  }
  return model;
}

TEST(VibrationModes, ChainOfMassesAndSprings) {
  const int n = 8;
  const double m = 0.7, k = 30.0;
  const VibrationModes modes = modes_of(make_row(n, m, k, 1, 1, {Component::y, Component::z}), {.count = 20});
  ASSERT_EQ(modes.frequencies.size(), n);  // there are no more
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
  // Of 9 nodes every second has mass: 4 masses, and springs of half the stiffness between them.
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
}

TEST(VibrationModes, AFreeMoleculeHasSixZeroModesAndMultipleOnes) {
  // Four atoms at the corners of a regular tetrahedron: w^2 m/k = 0 (6), 1 (2), 2 (3), 4 (1).
  Model model("tetrahedron");
  const double m = 0.3, k = 5.0;
  const std::array<Vec3, 4> corners = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)};
  std::vector<PointNode> atoms;
  for (int i = 0; i < 4; ++i) {
    const Vec3 x = corners[static_cast<std::size_t>(i)] / std::sqrt(8.0);
    atoms.push_back(model.add_point(numbered("atom", i), {.position = x}));
    model.add<PointMass>({.name = numbered("mass", i), .node = atoms.back(), .mass = m});
    for (int j = 0; j < i; ++j) {
      model.add<Spring>({.name = numbered("bond", i) + numbered("", j),
                         .a = atoms[static_cast<std::size_t>(i)],
                         .b = atoms[static_cast<std::size_t>(j)],
                         .stiffness = k});
    }
  }
  const System system(model);
  const State state = StaticEquilibrium().start(system);
  const VibrationModes modes = find_vibration_modes(system, state, {.count = 12});
  const std::array<double, 12> exact = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 4};
  ASSERT_EQ(modes.eigenvalues.size(), 12);
  for (int i = 0; i < 12; ++i)
    EXPECT_NEAR(modes.eigenvalues[i] * m / k, exact[static_cast<std::size_t>(i)], rounded);
}

/// n x n masses of a square membrane net under tension, free to move across.
Model make_net(int n, double m, double k, double l) {
  Model model("net");
  std::vector<PointNode> nodes;
  const int side = n + 2;
  const auto at = [&](int i, int j) { return nodes[static_cast<std::size_t>(i * side + j)]; };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      nodes.push_back(model.add_point(numbered("node", i * side + j), {.position = Vec3(i, j, 0)}));
      const bool on_edge = i == 0 || j == 0 || i == side - 1 || j == side - 1;
      if (on_edge) {
        model.fix(nodes.back());
      } else {
        model.fix(nodes.back(), {Component::x, Component::y});
        model.add<PointMass>({.name = numbered("mass", i * side + j), .node = nodes.back(), .mass = m});
      }
      const auto connect = [&](int p, int q, const char* name) {
        model.add<Spring>({.name = numbered(name, i * side + j),
                           .a = at(p, q),
                           .b = nodes.back(),
                           .length = l,
                           .stiffness = k});
      };
      if (i > 0 && j > 0 && j < side - 1) connect(i - 1, j, "along x");
      if (j > 0 && i > 0 && i < side - 1) connect(i, j - 1, "along y");
    }
  }
  return model;
}

TEST(VibrationModes, ALargeNetByLanczosHasAllItsDoubleModes) {
  const int n = 30;
  const double m = 0.1, k = 20.0, l = 0.5;
  const double tension = k * (1 - l * l) / (2 * l) / l;
  const Model model = make_net(n, m, k, l);
  const System system(model);
  const State state = StaticEquilibrium().start(system);
  std::vector<double> exact;
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j <= n; ++j) {
      const double si = std::sin(i * pi / (2 * (n + 1)));
      const double sj = std::sin(j * pi / (2 * (n + 1)));
      exact.push_back(4 * tension / m * (si * si + sj * sj));
    }
  }
  std::sort(exact.begin(), exact.end());
  const VibrationModes modes = find_vibration_modes(system, state, {.count = 20});
  ASSERT_EQ(modes.eigenvalues.size(), 20);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(modes.eigenvalues[static_cast<Index>(i)], exact[i], 1e-9 * exact[i]) << i;
  EXPECT_LT(modes.residuals.maxCoeff(), 1e-10);

  // About a shift in the middle: nearest ones on both sides.
  const double shift = exact[450] * (1 + 1e-4);
  const VibrationModes middle = find_vibration_modes(system, state, {.count = 7, .shift = shift});
  std::sort(exact.begin(), exact.end(),
            [&](double a, double b) { return std::abs(a - shift) < std::abs(b - shift); });
  std::sort(exact.begin(), exact.begin() + 7);
  ASSERT_EQ(middle.eigenvalues.size(), 7);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(middle.eigenvalues[static_cast<Index>(i)], exact[i], 1e-9 * exact[i]);
}

TEST(VibrationModes, LanczosAgreesWithTheDenseSolutionUnderConstraints) {
  // A hanging chain of rods: geometric stiffness and constraints in every place.
  Model model("chain");
  std::vector<PointNode> nodes = {model.add_point("node[0]")};
  model.fix(nodes[0]);
  std::vector<MassPoint> weights;
  for (int i = 1; i <= 30; ++i) {
    nodes.push_back(model.add_point(numbered("node", i), {.position = Vec3(0, -0.1 * i, 0)}));
    const auto mass = model.add<PointMass>({.name = numbered("mass", i), .node = nodes.back(), .mass = 0.2});
    model.add<Rod>({.name = numbered("rod", i),
                    .a = nodes[static_cast<std::size_t>(i - 1)],
                    .b = nodes.back(),
                    .length = 0.1});
    model.add<Gravity>(
        {.name = numbered("gravity", i), .acceleration = {0, -9.81, 0}, .bodies = {mass->mass_point()}});
  }
  const System system(model);
  const State state = find_equilibrium(system);
  const VibrationModes dense = find_vibration_modes(system, state, {.count = 10});
  const VibrationModes sparse = find_vibration_modes(system, state, {.count = 10, .dense_limit = 0});
  ASSERT_EQ(sparse.eigenvalues.size(), 10);
  for (int i = 0; i < 10; ++i)
    EXPECT_NEAR(sparse.eigenvalues[i], dense.eigenvalues[i], 1e-9 * dense.eigenvalues[i]);
  // The uniform hanging chain [Bernoulli]: w = j_0/2 sqrt(g/L), up to the discretisation.
  const double bernoulli = std::pow(2.404825557695773 / 2, 2) * 9.81 / 3.0;
  EXPECT_NEAR(dense.eigenvalues[0], bernoulli, 0.05 * bernoulli);
}

/// A clamped beam of 5 elements, 30 free components.
Model clamped_beam(double density) {
  Model model("beam");
  const auto beam =
      make_beam(model, {.name = "beam",
                        .section = Section::circle(0.01, {.E = 1e11, .nu = 0.3, .density = density}),
                        .to = Vec3(1, 0, 0),
                        .elements = 5});
  model.fix(beam.first());
  return model;
}

TEST(VibrationModes, MayAllBeAskedFor) {
  // Frequencies over five decades. By count, and by the largest number there is.
  for (const int count : {30, std::numeric_limits<int>::max()}) {
    for (const int dense_limit : {400, 0}) {
      const VibrationModes modes = modes_of(clamped_beam(7850), {.count = count, .dense_limit = dense_limit});
      EXPECT_EQ(modes.frequencies.size(), 30);
      EXPECT_LT(modes.residuals.maxCoeff(), 1e-9);
    }
  }
}

TEST(VibrationModes, ThereAreNoneWithoutMass) {
  const Model model = clamped_beam(0);
  const System system(model);
  const State state = find_equilibrium(system);
  EXPECT_EQ(find_vibration_modes(system, state).frequencies.size(), 0);
  EXPECT_EQ(find_rotating_modes(system, state, {}).frequencies.size(), 0);
}

TEST(VibrationModes, ThereAreNoneWhereNothingIsFree) {
  Model model("held");
  const FrameNode body = model.add_frame("body");
  model.add<RigidBody>({.name = "body", .node = body, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add<FixedJoint>({.name = "joint", .a = MaterialPoint::on_ground({0, 0, 0}), .b = body});
  const System system(model);
  const State state = find_equilibrium(system);
  const VibrationModes modes = find_vibration_modes(system, state);
  EXPECT_EQ(modes.frequencies.size(), 0);
  EXPECT_EQ(modes.shapes.rows(), 6);
  EXPECT_EQ(find_rotating_modes(system, state, {}).frequencies.size(), 0);
}

TEST(VibrationModes, OneMotionOfManyBodies) {
  // n bodies of mass m and inertia J in one piece on a sprung hinge: more components than the dense limit, but a
  // single mode, w^2 = k/sum (J + m x^2).
  const int n = 20;
  const double k = 100;
  Model model("bar");
  const ScalarNode angle = model.add_scalar("angle");
  MaterialPoint last = MaterialPoint::on_ground({0, 0, 0});
  double inertia = 0;
  for (int i = 0; i < n; ++i) {
    const FrameNode body = model.add_frame(numbered("body", i), {.position = {1.0 * i, 0, 0}});
    model.add<RigidBody>(
        {.name = numbered("body", i), .node = body, .mass = 1.0, .inertia = Mat3::Identity()});
    if (i == 0) {
      model.add<Hinge>({.name = "hinge", .a = last, .b = body, .axis = Vec3::UnitZ(), .angle = angle});
    } else {
      model.add<FixedJoint>({.name = numbered("joint", i - 1), .a = last, .b = {body, Vec3(-1, 0, 0)}});
    }
    last = body;
    inertia += 1 + i * i;
  }
  model.add<TorsionalSpringDamper>({.name = "spring", .node = angle, .stiffness = k});
  const VibrationModes modes = modes_of(model, {.dense_limit = 10});
  ASSERT_EQ(modes.eigenvalues.size(), 1);
  EXPECT_NEAR(modes.eigenvalues[0], k / inertia, rounded * k / inertia);
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

/// A mass between four springs along x and y: w_0^2 = 2 k/m in all directions of the plane.
Model make_isotropic() {
  Model model("isotropic");
  const PointNode mass = model.add_point("mass");
  model.fix(mass, {Component::z});
  model.add<PointMass>({.name = "m", .node = mass, .mass = 2.0});
  const std::array<Vec3, 4> ends = {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)};
  for (int i = 0; i < 4; ++i) {
    const PointNode end =
        model.add_point(numbered("end", i), {.position = ends[static_cast<std::size_t>(i)]});
    model.fix(end);
    model.add<Spring>({.name = numbered("spring", i), .a = end, .b = mass, .stiffness = 9.0});
  }
  return model;
}

TEST(VibrationModes, SpinSoftensAndCoriolisForcesSplit) {
  const Model model = make_isotropic();
  const System system(model);
  const Vec3 spin(0, 0, 1.3);
  const State state = find_equilibrium(system, {.angular_velocity = spin});
  const VibrationModes modes = find_vibration_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(modes.eigenvalues.size(), 2);
  EXPECT_NEAR(modes.eigenvalues[0], 9.0 - 1.69, rounded * 10);
  EXPECT_NEAR(modes.eigenvalues[1], 9.0 - 1.69, rounded * 10);
  // Seen from the inertial frame both go round with w_0 = 3, forwards and backwards.
  const RotatingModes rotating = find_rotating_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(rotating.frequencies.size(), 2);
  EXPECT_NEAR(2 * pi * rotating.frequencies[0], 3.0 - 1.3, rounded * 3);
  EXPECT_NEAR(2 * pi * rotating.frequencies[1], 3.0 + 1.3, rounded * 3);
  EXPECT_LT(rotating.growth_rates.cwiseAbs().maxCoeff(), rounded);
  EXPECT_LT(rotating.residuals.maxCoeff(), 1e-10);
}

TEST(VibrationModes, FastRigidBodyOnAHingeTurnsWithItsSpin) {
  // The rod of a governor that points outwards: w^2 = w_spin^2 (m a c + (m c^2 + J_y - ...)) for out-of-plane swings:
  // about the hinge axis y, with the centre at c beyond the hinge at radius a, and a thin rod (J_x = 0, J_y = J_z = J):
  // out of plane the restoring moment is w^2 (m (a + c) c + J) s, so w_f^2 = w^2 (1 + m a c/(J + m c^2)).
  const double a = 0.5, c = 0.4, m = 2.0, J = 0.1, w = 7.0;
  Model model("flap");
  const FrameNode shaft = model.add_frame("shaft");
  const FrameNode blade = model.add_frame("blade", {.position = {a + c, 0, 0}});
  model.fix(shaft);
  model.add<RigidBody>({.name = "body", .node = blade, .mass = m, .inertia = Vec3(0, J, J).asDiagonal()});
  model.add<Hinge>(
      {.name = "hinge", .a = {shaft, Vec3(a, 0, 0)}, .b = {blade, Vec3(-c, 0, 0)}, .axis = Vec3::UnitY()});
  const System system(model);
  const Vec3 spin(0, 0, w);
  const State state = find_equilibrium(system, {.angular_velocity = spin});
  const double exact = w * w * (1 + m * a * c / (J + m * c * c));
  const VibrationModes modes = find_vibration_modes(system, state, {.angular_velocity = spin});
  ASSERT_EQ(modes.eigenvalues.size(), 1);
  EXPECT_NEAR(modes.eigenvalues[0], exact, balanced * exact);
  const RotatingModes rotating = find_rotating_modes(system, state, {.angular_velocity = spin});
  EXPECT_NEAR(2 * pi * rotating.frequencies[0], std::sqrt(exact), balanced * w);
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
  const std::vector<double> x = result.numbers("nodes/bob/position");
  const std::vector<double> v = result.numbers("nodes/bob/velocity");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(time[i], modes.frequencies[static_cast<Index>(i)]);
    const Vec3 shape(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    EXPECT_NEAR(4.0 * shape.squaredNorm(), 1.0, rounded);
    const Vec3 moved = Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]) - state.q.position(bob);
    EXPECT_NEAR(moved.lpNorm<Eigen::Infinity>(), 0.1 * system.length_scale(), rounded);
    EXPECT_NEAR(std::abs(moved.dot(shape)), moved.norm() * shape.norm(), rounded);  // parallel
  }
  EXPECT_EQ(result.text("/", "outcome"), "complete");
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
  // A force along the rod has no moment about the hinge, however it turns: a zero mode.
  const State state = find_equilibrium(system, {.allow_free_motions = true});
  const VibrationModes modes = find_vibration_modes(system, state);
  EXPECT_GT(modes.asymmetry, 0.01);
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
