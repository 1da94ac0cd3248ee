/// Contacts between many rigid bodies, which have a solver of their own (solvers/contact/contact_solver.hpp).

#include "boxes.hpp"
#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

namespace picus::many_contacts_test {
namespace {

constexpr Ball ball{.mass = 0.3, .radius = 0.05};

/// Balls on a floor, in rows separated by gaps, that slide and spin into each other.
void fill_floor(Scene& scene, int side) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(generator), uniform(generator), uniform(generator)); };
  for (int i = 0; i < side * side; ++i) {
    Vec3 velocity = 0.6 * vector();
    velocity.z() = 0.0;
    scene.add_ball(fmt::format("ball[{}]", i), ball,
                   {.position = {0.104 * (i % side), 0.104 * (i / side), ball.radius},
                    .velocity = velocity,
                    .angular_velocity = 10.0 * vector()});
  }
  scene.add_floor();
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .e_n = 0.2});
}

State run_floor(ContactSolverKind kind) {
  Scene scene;
  fill_floor(scene, 9);
  DecoupledNsga integrator({.step = 1e-3, .contact_solver = kind});
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  for (int k = 0; k < 40; ++k) stepper.step(state);
  return state;
}

// 81 balls have a hundred contacts and a unique solution: it does not matter how it is found.
TEST(ManyContacts, MoveBodiesAsNewtonsIterationDoes) {
  const State by_sweeps = run_floor(ContactSolverKind::sweeps);
  const State by_newton = run_floor(ContactSolverKind::newton);
  // Tolerances of 40 solves, 1e-8 of speeds of 1 m/s each, amplified by a few collisions of round bodies.
  EXPECT_NEAR((by_sweeps.v - by_newton.v).lpNorm<Eigen::Infinity>(), 0.0, 1e-5);
  EXPECT_GT(by_sweeps.v.norm(), 1.0);
}

struct Energy {
  double kinetic = 0.0, potential = 0.0;
  double sum() const { return kinetic + potential; }
};

Energy energy_of(const Scene& scene, const State& state) {
  Energy energy;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const FrameNode node = scene.bodies[i];
    const double J = 0.4 * ball.mass * ball.radius * ball.radius;
    energy.kinetic += 0.5 * ball.mass * state.v.segment<3>(node.v).squaredNorm() +
                      0.5 * J * state.v.segment<3>(node.v + 3).squaredNorm();
    energy.potential += ball.mass * g * state.q.position(node).z();
  }
  return energy;
}

// A heap is statically indeterminate: its forces are not unique, and Newton's iteration alone cycles in nearly every
// step.
TEST(ManyContacts, OfAHeapNeedNoRemediesAndGainNoEnergy) {
  Scene scene;
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int side = 3;
  for (int i = 0; i < 45; ++i) {
    scene.add_ball(fmt::format("ball[{}]", i), ball,
                   {.position = {0.11 * (i % side - 1) + 0.004 * uniform(generator),
                                 0.11 * (i / side % side - 1) + 0.004 * uniform(generator),
                                 0.06 + 0.11 * (i / side / side)}});
  }
  scene.add_floor();
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    scene.model.add<Surface>(
        {.name = fmt::format("wall {} {}", n.x(), n.y()), .of = shapes::HalfSpace{n}, .position = -0.18 * n});
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  DecoupledNsga integrator({.step = 1e-3});
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  const Energy start = energy_of(scene, state);
  double most_gained = 0.0;
  Index most_closed = 0;
  for (int k = 0; k < 500; ++k) {
    const StepReport report = stepper.step(state);
    EXPECT_TRUE(std::ranges::all_of(report.fallbacks, [](int count) { return count == 0; })) << state.time;
    most_closed = std::max(most_closed, static_cast<Index>(report.closed_contacts));
    most_gained = std::max(most_gained, energy_of(scene, state).sum() - start.sum());
  }
  EXPECT_GT(most_closed, 60);
  // Compared with 40 J, in 500 steps that satisfy the contact law to 1e-8.
  EXPECT_LT(most_gained, 1e-6);
  EXPECT_LT(energy_of(scene, state).sum(), 0.9 * start.sum());
  EXPECT_EQ(stepper.statistics().misses, 0);
  Vector gaps(stepper.system().contact_row_count());
  stepper.system().evaluate_gaps(state.q, state.q, gaps);
  for (const auto& contact : stepper.system().contacts()) EXPECT_GT(gaps[contact.first_row], -1e-9);
}

// If rolling shared the cone of sliding in the interior-point method, it would take 7 remedies, one of them a cut step.
TEST(ManyContacts, OfAHeapThatResistsRollingNeedHardlyARemedy) {
  Scene scene;
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 30; ++i) {
    const double x = 0.11 * (i % 3 - 1) + 0.004 * uniform(generator);
    const double y = 0.11 * (i / 3 % 3 - 1) + 0.004 * uniform(generator);
    scene.add_ball(fmt::format("ball[{}]", i), ball, {.position = {x, y, 0.06 + 0.11 * (i / 9)}});
  }
  scene.add_floor();
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    scene.model.add<Surface>(
        {.name = fmt::format("wall {} {}", n.x(), n.y()), .of = shapes::HalfSpace{n}, .position = -0.18 * n});
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3, .rolling_arm = 1e-3});
  DecoupledNsga integrator({.step = 1e-3});
  const Seen seen = run(scene, integrator, 0.6);
  EXPECT_LE(seen.fallbacks, 2);  // 1
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_LT(seen.penetration, 1e-9);
}

/// A pyramid of layers of balls in a corner, every ball penetrating its neighbours more than allowed: the gaps of
/// neighbours are about -2 `depth`, a fraction of the radius.
void fill_pyramid(Scene& scene, int side, double depth) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double r = (1 - depth) * ball.radius;
  for (int layer = 0; layer < side; ++layer) {
    const int count = side - layer;
    for (int i = 0; i < count * count; ++i) {
      const Vec3 place(2 * (i % count) + layer, 2 * (i / count) + layer, 1 + std::sqrt(2.0) * layer);
      const Vec3 shift(uniform(generator), uniform(generator), uniform(generator));
      scene.add_ball(fmt::format("ball[{}]", scene.bodies.size()), ball,
                     {.position = r * (place + 0.3 * depth * shift)});
    }
  }
  scene.add_floor();
  const auto add_wall = [&](const Vec3& point, const Vec3& normal) {
    scene.model.add<Surface>({.name = fmt::format("wall {} {}", normal.x(), normal.y()),
                              .of = shapes::HalfSpace{normal},
                              .position = point});
  };
  add_wall({-r, 0, 0}, {1, 0, 0});
  add_wall({0, -r, 0}, {0, 1, 0});
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
}

/// Balls along an edge of the base, depth, steps.
class PenetratingStart : public testing::TestWithParam<std::tuple<int, double, int>> {};

// Heaps that settled in another code penetrate by fractions of a radius, with more contacts than are needed to
// support them.
TEST_P(PenetratingStart, IsLiftedApartAndRuns) {
  const auto [side, depth, steps] = GetParam();
  Scene scene;
  fill_pyramid(scene, side, depth);
  DecoupledNsga integrator({.step = 1e-3});
  Stepper stepper(scene.model, integrator);
  State state = stepper.start();
  const auto deepest = [&] {
    Vector gaps(stepper.system().contact_row_count());
    stepper.system().evaluate_gaps(state.q, state.q, gaps);
    double most = 0;
    for (const auto& contact : stepper.system().contacts()) most = std::max(most, -gaps[contact.first_row]);
    return most;
  };
  const double size = 2 * side * ball.radius;
  EXPECT_LE(deepest(), 1e-9 * size);
  // The opening of gaps accumulates along the pyramid, sideways and upward.
  double moved = 0;
  for (const FrameNode& node : scene.bodies)
    moved =
        std::max(moved, (state.q.position(node) - scene.model.initial_configuration().position(node)).norm());
  EXPECT_GT(moved, depth * ball.radius);
  EXPECT_LE(moved, 4 * depth * size);
  const double start = energy_of(scene, state).sum();
  for (int k = 0; k < steps; ++k) {
    ASSERT_NO_THROW(stepper.step(state)) << k;
    EXPECT_LE(deepest(), 1e-9 * size) << k;
  }
  EXPECT_LE(energy_of(scene, state).sum(), start * (1 + 1e-9));
}

INSTANTIATE_TEST_SUITE_P(Heaps, PenetratingStart,
                         testing::Values(std::tuple(4, 1e-6, 50), std::tuple(4, 1e-5, 50),
                                         std::tuple(4, 1e-4, 50), std::tuple(6, 1e-5, 3)));

}  // namespace
}  // namespace picus::many_contacts_test
