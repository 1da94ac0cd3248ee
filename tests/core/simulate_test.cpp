#include <picus/simulate.hpp>
#include <support/flying_model.hpp>
#include <support/free_flight.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <stdexcept>

namespace picus::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Records its calls, and can be made to fail.
class Notebook : public Recorder {
 public:
  void begin(const RunInfo& run) override {
    until = run.until;
    if (on_begin) on_begin();
  }
  void record(const Snapshot& snapshot) override {
    times.push_back(snapshot.state.time);
    steps.push_back(snapshot.state.step);
    energies = snapshot.audit.energies(snapshot.state);
    if (on_record) on_record(snapshot);
  }
  void finish(const std::string& outcome) override {
    outcomes.push_back(outcome);
    if (on_finish) on_finish();
  }

  double until = 0;
  std::vector<double> times;
  std::vector<std::int64_t> steps;
  std::vector<std::string> outcomes;
  Energies energies;
  std::function<void()> on_begin, on_finish;
  std::function<void(const Snapshot&)> on_record;
};

class Simulate : public testing::Test {
 protected:
  RunSummary run(const SimulationOptions& options) {
    return simulate(model, flight, options, {&first, &second});
  }

  Model model = make_flying_model();
  FreeFlight flight{{.step = 0.1}};
  Notebook first, second;
};

TEST_F(Simulate, RefusesAFinalTimeThatIsNotPositiveAndFinite) {
  for (const double until : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THAT(message_of<OptionError>([&] { run({.until = until}); }),
                HasSubstr("must be positive and finite"));
  }
  EXPECT_THAT(message_of<OptionError>([&] { run({.until = 1e300}); }),
              HasSubstr("more steps than can be counted"));
  EXPECT_TRUE(first.outcomes.empty());
}

TEST_F(Simulate, TakesTheSmallestNumberOfStepsThatReachesTheFinalTime) {
  const auto steps = [&](double until) { return simulate(model, flight, {.until = until}).steps; };
  EXPECT_EQ(steps(0.3), 3);  // 3 h is a little more than 0.3
  EXPECT_EQ(steps(0.7), 7);
  EXPECT_EQ(steps(0.30001), 4);
  EXPECT_EQ(steps(1e-12), 1);
}

TEST_F(Simulate, ShowsTheStartAndEveryStepAtMultiplesOfTheStepSize) {
  const RunSummary summary = run({.until = 10.0});
  ASSERT_EQ(first.times.size(), 101U);
  for (std::size_t n = 0; n < first.times.size(); ++n) {
    EXPECT_EQ(first.times[n], static_cast<double>(n) * 0.1);  // not a sum of rounded steps
    EXPECT_EQ(first.steps[n], static_cast<std::int64_t>(n));
  }
  EXPECT_EQ(first.until, 10.0);
  EXPECT_THAT(first.outcomes, ElementsAre("complete"));
  EXPECT_EQ(summary.final_state.time, first.times.back());
  EXPECT_EQ(summary.final_state.step, 100);
  EXPECT_GT(summary.wall_seconds, 0.0);
}

TEST_F(Simulate, SumsUpTheRun) {
  const RunSummary summary = run({.until = 1.0});
  EXPECT_EQ(summary.steps, 10);
  EXPECT_EQ(summary.subproblems[1].name, "position");
  EXPECT_EQ(summary.subproblems[1].iterations, 20);
  EXPECT_EQ(summary.subproblems[1].worst_iterations, 2);
  EXPECT_EQ(summary.subproblems[1].line_searches, 10);
  EXPECT_EQ(summary.subproblems[2].iterations, 55);
  EXPECT_EQ(summary.subproblems[2].worst_iterations, 10);
  EXPECT_EQ(summary.fallbacks[0], 2);
  EXPECT_EQ(summary.fallback_names[0], "step cut");
  EXPECT_EQ(summary.fallbacks[2], 1);
  EXPECT_EQ(summary.fallback_names[2], "accepted above tolerance");
  EXPECT_EQ(summary.worst_accepted_residual, 12.5);
  EXPECT_NEAR(summary.worst_penetration, 3.0, 1e-12);  // 2 m above the floor, falls 5 m

  double worst = 0;  // of the rod, which nothing enforces
  const System system(model);
  Vector g = Vector::Zero(system.row_count());
  State state = flight.start(system);
  for (int n = 0; n < 10; ++n) {
    flight.step(state);
    system.evaluate_constraint_residual(state.q, state.time, g);
    worst = std::max(worst, std::abs(g[0]));
  }
  EXPECT_NEAR(summary.worst_violation, worst, 1e-12);
  EXPECT_EQ(summary.energies.kinetic, first.energies.kinetic);
  EXPECT_NEAR(summary.energies.balance, 0.0, 1e-10);
}

TEST_F(Simulate, FinishesAllRecordersWhenAStepFails) {
  flight = FreeFlight({.step = 0.1, .fails_at = 5});
  const std::string message = message_of<SolverError>([&] { run({.until = 1.0}); });
  EXPECT_THAT(message, HasSubstr("step 5"));
  EXPECT_THAT(first.outcomes, ElementsAre(message));
  EXPECT_THAT(second.outcomes, ElementsAre(message));
  EXPECT_EQ(first.steps.back(), 4);
}

TEST_F(Simulate, StopsWhenTheMotionGrowsBeyondAllBounds) {
  class Explosion : public FreeFlight {
   public:
    Explosion() : FreeFlight({.step = 0.1}) {}
    StepReport step(State& state) override {
      const StepReport report = FreeFlight::step(state);
      state.v *= 1e40;
      return report;
    }
  };
  Explosion explosion;
  const std::string message =
      message_of<SolverError>([&] { simulate(model, explosion, {.until = 1.0}, {&first}); });
  EXPECT_THAT(message, HasSubstr("step to t = 0.4 s: the motion has grown beyond all bounds; the rate of "));
  EXPECT_THAT(first.outcomes, ElementsAre(message));
  EXPECT_EQ(first.steps.back(), 3);  // 1e160 m/s is finite, but its square is not
}

TEST_F(Simulate, FinishesAllRecordersWhenOneOfThemFails) {
  first.on_record = [](const Snapshot& snapshot) {
    if (snapshot.state.step == 3) throw FileError("cannot write");
  };
  first.on_finish = [] { throw FileError("a consequence"); };
  EXPECT_EQ(message_of<FileError>([&] { run({.until = 1.0}); }), "cannot write");
  EXPECT_THAT(first.outcomes, ElementsAre("cannot write"));
  EXPECT_THAT(second.outcomes, ElementsAre("cannot write"));
  EXPECT_EQ(second.steps.back(), 2);
}

TEST_F(Simulate, ReportsARecorderThatCannotFinish) {
  first.on_finish = [] { throw FileError("no space"); };
  EXPECT_EQ(message_of<FileError>([&] { run({.until = 1.0}); }), "no space");
  EXPECT_THAT(second.outcomes, ElementsAre("complete"));
}

TEST_F(Simulate, FinishesOnlyWhatHasBegun) {
  second.on_begin = [] { throw FileError("cannot create"); };
  EXPECT_EQ(message_of<FileError>([&] { run({.until = 1.0}); }), "cannot create");
  EXPECT_THAT(first.outcomes, ElementsAre("cannot create"));
  EXPECT_TRUE(second.outcomes.empty());
}

TEST_F(Simulate, FinishesAllRecordersOnAnyException) {
  first.on_record = [](const Snapshot&) { throw 42; };
  EXPECT_THROW(run({.until = 1.0}), int);
  EXPECT_EQ(second.outcomes.size(), 1U);
}

TEST_F(Simulate, StopsWhenAsked) {
  std::atomic<bool> stop = false;
  first.on_record = [&](const Snapshot& snapshot) { stop = snapshot.state.step == 3; };
  const std::string message = message_of<Interrupted>([&] { run({.until = 1.0, .stop_request = &stop}); });
  EXPECT_EQ(message, "interrupted at t = 0.3 s");
  EXPECT_THAT(second.outcomes, ElementsAre(message));
  EXPECT_EQ(second.steps.back(), 3);
}

}  // namespace
}  // namespace picus::support
