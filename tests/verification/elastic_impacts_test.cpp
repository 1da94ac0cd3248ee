/// Elastic impacts without friction of bodies that turn far in a step: they conserve kinetic energy.

#include <picus/picus.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace picus {
namespace {

/// Extremes of the energy during a run, and the last momentum.
class EnergyRange : public Recorder {
 public:
  void begin(const RunInfo& /*run*/) override {}
  void record(const Snapshot& snapshot) override {
    const Energies energies = snapshot.audit.energies(snapshot.state);
    const double energy = energies.kinetic + energies.potential;
    EXPECT_TRUE(std::isfinite(energy));
    if (snapshot.state.step == 0) start = energy;
    least = std::min(least, energy);
    largest = std::max(largest, energy);
    steps_with_contact += snapshot.report.closed_contacts > 0 ? 1 : 0;
    last = snapshot.momentum();
    work_of_impacts = energies.work_of_impacts;
    balance = energies.balance;
    unexplained = energies.unexplained;
  }
  void finish(const std::string& /*outcome*/) override {}
  /// The account of the work of impacts, as a part of the energy at the start.
  double work() const { return work_of_impacts / start; }

  double loss() const { return 1 - least / start; }
  double gain() const { return largest / start - 1; }

  double start = 0.0;
  double least = std::numeric_limits<double>::infinity();
  double largest = -least;
  int steps_with_contact = 0;
  Momentum last;
  double work_of_impacts = 0.0, balance = 0.0, unexplained = 0.0;
};

EnergyRange run(const Model& model, const std::string& scheme, double step, double until) {
  EnergyRange range;
  const auto integrator = make_integrator(scheme, {.step = step});
  simulate(model, *integrator, {.until = until}, {&range});
  return range;
}

/// A box that tumbles without gravity between two walls 1 m apart.
EnergyRange tumble(const Vec3& sizes, const std::string& scheme, double step, ImpactLaw law = {}) {
  Model model("box between walls");
  const FrameNode node = model.add_frame("box", {.position = {0, 0, 0.5},
                                                 .rotation = so3::exp(Vec3(1.2, -0.7, 0.4)),
                                                 .velocity = {1, 0.3, -3},
                                                 .angular_velocity = {3, -4, 2}});
  model.add<RigidBody>({.name = "body", .node = node, .mass = 2, .inertia = inertia::box(2, sizes)});
  model.add<Surface>({.name = "crate", .of = shapes::Box{sizes}, .on = node});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  model.add<Surface>(
      {.name = "ceiling", .of = shapes::HalfSpace{.normal = -Vec3::UnitZ()}, .position = Vec3::UnitZ()});
  model.add<ContactsBetween>({.name = "all", .e_n = 1.0, .impact_law = law});
  return run(model, scheme, step, 2.0);
}

// A cube's velocities do not change between impacts, and the work of an impulse, P (G v + G v') / 2, vanishes at any step.
TEST(ElasticImpacts, OfACubeConserveItsEnergy) {
  for (const char* const scheme : {"ds", "ds-a", "dsn", "cs"}) {
    for (const double step : {5e-3, 1e-3}) {
      const EnergyRange range = tumble(Vec3::Constant(0.2), scheme, step);
      EXPECT_GE(range.steps_with_contact, 3) << scheme;
      EXPECT_LT(range.loss(), 1e-8) << scheme << ", " << step;
      EXPECT_LT(range.gain(), 1e-8) << scheme << ", " << step;
    }
  }
  for (const ImpactLaw& law : {ImpactLaw::poisson(), ImpactLaw::lzb(1.0)}) {
    const EnergyRange range = tumble(Vec3::Constant(0.2), "ds", 2e-3, law);
    EXPECT_GE(range.steps_with_contact, 3);
    EXPECT_LT(std::max(range.loss(), range.gain()), law.kind == ImpactLaw::Kind::poisson ? 1e-8 : 1e-4)
        << "the law of Liu, Zhao and Brogliato is integrated to 1e-5 of the speed of approach";
  }
}

// Here gyroscopic moments change the velocities within the step of an impact, which leaves an error of first order, with
// either sign: less than half of the angle by which a box at 40 rad/s turns in a step.
TEST(ElasticImpacts, OfABoxLeaveAnErrorOfTheOrderOfTheStep) {
  for (const double step : {5e-3, 2e-3, 1e-3, 1e-4}) {
    const EnergyRange range = tumble({0.3, 0.2, 0.1}, "ds", step);
    EXPECT_GE(range.steps_with_contact, 3) << step;
    EXPECT_LT(std::max(range.loss(), range.gain()), 0.5 * 40 * step) << step;
  }
}

// The schemes of Chen and Newmark are those of their papers, with the rates along the directions at the beginning of the
// step; what the documents say of them.
TEST(ElasticImpacts, AlongDirectionsOfTheBeginningGainEnergy) {
  for (const char* const scheme : {"chen", "newmark"}) {
    const EnergyRange range = tumble({0.3, 0.2, 0.1}, scheme, 1e-3);
    EXPECT_GT(range.gain(), 0.1) << scheme;
    EXPECT_LT(range.gain(), 0.17) << scheme;
  }
}

// Both bodies turn, about axes that are not parallel.
TEST(ElasticImpacts, OfTwoCubesConserveEnergyAndMomentum) {
  Model model("two cubes");
  const Vec3 sizes = Vec3::Constant(0.2);
  const auto add_cube = [&](const std::string& name, const FrameStart& start, double mass) {
    const FrameNode node = model.add_frame(name, start);
    model.add<RigidBody>(
        {.name = name + " body", .node = node, .mass = mass, .inertia = inertia::box(mass, sizes)});
    model.add<Surface>({.name = name + " skin", .of = shapes::Box{sizes}, .on = node});
  };
  add_cube("a", {.position = {-0.5, 0, 0}, .velocity = {4, 0, 0}, .angular_velocity = {5, 20, -8}}, 2.0);
  add_cube("b",
           {.position = {0.5, 0.05, 0.08},
            .rotation = so3::exp(Vec3(0.3, 0.9, -0.2)),
            .velocity = {-1, 0, 0},
            .angular_velocity = {-10, 3, 15}},
           0.5);
  model.add<ContactsBetween>({.name = "all", .e_n = 1.0});
  for (const double step : {5e-3, 1e-3}) {
    const EnergyRange range = run(model, "ds", step, 0.5);
    EXPECT_GE(range.steps_with_contact, 1) << step;
    EXPECT_LT(std::max(range.loss(), range.gain()), 1e-8) << step;
    EXPECT_NEAR(range.last.linear.x(), 7.5, 1e-8) << step;
    EXPECT_LT(range.last.linear.tail<2>().norm(), 1e-8) << step;
  }
}

/// A body with two lobes that meets a ball at rest: round faces have no edge at which contacts change. The lobes belong to
/// the body, or to massless points on rigid links.
EnergyRange meet_with_lobes(const std::string& scheme, double step, bool has_links) {
  Model model("body with lobes");
  const Vec3 position(0, 0, 0.5);
  const FrameNode body = model.add_frame(
      "body", {.position = position, .velocity = {0, 0.4, -2}, .angular_velocity = {30, 5, 0}});
  model.add<RigidBody>({.name = "mass", .node = body, .mass = 1, .inertia = 0.01 * Mat3::Identity()});
  const auto add_lobe = [&](const std::string& name, const Vec3& offset) {
    const shapes::Ball ball{0.05};
    if (!has_links) {
      model.add<Surface>({.name = name, .of = ball, .on = body, .position = offset});
      return;
    }
    const FrameNode end = model.add_frame(name + " end", {.position = position + offset});
    model.add<RigidLink>({.name = name + " link", .a = body, .b = end});
    model.add<Surface>({.name = name, .of = ball, .on = end});
  };
  add_lobe("lobe", {0.1, 0, 0.1});
  add_lobe("other lobe", {0, -0.1, -0.1});
  model.add<Surface>({.name = "stone", .of = shapes::Ball{0.3}});
  model.add<ContactsBetween>({.name = "all", .e_n = 1.0});
  return run(model, scheme, step, 0.6);
}

TEST(ElasticImpacts, OfABodyWithLobes) {
  for (const char* const scheme : {"ds", "ds-a"}) {
    const EnergyRange range = meet_with_lobes(scheme, 4e-3, false);
    EXPECT_GE(range.steps_with_contact, 1) << scheme;
    EXPECT_LT(std::max(range.loss(), range.gain()), 1e-8) << scheme;
  }
}

/// A rod on a hinge that swings between a floor and a ceiling.
EnergyRange swing(const std::string& scheme, double step) {
  Model model("rod between walls");
  const FrameNode rod = model.add_frame(
      "rod", {.position = {0.3, 0, 0}, .velocity = {0, 0, 1.2}, .angular_velocity = {0, -4, 0}});
  const Vec3 sizes(0.6, 0.04, 0.04);
  model.add<RigidBody>({.name = "mass", .node = rod, .mass = 1, .inertia = inertia::box(1, sizes)});
  model.add<Hinge>({.name = "hinge",
                    .a = MaterialPoint::on_ground({0, 0, 0}),
                    .b = {rod, {-0.3, 0, 0}},
                    .axis = Vec3::UnitY()});
  const MaterialPoint tip(rod, {0.3, 0, 0});
  model.add<NodeToFaceContact>(
      {.name = "floor", .slave = tip, .face = {.point = {0, 0, -0.35}, .normal = Vec3::UnitZ()}, .e_n = 1.0});
  model.add<NodeToFaceContact>({.name = "ceiling",
                                .slave = tip,
                                .face = {.point = {0, 0, 0.35}, .normal = -Vec3::UnitZ()},
                                .e_n = 1.0});
  return run(model, scheme, step, 2.0);
}

// The account measures the work of impacts with the velocities to which restitution refers: none.
TEST(ElasticImpacts, OfJointedBodiesDoNoWork) {
  for (const char* const scheme : {"ds", "ds-a", "dsn", "cs", "mixed"}) {
    for (const double step : {5e-3, 1e-3}) {
      const EnergyRange range = swing(scheme, step);
      EXPECT_GE(range.steps_with_contact, 3) << scheme;
      // Of the projection, with w = 4 rad/s: (w h)^2 in each impact.
      const double bound = range.steps_with_contact * (4 * step) * (4 * step);
      EXPECT_LT(std::abs(range.work()), 1e-6) << scheme << ", " << step;
      EXPECT_LT(std::max(range.loss(), range.gain()), bound) << scheme;
      EXPECT_LT(std::abs(range.balance), bound * range.start) << scheme;
      EXPECT_LT(std::abs(range.unexplained), 1e-6 * range.start) << scheme;
    }
  }
}

// The velocities of t_n are those of points where the body was; restitution refers to those where it is.
TEST(ElasticImpacts, OfLinksAreThoseOfTheBody) {
  for (const char* const scheme : {"ds", "ds-a", "dsn", "cs"}) {
    const EnergyRange of_body = meet_with_lobes(scheme, 4e-3, false);
    const EnergyRange of_links = meet_with_lobes(scheme, 4e-3, true);
    EXPECT_GE(of_links.steps_with_contact, 1) << scheme;
    EXPECT_LT(std::max(of_links.loss(), of_links.gain()), 1e-8) << scheme;
    EXPECT_LT((of_links.last.linear - of_body.last.linear).norm(), 1e-8) << scheme;
    EXPECT_LT((of_links.last.angular - of_body.last.angular).norm(), 1e-8) << scheme;
  }
}

}  // namespace
}  // namespace picus
