// The tangent of the Schatzman-Paoli problem compared with differences of its residual, with respect to all unknowns,
// at random iterates with large rotations.

#include "random_step.hpp"
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>

#include <gtest/gtest.h>

namespace picus {

using solvers::SchatzmanPaoliProblem;

namespace {

/// Contacts of the model have different restitutions.
class SchatzmanPaoliTangent : public RandomStep {
 protected:
  void begin(SchatzmanPaoliProblem& problem) {
    const Index n = system.velocity_count();
    Vector increment_n = random.vector(n, 0.8);
    system.clear_prescribed(increment_n);
    problem.begin(increment_n, random.vector(n), random.vector(system.row_count()));
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    problem.set_contact_multipliers(pressing_multipliers());
  }

  /// Returns false when a difference step crossed a kink of the contact conditions.
  bool agrees(SchatzmanPaoliProblem& problem) {
    return tangent_agrees(problem, {&problem}, "position-level", seen);
  }
};

TEST_P(SchatzmanPaoliTangent, OpenAndClosed) {
  for (const double theta : {0.0, 0.5, 1.0}) {
    SchatzmanPaoliProblem problem(data, theta);
    problem.set_scaling(1.0, 0.0);
    int compared = 0;
    for (int sample = 0; sample < 100 && compared < 10; ++sample) {
      begin(problem);
      if (agrees(problem)) ++compared;
    }
    EXPECT_GE(compared, 10);
  }
  EXPECT_GE(seen[place_of(ContactState::gap)], 5);
  EXPECT_GE(seen[place_of(ContactState::slip)], 5);
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, SchatzmanPaoliTangent, testing::Values(301u, 302u, 303u));

}  // namespace
}  // namespace picus
