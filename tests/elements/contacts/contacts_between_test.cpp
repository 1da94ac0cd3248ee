#include <picus/contact_searches.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace picus::contacts_between_test {
namespace {

using support::message_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Balls of radius 0.1 that nearly touch their neighbours along x.
class ContactsBetweenTest : public ::testing::Test {
 protected:
  Handle<Surface> add_ball(const std::string& name, double x, const std::string& material = "") {
    const FrameNode node = model.add_frame(name, {.position = {x, 0, 0}});
    nodes.push_back(node);
    return model.add<Surface>({.name = name, .of = shapes::Ball{0.1}, .on = node, .material = material});
  }
  /// Names of the contacts that a set detects at the start.
  std::vector<std::string> found(const ContactsBetween::Parameters& parameters) {
    const auto set = model.add<ContactsBetween>(parameters);
    const auto search = set->make_search(model, 0);
    const Configuration& q = model.initial_configuration();
    std::vector<ContactKey> keys;
    search->find(q, q, {}, keys);
    std::vector<std::string> names;
    laws.clear();
    for (const ContactKey& key : keys) {
      const InRole<Contact> contact = search->contact(key);
      names.push_back(contact.element->name());
      laws.push_back(contact.role->law());
    }
    return names;
  }
  Model model{"m"};
  std::vector<FrameNode> nodes;
  std::vector<ContactLaw> laws;
};

TEST_F(ContactsBetweenTest, TouchAsTheyAreToldTo) {
  const auto a = add_ball("a", 0.0);
  const auto b = add_ball("b", 0.2005);
  const auto c = add_ball("c", 0.401);
  EXPECT_THAT(found({.name = "all"}), UnorderedElementsAre("all: a on b", "all: b on c"));
  EXPECT_THAT(found({.name = "two", .surfaces = {b, c}}), ElementsAre("two: b on c"));
  EXPECT_THAT(found({.name = "groups", .surfaces = {b}, .with = {a}}), ElementsAre("groups: b on a"));
  EXPECT_THAT(found({.name = "apart", .surfaces = {a}, .with = {c}}), IsEmpty());
  EXPECT_THAT(found({.name = "but", .except = {{b, c}}}), ElementsAre("but: a on b"));
  add_ball("late", 0.6015);
  EXPECT_THAT(found({.name = "later"}), ::testing::Contains("later: c on late"));
}

TEST_F(ContactsBetweenTest, BodiesOfOneJointDoNotTouchUnlessTold) {
  add_ball("a", 0.0);
  add_ball("b", 0.2005);
  model.add<Hinge>(
      {.name = "hinge", .a = {nodes[0], {0.1, 0, 0}}, .b = {nodes[1], {-0.1005, 0, 0}}, .axis = {0, 0, 1}});
  model.add<Surface>({.name = "second of a", .of = shapes::Ball{0.1}, .on = nodes[0]});
  EXPECT_THAT(found({.name = "all"}), IsEmpty());
  EXPECT_THAT(found({.name = "told", .joined_bodies_touch = true}),
              UnorderedElementsAre("told: a on b", "told: b on second of a"));
}

TEST_F(ContactsBetweenTest, MaterialsHaveTheirOwnLaws) {
  add_ball("a", 0.0, "rubber");
  add_ball("b", 0.2005, "ice");
  add_ball("c", 0.401, "ice");
  found({.name = "all",
         .mu = 0.4,
         .e_n = 0.1,
         .pairs = {{.materials = {"ice", "rubber"}, .mu = 0.2},
                   {.materials = {"ice", "ice"}, .mu = 0.0, .e_n = 0.9}}});
  ASSERT_EQ(laws.size(), 2U);
  std::ranges::sort(laws, {}, &ContactLaw::mu);
  EXPECT_EQ(laws[0].mu, 0.0);
  EXPECT_EQ(laws[0].e_n, 0.9);
  EXPECT_EQ(laws[0].friction_directions, 0);
  EXPECT_EQ(laws[1].mu, 0.2);
  EXPECT_EQ(laws[1].e_n, 0.0);
  EXPECT_EQ(laws[1].friction_directions, 2);
}

// Round features resist drilling and rolling; sharp ones, and ends on which bodies stand, do not.
TEST_F(ContactsBetweenTest, RoundFeaturesResistDrillingAndRolling) {
  model.add<Surface>({.name = "floor", .of = shapes::Box{{9, 9, 1}}, .position = {0, 0, -0.5}});
  const auto add = [&](const std::string& name, const Shape& shape, const Vec3& x,
                       const Mat3& R = Mat3::Identity()) {
    model.add<Surface>({.name = name,
                        .of = shape,
                        .on = model.add_frame(name, {.position = x, .rotation = R}),
                        .material = name});
  };
  const Mat3 lying = so3::exp(Vec3(1.5707963267948966, 0, 0));
  add("ball", shapes::Ball{0.1}, {0, 0, 0.1});
  add("box", shapes::Box{{0.2, 0.2, 0.2}}, {1, 0, 0.1});
  add("standing", shapes::Cylinder{0.2, 0.1}, {2, 0, 0.1});
  add("lying", shapes::Cylinder{0.2, 0.1}, {3, 0, 0.1}, lying);
  add("capsule", shapes::Capsule{0.2, 0.1}, {3, 1, 0.1}, lying);
  add("smooth", shapes::Ball{0.1}, {1, 1, 0.1});
  const std::vector<std::string> names =
      found({.name = "all",
             .mu = 0.4,
             .drilling_radius = 1e-3,
             .rolling_arm = 2e-3,
             .pairs = {{.materials = {"smooth", ""}, .mu = 0.1},
                       {.materials = {"capsule", ""}, .mu = 0.2, .rolling_arm = 1e-3}}});
  std::map<std::string, int> count;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string body = names[i].substr(5, names[i].find(' ', 5) - 5);
    ++count[body];
    const bool is_round = body == "ball" || body == "lying";
    EXPECT_EQ(laws[i].has_drilling, is_round) << names[i];
    EXPECT_EQ(laws[i].rolling_directions, is_round || body == "capsule" ? 2 : 0) << names[i];
  }
  for (const char* const body : {"ball", "box", "standing", "lying", "capsule", "smooth"})
    EXPECT_GE(count[body], 1) << body;
}

TEST_F(ContactsBetweenTest, RefusesResistanceThatNothingCanBear) {
  add_ball("a", 0.0);
  const auto refusal = [&](ContactsBetween::Parameters parameters) {
    parameters.name = "s";
    return message_of<ModelError>([&] { model.add<ContactsBetween>(parameters); });
  };
  EXPECT_EQ(refusal({.rolling_arm = 1e-3}),
            "contact set \"s\": mu is 0, but drilling_radius or rolling_arm is not");
  EXPECT_EQ(refusal({.pairs = {{.materials = {"a", "b"}, .mu = 0.3, .drilling_radius = -1}}}),
            "contact set \"s\": drilling_radius is -1 m, must not be negative");
  EXPECT_EQ(refusal({.mu = 0.3, .drilling_radius = 1e-3, .friction_directions = 1}),
            "contact set \"s\": drilling_radius is 0.001 m, but a planar contact does not drill");
  // A triangle of point nodes, which has no rotation.
  std::vector<PointNode> corners;
  for (const Vec3& x : {Vec3(0, 0, -1), Vec3(1, 0, -1), Vec3(0, 1, -1)})
    corners.push_back(model.add_point("corner" + std::to_string(corners.size()), {.position = x}));
  model.add<Surface>({.name = "cloud", .of = shapes::Points{corners, 0.01}, .material = "foam"});
  const auto all = model.add<ContactsBetween>({.name = "all", .mu = 0.3, .rolling_arm = 1e-3});
  EXPECT_EQ(message_of<ModelError>([&] { all->make_search(model, 0); }),
            "contact set \"all\": rolling_arm is 0.001 m between a and cloud, but cloud is on point nodes, "
            "which do "
            "not turn");
  const auto drilling = model.add<ContactsBetween>(
      {.name = "one", .mu = 0.3, .pairs = {{.materials = {"", "foam"}, .mu = 0.3, .drilling_radius = 2e-3}}});
  EXPECT_EQ(message_of<ModelError>([&] { drilling->make_search(model, 0); }),
            "contact set \"one\": drilling_radius is 0.002 m between a and cloud, but cloud is on point "
            "nodes, which "
            "do not turn");
  const auto but = model.add<ContactsBetween>(
      {.name = "but", .mu = 0.3, .rolling_arm = 1e-3, .pairs = {{.materials = {"", "foam"}, .mu = 0.3}}});
  EXPECT_NO_THROW(but->make_search(model, 0));
}

// Two contacts at one point share the force, so that 0.1 and 0.5 would give 0.3.
TEST_F(ContactsBetweenTest, RefusesPairsThatMayTouchInTwoSets) {
  const auto a = add_ball("a", 0.0);
  const auto b = add_ball("b", 0.2005);
  const auto c = add_ball("c", 0.401);
  model.add<ContactsBetween>({.name = "ends", .surfaces = {a, c}, .mu = 0.1});
  model.add<ContactsBetween>({.name = "middle", .surfaces = {b}, .with = {a, c}, .mu = 0.5});
  EXPECT_NO_THROW(ContactSearches{model}) << "no pair is in both";
  model.add<ContactsBetween>({.name = "rest", .except = {{a, c}, {a, b}}});
  EXPECT_EQ(
      message_of<ModelError>([&] { ContactSearches{model}; }),
      "contact set \"rest\": surfaces \"b\" and \"c\" may already touch in contact set \"middle\": exclude "
      "the pair from one of them");
}

// Surfaces of one body, joined bodies and fixed surfaces never touch, in however many sets they are.
TEST_F(ContactsBetweenTest, TakesPairsThatNeverTouchInTwoSets) {
  const auto a = add_ball("a", 0.0);
  const auto b = add_ball("b", 0.4);
  const auto handle = model.add<Surface>({.name = "handle", .of = shapes::Ball{0.1}, .on = nodes[0]});
  const auto floor = model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = {0, 0, -1}});
  const auto wall =
      model.add<Surface>({.name = "wall", .of = shapes::HalfSpace{{1, 0, 0}}, .position = {-1, 0, 0}});
  model.add<SphericalJoint>({.name = "joint", .a = {nodes[0], {0.2, 0, 0}}, .b = {nodes[1], {-0.2, 0, 0}}});
  for (const char* const name : {"one", "two"})
    model.add<ContactsBetween>(
        {.name = name,
         .surfaces = {a, b, handle, floor, wall},
         .except = {{a, floor}, {b, floor}, {handle, floor}, {a, wall}, {b, wall}, {handle, wall}}});
  EXPECT_NO_THROW(ContactSearches{model});
}

TEST_F(ContactsBetweenTest, RefusesSurfacesGivenTwiceAndASingleOne) {
  const auto a = add_ball("a", 0.0);
  const auto b = add_ball("b", 0.2005);
  const auto refusal = [&](ContactsBetween::Parameters parameters) {
    parameters.name = "s";
    return message_of<ModelError>([&] { model.add<ContactsBetween>(parameters); });
  };
  EXPECT_EQ(refusal({.surfaces = {a, a}}), "contact set \"s\": surface \"a\" is given twice");
  EXPECT_EQ(refusal({.surfaces = {a}, .with = {b, b}}), "contact set \"s\": surface \"b\" is given twice");
  EXPECT_EQ(refusal({.surfaces = {a}}),
            "contact set \"s\": surface \"a\" is its only one, and there is no self_contact");
  EXPECT_NO_THROW(model.add<ContactsBetween>({.name = "itself", .surfaces = {a}, .self_contact = true}));
}

TEST_F(ContactsBetweenTest, RefusesUnknownMaterialsAndPairsGivenTwice) {
  add_ball("a", 0.0, "rubber");
  add_ball("b", 0.2005, "ice");
  const auto set = model.add<ContactsBetween>(
      {.name = "all", .mu = 0.9, .pairs = {{.materials = {"ruber", "ice"}, .mu = 0.1}}});
  EXPECT_EQ(message_of<ModelError>([&] { set->make_search(model, 0); }),
            "contact set \"all\": no surface is of material \"ruber\"");
  EXPECT_EQ(message_of<ModelError>([&] {
              model.add<ContactsBetween>({.name = "s",
                                          .pairs = {{.materials = {"rubber", "ice"}, .mu = 0.1},
                                                    {.materials = {"ice", "rubber"}, .mu = 0.5}}});
            }),
            "contact set \"s\": the materials \"ice\" and \"rubber\" are given twice");
}

TEST_F(ContactsBetweenTest, RefusesCoefficientsAndStrangers) {
  const auto a = add_ball("a", 0.0);
  Model other("other");
  const auto stranger = other.add<Surface>({.name = "stranger", .of = shapes::Ball{1}});
  const auto refusal = [&](ContactsBetween::Parameters parameters) {
    parameters.name = "s";
    return message_of<ModelError>([&] { model.add<ContactsBetween>(parameters); });
  };
  EXPECT_THAT(refusal({.mu = -1}), ::testing::HasSubstr("contact set \"s\": "));
  EXPECT_THAT(refusal({.pairs = {{.materials = {"a", "b"}, .e_n = 2}}}),
              ::testing::HasSubstr("contact set \"s\": "));
  EXPECT_EQ(refusal({.with = {a}}),
            "contact set \"s\": with is given, but not the surfaces that touch those");
  EXPECT_THAT(refusal({.surfaces = {stranger}}), ::testing::HasSubstr("contact set \"s\""));
}

TEST_F(ContactsBetweenTest, RefusesFrictionThatNothingCanCarry) {
  for (const char* const name : {"a", "b"}) {
    const PointNode point = model.add_point(name, {.position = {name[0] - 'a' + 0.0, 0, 0}});
    model.add<Surface>({.name = name, .of = shapes::Ball{0.1}, .on = point});
  }
  const auto smooth = model.add<ContactsBetween>({.name = "smooth"});
  EXPECT_NO_THROW(smooth->make_search(model, 0));
  const auto rough = model.add<ContactsBetween>({.name = "rough", .mu = 0.3});
  EXPECT_EQ(
      message_of<ModelError>([&] { rough->make_search(model, 1); }),
      "contact set \"rough\": mu is 0.3 between a and b, but both are round and on point nodes, which cannot "
      "carry the moment of friction");
}

TEST_F(ContactsBetweenTest, RefusesSurfacesThatBeginInEachOther) {
  add_ball("a", 0.0);
  add_ball("b", 0.15);
  const auto set = model.add<ContactsBetween>({.name = "all"});
  const auto search = set->make_search(model, 0);
  EXPECT_EQ(message_of<ModelError>([&] { search->check_start(model.initial_configuration()); }),
            "contact set \"all\": a and b are 0.05 m deep in each other at the start");
}

}  // namespace
}  // namespace picus::contacts_between_test
