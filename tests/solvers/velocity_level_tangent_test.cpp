// The tangent of the problem at velocity level against differences of its residual, with respect to all unknowns,
// at random iterates with large rotations.

#include "tangent_comparison.hpp"
#include <picus/solvers/subproblems/velocity_level_problem.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using support::Random;

/// A step of one second at unit speeds turns frames by a radian and more. Its start is no solution of
/// anything, and need not be.
class VelocityLevelTangent : public testing::TestWithParam<unsigned> {
 protected:
  VelocityLevelTangent() {
    v_n = random.vector(system.velocity_count());
    system.clear_prescribed(v_n);
    data.q_n = &q_n;
    data.v_n = &v_n;
    data.contact_state_n = &state_n;
    data.h = 1.0;
    data.t = 1.4;
    data.contact_mass = contact_masses(system, data.mass, data.scales, q_n, 0.0);
    problem.set_scaling(1.0, 0.0);
  }

  /// A random iterate; contacts press more often than not, so that they stick often enough.
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
      problem.set_closed(c, random.uniform(0, 1) > 0.2);
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    Vector P = random.vector(system.contact_row_count(), 0.7);
    for (const auto& block : system.contacts()) P[block.first_row] = random.uniform(-2, 5);
    problem.set_contact_multipliers(P);
  }

  /// Returns false when a difference step crossed a kink of the contact conditions.
  bool agrees() { return tangent_agrees(problem, {&problem}, "velocity-level", seen); }

  Random random{GetParam()};
  Model model = support::make_mixed_model(random);
  System system{model};
  Configuration q_n = model.initial_configuration();
  Vector v_n;
  std::vector<ContactState> state_n = std::vector<ContactState>(system.contacts().size(), ContactState::gap);
  StepData data{system};
  VelocityLevelProblem problem{data};
  SeenStates seen{};
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
