/// The bouncing ball against its exact solution: order 1 through the accumulation point, and rest after it.

#include <picus/convergence.hpp>
#include <picus/models/bouncing_ball.hpp>
#include <picus/models/references/bouncing_ball_exact.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::models {
namespace {

const BouncingBall ball;
const BouncingBallExact exact(ball.height, ball.restitution, ball.gravity);

/// The errors of a run, and the maximum height once all impacts have happened.
class ErrorRecorder : public Recorder {
 public:
  void begin(const RunInfo& run) override { node_ = run.system.model().find_node("ball"); }
  void record(const Snapshot& snapshot) override {
    const State& state = snapshot.state;
    const double height = state.q.position(node_).y();
    position.add(height, exact.position(state.time));
    velocity.add(state.v[node_.v + 1], exact.velocity(state.time));
    if (state.time > exact.accumulation_time() + 0.1) {
      height_at_rest = std::fmax(height_at_rest, std::abs(height));
      velocity_at_rest = std::fmax(velocity_at_rest, std::abs(state.v[node_.v + 1]));
    }
  }
  void finish(const std::string&) override {}

  L1Error position;
  L1Error velocity;
  double height_at_rest = 0.0;
  double velocity_at_rest = 0.0;

 private:
  Node node_;
};

ErrorRecorder errors_of_run(double step) {
  const Model model = make_bouncing_ball(ball);
  DecoupledNsga integrator({.step = step});
  ErrorRecorder recorder;
  simulate(model, integrator, {.until = 4.0}, {&recorder});
  return recorder;
}

TEST(BouncingBall, IsOfFirstOrderAgainstTheExactSolution) {
  // The error of a run depends on where within a step the first impacts occur, which changes it by up to a factor of
  // three from one step size to the next. Many runs over 1.5 decades average that out.
  constexpr int runs = 31;
  std::vector<double> steps;
  std::vector<double> position;
  std::vector<double> velocity;
  for (int i = 0; i < runs; ++i) {
    const double step = 1.2e-3 * std::pow(10.0, -1.5 * i / (runs - 1));
    const ErrorRecorder errors = errors_of_run(step);
    steps.push_back(step);
    position.push_back(errors.position.value());
    velocity.push_back(errors.velocity.value());
  }
  EXPECT_GE(observed_order(steps, position), 0.95);
  // Each impact is too early by a few more steps than the previous one, until they end. The smaller the step, the
  // more of them affect the velocity: its error divided by h still grows by a half here.
  EXPECT_GE(observed_order(steps, velocity), 0.85);
  EXPECT_LT(position.back(), 1e-3);
}

TEST(BouncingBall, RestsAfterTheAccumulationPoint) {
  const ErrorRecorder errors = errors_of_run(1e-3);
  EXPECT_LT(errors.height_at_rest, 1e-9);
  EXPECT_LT(errors.velocity_at_rest, 1e-9);
}

TEST(BouncingBall, MeasuresItsErrorItself) {
  const RegisteredModel registered = registered_bouncing_ball();
  const Scenario scenario = registered.configure();
  const auto observer = scenario.make_observer();
  const Model model = scenario.build();
  DecoupledNsga integrator({.step = registered.info().step});
  simulate(model, integrator, {.until = registered.info().until}, {observer.get()});
  const std::vector<Finding> findings = observer->findings();
  EXPECT_EQ(findings[0].quantity, "L1 error of the height");
  EXPECT_DOUBLE_EQ(*findings[0].value, errors_of_run(1e-3).position.value());
  EXPECT_EQ(findings[2].quantity, "at rest from");
  // Impacts weaker than the effect of gravity over a few steps are lost, and all were early: 90 steps in total.
  EXPECT_LT(*findings[2].value, *findings[2].reference);
  EXPECT_NEAR(*findings[2].value, *findings[2].reference, 0.12);
}

}  // namespace
}  // namespace picus::models
