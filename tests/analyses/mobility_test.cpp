// Degrees of freedom and redundant joints of mechanisms whose count is known.

#include <picus/picus.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <support/guides.hpp>
#include <support/message.hpp>
#include <support/result_reader.hpp>
#include <support/rods.hpp>
#include <support/scratch_folder.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace picus {
namespace {

using support::message_of;
using support::Rod;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Three parallel cranks of length 1 at x = 0, 1 and 2 carry a coupler: five links including the ground. `too_long`
/// is added to the length of the middle crank. Planar, or with bodies that move in space.
struct Parallelogram {
  explicit Parallelogram(bool is_planar, double too_long = 0.0, double angle = 0.9) : model("parallelogram") {
    const Vec3 along(std::cos(angle), std::sin(angle), 0);
    const FrameNode ground = model.add_frame("ground");
    model.fix(ground);
    coupler = body("coupler", along + Vec3(1, 0, 0), is_planar);
    for (int i = 0; i < 3; ++i) {
      const Vec3 foot(i, 0, 0);
      const std::string name = "crank " + std::to_string(i);
      const double length = i == 1 ? 1 + too_long : 1.0;
      const FrameNode crank = body(name, foot + along / 2, is_planar);
      model.add<Hinge>({.name = "foot " + std::to_string(i),
                        .a = {ground, foot},
                        .b = {crank, -along / 2},
                        .axis = Vec3::UnitZ()});
      model.add<Hinge>({.name = "head " + std::to_string(i),
                        .a = {crank, (length - 0.5) * along},
                        .b = {coupler, Vec3(i - 1, 0, 0)},
                        .axis = Vec3::UnitZ()});
    }
  }
  FrameNode body(const std::string& name, const Vec3& position, bool is_planar) {
    const FrameNode node = model.add_frame(name, {.position = position});
    if (is_planar) model.restrict_to_plane(node);
    const auto mass = model.add<RigidBody>(
        {.name = "mass of " + name, .node = node, .mass = 1.0, .inertia = inertia::diagonal(0.1, 0.1, 0.1)});
    model.add<Gravity>(
        {.name = "weight of " + name, .acceleration = {3, -9.81, 0}, .bodies = {mass->mass_point()}});
    return node;
  }
  Model model;
  FrameNode coupler;
};

TEST(Mobility, APlanarParallelogramOfFiveLinksHasOneRedundantEquation) {
  const Parallelogram linkage(true);
  const System system(linkage.model);
  const Mobility mobility = analyse_mobility(system);
  EXPECT_EQ(mobility.components, 12);
  EXPECT_EQ(mobility.equations, 12);  // idle rows are not among them
  EXPECT_EQ(mobility.degrees_of_freedom(), 1);
  ASSERT_EQ(mobility.redundancies.size(), 1U);
  EXPECT_FALSE(mobility.redundancies[0].is_singular_position);
  EXPECT_NEAR(mobility.redundancies[0].violation, 0.0, 1e-12);
}

TEST(Mobility, InSpaceItHasManyMore) {
  // 4 bodies, 24 components; 6 hinges, 30 equations; 1 degree of freedom: 7 redundant.
  const Parallelogram linkage(false);
  const Mobility mobility = analyse_mobility(System(linkage.model));
  EXPECT_EQ(mobility.degrees_of_freedom(), 1);
  EXPECT_EQ(mobility.redundancies.size(), 7U);
}

TEST(Mobility, ARedundantMechanismWarnsAndRuns) {
  const Parallelogram linkage(false);
  DecoupledNsga integrator({.step = 1e-3});
  const support::ScratchFolder folder;
  Hdf5Recorder recorder(folder / "linkage.h5");
  const RunSummary summary = simulate(linkage.model, integrator, {.until = 0.5}, {&recorder});
  const support::ResultReader file(folder / "linkage.h5");
  EXPECT_EQ(file.text("/", "warnings"), summary.warnings.at(0));
  EXPECT_EQ(file.shape("model/redundancies"), std::vector<hsize_t>{1});
  EXPECT_THAT(
      summary.warnings,
      ElementsAre(
          "7 redundant equations among 6 constraints, \"foot 0\", \"head 0\", \"foot 1\" and 3 others: "
          "their motion is determined, how they share the forces is not"));
  EXPECT_THAT(
      integrator.redundancies(),
      ElementsAre(AllOf(HasSubstr("7 redundant equations among constraints \"foot 0\" ("),
                        HasSubstr("\"head 2\" ("), HasSubstr("force along z"), HasSubstr("moment about x"),
                        HasSubstr("their motion is determined, how they share the forces is not"))));
  EXPECT_LT(summary.worst_violation, 1e-10);
  // The coupler moves in a circle without rotating.
  const State& state = summary.final_state;
  EXPECT_LT((state.q.rotation(linkage.coupler) - Mat3::Identity()).norm(), 1e-9);
  EXPECT_NEAR((state.q.position(linkage.coupler) - Vec3(1, 0, 0)).norm(), 1.0, 1e-9);
  EXPECT_GT((state.q.position(linkage.coupler) - Vec3(1 + std::cos(0.9), std::sin(0.9), 0)).norm(), 0.1);
}

TEST(Mobility, ALinkOfWrongLengthIsAContradictionThatNamesTheJoints) {
  for (const bool is_planar : {true, false}) {
    const Parallelogram linkage(is_planar, 0.01);
    DecoupledNsga integrator;
    const std::string message =
        message_of<SolverError>([&] { simulate(linkage.model, integrator, {.until = 0.1}); });
    EXPECT_THAT(message, AllOf(HasSubstr("constraints contradict each other by"), HasSubstr("\"head 1\""),
                               HasSubstr("\"foot 1\"")));
  }
}

TEST(Mobility, ADoorOnTwoHingesHasFiveRedundantEquations) {
  Model model("door");
  const FrameNode wall = model.add_frame("wall");
  const FrameNode door = model.add_frame("door", {.position = {0.4, 0, 0}});
  model.fix(wall);
  model.add<RigidBody>(
      {.name = "mass", .node = door, .mass = 20.0, .inertia = inertia::box(20, Vec3(0.8, 0.04, 2))});
  for (const auto& [name, height] : {std::pair{"upper hinge", 0.8}, std::pair{"lower hinge", -0.8}}) {
    model.add<Hinge>({.name = name,
                      .a = {wall, Vec3(0, 0, height)},
                      .b = {door, Vec3(-0.4, 0, height)},
                      .axis = Vec3::UnitZ()});
  }
  const System system(model);
  const Mobility mobility = analyse_mobility(system);
  EXPECT_EQ(mobility.degrees_of_freedom(), 1);
  EXPECT_EQ(mobility.redundancies.size(), 5U);
  const auto texts = describe_redundancies(system, model.initial_configuration(), 0.0, mobility);
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_THAT(texts[0], AllOf(HasSubstr("5 redundant equations"), HasSubstr("\"upper hinge\" ("),
                              HasSubstr("\"lower hinge\" ("),
                              HasSubstr("force along x, force along y, force along z")));
}

/// A crank of length 1 and a rod of length 1 or 2, whose far end slides along x.
Model make_slider_crank(double angle, double rod) {
  Model model("slider-crank");
  const PointNode pivot = model.add_point("pivot");
  const PointNode pin = model.add_point("pin", {.position = {std::cos(angle), std::sin(angle), 0}});
  const double slide = std::cos(angle) + std::sqrt(rod * rod - std::pow(std::sin(angle), 2));
  const PointNode slider = model.add_point("slider", {.position = {slide, 0, 0}});
  model.fix(pivot);
  model.fix(pin, {Component::z});
  model.fix(slider, {Component::y, Component::z});
  model.add<PointMass>({.name = "mass of pin", .node = pin, .mass = 1.0});
  model.add<PointMass>({.name = "mass of slider", .node = slider, .mass = 1.0});
  model.add<Rod>({.name = "crank", .a = pivot, .b = pin, .length = 1.0});
  model.add<Rod>({.name = "rod", .a = pin, .b = slider, .length = rod});
  return model;
}

TEST(Mobility, ALinkageAtRestInASingularPositionIsToldFromARedundantOne) {
  // Folded flat, with both ends held at the only point they can both reach: two fully extended rods.
  Model model("stretched");
  const PointNode left = model.add_point("left");
  const PointNode middle = model.add_point("middle", {.position = {1, 0, 0}});
  const PointNode right = model.add_point("right", {.position = {2, 0, 0}});
  model.fix(left);
  model.fix(middle, {Component::z});
  model.fix(right, {Component::y, Component::z});
  const PointNode stop = model.add_point("stop", {.position = {3, 0, 0}});
  model.fix(stop);
  for (const auto& [name, node] : {std::pair{"m", middle}, std::pair{"r", right}})
    model.add<PointMass>({.name = std::string("mass ") + name, .node = node, .mass = 1.0});
  model.add<Rod>({.name = "first", .a = left, .b = middle, .length = 1.0});
  model.add<Rod>({.name = "second", .a = middle, .b = right, .length = 1.0});
  model.add<Rod>({.name = "third", .a = right, .b = stop, .length = 1.0});
  const System system(model);
  const Mobility mobility = analyse_mobility(system);
  EXPECT_EQ(mobility.components, 3);
  EXPECT_EQ(mobility.rank, 2);
  ASSERT_EQ(mobility.redundancies.size(), 1U);
  EXPECT_TRUE(mobility.redundancies[0].is_singular_position);
  EXPECT_THAT(describe_redundancies(system, model.initial_configuration(), 0.0, mobility),
              ElementsAre(HasSubstr("a singular position, from which motion may branch")));
}

TEST(Mobility, ASliderCrankWhoseRodEqualsItsCrankIsSingularWhereTheyFold) {
  // At 90 degrees pin and slider can move in two ways (the slider stays, or moves on).
  const Model folded = make_slider_crank(std::numbers::pi / 2, 1.0);
  const Model open = make_slider_crank(0.7, 1.0);
  EXPECT_THAT(analyse_mobility(System(open)).redundancies, IsEmpty());
  EXPECT_EQ(analyse_mobility(System(open)).degrees_of_freedom(), 1);
  const System system(folded);
  const Mobility mobility = analyse_mobility(system);
  ASSERT_EQ(mobility.redundancies.size(), 1U);
  EXPECT_EQ(mobility.degrees_of_freedom(), 2);
  EXPECT_TRUE(mobility.redundancies[0].is_singular_position);
  DecoupledNsga integrator;
  integrator.start(system);  // no error
  EXPECT_THAT(
      integrator.warnings(),
      ElementsAre(
          "1 redundant equation among 2 constraints, \"crank\", \"rod\": a singular position, from which "
          "motion may branch"));
  EXPECT_THAT(integrator.redundancies(),
              ElementsAre(HasSubstr("\"crank\" (force along y), \"rod\" (force along y)")));
}

TEST(Mobility, DeadCentresAreNoLossOfRank) {
  EXPECT_THAT(analyse_mobility(System(make_slider_crank(0.0, 2.0))).redundancies, IsEmpty());
}

TEST(Mobility, PlanarModelsWithIdleRowsAreNotWarnedAbout) {
  Model model("four-bar");
  const FrameNode ground = model.add_frame("ground");
  model.fix(ground);
  const std::array<Vec3, 4> corners = {Vec3(0, 0, 0), Vec3(0.2, 0.5, 0), Vec3(1, 0.8, 0), Vec3(1.3, 0, 0)};
  std::vector<FrameNode> links = {ground};
  for (std::size_t i = 0; i < 3; ++i) {
    links.push_back(
        model.add_frame("link " + std::to_string(i), {.position = (corners[i] + corners[i + 1]) / 2}));
    model.restrict_to_plane(links.back());
    model.add<RigidBody>({.name = "mass " + std::to_string(i),
                          .node = links.back(),
                          .mass = 1.0,
                          .inertia = inertia::planar(0.1)});
  }
  const auto at = [&](const FrameNode& node, const Vec3& x) {
    return MaterialPoint(node, x - model.initial_configuration().position(node));
  };
  for (std::size_t i = 0; i < 4; ++i) {
    model.add<Hinge>({.name = "hinge " + std::to_string(i),
                      .a = at(links[i], corners[i]),
                      .b = at(links[(i + 1) % 4], corners[i]),
                      .axis = Vec3::UnitZ()});
  }
  DecoupledNsga integrator;
  const System system(model);
  integrator.start(system);
  EXPECT_THAT(integrator.warnings(), IsEmpty());
  EXPECT_EQ(analyse_mobility(system).degrees_of_freedom(), 1);
}

TEST(Mobility, MotionsInTimeThatContradictEachOtherAreRefused) {
  Model model("led twice");
  const PointNode point = model.add_point("point");
  model.add<PointMass>({.name = "mass", .node = point, .mass = 1.0});
  for (const auto& [name, speed] : {std::pair{"slow", 1.0}, std::pair{"fast", 2.0}}) {
    model.add<support::LedCoordinate>(
        {.name = name, .point = point, .motion = PrescribedMotion::constant_speed(speed)});
  }
  const System system(model);
  DecoupledNsga integrator;
  EXPECT_THAT(message_of<SolverError>([&] { integrator.start(system); }),
              AllOf(HasSubstr("constraints contradict each other in their rates by 1"),
                    HasSubstr("\"slow\" (force along x)"), HasSubstr("\"fast\" (force along x)")));
}

TEST(Mobility, StaticsWarnToo) {
  const Parallelogram linkage(true);
  const System system(linkage.model);
  StaticEquilibrium statics;
  statics.start(system);
  EXPECT_THAT(statics.warnings(), ElementsAre(HasSubstr("1 redundant equation among 6 constraints")));
}

TEST(Mobility, IndependentSetsOfJointsAreToldApart) {
  Model model("two doors");
  const FrameNode wall = model.add_frame("wall");
  model.fix(wall);
  for (const char side : {'a', 'b'}) {
    const double y = side == 'a' ? 0 : 3;
    const FrameNode door = model.add_frame(std::string("door ") + side, {.position = {0.4, y, 0}});
    model.add<RigidBody>(
        {.name = std::string("mass ") + side, .node = door, .mass = 2.0, .inertia = inertia::sphere(2, 0.3)});
    for (const int k : {0, 1}) {
      model.add<Hinge>({.name = std::string("hinge ") + side + std::to_string(k),
                        .a = {wall, Vec3(0, y, k)},
                        .b = {door, Vec3(-0.4, 0, k)},
                        .axis = Vec3::UnitZ()});
    }
  }
  const System system(model);
  const auto texts =
      describe_redundancies(system, model.initial_configuration(), 0.0, analyse_mobility(system));
  EXPECT_EQ(
      summarize_redundancies(system, analyse_mobility(system)),
      "10 redundant equations among 4 constraints, \"hinge a0\", \"hinge a1\", \"hinge b0\" and 1 other: "
      "their motion is determined, how they share the forces is not");
  EXPECT_THAT(texts,
              ElementsAre(AllOf(HasSubstr("hinge a0"), HasSubstr("hinge a1"), Not(HasSubstr("hinge b"))),
                          AllOf(HasSubstr("hinge b0"), HasSubstr("hinge b1"), Not(HasSubstr("hinge a")))));
}

}  // namespace
}  // namespace picus
