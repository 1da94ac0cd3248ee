/// References are computed as a run proceeds: however long the run, its first step is immediate, and a request to
/// stop is observed.

#include <picus/models/references/belt_exact.hpp>
#include <picus/models/references/bouncing_oscillator_exact.hpp>
#include <picus/models/references/crank_slider_exact.hpp>
#include <picus/models/references/heavy_top_reference.hpp>
#include <picus/models/references/sliding_masses_exact.hpp>
#include <picus/models/registry.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <ostream>

namespace picus::models {

void PrintTo(const RegisteredModel& model, std::ostream* out) {
  *out << model.info().name;
}

namespace {

using support::message_of;
using testing::StartsWith;

constexpr double very_long = 1e6;  // s
/// CPU time for a run of two steps: most take milliseconds, the start of the largest model on a slow machine most of
/// a second. An event-driven reference computed to the end takes minutes.
constexpr double max_seconds = 10.0;

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Evaluates all signals of a run, and stops it after two steps.
class Stopper : public Recorder {
 public:
  explicit Stopper(const Scenario& scenario) : scenario_(scenario) {}
  void begin(const RunInfo& run) override { signals_ = scenario_.signals(run); }
  void record(const Snapshot& at) override {
    for (const Signal& signal : signals_) {
      signal.value(at);
      if (signal.exact) signal.exact(at.state.time);
    }
    stop = at.state.step == 2;
  }
  void finish(const std::string& /*outcome*/) override {}

  std::atomic<bool> stop = false;

 private:
  const Scenario& scenario_;
  Signals signals_;
};

class ReferenceCostTest : public testing::TestWithParam<RegisteredModel> {};

TEST_P(ReferenceCostTest, TheFirstStepsDoNotWaitForTheWholeReference) {
  const Scenario scenario = GetParam().configure();
  const Model model = scenario.build();
  const double before = processor_seconds();
  const auto integrator = make_integrator("ds", {.step = GetParam().info().step});
  const std::unique_ptr<Observer> observer = scenario.make_observer();
  Stopper stopper(scenario);
  const std::string message = message_of<Interrupted>([&] {
    simulate(model, *integrator, {.until = very_long, .stop_request = &stopper.stop},
             {observer.get(), &stopper});
  });
  EXPECT_THAT(message, StartsWith("interrupted at t = "));
  EXPECT_LT(processor_seconds() - before, max_seconds);
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceCostTest, testing::ValuesIn(registry()), [](const auto& test) {
  std::string name = test.param.info().name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(References, HearARequestToStopOnTheirWay) {
  const std::atomic<bool> stop = true;
  const BeltExact belt({}, very_long, &stop);
  EXPECT_THROW(belt.x(1.0), Interrupted);
  EXPECT_THROW(belt.stages(), Interrupted);
  const SlidingMassesExact chain({}, very_long, &stop);
  EXPECT_THROW(chain.length(1.0), Interrupted);
  HeavyTopReference top({.mass = 15.0,
                         .inertia = {0.2, 0.05, 0.2},
                         .centre_of_mass = {0, 1, 0},
                         .gravity = {0, 0, -9.81},
                         .angular_velocity = {0, 150, -4.6}},
                        &stop);
  EXPECT_THROW(top.at(1.0), Interrupted);
}

/// A run that receives the request while a reference is computed through one very long step ends like any other.
TEST(References, EndTheRunThatAsksForThem) {
  const Scenario scenario = find_model("belt").configure();
  const Model model = scenario.build();
  std::atomic<bool> stop = false;
  class StopDuringStep : public Recorder {
   public:
    explicit StopDuringStep(std::atomic<bool>& stop) : stop_(stop) {}
    void begin(const RunInfo& run) override { EXPECT_EQ(run.stop_request, &stop_); }
    void record(const Snapshot& at) override { stop_ = at.state.step == 1; }
    void finish(const std::string& outcome) override {
      EXPECT_THAT(outcome, StartsWith("interrupted at t = "));
    }

   private:
    std::atomic<bool>& stop_;
  } recorder(stop);
  const auto observer = scenario.make_observer();
  const auto integrator = make_integrator("moreau-jean", {.step = 0.05});
  EXPECT_THROW(
      simulate(model, *integrator, {.until = 1.0, .stop_request = &stop}, {&recorder, observer.get()}),
      Interrupted);
}

TEST(References, GiveTheSameValuesInAnyOrder) {
  const BeltExact forth({}, 400.0);
  const BeltExact back({}, 400.0);
  // 20,000 pieces: the first ones are discarded on the way.
  const std::array<double, 5> times = {0.3, 1.7, 120.0, 250.0, 399.0};
  std::array<double, 5> values{};
  for (std::size_t i = 0; i < times.size(); ++i) values[i] = forth.x(times[i]);
  for (std::size_t i = times.size(); i-- > 0;) EXPECT_EQ(back.x(times[i]), values[i]) << times[i];
}

TEST(References, KnowTheirEventsWithoutBeingFollowedBefore) {
  const BeltExact belt({}, 3.0);
  const double end = belt.bouncing_end();
  belt.x(2.9);
  EXPECT_EQ(belt.bouncing_end(), end);
  EXPECT_TRUE(std::isinf(BeltExact({}, 0.01).bouncing_end()));
  const BouncingOscillatorExact balls(
      {.mass = 1.0, .stiffness = 100.0, .length = 1.0, .height = 0.5, .restitution = 0.5, .gravity = 9.81},
      2.0);
  EXPECT_EQ(balls.first_impact(), balls.impact_times().front());
}

}  // namespace
}  // namespace picus::models
