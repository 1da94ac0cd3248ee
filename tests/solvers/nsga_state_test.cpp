// A State contains everything a run needs: copied and restored, it continues bitwise identically.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/error.hpp>
#include <support/mixed_model.hpp>

namespace picus::nsga_state_test {
namespace {

constexpr double h = 2e-3;

class NsgaState : public testing::Test {
 protected:
  static void advance(DecoupledNsga& integrator, State& state, int steps) {
    for (int i = 0; i < steps; ++i) integrator.step(state);
  }
  BoxOnRod box;
  System system{box.model};
};

TEST_F(NsgaState, ARunRepeatsItself) {
  DecoupledNsga first({.step = h});
  DecoupledNsga second({.step = h});
  EXPECT_TRUE(identical(run(system, first, 300), run(system, second, 300)));
}

TEST_F(NsgaState, ACopyGoesOnToTheSameBits) {
  // Copies before, during and after the phase of impacts.
  for (const int steps : {1, 80, 150, 300}) {
    DecoupledNsga integrator({.step = h});
    State state = run(system, integrator, steps);
    const State copy = state;
    advance(integrator, state, 100);
    State restored = copy;
    advance(integrator, restored, 100);
    EXPECT_TRUE(identical(state, restored)) << "copied after " << steps << " steps";
  }
}

TEST_F(NsgaState, AnotherIntegratorGoesOnToTheSameBits) {
  for (const int steps : {1, 80, 150, 300}) {
    DecoupledNsga integrator({.step = h});
    State state = run(system, integrator, steps);
    State handed_over = state;
    advance(integrator, state, 100);
    DecoupledNsga other({.step = h});
    other.start(system);
    advance(other, handed_over, 100);
    EXPECT_TRUE(identical(state, handed_over)) << "handed over after " << steps << " steps";
  }
}

TEST_F(NsgaState, AnotherIntegratorGoesOnToTheSameBitsWithManyConstraints) {
  support::Random random(1);
  const Model mixed = support::make_mixed_model(random, false);
  const System mixed_system(mixed);
  DecoupledNsga integrator({.step = h});
  State state = run(mixed_system, integrator, 400);
  State handed_over = state;
  advance(integrator, state, 100);
  DecoupledNsga other({.step = h});
  other.start(mixed_system);
  advance(other, handed_over, 100);
  EXPECT_TRUE(identical(state, handed_over));
}

TEST_F(NsgaState, StepsOfOtherStatesInBetweenLeaveNoTrace) {
  DecoupledNsga integrator({.step = h});
  State state = run(system, integrator, 150);
  State undisturbed = state;
  State other = integrator.start(system);
  advance(integrator, undisturbed, 20);
  for (int i = 0; i < 20; ++i) {
    integrator.step(state);
    integrator.step(other);
  }
  EXPECT_TRUE(identical(state, undisturbed));
}

}  // namespace
}  // namespace picus::nsga_state_test
