#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <support/message.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
