#include <picus/elements/contacts/surface_contacts.hpp>
#include <support/message.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace picus {
namespace {

using support::message_of;

class SurfaceContactsTest : public ::testing::Test {
 protected:
  std::string refusal(SurfaceContactParameters parameters) {
    parameters.name = "S";
    return message_of<ModelError>([&] { add_surface_contacts(model, parameters); });
  }
  Model model{"m"};
  FrameNode plate = model.add_frame("plate");
  PointNode one = model.add_point("one");
  PointNode two = model.add_point("two");
  Face floor{.normal = {0, 1, 0}};
};

TEST_F(SurfaceContactsTest, GiveEachNodeItsContact) {
  std::vector<PointNode> nodes;
  for (int i = 0; i < 5000; ++i) nodes.push_back(model.add_point(fmt::format("node[{}]", i)));
  const auto contacts = add_surface_contacts(model, {.name = "bottom",
                                                     .nodes = nodes,
                                                     .face = {.node = plate, .normal = {0, 1, 0}},
                                                     .mu = 0.3,
                                                     .e_n = 0.5,
                                                     .e_t = 0.1,
                                                     .friction_directions = 1});
  ASSERT_EQ(contacts.size(), nodes.size());
  EXPECT_EQ(model.contacts().size(), nodes.size());
  EXPECT_EQ(contacts[4711]->name(), "bottom[4711]");
  EXPECT_EQ(contacts[4711]->nodes()[0], nodes[4711]);
  EXPECT_EQ(contacts[4711]->nodes()[1], plate);
  EXPECT_EQ(contacts[4711]->law().mu, 0.3);
  EXPECT_EQ(contacts[4711]->law().e_n, 0.5);
  EXPECT_EQ(contacts[4711]->law().e_t, 0.1);
  EXPECT_EQ(contacts[4711]->law().friction_directions, 1);
}

TEST_F(SurfaceContactsTest, TakeAnyMaterialPoints) {
  EXPECT_EQ(add_surface_contacts(model, {.name = "list", .nodes = {one, two}, .face = floor}).size(), 2u);
  const std::vector<MaterialPoint> corners = {{plate, Vec3(1, 0, 0)}, {plate, Vec3(-1, 0, 0)}};
  EXPECT_EQ(add_surface_contacts(model, {.name = "corners", .nodes = corners, .face = floor}).size(), 2u);
  const std::vector<FrameNode> frames = {plate};
  EXPECT_EQ(add_surface_contacts(model, {.name = "frames", .nodes = frames, .face = floor})[0]->name(),
            "frames[0]");
}

TEST_F(SurfaceContactsTest, RefuseWhatIsNoSurface) {
  EXPECT_EQ(refusal({.face = floor}), "surface contacts \"S\": nodes is empty");
  EXPECT_EQ(refusal({.nodes = {one, two, one}, .face = floor}),
            "surface contacts \"S\": nodes[0] and nodes[2] are the same point of node \"one\"");
  EXPECT_EQ(refusal({.nodes = {one, PointNode{}}, .face = floor}),
            "surface contacts \"S\": nodes[1] is not a node of model \"m\"");
  EXPECT_EQ(refusal({.nodes = {one}}), "surface contacts \"S\": normal of the face has zero length");
  EXPECT_EQ(refusal({.nodes = {one}, .face = floor, .mu = -1}),
            "surface contacts \"S\": mu is -1, must not be negative");
  EXPECT_EQ(refusal({.nodes = {plate}, .face = {.node = plate, .normal = {0, 1, 0}}}),
            "surface contacts \"S\": nodes[0] is on the node of the face");
  EXPECT_TRUE(model.elements().empty()) << "a refused call adds nothing";
}

}  // namespace
}  // namespace picus
