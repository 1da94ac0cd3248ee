// The tangent of the static problem against differences of its residual, with respect to all unknowns, at
// random iterates with large rotations; at rest and in a rotating frame.

#include <picus/solvers/analyses/static_problem.hpp>
#include <support/dense.hpp>
#include <support/differences.hpp>
#include <support/mixed_model.hpp>

#include <gtest/gtest.h>

namespace picus {

using solvers::StaticProblem;

namespace {

using support::Random;

class StaticTangents : public testing::TestWithParam<unsigned> {
 protected:
  void compare(const std::optional<Vec3>& angular_velocity) {
    Random random(GetParam());
    const Model model = support::make_mixed_model(random);
    const System system(model);
    StepData data(system);
    data.q_n = &model.initial_configuration();
    data.t = 0.6;
    system.prescribe(0.0, data.t, data.dq_smooth, data.acceleration, data.v_smooth);
    StaticProblem problem(data, angular_velocity);
    Vector r(problem.size());
    int compared = 0;
    for (int sample = 0; sample < 100 && compared < 10; ++sample) {
      Vector P = random.vector(system.contact_row_count(), 0.7);
      for (const auto& block : system.contacts()) P[block.first_row] = random.uniform(-2, 5);
      problem.begin(random.vector(system.row_count()), P, 0.7, 0.0);
      problem.advance(random.vector(problem.size(), 0.8), 1.0);
      problem.evaluate(r);
      const std::vector<ContactState> states(problem.contact_states().begin(),
                                             problem.contact_states().end());
      const Eigen::MatrixXd tangent = support::dense(problem.tangent());
      bool crossed = false;
      Eigen::MatrixXd differences(problem.size(), problem.size());
      for (Index i = 0; i < problem.size(); ++i) {
        const Vector e = Vector::Unit(problem.size(), i);
        differences.col(i) = support::derivative([&](double s) {
          problem.advance(e, s);
          problem.evaluate(r);
          crossed = crossed || !std::equal(states.begin(), states.end(), problem.contact_states().begin());
          problem.advance(e, -s);
          return r;
        });
      }
      if (crossed) continue;  // a kink, where no derivative exists
      ++compared;
      support::expect_near(tangent, differences, 1e-8, "static");  // what differences of order 8 resolve
    }
    EXPECT_GE(compared, 10);
  }
};

TEST_P(StaticTangents, AtRest) {
  compare(std::nullopt);
}

TEST_P(StaticTangents, InARotatingFrame) {
  compare(Vec3(0.3, -0.8, 1.1));
}

INSTANTIATE_TEST_SUITE_P(OfRandomModels, StaticTangents, testing::Values(201u, 202u));

}  // namespace
}  // namespace picus
