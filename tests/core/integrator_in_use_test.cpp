#include <picus/simulate.hpp>
#include <picus/step_callback.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

namespace picus::support {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr auto in_use =
    "integrator \"free flight\" is in use by a run, by another thread or by the step that this is called "
    "from; each run "
    "needs an integrator of its own";

class IntegratorInUse : public testing::Test {
 protected:
  /// The message thrown when a callback of a run performs `action`.
  template <class E>
  std::string during_a_run(const std::function<void(const Snapshot&)>& action) {
    StepCallback callback([&](const Snapshot& at) {
      if (at.state.step == 3) action(at);
    });
    return message_of<E>([&] { simulate(model, flight, {.until = 1.0}, {&callback}); });
  }

  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
};

TEST_F(IntegratorInUse, MakesNoOtherRunFromACallback) {
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot&) { simulate(model, flight, {.until = 1.0}); }),
            in_use);
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot& at) { flight.start(at.system); }), in_use);
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot& at) {
              State state = at.state;
              flight.step(state);
            }),
            in_use);
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot&) { flight = FreeFlight({.step = 1}); }), in_use);
  // It can be used again once the failed run is over, and another one can be used in the callback.
  FreeFlight other({.step = 0.1});
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot&) { simulate(model, other, {.until = 1.0}); }),
            "nothing was thrown");
}

TEST_F(IntegratorInUse, IsRefusedToAnotherThread) {
  EXPECT_EQ(during_a_run<SolverError>([&](const Snapshot&) {
              std::async(std::launch::async, [&] { simulate(model, flight, {.until = 1.0}); }).get();
            }),
            in_use);
}

TEST_F(IntegratorInUse, EachThreadMayRunTheSameModelWithItsOwn) {
  const auto run = [&] {
    FreeFlight own({.step = 1e-3});
    return simulate(model, own, {.until = 1.0}).final_state;
  };
  auto other = std::async(std::launch::async, run);
  const State here = run();
  EXPECT_EQ(here.q, other.get().q);
  EXPECT_EQ(here.step, 1000);
}

TEST_F(IntegratorInUse, ForgetsTheSystemOfARunThatHasEnded) {
  State state = simulate(model, flight, {.until = 0.3}).final_state;
  EXPECT_EQ(message_of<SolverError>([&] { flight.step(state); }), "step() before start()");
  const System system(model);
  flight.start(system);
  flight.step(state);
  EXPECT_EQ(state.step, 4);
}

TEST_F(IntegratorInUse, IsNotStartedWhenTheStartFails) {
  class Reluctant : public FreeFlight {
   public:
    using FreeFlight::FreeFlight;
    State start(const System& system) override {
      State state = FreeFlight::start(system);
      const ExclusiveUse use = begin_start(system);
      if (fails) throw SolverError("not now");
      return state;
    }
    bool fails = false;
  };
  Reluctant integrator({.step = 0.1});
  const System system(model);
  State state = integrator.start(system);
  integrator.step(state);
  integrator.fails = true;
  EXPECT_THROW(integrator.start(system), SolverError);
  EXPECT_EQ(message_of<SolverError>([&] { integrator.step(state); }), "step() before start()");
}

TEST_F(IntegratorInUse, RefusesAStateOfAnotherSystem) {
  const System system(model);
  const State start = flight.start(system);
  const auto step_from = [&](auto&& change) {
    State state = start;
    change(state);
    return message_of<ModelError>([&] { flight.step(state); });
  };
  EXPECT_EQ(step_from([](State&) {}), "nothing was thrown");
  EXPECT_EQ(step_from([](State& state) { state.v.conservativeResize(3); }),
            "the state is not one of this system of model \"flight\": v has 3 entries, must have 10");
  EXPECT_THAT(step_from([](State& state) {
                state.q.assign({1, 2});
              }),
              EndsWith("q has 2 entries, must have 16"));
  EXPECT_THAT(step_from([](State& state) { state.auxiliary = Vector(); }),
              EndsWith("auxiliary has 0 entries, must have 10"));
  for (Vector State::*rows :
       {&State::contact_impulse, &State::contact_rate, &State::contact_slip, &State::position_multiplier,
        &State::contact_impulse_change, &State::position_multiplier_change, &State::constraint_force,
        &State::constraint_impulse, &State::reaction, &State::acceleration}) {
    EXPECT_THAT(step_from([&](State& state) { (state.*rows).conservativeResize(2); }),
                HasSubstr("has 2 entries, must have"));
  }
  EXPECT_THAT(step_from([](State& state) { state.contact_state.clear(); }),
              EndsWith("contact_state has 0 entries, must have 2"));

  // Same size, but a different model, distinguished by its configuration.
  const Model other = make_flying_model();
  FreeFlight other_flight({.step = 0.1});
  State foreign = simulate(other, other_flight, {.until = 0.1}).final_state;
  EXPECT_EQ(message_of<ModelError>([&] { flight.step(foreign); }),
            "the state is of another model than \"flight\"");
  EXPECT_THROW(RowValues(system, foreign), ModelError);
  EXPECT_THROW(EnergyAudit(system, foreign), ModelError);
}

TEST_F(IntegratorInUse, RunsRefuseARecorderThatIsNull) {
  StepCallback callback([](const Snapshot&) { FAIL() << "the run must not begin"; });
  EXPECT_EQ(message_of<OptionError>([&] {
              simulate(model, flight, {.until = 1.0}, {&callback, nullptr});
            }),
            "recorder 2 of the run is null");
}

TEST_F(IntegratorInUse, RunsRefuseARecorderThatIsGivenTwice) {
  StepCallback one([](const Snapshot&) { FAIL() << "the run must not begin"; });
  StepCallback other([](const Snapshot&) {});
  EXPECT_EQ(message_of<OptionError>([&] {
              simulate(model, flight, {.until = 1.0}, {&other, &one, &other});
            }),
            "recorder 3 of the run is recorder 1 again");
}

}  // namespace
}  // namespace picus::support
