#include <picus/models/registry.hpp>
#include <picus/models/study/trial.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace picus::models {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

Trial ball_trial(double step, double until, const std::vector<std::string>& settings = {}) {
  Trial trial;
  trial.scenario = find_model("bouncing-ball").configure(settings);
  trial.options.step = step;
  trial.until = until;
  return trial;
}

TEST(Trial, KeepsTheStartAndEveryStep) {
  const TrialResult result = run(ball_trial(1e-2, 0.3));
  ASSERT_TRUE(result.is_complete());
  ASSERT_THAT(result.times, SizeIs(31));
  EXPECT_EQ(result.times.front(), 0.0);
  EXPECT_NEAR(result.times.back(), 0.3, 1e-15);
  // The ball falls freely until 0.404 s, which the scheme integrates exactly.
  const Series& height = result.find("ball.y");
  ASSERT_THAT(height.values, SizeIs(31));
  for (std::size_t i = 0; i < 31; ++i) {
    EXPECT_NEAR(height.values[i], 0.8 - 4.9 * result.times[i] * result.times[i], 1e-14);
    EXPECT_NEAR(height.exact[i], height.values[i], 1e-14);
  }
  EXPECT_TRUE(result.find("energy").exact.empty());
  EXPECT_EQ(height.unit, "m");
  EXPECT_THAT(result.iterations, SizeIs(30));
  EXPECT_EQ(result.summary.steps, 30);
  EXPECT_FALSE(result.findings.empty());
}

TEST(Trial, AccountsForEnergiesByTheForcesOfTheScheme) {
  const std::vector<std::string> few = {"elements=10"};
  const Scenario bar = find_model("elastic-bar").configure(few);
  const Energies end =
      run({.scenario = bar, .options = {.step = 1e-3, .tolerance = 1e-13}, .until = 1.2}).summary.energies;
  // Linear with constant directions: the formulas of the scheme explain all that it gained.
  EXPECT_GT(std::abs(end.balance), 1e-6);
  EXPECT_LT(std::abs(end.unexplained), 1e-10 * end.kinetic);
}

TEST(Trial, ThinsWhatItKeepsButNotWhatItDoes) {
  Trial trial = ball_trial(1e-3, 1.0);
  const TrialResult all = run(trial);
  trial.every = 7;
  const TrialResult some = run(trial);
  ASSERT_THAT(some.times, SizeIs(1 + 1000 / 7));
  for (std::size_t i = 0; i < some.times.size(); ++i) {
    EXPECT_EQ(some.find("ball.vy").values[i], all.find("ball.vy").values[7 * i]);
  }
  EXPECT_EQ(some.iterations, all.iterations);
}

TEST(Trial, KeepsTheSignalsThatPatternsName) {
  Trial trial = ball_trial(1e-2, 0.1);
  trial.signals = {"ball.*"};
  EXPECT_THAT(run(trial).series, SizeIs(2));
  trial.signals = {"ball.y", "energy", "ball.y"};
  EXPECT_THAT(run(trial).series, SizeIs(2));
  trial.signals = {"bal.y"};
  try {
    run(trial);
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "no quantity is called \"bal.y\" (did you mean \"ball.y\"?)");
  }
}

TEST(Trial, EndsWhereItsTimeIsUp) {
  Trial trial = ball_trial(1e-6, 1000.0, {"restitution=1"});
  trial.longest = 0.05;
  trial.every = 100000;
  const TrialResult result = run(trial);
  EXPECT_TRUE(result.is_complete());
  EXPECT_TRUE(result.is_cut_short);
  EXPECT_GT(result.summary.steps, 0);
  EXPECT_LT(result.summary.steps, 1000000000);
  EXPECT_EQ(result.summary.final_state.step, result.summary.steps);
  EXPECT_NEAR(result.summary.energies.balance, 0.0, 1e-6);
  EXPECT_GE(result.summary.wall_seconds, 0.05);  // at least the CPU time

  trial = ball_trial(1e-2, 0.3);
  trial.longest = 1000.0;
  EXPECT_FALSE(run(trial).is_cut_short);
}

TEST(Trial, CountsTheIterationsOfEachStep) {
  const TrialResult result = run(ball_trial(1e-3, 1.0));
  std::array<std::int64_t, 3> sums{};
  int worst = 0;
  for (const auto& step : result.iterations) {
    for (std::size_t i = 0; i < 3; ++i) sums[i] += step[i];
    worst = std::max(worst, step[0] + step[1] + step[2]);
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.summary.subproblems[i].iterations, sums[i]);
  EXPECT_EQ(result.worst_iterations(), worst);
  EXPECT_DOUBLE_EQ(result.mean_iterations(), static_cast<double>(sums[0] + sums[1] + sums[2]) / 1000.0);
  EXPECT_EQ(result.fallback_count(), 0);
}

TEST(Trial, TimesItsSteps) {
  EXPECT_GT(run(ball_trial(1e-3, 0.1)).step_seconds, 0.0);
}

TEST(Trial, ReportsAStepThatFailsWithWhatCameBefore) {
  // One Newton iteration and no fallback cannot solve an impact.
  Trial trial = ball_trial(1e-3, 1.0);
  trial.scheme = "ds:step_cuts=0";
  trial.max_iterations = 1;
  trial.options.fallbacks = {.smaller_scaling = false,
                             .other_first_guess = false,
                             .interior_point = false,
                             .no_restitution = false,
                             .smallest_feasible_shift = false,
                             .accepted_residual = 1};
  const TrialResult result = run(trial);
  EXPECT_FALSE(result.is_complete());
  EXPECT_THAT(result.failure, HasSubstr("t = 0.40"));
  EXPECT_EQ(result.times.size(), static_cast<std::size_t>(result.summary.steps) + 1);
  EXPECT_NEAR(result.times.back(), std::sqrt(2 * 0.8 / 9.8), 2e-3);
}

TEST(Trial, TakesTheLimitOfIterationsThatSuitsTheScheme) {
  // Waves travel through many elements in a step: the coupled scheme needs more joint iterations than the usual
  // limit.
  Trial trial;
  trial.scenario = find_model("elastic-bar").configure(std::vector<std::string>{"elements=50", "gap=0.1"});
  trial.scheme = "cs";
  trial.options.step = 2e-2;
  trial.options.tolerance = 1e-5;
  trial.until = 0.2;
  const TrialResult result = run(trial);
  EXPECT_TRUE(result.is_complete()) << result.failure;
  const int most = result.worst_iterations(0);
  EXPECT_GT(most, SchemeOptions{}.max_iterations);
  EXPECT_LE(most, find_scheme("cs").max_iterations);
  trial.max_iterations = most - 1;
  EXPECT_FALSE(run(trial).is_complete());
}

TEST(Trial, RefusesAnUnknownScheme) {
  Trial trial = ball_trial(1e-3, 1.0);
  trial.scheme = "dz";
  try {
    run(trial);
    FAIL();
  } catch (const OptionError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is no scheme \"dz\""));
  }
}

TEST(Trial, BeginsWithAShorterStep) {
  Trial trial = ball_trial(1e-2, 0.3);
  trial.first_step = 0.25;
  for (const std::string scheme : {"ds", "chen", "moreau-jean", "mixed"}) {
    trial.scheme = scheme;
    const TrialResult result = run(trial);
    ASSERT_THAT(result.times, SizeIs(30)) << "from 2.5 ms to 292.5 ms, within the final time";
    const Series& height = result.find("ball.y");
    for (std::size_t i = 0; i < 30; ++i) {
      EXPECT_NEAR(result.times[i], 2.5e-3 + 1e-2 * static_cast<double>(i), 1e-14);
      // Moreau and Jean's scheme is of first order with its theta = 1.
      EXPECT_NEAR(height.values[i], height.exact[i], scheme == "moreau-jean" ? 0.02 : 1e-13) << scheme;
    }
  }
  for (const double wrong : {0.0, 1.5, std::nan("")}) {
    trial.first_step = wrong;
    EXPECT_THROW(run(trial), OptionError);
  }
}

TEST(Signals, OfEveryModelHaveDifferentNamesAndFiniteValues) {
  for (const RegisteredModel& model : registry()) {
    Trial trial;
    trial.scenario = model.configure();
    trial.options.step = model.info().step;
    trial.until = 2 * model.info().step;
    const TrialResult result = run(trial);
    ASSERT_TRUE(result.is_complete()) << model.info().name << ": " << result.failure;
    std::vector<std::string> names;
    for (const Series& series : result.series) {
      EXPECT_THAT(series.values, Each(testing::Truly([](double value) { return std::isfinite(value); })))
          << model.info().name << ' ' << series.name;
      EXPECT_EQ(series.name.find(' '), std::string::npos) << series.name;
      EXPECT_FALSE(series.meaning.empty()) << series.name;
      EXPECT_THAT(names, testing::Not(testing::Contains(series.name))) << model.info().name;
      names.push_back(series.name);
    }
    EXPECT_FALSE(names.empty()) << model.info().name;
    for (const std::string& studied : model.info().convergence.quantities) {
      EXPECT_THAT(names, testing::Contains(testing::Truly([&](const std::string& name) {
                    return name == studied || studied.find('*') != std::string::npos;
                  })))
          << model.info().name << ' ' << studied;
    }
  }
}

}  // namespace
}  // namespace picus::models
