/// A contact closes while others stick, beside the cases of the benchmark closing-beside-sticking: other shapes, sizes,
/// friction and steps.

#include <picus/models/painleve_rod.hpp>
#include <picus/models/rimless_wheel.hpp>
#include <picus/models/sphere_chain.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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
    cuts += report.fallbacks[static_cast<std::size_t>(Fallback::step_cut)];
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

INSTANTIATE_TEST_SUITE_P(Schemes, ClosingBesideSticking, testing::Values("ds", "dsn"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace picus::closing_beside_sticking_test
