// Elements allocate nothing when they are evaluated.

#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/contacts/feature_contact.hpp>
#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/elements/contacts/user_contact.hpp>
#include <picus/elements/joints/user_constraint.hpp>
#include <picus/so3.hpp>
#include <support/allocations.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace picus::element_allocation_test {
namespace {

#ifdef PICUS_COUNTS_ALLOCATIONS

using support::allocations_of;

TEST(ElementAllocation, ContactsOfFeaturesMakeNone) {
  Model model;
  const Vec3 side(1, 0, 0);
  const FrameNode body = model.add_frame("body", {.position = {0, 1, 0}});
  const Feature corner = Feature::point(body, 0.1);
  const Feature rod = Feature::edge(body, {body, side}, 0.1);
  std::vector<FrameNode> beam;
  for (int i = 0; i < 2; ++i)
    beam.push_back(model.add_frame("beam" + std::to_string(i), {.position = {0.5, 0, i - 0.5}}));
  std::vector<PointNode> mesh;
  for (const Vec3& place : {Vec3(-1, 0, 1), Vec3(1, 0, 1), Vec3(0, 0, -2)})
    mesh.push_back(model.add_point("mesh" + std::to_string(mesh.size()), {.position = place}));
  const auto add = [&](const std::string& name, const Feature& a, const Feature& b,
                       Crossing crossing = Crossing::none) {
    model.add<FeatureContact>({.name = name, .a = a, .b = b, .crossing = crossing, .mu = 0.3});
  };
  add("point on point", corner, Feature::point(beam[0]));
  add("point on edge", corner, Feature::edge(beam[0], beam[1], 0.1));
  add("edge on edge", rod, Feature::edge(beam[0], beam[1], 0.1));
  add("edge across edge", Feature::edge(body, {body, side}), Feature::edge(beam[0], beam[1]),
      Crossing::against);
  add("point on triangle", corner, Feature::triangle(mesh[0], mesh[1], mesh[2]));
  const Configuration& q = model.initial_configuration();
  const std::array<double, 3> p = {1.0, 0.2, -0.1};
  std::array<double, 3> g{};
  std::array<double, 3 * max_local_dofs> G{};
  std::array<double, max_local_dofs * max_local_dofs> K{};
  for (const auto& [element, contact] : model.contacts()) {
    const std::size_t n = element->dof_count();
    const long count = allocations_of([&, &contact = contact] {
      contact->displacement(q, q, g);
      contact->gradient(q, std::span(G).first(3 * n));
      contact->geometric_stiffness(q, p, std::span(K).first(n * n));
    });
    EXPECT_EQ(count, 0) << element->name();
  }
}

TEST(ElementAllocation, DifferencesOfFunctionsOfTheUserMakeNoneAfterTheFirst) {
  Model model;
  const FrameNode body = model.add_frame("body", {.position = {0.3, 0.1, 1}});
  const auto height = [body](const Configuration& q) {
    return q.position(body).z() * q.rotation(body)(2, 2);
  };
  const auto constraint = model.add<UserConstraint>(
      {.name = "constraint",
       .nodes = {body},
       .residual = [height](const Configuration& q, double t, auto g) { g[0] = height(q) - t; },
       .is_rheonomic = true});
  const auto contact = model.add<UserContact>({.name = "contact", .nodes = {body}, .gap = height});
  const Configuration& q = model.initial_configuration();
  const std::array<double, 6> v = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  const std::array<double, 1> p = {2.0};
  std::array<double, 6> row{};
  std::array<double, 36> K{};
  const auto evaluate = [&] {
    constraint->gradient(q, 0.0, row);
    constraint->geometric_stiffness(q, 0.0, p, K);
    constraint->rate_jacobian(q, 0.0, v, row);
    contact->gradient(q, row);
    contact->geometric_stiffness(q, p, K);
  };
  evaluate();
  EXPECT_EQ(allocations_of(evaluate), 0);
}

TEST(ElementAllocation, TheSearchForContactsMakesNoneWhileTheTreeKeepsItsShape) {
  std::vector<Box> boxes;
  for (int i = 0; i < 100; ++i) {
    const Vec3 corner(i % 5, i / 5 % 5, i / 25);
    boxes.emplace_back(corner, corner + Vec3(1.1, 1.1, 1.1));
  }
  BoxTree tree;
  tree.build(boxes);
  std::vector<std::array<Index, 2>> pairs;
  tree.find_pairs(pairs);
  for (Box& box : boxes) box.translate(Vec3(0.1, 0, 0));
  const long count = allocations_of([&] {
    tree.refit(boxes);
    tree.find_pairs(pairs);
  });
  EXPECT_EQ(count, 0);
  // Temporary storage of Eigen's bisection, for any number of boxes.
  EXPECT_LE(allocations_of([&] { tree.build(boxes); }), 3);
}

// With the contacts of the step before.
TEST(ElementAllocation, TheSearchOfBallsAndCylindersMakesNone) {
  Model model("round");
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const auto add = [&](const Shape& shape, const Vec3& position, const Mat3& R = Mat3::Identity()) {
    const std::string name = "body " + std::to_string(model.nodes().size());
    model.add<Surface>(
        {.name = name, .of = shape, .on = model.add_frame(name, {.position = position, .rotation = R})});
  };
  const Mat3 lying = so3::exp(Vec3(std::acos(0.0), 0, 0));
  for (int i = 0; i < 5; ++i) {
    add(shapes::Ball{0.5}, {1.0001 * i, 0, 0.5});
    add(shapes::Cylinder{.length = 0.5, .radius = 0.4}, {1.0 * i, 4, 0.25});
    add(shapes::Cylinder{.length = 0.5, .radius = 0.4}, {1.0 * i, 4, 0.75});
    add(shapes::Cylinder{.length = 0.5, .radius = 0.4}, {1.0 * i, 6, 0.4}, lying);
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  const auto search = model.contact_sets()[0].role->make_search(model, 0);
  const Configuration& q = model.initial_configuration();
  std::vector<ContactKey> previous, found, undetected;
  search->find(q, q, {}, previous);
  const auto find = [&] {
    found.clear();
    search->find(q, q, previous, found);
    search->find_undetected(q, found, undetected);
  };
  find();
  EXPECT_GE(found.size(), 50U);
  EXPECT_EQ(found, previous);
  EXPECT_TRUE(undetected.empty());
  EXPECT_EQ(allocations_of(find), 0);
}

#endif

}  // namespace
}  // namespace picus::element_allocation_test
