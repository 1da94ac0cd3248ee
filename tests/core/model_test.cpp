#include <picus/model.hpp>
#include <picus/so3.hpp>
#include <support/bodies.hpp>
#include <support/message.hpp>
#include <support/rods.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace picus::model_test {
namespace {

using support::message_of;
using support::PointMass;
using support::Rod;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Action>
std::string refusal(Action&& action) {
  return message_of<ModelError>(std::forward<Action>(action));
}

TEST(Model, LaysNodesOutInOrderOfCreation) {
  Model model("layout");
  const PointNode point = model.add_point("point", {.position = {1, 2, 3}, .velocity = {4, 5, 6}});
  const FrameNode frame = model.add_frame("frame", {.position = {7, 8, 9}, .angular_velocity = {1, 0, 2}});
  const ScalarNode scalar = model.add_scalar("scalar", {.value = 0.5, .rate = -0.25});
  EXPECT_EQ(model.name(), "layout");
  EXPECT_EQ(model.velocity_count(), 10);
  EXPECT_EQ((std::array{point.v, frame.v, scalar.v}), (std::array<Index, 3>{0, 3, 9}));
  EXPECT_EQ((std::array{point.q, frame.q, scalar.q}), (std::array<Index, 3>{0, 3, 15}));
  const Configuration& q = model.initial_configuration();
  EXPECT_EQ(q.position(point), Vec3(1, 2, 3));
  EXPECT_EQ(q.position(frame), Vec3(7, 8, 9));
  EXPECT_EQ(q.rotation(frame), Mat3::Identity());
  EXPECT_EQ(q.value(scalar), 0.5);
  EXPECT_THAT(model.initial_velocity(), testing::ElementsAre(4, 5, 6, 0, 0, 0, 1, 0, 2, -0.25));
}

TEST(Model, FindsNodesByNameAndSuggestsTheNearest) {
  Model model;
  const auto tip = model.add_point("pendulum tip");
  EXPECT_EQ(model.find_node("pendulum tip"), tip);
  EXPECT_EQ(model.node_name(tip), "pendulum tip");
  EXPECT_EQ(refusal([&] { (void)model.find_node("pendulum_tip"); }),
            "there is no node \"pendulum_tip\" (did you mean \"pendulum tip\"?)");
  EXPECT_EQ(refusal([&] { (void)model.find_node("wheel"); }), "there is no node \"wheel\"");
}

TEST(Model, FindsElementsByNameAndSuggestsTheNearest) {
  Model model;
  const auto node = model.add_point("node");
  const auto bob = model.add<PointMass>({.name = "bob", .node = node});
  EXPECT_EQ(&model.find_element("bob"), &*bob);
  EXPECT_EQ(refusal([&] { (void)model.find_element("bab"); }),
            "there is no element \"bab\" (did you mean \"bob\"?)");
  EXPECT_EQ(refusal([&] { (void)model.find_element("gravity"); }), "there is no element \"gravity\"");
}

TEST(Model, ListsAnElementInEachOfItsRolesOnly) {
  Model model;
  const auto node = model.add_point("node");
  const auto ground = model.add_point("ground");
  const auto bob = model.add<PointMass>({.name = "bob", .node = node});
  const auto rod = model.add<Rod>({.name = "rod", .a = ground, .b = node});
  EXPECT_EQ(bob.index(), 0);
  EXPECT_EQ(rod.index(), 1);
  ASSERT_EQ(model.inertias().size(), 1u);
  ASSERT_EQ(model.forces().size(), 1u);
  ASSERT_EQ(model.constraints().size(), 1u);
  EXPECT_TRUE(model.contacts().empty());
  EXPECT_EQ(model.inertias()[0].element, &*bob);
  EXPECT_EQ(model.constraints()[0].element, &*rod);
}

TEST(Model, RefusesDuplicateNames) {
  Model model;
  const auto node = model.add_point("a");
  EXPECT_EQ(refusal([&] { model.add_scalar("a"); }),
            "there is a node \"a\" already; names of nodes are unique");
  model.add<PointMass>({.name = "a", .node = node});
  EXPECT_EQ(refusal([&] { model.add<PointMass>({.name = "a", .node = node}); }),
            "there is an element \"a\" already; names of elements are unique");
  EXPECT_EQ(model.nodes().size(), 1u);
  EXPECT_EQ(model.elements().size(), 1u);
  EXPECT_EQ(model.inertias().size(), 1u);
}

TEST(Model, RefusesEmptyNamesAndSlashes) {
  Model model;
  const auto node = model.add_point("a");
  EXPECT_EQ(refusal([&] { model.add_point(""); }), "a node needs a name");
  EXPECT_EQ(refusal([&] { model.add_frame("left/right"); }),
            "node name \"left/right\" contains '/', which separates groups in result files");
  EXPECT_EQ(refusal([&] { model.add<PointMass>({.name = "", .node = node}); }), "a element needs a name");
  EXPECT_EQ(refusal([&] { model.add<PointMass>({.name = "x/y", .node = node}); }),
            "element name \"x/y\" contains '/', which separates groups in result files");
}

TEST(Model, RefusesNamesThatAreNotPrintable) {
  Model model;
  EXPECT_EQ(refusal([&] { model.add_point("n\xe9"); }),
            "node name \"n\\xe9\" has characters that are not printable UTF-8");
  EXPECT_EQ(refusal([&] { model.add_point("two\nlines"); }),
            "node name \"two\\nlines\" has characters that are not printable UTF-8");
  EXPECT_EQ(refusal([&] { model.add_point(std::string("a\0b", 3)); }),
            "node name \"a\\x00b\" has characters that are not printable UTF-8");
  EXPECT_NO_THROW(model.add_point("n\u00e9\u4e2d"));
}

TEST(Model, RefusesStartsThatAreNotFinite) {
  Model model;
  EXPECT_EQ(refusal([&] {
              model.add_point("p", {.position = {0, nan, 0}});
            }),
            "node \"p\": position[1] is nan m, must be a finite number");
  EXPECT_EQ(refusal([&] {
              model.add_point("p", {.velocity = {infinity, 0, 0}});
            }),
            "node \"p\": velocity[0] is inf m/s, must be a finite number");
  EXPECT_EQ(refusal([&] {
              model.add_frame("f", {.angular_velocity = {0, 0, -infinity}});
            }),
            "node \"f\": angular velocity[2] is -inf rad/s, must be a finite number");
  EXPECT_EQ(refusal([&] { model.add_scalar("s", {.value = nan}); }),
            "node \"s\": value is nan, must be a finite number");
  EXPECT_EQ(refusal([&] { model.add_scalar("s", {.rate = nan}); }),
            "node \"s\": rate is nan, must be a finite number");
  EXPECT_TRUE(model.nodes().empty());
}

TEST(Model, RefusesRotationsThatAreNone) {
  Model model;
  const std::string expected = "node \"f\": rotation is not a proper orthogonal matrix";
  const auto with = [&](const Mat3& R) { return refusal([&] { model.add_frame("f", {.rotation = R}); }); };
  EXPECT_EQ(with(1.001 * Mat3::Identity()), expected);
  EXPECT_EQ(with(-Mat3::Identity()), expected) << "a reflection";
  EXPECT_EQ(with(Mat3::Constant(nan)), expected);
  EXPECT_EQ(with(Mat3::Zero()), expected);
}

TEST(Model, TakesRoundingOutOfGivenRotations) {
  Model model;
  Mat3 R = so3::exp({0.3, -0.2, 1.1});
  R(0, 1) += 3e-10;
  const auto frame = model.add_frame("f", {.rotation = R});
  const Mat3 kept = model.initial_configuration().rotation(frame);
  EXPECT_LE((kept.transpose() * kept - Mat3::Identity()).norm(), 1e-15);
  EXPECT_LE((kept - R).norm(), 3e-10);
}

TEST(Model, FixesComponentsAsOftenAsAsked) {
  Model model;
  const auto frame = model.add_frame("frame");
  const auto point = model.add_point("point");
  const auto scalar = model.add_scalar("scalar");
  model.restrict_to_plane(frame);
  model.fix(frame, {Component::z});
  model.restrict_to_plane(point);
  model.fix(scalar);
  std::string held;
  for (Index dof = 0; dof < model.velocity_count(); ++dof) held += model.is_fixed(dof) ? 'x' : '.';
  EXPECT_EQ(held, "..xxx...xx");
  model.fix(frame);
  model.fix(point);
  for (Index dof = 0; dof < model.velocity_count(); ++dof) EXPECT_TRUE(model.is_fixed(dof)) << dof;
}

TEST(Model, RefusesAPlaneThatAFrameIsTiltedAgainst) {
  // Its rz would not be the rotation in the plane.
  Model model;
  const auto along = model.add_frame("along", {.rotation = so3::exp(0.7 * Vec3::UnitZ())});
  const auto flipped = model.add_frame("flipped", {.rotation = so3::exp(std::numbers::pi * Vec3::UnitX())});
  const auto tilted = model.add_frame("tilted", {.rotation = so3::exp(1e-6 * Vec3::UnitX())});
  EXPECT_NO_THROW(model.restrict_to_plane(along));
  EXPECT_NO_THROW(model.restrict_to_plane(flipped));
  EXPECT_EQ(refusal([&] { model.restrict_to_plane(tilted); }),
            "node \"tilted\" cannot move in the plane x-y: its axis z is not normal to it");
}

TEST(Model, RefusesComponentsThatTheNodeLacks) {
  Model model;
  const auto point = model.add_point("point");
  const auto scalar = model.add_scalar("scalar");
  EXPECT_EQ(refusal([&] { model.fix(point, {Component::rz}); }), "node \"point\" has no component rz");
  EXPECT_EQ(refusal([&] { model.fix(point, {Component::s}); }), "node \"point\" has no component s");
  EXPECT_EQ(refusal([&] { model.fix(scalar, {Component::x}); }), "node \"scalar\" has no component x");
  EXPECT_EQ(refusal([&] { model.restrict_to_plane(scalar); }), "node \"scalar\" has no component z");
}

TEST(Model, RefusesToHoldWhatMoves) {
  Model model;
  const auto point = model.add_point("point", {.velocity = {0, 2.5, 0}});
  EXPECT_EQ(refusal([&] {
              model.fix(point, {Component::x, Component::y});
            }),
            "y of node \"point\" is fixed but starts with a velocity of 2.5");
}

TEST(Model, RefusesContradictionsOfFixationsAndMotions) {
  Model model;
  const auto frame = model.add_frame("belt");
  const auto motion = PrescribedMotion::constant_speed(1.5);
  model.fix(frame, {Component::y});
  model.drive(frame, Component::x, motion);
  EXPECT_EQ(refusal([&] { model.fix(frame, {Component::x}); }),
            "x of node \"belt\" is both fixed and driven");
  EXPECT_EQ(refusal([&] { model.drive(frame, Component::y, motion); }),
            "y of node \"belt\" is both fixed and driven");
  EXPECT_EQ(refusal([&] { model.drive(frame, Component::x, motion); }), "x of node \"belt\" is driven twice");
}

TEST(Model, TakesTheInitialVelocityOfADrivenComponentFromItsMotion) {
  Model model;
  const auto scalar = model.add_scalar("motor", {.rate = 9});
  model.drive(scalar, Component::s, PrescribedMotion::constant_speed(1.5));
  EXPECT_EQ(model.initial_velocity()[0], 1.5);
  EXPECT_TRUE(model.driven().contains(scalar.v));
  EXPECT_FALSE(model.is_fixed(scalar.v));
}

TEST(Model, RefusesIncompleteOrInfiniteMotions) {
  Model model;
  const auto scalar = model.add_scalar("motor");
  const auto still = [](double) { return 0.0; };
  const auto undefined = [](double) { return nan; };
  const std::string incomplete = "s of node \"motor\" is driven without a displacement or without its rate";
  const std::string not_finite = "s of node \"motor\" is driven by a motion that is not finite at t = 0";
  const auto drive = [&](const PrescribedMotion& motion) {
    return refusal([&] { model.drive(scalar, Component::s, motion); });
  };
  EXPECT_EQ(drive({.displacement = still, .rate = {}, .acceleration = {}}), incomplete);
  EXPECT_EQ(drive({.displacement = {}, .rate = still, .acceleration = {}}), incomplete);
  EXPECT_EQ(drive({.displacement = undefined, .rate = still, .acceleration = {}}), not_finite);
  EXPECT_EQ(drive({.displacement = still, .rate = undefined, .acceleration = {}}), not_finite);
  EXPECT_TRUE(model.driven().empty());
}

TEST(Model, RefusesHandlesOfOtherModelsAndOfNone) {
  Model other("other");
  other.add_frame("first");
  const auto stranger = other.add_point("stranger");
  Model model("mine");
  model.add_point("a");
  model.add_point("b");
  EXPECT_EQ(refusal([&] { model.fix(stranger); }), "a fixation: its node is not a node of model \"mine\"");
  EXPECT_EQ(refusal([&] { model.fix(PointNode{}); }), "a fixation: its node is not a node of model \"mine\"");
  EXPECT_EQ(refusal([&] { model.add<PointMass>({.name = "mass", .node = stranger}); }),
            "mass: a node is not a node of model \"mine\"");
  EXPECT_EQ(refusal([&] { model.require_node(PointNode{}, "spring \"s\"", "end b"); }),
            "spring \"s\": end b is not a node of model \"mine\"");
  EXPECT_TRUE(model.elements().empty());
}

/// More components than the assembly buffers hold.
class Crowd : public Element {
 public:
  struct Parameters {
    std::string name;
    std::vector<Node> nodes;
  };
  Crowd(const Parameters& p, const Model&) : Element(p.name, p.nodes) {}
};

TEST(Model, RefusesElementsOfTooManyComponents) {
  Model model;
  std::vector<Node> nodes;
  for (int i = 0; i < 17; ++i) nodes.push_back(model.add_frame("node " + std::to_string(i)));
  EXPECT_EQ(refusal([&] { model.add<Crowd>({.name = "crowd", .nodes = nodes}); }),
            "element \"crowd\" has 102 velocity components, more than 96");
  nodes.pop_back();
  EXPECT_EQ(model.add<Crowd>({.name = "crowd", .nodes = nodes})->dof_count(), 96);
}

TEST(Model, NamesComponentsForMessages) {
  Model model;
  model.add_scalar("hinge");
  model.add_frame("bird");
  EXPECT_EQ(model.describe_dof(0), "s of node \"hinge\"");
  EXPECT_EQ(model.describe_dof(2), "y of node \"bird\"");
  EXPECT_EQ(model.describe_dof(6), "rz of node \"bird\"");
}

TEST(Model, CarriesParametersInTheirOrder) {
  Model model;
  model.note_parameter("mu", "0.3");
  model.note_parameter("case", "II");
  ASSERT_EQ(model.parameters().size(), 2u);
  EXPECT_EQ(model.parameters()[1], (std::pair<std::string, std::string>("case", "II")));
}

}  // namespace
}  // namespace picus::model_test
