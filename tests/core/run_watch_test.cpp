#include <picus/checkpoint.hpp>
#include <picus/hdf5_recorder.hpp>
#include <picus/simulate.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/free_flight.hpp>
#include <support/guides.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A point outside of a sphere at rest: g_N = |x| - radius.
class RoundContact : public Element, public Contact {
 public:
  struct Parameters {
    std::string name;
    PointNode point;
    double radius = 1.0;
  };
  RoundContact(const Parameters& p, const Model&) : Element(p.name, {p.point}), p_(p) {}

  const ContactLaw& law() const override { return law_; }
  void displacement(const Configuration&, const Configuration& q, std::span<double> g) const override {
    g[0] = q.position(p_.point).norm() - p_.radius;
  }
  void gradient(const Configuration& q, std::span<double> G) const override {
    vector_view<3>(G) = q.position(p_.point).normalized();
  }
  void geometric_stiffness(const Configuration&, std::span<const double>, std::span<double>) const override {}

 private:
  Parameters p_;
  ContactLaw law_{.friction_directions = 0};
};

std::vector<std::string> warnings_of(const Model& model, double step, double until,
                                     const Vec3& gravity = Vec3::Zero()) {
  FreeFlight flight({.step = step, .gravity = gravity});
  return simulate(model, flight, {.until = until}).warnings;
}

// The contact rates of FreeFlight remain at their initial value, zero. Passages need them.
class Shot : public FreeFlight {
 public:
  using FreeFlight::FreeFlight;
  State start(const System& system) override {
    system_ = &system;
    State state = FreeFlight::start(system);
    follow(state);
    return state;
  }
  StepReport step(State& state) override {
    const StepReport report = FreeFlight::step(state);
    follow(state);
    return report;
  }

 private:
  void follow(State& state) const {
    Gradients G = system_->make_contact_gradients();
    system_->evaluate_contact_gradients(state.q, G);
    System::multiply(system_->contact_entries(), G, state.v, state.contact_rate);
  }
  const System* system_ = nullptr;
};

/// A point that flies past or through a sphere of radius 1 at the origin, along x at the height y.
std::vector<std::string> shot(double speed, double y, double step, const Vec3& gravity = Vec3::Zero()) {
  Model model("shot");
  const PointNode point =
      model.add_point("bullet", {.position = {-3.3 * speed * 0.1, y, 0}, .velocity = {speed, 0, 0}});
  model.add<PointMass>({.name = "mass", .node = point, .gravity = gravity});
  model.add<RoundContact>({.name = "target", .point = point});
  Shot flight({.step = step, .gravity = gravity});
  return simulate(model, flight, {.until = 1.0}).warnings;
}

TEST(RunWatch, TellsOfAContactThatWasPassedThroughWithinAStep) {
  // From 2.3 before to 4.7 behind in the fourth step of seven units; through the centre the point is one radius deep.
  EXPECT_THAT(
      shot(70, 0, 0.1),
      ElementsAre(
          "contact \"target\" was missed: in the step to t = 0.4 s its bodies passed through each other, "
          "1 m deep; a smaller step sees them"));
  EXPECT_THAT(shot(70, 0.75, 0.1), ElementsAre(HasSubstr("0.25 m deep")));
  EXPECT_THAT(shot(70, 0.999, 0.1), ElementsAre(HasSubstr("0.001 m deep")));
  EXPECT_THAT(shot(7000, 0.5, 0.1), ElementsAre(HasSubstr("0.5 m deep")));
}

TEST(RunWatch, IsSilentAboutAMissAndAboutSmallSteps) {
  EXPECT_THAT(shot(70, 1.001, 0.1), IsEmpty());
  EXPECT_THAT(shot(70, 5, 0.1), IsEmpty());
  EXPECT_THAT(shot(70, 0, 1e-3), IsEmpty());  // it is inside for many steps: not the subject of this warning
}

TEST(RunWatch, CountsPassagesOfAllContacts) {
  Model model("hail");
  for (const double y : {0.0, 0.5, 0.7, 2.0}) {
    const std::string name = "drop" + std::to_string(y);
    const PointNode point = model.add_point(name, {.position = {-20, y, 0}, .velocity = {70 + y, 0, 0}});
    model.add<PointMass>({.name = name, .node = point});
    model.add<RoundContact>({.name = "on " + name, .point = point});
  }
  Shot flight({.step = 0.1, .gravity = Vec3::Zero()});
  EXPECT_THAT(simulate(model, flight, {.until = 1.0}).warnings,
              ElementsAre(HasSubstr("3 such passages in all, of 3 contacts")));
}

PrescribedMotion sine(double w, double factor_of_rate) {
  return {.displacement = [w](double t) { return 0.1 * std::sin(w * t); },
          .rate = [w, factor_of_rate](double t) { return factor_of_rate * 0.1 * w * std::cos(w * t); }};
}

std::vector<std::string> driven(const PrescribedMotion& motion, double step = 1e-2) {
  Model model("driven");
  const PointNode node = model.add_point("slide");
  model.add_point("other", {.position = {1, 0, 0}});
  model.drive(node, Component::y, motion);
  return warnings_of(model, step, 1.0);
}

TEST(RunWatch, TellsOfADrivenComponentWhoseRateIsNotItsDerivative) {
  EXPECT_THAT(driven(sine(7, 1)), IsEmpty());
  EXPECT_THAT(driven(sine(7, 1), 0.1), IsEmpty());  // nine steps a period
  EXPECT_THAT(driven(PrescribedMotion::constant_speed(3)), IsEmpty());
  EXPECT_THAT(driven(PrescribedMotion::constant_speed(0)), IsEmpty());
  const auto names_it =
      HasSubstr("the motion of y of node \"slide\" contradicts itself: its rate is not the derivative");
  EXPECT_THAT(driven(sine(7, -1)), ElementsAre(names_it));
  EXPECT_THAT(driven(sine(7, 1.1)), ElementsAre(names_it));
  EXPECT_THAT(driven(sine(7, 0)), ElementsAre(names_it));
  EXPECT_THAT(driven(sine(7, 1.0 / 7)), ElementsAre(names_it));
}

TEST(RunWatch, LetsAMotorBeSwitchedOnAndOff) {
  const auto speed = [](double t) { return t > 0.2 && t < 0.7 ? 2.0 : 0.0; };
  const auto way = [](double t) { return 2.0 * std::clamp(t - 0.2, 0.0, 0.5); };
  // Two jumps over the path of 50 steps. They occur within steps.
  EXPECT_THAT(driven({.displacement = way, .rate = speed}, 0.0099), IsEmpty());
}

TEST(RunWatch, TellsOfAConstraintWhoseMotionContradictsItself) {
  const auto led = [](const PrescribedMotion& motion) {
    Model model("led");
    const PointNode node = model.add_point("slide");
    const PointNode far = model.add_point("far", {.position = {5, 0, 0}});
    model.add<LedCoordinate>({.name = "motor", .point = node, .motion = motion});
    model.add<TurningWire>({.name = "wire", .point = far, .angular_speed = 0.1});
    return warnings_of(model, 1e-2, 1.0);
  };
  EXPECT_THAT(led(sine(7, 1)), IsEmpty());
  EXPECT_THAT(led(sine(7, 2)),
              ElementsAre(HasSubstr("the motion of constraint \"motor\" contradicts itself")));
}

TEST(RunWatch, TellsOfRotationsThatAStepDoesNotResolve) {
  const auto spun = [](double speed) {
    Model model("spin");
    model.add_frame("slow", {.angular_velocity = {0, 1, 0}});
    const FrameNode node = model.add_frame("gyro", {.angular_velocity = {0, 0, speed}});
    model.add<OffsetBody>({.name = "body", .node = node});
    return warnings_of(model, 1e-3, 0.01);
  };
  EXPECT_THAT(spun(1500), IsEmpty());
  EXPECT_THAT(spun(1600), ElementsAre(HasSubstr("node \"gyro\" turns by 1.6 rad in a step (t = 0.001 s)")));
  EXPECT_THAT(spun(1e6), ElementsAre(HasSubstr("node \"gyro\" turns by 1e+03 rad in a step")));
}

/// FreeFlight ignores springs: an oscillator gains the energy stored in its spring.
std::vector<std::string> unbalanced(double stiffness, double until = 1.0) {
  Model model("unbalanced");
  const ScalarNode node = model.add_scalar("s", {.rate = 1.0});
  model.add<Oscillator>({.name = "spring", .node = node, .mass = 2.0, .stiffness = stiffness});
  return warnings_of(model, 1e-2, until);
}

TEST(RunWatch, TellsOfEnergiesThatDoNotBalance) {
  // T = 1 J throughout, V = stiffness t^2/2. A tenth and a hundredth, plus one over the number of steps, may be
  // gained.
  EXPECT_THAT(unbalanced(0.0), IsEmpty());
  EXPECT_THAT(unbalanced(0.21), IsEmpty());
  EXPECT_THAT(unbalanced(0.23),
              ElementsAre(HasSubstr("the energies do not balance: at t = 1 s 0.115 J have come from "
                                    "nowhere, where no more than 1 J are turned over")));
  EXPECT_THAT(unbalanced(-0.5), ElementsAre(HasSubstr("0.25 J have gone nowhere")));
}

TEST(RunWatch, TakesRoundingForNoEnergy) {
  // Almost at rest far from where V = 0: V gains 4e-14 and 2e-10 of itself.
  const auto warned = [](double rate) {
    Model model("resting");
    const ScalarNode node = model.add_scalar("s", {.value = 1.0, .rate = rate});
    model.add<Oscillator>({.name = "spring", .node = node, .mass = 2.0, .stiffness = 10.0});
    return warnings_of(model, 1e-2, 1.0);
  };
  EXPECT_THAT(warned(3e-14), IsEmpty());
  EXPECT_THAT(warned(1e-10), ElementsAre(HasSubstr("1e-09 J have come from nowhere")));
}

TEST(RunWatch, TellsOfEnergiesThatAreNoNumbers) {
  // stiffness s^2 exceeds 1.8e308 at 1.34 s, and every 16th step is checked.
  EXPECT_THAT(unbalanced(1e308, 10.0),
              ElementsAre(HasSubstr("the balance of energies is inf from t = 1.44 s on")));
}

TEST(RunWatch, LeavesItsWarningsInTheFile) {
  const ScratchFolder folder;
  Model model("unbalanced");
  const ScalarNode node = model.add_scalar("s", {.rate = 1.0});
  model.add<Oscillator>({.name = "spring", .node = node, .stiffness = 3.0});
  FreeFlight flight({.step = 1e-2, .fails_at = 90});
  Hdf5Recorder recorder(folder / "r.h5");
  EXPECT_THROW(simulate(model, flight, {.until = 1.0}, {&recorder}),
               SolverError);  // also for a run that fails
  EXPECT_THAT(ResultReader(folder / "r.h5").text("/", "warnings"),
              HasSubstr("the energies do not balance: at t = 0.89 s"));
}

TEST(RunWatch, GoesOnFromACheckpoint) {
  const ScratchFolder folder;
  const auto make_model = [] {
    Model model("all");
    const PointNode bullet = model.add_point("bullet", {.position = {-20, 0, 0}, .velocity = {70, 0, 0}});
    const PointNode slide = model.add_point("slide");
    model.drive(slide, Component::y, sine(7, 2));
    model.add<PointMass>({.name = "mass", .node = bullet});
    model.add<RoundContact>({.name = "target", .point = bullet});
    model.add<Oscillator>(
        {.name = "spring", .node = model.add_scalar("s", {.rate = 50.0}), .stiffness = 3.0});
    return model;
  };
  const auto run = [&](double until, const SimulationOptions& options) {
    const Model model = make_model();
    Shot flight({.step = 0.1, .gravity = Vec3::Zero()});
    SimulationOptions all = options;
    all.until = until;
    return simulate(model, flight, all).warnings;
  };
  const auto whole = run(2.0, {.checkpoint = {.file = folder / "a", .every = 5}});
  ASSERT_EQ(whole.size(), 3U);
  run(0.5, {.checkpoint = {.file = folder / "b", .every = 5}});
  const Checkpoint checkpoint = read_checkpoint(folder / "b");
  EXPECT_EQ(run(2.0, {.resume = &checkpoint}), whole);
}

/// Free flight in which every n-th step is hard to solve.
class HardFlight : public FreeFlight {
 public:
  explicit HardFlight(int n) : FreeFlight({}), n_(n) {}
  StepReport step(State& state) override {
    StepReport report = FreeFlight::step(state);
    if (state.step % n_ == 0)
      report.culprit = state.step % 3 == 0 ? "z of node \"a\"" : "row 2 of contact \"toe\"";
    return report;
  }

 private:
  int n_;
};

TEST(TroubleWatch, NamesWhatMadeStepsHard) {
  Model model;
  model.add<PointMass>({.name = "mass", .node = model.add_point("a"), .mass = 1.0, .gravity = {0, 0, -10}});
  HardFlight often(50);
  EXPECT_THAT(
      simulate(model, often, {.until = 1.0}).warnings,
      ElementsAre(
          "20 of 1000 steps were hard to solve, 14 of them first at contact \"toe\"; a smaller step helps, "
          "or what docs/troubleshooting.md says of the fallbacks"));
  HardFlight seldom(101);  // less than one in a hundred
  EXPECT_THAT(simulate(model, seldom, {.until = 1.0}).warnings, IsEmpty());
}

TEST(TroubleWatch, GoesOnCountingAfterACheckpoint) {
  Model model;
  model.add<PointMass>({.name = "mass", .node = model.add_point("a"), .mass = 1.0, .gravity = {0, 0, -10}});
  const ScratchFolder folder;
  const auto file = folder / "half.checkpoint";
  HardFlight flight(50);
  simulate(model, flight, {.until = 0.5, .checkpoint = {.file = file, .every = 500}});
  const Checkpoint checkpoint = read_checkpoint(file);
  const RunSummary whole = simulate(model, flight, {.until = 1.0, .resume = &checkpoint});
  EXPECT_THAT(whole.warnings, ElementsAre(HasSubstr("20 of 1000 steps were hard to solve, 14 of them")));
}

}  // namespace
}  // namespace picus::support
