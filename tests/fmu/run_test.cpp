#include "../../src/fmu/run.hpp"

#include "../../src/fmu/node_words.hpp"
#include <picus/convergence.hpp>
#include <picus/elements/bodies/point_mass.hpp>
#include <picus/elements/forces/nodal_force.hpp>
#include <picus/elements/forces/scalar_load.hpp>
#include <picus/elements/forces/spring_damper.hpp>
#include <picus/error.hpp>
#include <picus/fmu.hpp>
#include <picus/sensors.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/stepper.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

/// A library of FMUs defines its models; that of the tests has none.
std::vector<picus::FmuModel> picus::fmu_models() {
  return {};
}

namespace picus::fmu::run_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double mass = 2.0;        // kg
constexpr double stiffness = 50.0;  // N/m
constexpr double frequency = 5.0;   // sqrt(stiffness / mass), rad/s

/// A mass on a spring, pushed by an input, with a sensor of the force on the support.
Model oscillator(const Input& force) {
  Model model("oscillator");
  const auto base = model.add_point("base");
  const auto cart = model.add_point("cart", {.position = {1, 0, 0}});
  model.fix(base);
  model.fix(cart, {Component::y, Component::z});
  model.add<PointMass>({.name = "mass", .node = cart, .mass = mass});
  model.add<SpringDamper>(
      {.name = "spring", .a = base, .b = cart, .stiffness = stiffness, .free_length = 1.0});
  model.add<NodalForce>(
      {.name = "push", .point = cart, .force = [force](double t) { return Vec3(force(t), 0, 0); }});
  model.add_sensor(sensors::support_force({.name = "base", .on = base}));
  return model;
}

Signals cart_signals(const RunInfo& run) {
  return {signals::position(run, "cart", signals::Axis::x), signals::velocity(run, "cart", signals::Axis::x)};
}

/// Response of the oscillator at rest to a constant force.
double response(double force, double t) {
  return 1.0 + force / stiffness * (1.0 - std::cos(frequency * t));
}

TEST(StepPlan, WholeNumbersOfStepsKeepTheStep) {
  for (const int count : {1, 3, 10, 1000}) {
    const StepPlan plan = plan_steps(count * 1e-3, 1e-3);
    EXPECT_EQ(plan.count, count);
    EXPECT_EQ(plan.size, 1e-3);
  }
  EXPECT_EQ(plan_steps(0.1 + 0.2, 0.1).size, 0.1);  // 0.30000000000000004
}

TEST(StepPlan, OtherDurationsAreDivided) {
  const StepPlan more = plan_steps(2.5e-3, 1e-3);
  EXPECT_EQ(more.count, 3);
  EXPECT_EQ(more.size, 2.5e-3 / 3);
  const StepPlan less = plan_steps(4e-4, 1e-3);
  EXPECT_EQ(less.count, 1);
  EXPECT_EQ(less.size, 4e-4);
}

TEST(StepPlan, RefusesWhatIsNoDuration) {
  for (const double duration : {0.0, -1e-3, std::nan(""), HUGE_VAL}) {
    EXPECT_THAT([&] { plan_steps(duration, 1e-3); },
                ThrowsMessage<OptionError>(HasSubstr("cannot be made in steps of 0.001 s")));
  }
}

// The same bits as a user's own loop with a Stepper, whatever the number of steps between communication points.
TEST(FmuRun, IsThatOfAStepper) {
  const Input own;
  const Model model = oscillator(own);
  const auto integrator = make_integrator("ds", {.step = 1e-3});
  Stepper stepper(model, *integrator, 1);
  State state = stepper.start();
  const Node cart = model.find_node("cart");

  const Input force;
  fmu::Run run(oscillator(force), cart_signals, {.step = 1e-3, .outputs = {"cart.*"}});
  for (int point = 0; point < 20; ++point) {
    const double value = 3.0 * (point % 3) - 2.0;
    own.set(value, state.time);
    force.set(value, run.time());
    const int steps = 1 + point % 4;
    for (int i = 0; i < steps; ++i) {
      stepper.step(state);
      state.time = static_cast<double>(state.step) * 1e-3;
    }
    run.advance(steps * 1e-3);
    EXPECT_EQ(run.time(), state.time);
    EXPECT_EQ(run.outputs().values()[0], state.q.position(cart).x());
    EXPECT_EQ(run.outputs().values()[1], state.v[cart.v]);
  }
}

double largest_error(const std::string& scheme, double h) {
  const Input force(5.0);
  fmu::Run run(oscillator(force), cart_signals, {.scheme = scheme, .step = h, .outputs = {"cart.x"}});
  double error = 0.0;
  // Communication steps of different sizes, none of which is a multiple of h.
  for (int point = 0; run.time() < 1.0; ++point) {
    run.advance(h * (1.3 + 0.4 * (point % 5)));
    error = std::max(error, std::abs(run.outputs().values()[0] - response(5.0, run.time())));
  }
  return error;
}

// Steps of changing size keep the order of the scheme.
TEST(FmuRun, ConvergesWithChangingSteps) {
  for (const auto& [scheme, order] : {std::pair("ds", 2.0), {"cs", 2.0}, {"moreau-jean", 1.0}}) {
    const std::array steps = {8e-3, 4e-3, 2e-3};
    std::array<double, 3> errors{};
    for (std::size_t i = 0; i < steps.size(); ++i) errors[i] = largest_error(scheme, steps[i]);
    EXPECT_GT(observed_order(steps, errors), order - 0.25) << scheme;
    EXPECT_LT(errors[2], 0.01) << scheme;
  }
}

// A restored run continues with the same bits, means of sensors and a step of another size included.
TEST(FmuRun, GoesOnFromASavedState) {
  const Input force(4.0);
  fmu::Run run(oscillator(force), cart_signals, {.step = 1e-3});
  run.advance(0.0105);
  run.advance(2e-3);
  const std::vector<std::byte> saved = run.save();
  const auto go_on = [&] {
    std::vector<double> values;
    for (const double step : {3e-3, 1.7e-3, 1.7e-3, 5e-3}) {
      run.advance(step);
      values.insert(values.end(), run.outputs().values().begin(), run.outputs().values().end());
      values.push_back(run.time());
    }
    return values;
  };
  const std::vector<double> first = go_on();
  run.restore(saved);
  EXPECT_EQ(run.time(), 0.0125);
  EXPECT_EQ(go_on(), first);
  run.restore(saved);
  EXPECT_EQ(run.save(), saved);
}

TEST(FmuRun, RefusesForeignStates) {
  const Input force(4.0);
  fmu::Run run(oscillator(force), cart_signals, {.step = 1e-3});
  run.advance(1e-2);
  const std::vector<std::byte> saved = run.save();
  const double before = run.outputs().values()[0];
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, saved.size() / 2, saved.size() - 1})
    EXPECT_THROW(run.restore(std::span(saved).first(size)), FileError) << size;
  std::vector<std::byte> spoilt = saved;
  spoilt[7] = std::byte{0xff};  // h is not a number
  spoilt[6] = std::byte{0xff};
  EXPECT_THROW(run.restore(spoilt), FileError);
  EXPECT_EQ(run.outputs().values()[0], before);
  EXPECT_EQ(run.time(), 1e-2);
}

// The mean over a communication step is that of its steps, none of which is missed or counted twice.
TEST(FmuRun, MeansOfSensorsAreThoseOfAllSteps) {
  const Input force(5.0);
  const std::vector<std::string> outputs = {"cart.vx", "base.force[1]"};
  fmu::Run run(oscillator(force), cart_signals, {.step = 1e-3, .outputs = outputs});
  fmu::Run by_steps(oscillator(force), cart_signals, {.step = 1e-3, .outputs = outputs});
  ASSERT_EQ(run.outputs().infos()[1].name, "base.force[1]");
  EXPECT_EQ(run.outputs().infos()[1].unit, "N");
  double impulse = 0.0;
  for (int i = 0; i < 50; ++i) {
    run.advance(7e-3);
    double sum = 0.0;
    for (int step = 0; step < 7; ++step) {
      by_steps.advance(1e-3);
      sum += by_steps.outputs().values()[1];
    }
    EXPECT_DOUBLE_EQ(run.outputs().values()[1], sum / 7);
    impulse += 7e-3 * run.outputs().values()[1];
  }
  // The impulse of the support is the momentum minus the impulse of the load, except for the instant within a step at
  // which a scheme takes its mean force: at most a step times twice the load, which is the largest force.
  EXPECT_NEAR(impulse, mass * run.outputs().values()[0] - 5.0 * run.time(), 1e-3 * 10.0);
}

TEST(FmuOutputs, AreFoundByName) {
  const Input force;
  const auto names = [&](const std::vector<std::string>& patterns) {
    const fmu::Run run(oscillator(force), cart_signals, {.outputs = patterns});
    std::vector<std::string> found;
    for (const OutputInfo& info : run.outputs().infos()) found.push_back(info.name);
    return found;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(names({}), ElementsAre("cart.x", "cart.vx", "base.force[1]", "base.force[2]", "base.force[3]",
                                     "base.moment[1]", "base.moment[2]", "base.moment[3]"));
  EXPECT_THAT(names({"*x", "cart.x"}), ElementsAre("cart.x", "cart.vx"));
  EXPECT_THAT(names({"cart.y", "cart.vz"}), ElementsAre("cart.y", "cart.vz"));  // not among the signals
  EXPECT_THAT(
      [&] { names({"cart.vs"}); },
      ThrowsMessage<OptionError>(HasSubstr("no output is called \"cart.vs\" (did you mean \"cart.vx\"?)")));
  EXPECT_THAT([&] { names({"cart.wx"}); }, ThrowsMessage<ModelError>(HasSubstr("wrong kind")));
}

TEST(NodeLoad, PushesANode) {
  Model model("loads");
  model.add_scalar("s");
  model.add_point("block");
  model.add_frame("body");
  EXPECT_EQ(NodeLoad::read("push=block.fx").unit(), "N");
  EXPECT_EQ(NodeLoad::read("block.fx").name, "block.fx");
  EXPECT_EQ(NodeLoad::read("body.mz").unit(), "N m");
  EXPECT_EQ(NodeLoad::read("s.f").unit(), "");
  const Input push(5.0);
  const auto load = [&](const char* text, const std::string& node) {
    NodeLoad::read(text).add_to(model, push);
    std::vector<double> f(6, 0.0);
    const Configuration& q = model.initial_configuration();
    const Vector v = Vector::Zero(model.velocity_count());
    model.forces().back().role->force({q, v, 0.0},
                                      std::span(f).first(velocity_size(model.find_node(node).kind)));
    return f;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(load("a=block.fy", "block"), ElementsAre(0, 5, 0, 0, 0, 0));
  EXPECT_THAT(load("b=body.fz", "body"), ElementsAre(0, 0, 5, 0, 0, 0));
  EXPECT_THAT(load("c=body.mx", "body"), ElementsAre(0, 0, 0, 5, 0, 0));
  EXPECT_THAT(load("d=s.f", "s"), ElementsAre(5, 0, 0, 0, 0, 0));
  push.set(-1.0, 0.1);
  EXPECT_THAT(load("e=s.f", "s")[0], -1.0);
  for (const char* text : {"g=block.mx", "g=s.fx", "g=block.f", "g=body.wx"})
    EXPECT_THAT([&] { NodeLoad::read(text).add_to(model, push); },
                ThrowsMessage<ModelError>(HasSubstr("has no load component")));
  EXPECT_THAT([&] { NodeLoad::read("g=blok.fx").add_to(model, push); },
              ThrowsMessage<ModelError>(HasSubstr("did you mean \"block\"?")));
  for (const char* text : {"push", "push=block", "=block.fx", "push=.fx", "push=block."}) {
    EXPECT_THAT([&] { NodeLoad::read(text); },
                ThrowsMessage<OptionError>(HasSubstr("must be NAME=NODE.COMPONENT")));
  }
}

}  // namespace
}  // namespace picus::fmu::run_test
