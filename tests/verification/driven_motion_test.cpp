// Components with a prescribed motion whose acceleration is not given: order, and a start that needs no earlier
// times.

#include <picus/models/shaken_pendulum.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace picus::driven_motion_test {
namespace {

constexpr double end = 0.8;

struct Errors {
  double angle, rate;
};

Errors errors(const std::string& scheme, double h, bool gives_acceleration) {
  const models::ShakenPendulum pendulum{.gives_acceleration = gives_acceleration};
  const Model model = models::make_shaken_pendulum(pendulum);
  const System system(model);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  const auto steps = std::lround(end / h);
  for (long k = 0; k < steps; ++k) integrator->step(state);
  const auto [angle, rate] = models::shaken_pendulum_reference(pendulum)(end);
  const Node point = model.find_node("point");
  const Mat3 R = state.q.rotation(point);
  return {std::abs(std::remainder(std::atan2(R(1, 0), R(0, 0)) - angle, 2 * std::numbers::pi)),
          std::abs(state.v[point.v + 5] - rate)};
}

class DrivenMotion : public testing::TestWithParam<const char*> {};

TEST_P(DrivenMotion, IsOfSecondOrderWithoutItsAcceleration) {
  const Errors coarse = errors(GetParam(), 4e-3, false);
  const Errors fine = errors(GetParam(), 2e-3, false);
  EXPECT_NEAR(std::log2(coarse.angle / fine.angle), 2.0, 0.1);
  EXPECT_NEAR(std::log2(coarse.rate / fine.rate), 2.0, 0.1);
  // Hardly worse than with a given acceleration: the difference over a step adds (w h)^2/12 of it.
  const Errors given = errors(GetParam(), 2e-3, true);
  const double frequency = models::ShakenPendulum{}.frequency;
  EXPECT_LE(fine.angle, given.angle + frequency * frequency * 4e-6 / 12 * 10);
}

INSTANTIATE_TEST_SUITE_P(Schemes, DrivenMotion,
                         testing::Values("ds", "cs", "dsn", "ds-np", "ds-a", "chen", "newmark", "hht",
                                         "mixed:base=bathe", "mixed:base=generalized-alpha"));

}  // namespace
}  // namespace picus::driven_motion_test
