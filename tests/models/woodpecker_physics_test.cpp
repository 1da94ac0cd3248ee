/// The woodpecker against the published frequencies and falls, in both variants (thesis, section 5.3.5).

#include "woodpecker_names.hpp"
#include <picus/convergence.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <tuple>
#include <vector>

namespace picus::models::woodpecker_physics_test {
namespace {

using Case = Woodpecker::Case;
using Variant = Woodpecker::Variant;

struct Published {
  Case guidance;
  double mu;
  double frequency;  ///< Hz
  double fall;       ///< mm per cycle
};

void PrintTo(const Published& published, std::ostream* out) {
  PrintTo(published.guidance, out);
  *out << ", mu = " << published.mu;
}

/// The largest number of iterations that a sub-problem took in one step.
class WorstSolve : public Recorder {
 public:
  void begin(const RunInfo&) override {}
  void record(const Snapshot& snapshot) override {
    for (const SubproblemReport& report : snapshot.report.subproblems) {
      iterations = std::max(iterations, report.iterations);
    }
  }
  void finish(const std::string&) override {}

  int iterations = 0;
};

class WoodpeckerPhysicsTest : public testing::TestWithParam<std::tuple<Published, Variant>> {};

TEST_P(WoodpeckerPhysicsTest, HasThePublishedCycle) {
  const auto& [published, variant] = GetParam();
  const Woodpecker parameters{.guidance = published.guidance, .variant = variant, .mu = published.mu};
  const Model model = make_woodpecker(parameters);
  DecoupledNsga integrator({.step = 1e-4});
  Observer observer([&](const RunInfo& run) { return woodpecker_measures(run, parameters); });
  WorstSolve worst;
  const RunSummary summary = simulate(model, integrator, {.until = 2.0}, {&observer, &worst});

  const std::vector<Finding> findings = observer.findings();
  ASSERT_EQ(findings[0].quantity, "frequency");
  ASSERT_EQ(findings[1].quantity, "fall per cycle");
  ASSERT_TRUE(findings[0].value && findings[1].value);
  EXPECT_NEAR(*findings[0].value, published.frequency, 0.015 * published.frequency);
  EXPECT_NEAR(*findings[1].value, published.fall, 0.015 * published.fall);
  EXPECT_EQ(findings[0].reference, published.frequency);
  EXPECT_EQ(findings[1].reference, published.fall);

  for (std::size_t i = 0; i < max_fallbacks; ++i)
    EXPECT_EQ(summary.fallbacks[i], 0) << summary.fallback_names[i];
  EXPECT_LE(worst.iterations, 10);
  EXPECT_LT(summary.worst_violation, 1e-10);
  EXPECT_LT(summary.worst_penetration, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Thesis, WoodpeckerPhysicsTest,
                         testing::Combine(testing::Values(Published{Case::one, 0.3, 7.66, 14.3},
                                                          Published{Case::two, 0.3, 7.96, 7.6},
                                                          Published{Case::two, 0.35, 8.3, 5.3}),
                                          testing::Values(Variant::rigid_links, Variant::body_points)));

class WoodpeckerStepTest : public testing::TestWithParam<std::tuple<double, Variant>> {};

TEST_P(WoodpeckerStepTest, IsSolvedWithoutFallback) {
  const auto& [step, variant] = GetParam();
  const Model model = make_woodpecker({.variant = variant});
  DecoupledNsga integrator({.step = step});
  const RunSummary summary = simulate(model, integrator, {.until = 0.5});
  for (std::size_t i = 0; i < max_fallbacks; ++i)
    EXPECT_EQ(summary.fallbacks[i], 0) << summary.fallback_names[i];
  EXPECT_LT(summary.worst_violation, 1e-10);
  EXPECT_LT(summary.worst_penetration, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(AnyStep, WoodpeckerStepTest,
                         testing::Combine(testing::Values(2e-5, 5e-5, 2e-4, 3.3e-4, 5e-4),
                                          testing::Values(Variant::rigid_links, Variant::body_points)));

/// Height of the sleeve at every millisecond.
class HeightRecorder : public Recorder {
 public:
  explicit HeightRecorder(std::int64_t steps_in_a_millisecond) : every_(steps_in_a_millisecond) {}
  void begin(const RunInfo& run) override { sleeve_ = run.system.model().find_node("sleeve"); }
  void record(const Snapshot& snapshot) override {
    if (snapshot.state.step % every_ == 0) heights.push_back(snapshot.state.q.position(sleeve_).y());
  }
  void finish(const std::string&) override {}

  std::vector<double> heights;

 private:
  std::int64_t every_;
  Node sleeve_;
};

std::vector<double> heights_of_run(int steps_in_a_millisecond) {
  const Model model = make_woodpecker({.variant = Variant::body_points});
  DecoupledNsga integrator({.step = 1e-3 / steps_in_a_millisecond});
  HeightRecorder recorder(steps_in_a_millisecond);
  simulate(model, integrator, {.until = 0.1}, {&recorder});
  return recorder.heights;
}

TEST(WoodpeckerPhysics, IsOfFirstOrder) {
  // The reference has steps of 1e-6 s. Over 0.1 s the sleeve jams, falls, and the beak hits the pole.
  const std::vector<double> reference = heights_of_run(1000);
  std::vector<double> steps;
  std::vector<double> errors;
  for (const int n : {2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 64, 80, 100}) {
    const std::vector<double> heights = heights_of_run(n);
    ASSERT_EQ(heights.size(), reference.size());
    L1Error error;
    for (std::size_t i = 0; i < heights.size(); ++i) error.add(heights[i], reference[i]);
    steps.push_back(1e-3 / n);
    errors.push_back(error.value());
  }
  EXPECT_GE(observed_order(steps, errors), 0.95);
}

// Body points are in rotating axes: the mean direction of an impulse over a step differs from that on nodes carried
// by rigid links, and the impulses of links act along their final directions. So the variants differ, and converge as
// the step vanishes.
TEST(WoodpeckerPhysics, MovesTheSameInBothVariants) {
  const auto final_state = [](Variant variant, double h) {
    const Model model = make_woodpecker({.variant = variant});
    DecoupledNsga integrator({.step = h});
    const State state = simulate(model, integrator, {.until = 0.1}).final_state;
    return std::pair{Vec3(state.q.position(model.find_node("sleeve"))),
                     Vec3(state.q.position(model.find_node("bird")))};
  };
  std::array<double, 2> differences{};
  for (std::size_t i = 0; i < 2; ++i) {
    const double h = i == 0 ? 1e-4 : 1.25e-5;
    const auto [sleeve_on_links, bird_on_links] = final_state(Variant::rigid_links, h);
    const auto [sleeve_on_points, bird_on_points] = final_state(Variant::body_points, h);
    differences[i] = (sleeve_on_links - sleeve_on_points).norm() + (bird_on_links - bird_on_points).norm();
  }
  // They are not the same to rounding, as expected.
  constexpr double rounding = 1e-9;  // m
  if (!(differences[0] < rounding))
    RecordProperty("missed_difference", std::to_string(differences[0] / rounding));
  EXPECT_GT(differences[0] / differences[1], 4.0)
      << "about first order: impacts fall anywhere into their steps";
}

}  // namespace
}  // namespace picus::models::woodpecker_physics_test
