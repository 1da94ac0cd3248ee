/// Two balls on a spring: momentum, and convergence to the exact motion.

#include <picus/convergence.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

namespace picus::models {
namespace {

TrialResult bounce(double step, const std::vector<std::string>& settings = {}) {
  Trial trial{.scenario = find_model("bouncing-oscillator").configure(settings)};
  trial.options.step = step;
  trial.until = 1.0;
  return run(trial);
}

double error(const TrialResult& result, std::string_view name) {
  const Series& series = result.find(name);
  L1Error error;
  for (std::size_t i = 0; i < series.values.size(); ++i) error.add(series.values[i], series.exact[i]);
  return error.value();
}

TEST(BouncingOscillator, GetsItsMomentumFromWeightAndFloor) {
  const TrialResult result = bounce(1e-3, {"mass=2", "stiffness=1e3"});
  double impulse = 0.0;
  for (std::size_t i = 0; i < result.times.size(); ++i) {
    impulse += result.find("floor.impulse").values[i];
    const double momentum = 2.0 * (result.find("lower.vy").values[i] + result.find("upper.vy").values[i]);
    EXPECT_NEAR(momentum, impulse - 2.0 * 2.0 * 10.0 * result.times[i], 1e-6);
  }
  EXPECT_GT(impulse, 0.0);
}

TEST(BouncingOscillator, ApproachesTheExactMotion) {
  const TrialResult coarse = bounce(1e-3);
  const TrialResult fine = bounce(1e-5);
  for (const char* name : {"lower.y", "lower.vy", "upper.y", "upper.vy"}) {
    // First order gives 100, and errors scatter by a factor of 3.
    EXPECT_LT(error(fine, name), error(coarse, name) / 10.0) << name;
  }
}

TEST(BouncingOscillator, HasTheExactEnergyUntilTheFirstImpact) {
  const TrialResult result = bounce(1e-3);
  const Series& energy = result.find("energy");
  for (std::size_t i = 0; result.times[i] < 0.4; ++i) EXPECT_NEAR(energy.values[i], energy.exact[i], 1e-9);
}

}  // namespace
}  // namespace picus::models
