// Overconstrained spatial loops at large steps: predicted positions violate the constraints, and redundant rows
// contradict each other by O(h^3).

#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/energy.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace picus::redundant_loops_test {
namespace {

/// Bricard's linkage (problem A04 of the IFToMM library of computational benchmark problems): rods along five edges
/// of a cube of 1 m, each 1 kg, with six hinges normal to them, the first and the last on the ground. It falls under
/// gravity; one of its 30 equations is redundant. `size` scales it.
Model make_bricard(double size) {
  const std::array<Vec3, 6> corners = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(1, -1, 0),
                                       Vec3(1, -1, 1), Vec3(0, -1, 1), Vec3(0, 0, 1)};
  Model model("bricard");
  std::vector<MassPoint> bodies;
  std::vector<FrameNode> rods;
  const auto corner = [&](std::size_t i) { return Vec3(size * corners[i]); };
  for (std::size_t i = 0; i < 5; ++i) {
    const Vec3 along = (corner(i + 1) - corner(i)).normalized();
    const Mat3 J = size * size / 12 * (Mat3::Identity() - along * along.transpose()) +
                   1e-4 * size * size * along * along.transpose();
    const std::string name = fmt::format("rod[{}]", i);
    rods.push_back(model.add_frame(name, {.position = (corner(i) + corner(i + 1)) / 2}));
    model.add<RigidBody>({.name = name, .node = rods.back(), .mass = 1.0, .inertia = J});
    bodies.push_back({rods.back(), 1.0});
  }
  const auto end = [&](std::size_t rod, std::size_t at) {
    return MaterialPoint(rods[rod], corner(at) - (corner(rod) + corner(rod + 1)) / 2);
  };
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 before = i == 0 ? corners[5] - corners[0] : corners[i] - corners[i - 1];
    const Vec3 after = i == 5 ? corners[5] - corners[0] : corners[i + 1] - corners[i];
    model.add<Hinge>({.name = fmt::format("hinge[{}]", i),
                      .a = i == 0 ? MaterialPoint::on_ground(corner(0)) : end(i - 1, i),
                      .b = i == 5 ? MaterialPoint::on_ground(corner(5)) : end(i, i),
                      .axis = before.cross(after)});
  }
  add_gravity(model, {.name = "gravity", .acceleration = {0, -9.81 * size, 0}, .bodies = bodies});
  return model;
}

struct Fall {
  int cuts = 0, most_iterations = 0;
  double energy_change = 0.0;  ///< largest over the run, J
};

Fall fall(const std::string& scheme, double h, double size) {
  const Model model = make_bricard(size);
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  MassMatrix mass(system);
  const auto energy = [&] {
    mass.assemble(state.q);
    return system.potential_energy(state.q, state.time) + 0.5 * mass.quadratic(state.v);
  };
  const double start = energy();
  Fall result;
  while (state.time < 2.0 - h / 2) {
    const StepReport report = integrator->step(state);
    for (const int uses : report.fallbacks) result.cuts += uses;
    for (const SubproblemReport& one : report.subproblems)
      result.most_iterations = std::max(result.most_iterations, one.iterations);
    result.energy_change = std::max(result.energy_change, std::abs(energy() - start));
  }
  return result;
}

class RedundantLoops : public testing::TestWithParam<const char*> {};

TEST_P(RedundantLoops, RunAtLargeStepsWithoutRemedies) {
  for (const double size : {1.0, 1e-3}) {
    const Fall coarse = fall(GetParam(), 2e-2, size);
    const Fall fine = fall(GetParam(), 1e-2, size);
    for (const Fall& one : {coarse, fine}) {
      EXPECT_EQ(one.cuts, 0) << size;
      EXPECT_LE(one.most_iterations, 5) << size;
    }
    EXPECT_NEAR(std::log2(coarse.energy_change / fine.energy_change), 2.0, 0.1) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RedundantLoops, testing::Values("ds", "dsn", "cs", "ds-a"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace picus::redundant_loops_test
