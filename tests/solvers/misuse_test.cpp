/// Misused integrators: an error with a clear message, whatever the scheme.

#include "runs.hpp"
#include <picus/error.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/analyses/static_equilibrium.hpp>
#include <picus/solvers/integrators/coupled_nsga.hpp>
#include <picus/solvers/integrators/mixed_scheme.hpp>
#include <picus/solvers/integrators/moreau_jean.hpp>
#include <picus/solvers/integrators/schatzman_paoli.hpp>
#include <picus/step_callback.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/message.hpp>
#include <support/rods.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace picus {
namespace {

using support::message_of;
using support::PlaneContact;
using support::PointMass;
using support::Rod;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// A mass on a rod above a plane. `bob` is where the mass starts; the rod is 1 m long.
Model make_pendulum(const Vec3& bob = {1, 0, 0}, double depth = 5.0, double mass = 2.0) {
  Model model("pendulum");
  const PointNode pivot = model.add_point("pivot");
  model.fix(pivot);
  const PointNode node = model.add_point("bob", {.position = bob});
  model.add<PointMass>({.name = "mass", .node = node, .mass = mass, .gravity = {0, -10, 0}});
  model.add<Rod>({.name = "rod", .a = pivot, .b = node, .length = 1.0});
  model.add<PlaneContact>({.name = "floor",
                           .point = node,
                           .origin = {0, -depth, 0},
                           .axes = support::axes_of(Vec3::UnitY()),
                           .law = {.friction_directions = 0}});
  return model;
}

// That this compiles as intended is the test: braces are options, not an integrator to copy.
TEST(Misuse, OptionsInBracesAreOptions) {
  DecoupledNsga decoupled({});
  CoupledNsga coupled({});
  MoreauJean moreau_jean({});
  SchatzmanPaoli schatzman_paoli({});
  MixedScheme mixed({});
  StaticEquilibrium statics({});
  EXPECT_EQ(decoupled.step_size(), SchemeOptions{}.step);
  EXPECT_EQ(statics.step_size(), 0.1);
  EXPECT_EQ(DecoupledNsga({.step = 0.5}).step_size(), 0.5);
  EXPECT_EQ(StaticEquilibrium({.increments = 4}).step_size(), 0.25);
  EXPECT_EQ(MoreauJean().step_size(), SchemeOptions{}.step);
  EXPECT_EQ(SchatzmanPaoli().step_size(), SchemeOptions{}.step);
  EXPECT_EQ(MixedScheme().step_size(), SchemeOptions{}.step);
  EXPECT_EQ(CoupledNsga().step_size(), SchemeOptions{}.step);
  static_assert(!std::is_copy_constructible_v<DecoupledNsga>);
  static_assert(!std::is_copy_constructible_v<StaticEquilibrium>);
  static_assert(!std::is_move_constructible_v<MoreauJean>);
}

class MisuseOf : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<TimeIntegrator> make() const { return make_integrator(GetParam(), {.step = 1e-3}); }
};

TEST_P(MisuseOf, AStepWithoutAStartIsRefused) {
  State state;
  EXPECT_EQ(message_of<SolverError>([&] { make()->step(state); }), "step() before start()");
}

TEST_P(MisuseOf, AStateOfAnEqualModelIsRefused) {
  const Model mine = make_pendulum(), theirs = make_pendulum();
  const auto first = make(), second = make();
  const System my_system(mine), their_system(theirs);
  State state = first->start(my_system);
  State foreign = second->start(their_system);
  EXPECT_EQ(message_of<ModelError>([&] { first->step(foreign); }),
            "the state is of another model than \"pendulum\"");
  EXPECT_EQ(foreign.step, 0);
  first->step(state);
  EXPECT_EQ(state.step, 1);
}

TEST_P(MisuseOf, AStateFromBeforeTheModelGrewIsRefused) {
  Model model = make_pendulum();
  const auto integrator = make();
  State state = simulate(model, *integrator, {.until = 1e-3}).final_state;
  const PointNode more = model.add_point("more");
  model.add<PointMass>({.name = "more", .node = more});
  const System system(model);
  integrator->start(system);
  EXPECT_THAT(message_of<ModelError>([&] { integrator->step(state); }),
              EndsWith("q has 6 entries, must have 9"));
}

/// Calls a function from within a step.
class Meddler : public Element, public Force {
 public:
  struct Parameters {
    std::string name;
    PointNode node;
    const std::function<void(const Motion&)>* meddle;
  };
  Meddler(const Parameters& p, const Model&) : Element(p.name, {p.node}), meddle_(p.meddle) {}
  Traits traits() const override { return {}; }
  void force(const Motion& motion, std::span<double>) const override { (*meddle_)(motion); }
  void tangents(const Motion&, std::span<double>, std::span<double>) const override {}

 private:
  const std::function<void(const Motion&)>* meddle_;
};

TEST_P(MisuseOf, AStepFromWithinAStepIsRefused) {
  Model model = make_pendulum();
  std::function<void(const Motion&)> meddle = [](const Motion&) {};
  model.add<Meddler>({.name = "meddler", .node = PointNode{model.find_node("bob")}, .meddle = &meddle});
  const auto integrator = make();
  const System system(model);
  State state = integrator->start(system);
  State other = state;
  meddle = [&](const Motion&) { integrator->step(other); };
  EXPECT_THAT(message_of<SolverError>([&] { integrator->step(state); }), HasSubstr("is in use by a run"));
  meddle = [&](const Motion&) { integrator->start(system); };
  EXPECT_THAT(message_of<SolverError>([&] { integrator->step(state); }), HasSubstr("is in use by a run"));
  meddle = [&](const Motion&) { model.add_point("late"); };
  EXPECT_THAT(message_of<ModelError>([&] { integrator->step(state); }),
              StartsWith("node \"late\" cannot be added"));
  meddle = [](const Motion&) {};
  integrator->step(state);  // it can be used again
  EXPECT_EQ(state.step, 1);
}

TEST_P(MisuseOf, ALinearSolverThatIsNullIsRefused) {
  const Model model = make_pendulum();
  const auto integrator = make_integrator(
      GetParam(), {.step = 1e-3, .wrap_linear_solver = [](auto) { return std::unique_ptr<LinearSolver>(); }});
  EXPECT_EQ(message_of<OptionError>([&] { simulate(model, *integrator, {.until = 1.0}); }),
            "wrap_linear_solver has returned no linear solver");
}

TEST_P(MisuseOf, AStartThatIsMovedFarIsTold) {
  const auto warnings = [&](const Model& model) {
    return simulate(model, *make(), {.until = 1e-3}).warnings;
  };
  EXPECT_THAT(warnings(make_pendulum()), IsEmpty());
  EXPECT_THAT(warnings(make_pendulum({1.0005, 0, 0})), IsEmpty());  // half a thousandth of the model
  EXPECT_THAT(
      warnings(make_pendulum({3, 0, 0})),
      testing::Contains(testing::AllOf(
          HasSubstr("constraint \"rod\" is open by "),
          HasSubstr(" m in the model as given, of bodies 3 m in size: the start has moved their nodes"))));
}

INSTANTIATE_TEST_SUITE_P(Schemes, MisuseOf,
                         testing::Values("ds", "cs", "chen", "newmark", "hht", "moreau-jean",
                                         "schatzman-paoli", "mixed:base=moreau-midpoint"),
                         [](const auto& at) {
                           std::string name = at.param;
                           std::erase_if(
                               name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return name;
                         });

TEST(Misuse, AContactThatIsDeepAtTheStartIsTold) {
  const Model model = make_pendulum({1, 0, 0}, -0.25);  // the floor is above the mass
  DecoupledNsga integrator;
  const System system(model);
  integrator.start(system);
  EXPECT_THAT(integrator.warnings(),
              testing::ElementsAre(
                  "contact \"floor\" is 0.25 m deep in the model as given, of bodies 1 m in size: the "
                  "start has moved their nodes to where this is closed"));
}

TEST(Misuse, AStartBeyondTheRangeOfNumbersSaysWhatIsOutOfRange) {
  const auto refusal = [](const Model& model) {
    DecoupledNsga integrator;
    const System system(model);
    return message_of<SolverError>([&] { integrator.start(system); });
  };
  EXPECT_EQ(
      refusal(make_pendulum({1, 0, 0}, 5.0, 1e-300)),
      "the start cannot be computed: all equations hold, but after 0 iterations the residual of x of node "
      "\"bob\" is not a number; masses or lengths of the model are out of range");
  EXPECT_EQ(
      refusal(make_pendulum({1, 0, 0}, 5.0, 1e308)),
      "the start cannot be computed: the momentum of, or the force on, y of node \"bob\" is inf; masses, "
      "velocities or forces of the model are out of range");
  Model model("far");
  const PointNode pivot = model.add_point("pivot"), bob = model.add_point("bob", {.position = {1e200, 0, 0}});
  model.fix(pivot);
  model.add<PointMass>({.name = "mass", .node = bob});
  model.add<Rod>({.name = "rod", .a = pivot, .b = bob, .length = 1e200});
  EXPECT_EQ(
      message_of<ModelError>([&] { const System system(model); }),
      "row 1 of constraint \"rod\" is nan at the start: positions or lengths of the model are out of range");
}

}  // namespace
}  // namespace picus
