// Many modes, few and none: Lanczos against the dense solution and closed forms.

#include "modes.hpp"
#include <picus/picus.hpp>
#include <support/rods.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace picus {
namespace {

using support::Rod;
using support::Spring;

/// n x n masses of a square membrane net under tension, free to move transversely.
Model make_net(int n, double m, double k, double l) {
  Model model("net");
  std::vector<PointNode> nodes;
  const int side = n + 2;
  const auto at = [&](int i, int j) { return nodes[i * side + j]; };
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

/// The default shift of a fine mesh of slender beams is a hundred thousand times the first eigenvalues.
TEST(VibrationModes, OfSlenderBeamsByLanczosAreThoseOfBeamTheory) {
  constexpr double L = 2.0, E = 2e11, density = 7800;
  for (const double t : {1e-2, 1e-3, 3e-4}) {
    for (const int elements : {80, 160}) {
      Model model("strip");
      const auto strip =
          make_beam(model, {.name = "strip",
                            .section = Section::rectangle(t, 2 * t, {.E = E, .nu = 0.3, .density = density}),
                            .from = Vec3::Zero(),
                            .to = Vec3(L, 0, 0),
                            .elements = elements});
      model.fix(strip.first());
      const System system(model);
      const VibrationModes modes = find_vibration_modes(system, find_equilibrium(system), {.count = 2});
      ASSERT_EQ(modes.frequencies.size(), 2);
      // Bending about both axes: w = 1.8751^2 sqrt(E I/(rho A L^4)), half as stiff about one of them as t to 2 t.
      const double soft =
          std::pow(1.875104, 2) / (L * L) * t * std::sqrt(E / (12 * density)) / (2 * std::numbers::pi);
      EXPECT_NEAR(modes.frequencies[0], soft, 2e-3 * soft) << t << " " << elements;
      EXPECT_NEAR(modes.frequencies[1], 2 * soft, 4e-3 * soft) << t << " " << elements;
    }
  }
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
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(modes.eigenvalues[i], exact[i], 1e-9 * exact[i]) << i;
  EXPECT_LT(modes.residuals.maxCoeff(), 1e-10);

  // Around a shift in the middle of the spectrum: the nearest modes on both sides.
  const double shift = exact[450] * (1 + 1e-4);
  const VibrationModes middle = find_vibration_modes(system, state, {.count = 7, .shift = shift});
  std::sort(exact.begin(), exact.end(),
            [&](double a, double b) { return std::abs(a - shift) < std::abs(b - shift); });
  std::sort(exact.begin(), exact.begin() + 7);
  ASSERT_EQ(middle.eigenvalues.size(), 7);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(middle.eigenvalues[i], exact[i], 1e-9 * exact[i]);
}

TEST(VibrationModes, LanczosAgreesWithTheDenseSolutionUnderConstraints) {
  // A hanging chain of rods: geometric stiffness and constraints throughout.
  Model model("chain");
  std::vector<PointNode> nodes = {model.add_point("node[0]")};
  model.fix(nodes[0]);
  std::vector<MassPoint> weights;
  for (int i = 1; i <= 30; ++i) {
    nodes.push_back(model.add_point(numbered("node", i), {.position = Vec3(0, -0.1 * i, 0)}));
    const auto mass = model.add<PointMass>({.name = numbered("mass", i), .node = nodes.back(), .mass = 0.2});
    model.add<Rod>({.name = numbered("rod", i), .a = nodes[i - 1], .b = nodes.back(), .length = 0.1});
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
  // Frequencies over five decades, requested by count and with the largest possible count.
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
}  // namespace
}  // namespace picus
