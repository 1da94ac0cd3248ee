/// The schemes against exact motions: large rotations with a joint, and impacts of a vibrating system.

#include <picus/convergence.hpp>
#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace picus::models {
namespace {

/// L1 errors of signals with each step.
std::vector<std::vector<double>> errors(std::string_view model, const std::string& scheme, double until,
                                        const std::vector<double>& steps,
                                        const std::vector<std::string>& signals) {
  std::vector<std::vector<double>> result(signals.size());
  for (const double step : steps) {
    Trial trial{.scenario = find_model(model).configure({})};
    trial.scheme = scheme;
    trial.options.step = step;
    trial.until = until;
    trial.signals = signals;
    const TrialResult outcome = run(trial);
    EXPECT_TRUE(outcome.is_complete()) << outcome.failure;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const Series& series = outcome.find(signals[i]);
      L1Error error;
      for (std::size_t n = 0; n < series.values.size(); ++n) error.add(series.values[n], series.exact[n]);
      result[i].push_back(error.value());
    }
  }
  return result;
}

TEST(IntegratorsExact, OrdersOnTheHeavyTop) {
  // 150 rad/s, 0.15 rad in the largest step. Constraints at velocity level are of first order; explicit differences
  // at position level (SHAKE) of second, except for their velocities, which are those of the previous step.
  const std::vector<double> steps{1e-3, 5e-4, 2.5e-4};
  struct Expected {
    const char* scheme;
    double position, velocity;
  };
  for (const Expected& expected : {Expected{"ds", 2, 2},
                                   {"newmark", 1, 1},
                                   {"hht", 1, 1},
                                   {"moreau-jean:dissipates=yes", 1, 1},
                                   {"schatzman-paoli", 1, 1},
                                   {"schatzman-paoli:theta=0", 2, 1}}) {
    const auto found =
        errors("spinning-top", expected.scheme, 0.1, steps, {"top.x", "top.z", "top.vx", "top.vz"});
    for (const std::size_t i : {0u, 1u})
      EXPECT_NEAR(observed_order(steps, found[i]), expected.position, 0.1) << expected.scheme;
    for (const std::size_t i : {2u, 3u})
      EXPECT_NEAR(observed_order(steps, found[i]), expected.velocity, 0.1) << expected.scheme;
  }
}

TEST(IntegratorsExact, FirstOrderWhereABouncingOscillatorVibrates) {
  // The position of an impact within its step is random, which scatters single errors by a factor of ten. So the mean
  // over a dozen steps around 1 ms is compared with that around 1/16 ms: accurate to a factor of two, 0.25 of the
  // order.
  constexpr double refinement = 16;
  std::vector<double> coarse, fine;
  for (int i = 0; i < 12; ++i) {
    coarse.push_back(1e-3 / (1 + i / 23.0));
    fine.push_back(coarse.back() / refinement);
  }
  for (const char* scheme : {"newmark", "hht", "newmark:gamma=0.6", "moreau-jean:dissipates=yes",
                             "schatzman-paoli", "schatzman-paoli:theta=0"}) {
    const std::vector<std::string> heights{"lower.y", "upper.y"};
    const auto large = errors("bouncing-oscillator", scheme, 0.8, coarse, heights);
    const auto small = errors("bouncing-oscillator", scheme, 0.8, fine, heights);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const double ratio = std::accumulate(large[i].begin(), large[i].end(), 0.0) /
                           std::accumulate(small[i].begin(), small[i].end(), 0.0);
      EXPECT_NEAR(std::log(ratio) / std::log(refinement), 1.0, 0.25) << scheme << ", " << heights[i];
    }
  }
}

TEST(IntegratorsExact, LinearComplementarityOnAStiffBeamIsNewtonsMethod) {
  // The first impact excites vibrations that no step resolves. Iterations start far from the solution, where the
  // compliance of the contact is negative in places and the linear problem has no solution.
  const auto tip = [](const std::string& scheme) {
    Trial trial{.scenario = find_model("flexible-pendulum").configure({})};
    trial.scheme = scheme;
    trial.options.step = 5e-4;
    trial.until = 0.36;
    trial.signals = {"tip.x"};
    const TrialResult outcome = run(trial);
    EXPECT_TRUE(outcome.is_complete()) << outcome.failure;
    return outcome.find("tip.x").values.back();
  };
  // The tolerance, 1e-8 of 2.5 mm per step, is amplified by the unstable modes of the vibration; both stay within
  // 1e-7 m.
  EXPECT_NEAR(tip("chen"), tip("chen:solver=lcp"), 1e-7);
}

}  // namespace
}  // namespace picus::models
