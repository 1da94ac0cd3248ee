// The tangent of the problem at velocity level against differences of its residual, with respect to all unknowns,
// at random iterates with large rotations.

#include "random_step.hpp"
#include <picus/solvers/subproblems/velocity_level_problem.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

class VelocityLevelTangent : public RandomStep {
 protected:
  VelocityLevelTangent() { problem.set_scaling(1.0, 0.0); }

  /// A random iterate; contacts are mostly compressed, so that they stick often enough.
  void begin(double w_rate, bool closes_gaps = false) {
    const Index n = system.velocity_count();
    problem.begin({.smooth = {.time = 1.0,
                              .force_rate = 0.6,
                              .dq_own = 0.5,
                              .v_0 = random.vector(n),
                              .dq_0 = random.vector(n, 0.5)},
                   .w_rate = w_rate,
                   .closes_gaps = closes_gaps},
                  random.vector(n), random.vector(system.row_count()),
                  random.vector(system.contact_row_count()));
    for (std::size_t c = 0; c < system.contacts().size(); ++c)
      problem.set_candidate(c, random.uniform(0, 1) > 0.2);
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    problem.set_contact_multipliers(pressing_multipliers());
  }

  /// Returns false when a difference step crossed a kink of the contact conditions.
  bool agrees() { return tangent_agrees(problem, {&problem}, "velocity-level", seen); }

  VelocityLevelProblem problem{data};
};

TEST_P(VelocityLevelTangent, InEveryContactState) {
  // w_rate = dq_rate / v_rate is the theta-method; the others have W in the velocity as well.
  for (const double w_rate : {0.5, 0.4, 0.25}) {
    int compared = 0;
    for (int sample = 0; sample < 100 && compared < 10; ++sample) {
      begin(w_rate);
      if (agrees()) ++compared;
    }
    EXPECT_GE(compared, 10);
  }
  for (const int count : seen) EXPECT_GE(count, 5);
}

TEST_P(VelocityLevelTangent, WithContactsAtPositionLevel) {
  for (const double w_rate : {0.5, 0.25}) {
    int compared = 0;
    for (int sample = 0; sample < 100 && compared < 10; ++sample) {
      begin(w_rate, true);
      if (agrees()) ++compared;
    }
    EXPECT_GE(compared, 10);
  }
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, VelocityLevelTangent, testing::Values(201u, 202u, 203u));

}  // namespace
}  // namespace picus
