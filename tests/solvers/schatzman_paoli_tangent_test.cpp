// The tangent of the problem of Schatzman and Paoli against differences of its residual, with respect to all unknowns,
// at random iterates with large rotations.

#include "tangent_comparison.hpp"
#include <picus/solvers/subproblems/schatzman_paoli_problem.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using support::Random;

/// A step of one second at unit speeds turns frames by a radian and more. Its start is no solution of anything, and need
/// not be. Contacts of the model have several restitutions.
class SchatzmanPaoliTangent : public testing::TestWithParam<unsigned> {
 protected:
  SchatzmanPaoliTangent() {
    v_n = random.vector(system.velocity_count());
    system.clear_prescribed(v_n);
    data.q_n = &q_n;
    data.v_n = &v_n;
    data.contact_state_n = &state_n;
    data.h = 1.0;
    data.t = 1.4;
    data.contact_mass = contact_masses(system, data.mass, data.scales, q_n, 0.0);
  }

  void begin(SchatzmanPaoliProblem& problem) {
    const Index n = system.velocity_count();
    Vector increment_n = random.vector(n, 0.8);
    system.clear_prescribed(increment_n);
    problem.begin(increment_n, random.vector(n), random.vector(system.row_count()));
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    Vector P = random.vector(system.contact_row_count(), 0.7);
    for (const auto& block : system.contacts()) P[block.first_row] = random.uniform(-2, 5);
    problem.set_contact_multipliers(P);
  }

  /// Returns false when a difference step crossed a kink of the contact conditions.
  bool agrees(SchatzmanPaoliProblem& problem) {
    return tangent_agrees(problem, {&problem}, "position-level", seen);
  }

  Random random{GetParam()};
  Model model = support::make_mixed_model(random);
  System system{model};
  Configuration q_n = model.initial_configuration();
  Vector v_n;
  std::vector<ContactState> state_n = std::vector<ContactState>(system.contacts().size(), ContactState::gap);
  StepData data{system};
  SeenStates seen{};
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
  EXPECT_GE(seen[static_cast<std::size_t>(ContactState::gap)], 5);
  EXPECT_GE(seen[static_cast<std::size_t>(ContactState::slip)], 5);
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, SchatzmanPaoliTangent, testing::Values(301u, 302u, 303u));

}  // namespace
}  // namespace picus
