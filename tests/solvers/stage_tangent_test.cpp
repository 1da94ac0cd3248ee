// The tangents of the stages of mixed timestepping against differences of their residuals, at random iterates with
// large rotations.

#include "random_step.hpp"
#include <picus/solvers/subproblems/explicit_stage.hpp>
#include <picus/solvers/subproblems/two_stage_problem.hpp>

#include <gtest/gtest.h>

namespace picus {

using solvers::ExplicitStage;
using solvers::TwoStageProblem;

namespace {

class StageTangent : public RandomStep {
 protected:
  StageTangent() { set_up(other_data); }

  /// Contacts are mostly compressed, so that they stick often enough.
  template <class Problem>
  void disturb(Problem& problem) {
    for (std::size_t c = 0; c < system.contacts().size(); ++c)
      problem.set_candidate(c, random.uniform(0, 1) > 0.2);
    problem.advance(random.vector(problem.size(), 0.8), 1.0);
    problem.set_contact_multipliers(pressing_multipliers());
  }

  StageFormulas random_formulas(double v_own, double v_other) {
    const Index n = system.velocity_count();
    return {.time = 0.7,
            .force_rate = 0.6,
            .v_own = v_own,
            .v_other = v_other,
            .dq_own = 0.3,
            .dq_other = -0.2,
            .v_0 = random.vector(n),
            .dq_0 = random.vector(n, 0.5)};
  }

  /// Ten iterates without a kink nearby.
  template <class Begin>
  void compare(NonlinearProblem& problem, const std::vector<const Subproblem*>& parts, Begin&& begin) {
    int compared = 0;
    for (int sample = 0; sample < 100 && compared < 10; ++sample) {
      begin();
      if (tangent_agrees(problem, parts, "stage", seen)) ++compared;
    }
    EXPECT_GE(compared, 10);
    for (const int count : seen) EXPECT_GE(count, 5);
  }

  StepData other_data{system};
};

TEST_P(StageTangent, OfOneImplicitStage) {
  ImplicitStage stage(data);
  stage.set_scaling(1.0, 0.0);
  compare(stage, {&stage}, [&] {
    stage.begin(random_formulas(1, 0), random.vector(system.velocity_count()),
                random.vector(system.row_count()));
    disturb(stage);
  });
}

TEST_P(StageTangent, OfTwoStagesThatDependOnEachOther) {
  ImplicitStage first(other_data);
  ImplicitStage second(data);
  first.set_scaling(1.0, 0.0);
  second.set_scaling(1.0, 0.0);
  TwoStageProblem both(first, second);
  compare(both, {&first, &second}, [&] {
    const Index n = system.velocity_count();
    first.begin(random_formulas(0.2, -0.4), random.vector(n), random.vector(system.row_count()));
    second.begin(random_formulas(1, 1), random.vector(n), random.vector(system.row_count()));
    disturb(first);
    disturb(second);
  });
}

TEST_P(StageTangent, OfAnExplicitStage) {
  ExplicitStage stage(data);
  stage.set_scaling(1.0, 0.0);
  StagePoint forces(system);
  forces.t = 1.0;
  Vector v_forces, v_0;
  compare(stage, {&stage}, [&] {
    const Index n = system.velocity_count();
    retract(system.nodes(), q_n, random.vector(n, 0.5), forces.q);
    retract(system.nodes(), q_n, random.vector(n, 0.5), data.q);
    forces.evaluate(system);
    data.evaluate(system);
    v_forces = random.vector(n);
    v_0 = random.vector(n);
    stage.begin(
        {.force_rate = 0.6, .forces = &forces, .v_forces = &v_forces, .v_0 = &v_0, .has_impact_law = true});
    disturb(stage);
  });
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, StageTangent, testing::Values(211u, 212u, 213u));

}  // namespace
}  // namespace picus
