/// A contact closes while others stick, beside the cases of the benchmark closing-beside-sticking: other shapes, sizes,
/// friction and steps.

#include <picus/energy.hpp>
#include <picus/models/painleve_rod.hpp>
#include <picus/models/rimless_wheel.hpp>
#include <picus/models/sphere_chain.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

namespace picus::closing_beside_sticking_test {
namespace {

/// No step of the model takes more than 15 iterations for a solve, its remedies included, and none is cut.
void expect_few_iterations(const Model& model, const std::string& scheme, double h, double until) {
  SCOPED_TRACE(fmt::format("{} with {}, h = {} s", model.name(), scheme, h));
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  int most = 0;
  int cuts = 0;
  while (state.time < until - 0.5 * h) {
    const StepReport report = integrator->step(state);
    for (const SubproblemReport& solve : report.subproblems) most = std::max(most, solve.iterations);
    cuts += report.fallbacks[place_of(Fallback::step_cut)];
  }
  EXPECT_LE(most, 15);
  EXPECT_EQ(cuts, 0);
}

class ClosingBesideSticking : public testing::TestWithParam<const char*> {
 protected:
  void expect_few(const Model& model, double until) const {
    for (const double h : {5e-4, 1e-3}) expect_few_iterations(model, GetParam(), h, until);
  }
};

TEST_P(ClosingBesideSticking, WheelsOfOtherShapesAndSizes) {
  for (const Index spokes : {5, 12}) expect_few(models::make_rimless_wheel({.spokes = spokes}), 2.0);
  expect_few(models::make_rimless_wheel({.slope = 0.15, .mu = 0.8}), 2.0);
  expect_few(models::make_rimless_wheel({.inertia = 1.6e-4, .length = 0.04}), 1.0);
}

TEST_P(ClosingBesideSticking, RodsOfOtherFrictionAndSize) {
  for (const double mu : {1.4, 2.0, 3.0}) expect_few(models::make_painleve_rod({.mu = mu}), 0.1);
  for (const double length : {0.05, 20.0}) expect_few(models::make_painleve_rod({.length = length}), 0.1);
  expect_few(models::make_painleve_rod({.mu = 2.0, .height = 0.02}), 0.1);
}

TEST_P(ClosingBesideSticking, RowsOfRougherBalls) {
  for (const double mu : {0.1, 0.4, 0.8}) expect_few(models::make_sphere_chain({.mu_between = mu}), 0.6);
}

/// A rod that no finite force keeps from penetrating: its slip stops at once, without a collision. Contact forces that
/// schemes carry over to the next step must not throw it into the air.
class JammedRod : public testing::TestWithParam<const char*> {};

TEST_P(JammedRod, PivotsAboutItsEndAndGainsNoEnergy) {
  const models::PainleveRod rods[] = {{}, {.mu = 3.0}, {.length = 0.05}, {.mass = 20.0, .length = 8.0}};
  for (const models::PainleveRod& p : rods) {
    for (const double h : {5e-4, 1e-3}) {
      SCOPED_TRACE(fmt::format("mu = {}, length = {} m, h = {} s", p.mu, p.length, h));
      const Model model = models::make_painleve_rod(p);
      const System system(model);
      const auto integrator = make_integrator(GetParam(), {.step = h});
      State state = integrator->start(system);
      const EnergyAudit audit(system, state);
      const auto energy = [&] {
        const Energies now = audit.energies(state);
        return now.kinetic + now.potential;
      };
      const Node node = model.find_node("rod");
      models::PainleveRodReference reference = models::painleve_rod_reference(p);
      const double time_of_fall = std::sqrt(p.length / p.gravity);
      double last = energy();
      double rise = 0;
      while (state.time < 0.3 * time_of_fall) {
        integrator->step(state);
        const double now = energy();
        rise = std::max(rise, now - last);
        last = now;
      }
      // The work of the weight along what it moves the rod in a step.
      EXPECT_LE(rise, p.mass * (p.gravity * h) * (p.gravity * h)) << "J";
      // First order: by the part that a step is of the fall.
      EXPECT_NEAR(state.v[node.v + 5], reference.at(state.time).v.z(),
                  h / time_of_fall * std::abs(p.slip) / p.length);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, JammedRod,
                         testing::Values("ds", "ds-a", "moreau-jean", "mixed", "mixed:base=bathe",
                                         "mixed:base=ed-alpha", "mixed:base=moreau-midpoint",
                                         "mixed:base=half-explicit"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

INSTANTIATE_TEST_SUITE_P(Schemes, ClosingBesideSticking, testing::Values("ds", "dsn"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace picus::closing_beside_sticking_test
