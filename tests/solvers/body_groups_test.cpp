// Groups of connected bodies, for the measure of residuals.

#include <picus/mass_matrix.hpp>
#include <picus/solvers/subproblems/body_groups.hpp>
#include <support/bodies.hpp>
#include <support/contacts.hpp>
#include <support/rods.hpp>

#include <gtest/gtest.h>

namespace picus::body_groups_test {
namespace {

constexpr double h = 1e-3;

/// Two masses on a line, a contact between them along x, a third on a rod to a fixed pivot, all under one gravity.
class BodyGroupsTest : public testing::Test {
 protected:
  BodyGroupsTest() {
    a = add("a", {0, 0, 0});
    b = model.add_frame("b", {.position = {1, 0, 0}});
    model.add<support::OffsetBody>({.name = "mass b", .node = b, .mass = 1.0, .inertia = {0.04, 0.04, 0.04}});
    c = add("c", {50, 0, 0});
    pivot = model.add_point("pivot", {.position = {50, 0, 3}});
    model.fix(pivot);
    model.add<support::Rod>({.name = "rod", .a = pivot, .b = c});
    model.add<support::FaceContact>({.name = "between",
                                     .point = a,
                                     .face = b,
                                     .height = 0.0,
                                     .axes = support::axes_of({-1, 0, 0}),
                                     .law = {}});
  }
  PointNode add(const std::string& name, const Vec3& place) {
    const PointNode node = model.add_point(name, {.position = place});
    model.add<support::PointMass>({.name = "mass " + name, .node = node, .mass = 1.0});
    return node;
  }

  Model model;
  PointNode a, c, pivot;
  FrameNode b;
};

TEST_F(BodyGroupsTest, JoinsWhatElementsTieAndMeasuresIt) {
  const System system(model);
  const MassMatrix mass(system);
  const Scales scales(system, mass);
  const BodyGroups groups(system, scales, mass);
  EXPECT_NE(groups.of_dof(Node(a).v), groups.of_dof(Node(b).v));
  EXPECT_NE(groups.of_dof(Node(a).v), groups.of_dof(Node(c).v));
  EXPECT_EQ(groups.of_row(0), groups.of_dof(Node(c).v));
  EXPECT_DOUBLE_EQ(groups.length(groups.of_dof(Node(c).v)), 3.0) << "from the pivot that holds it";
  EXPECT_NEAR(groups.distance_from_origin(groups.of_dof(Node(c).v)), std::hypot(50, 3), 1e-12);
  EXPECT_NEAR(groups.length(groups.of_dof(Node(b).v)), 2 * 0.2, 1e-12) << "twice its radius of gyration";
  EXPECT_EQ(groups.length(groups.of_dof(Node(a).v)), system.length_scale()) << "a point has no size";
}

TEST_F(BodyGroupsTest, ContactsJoinWhereTheyMayCloseAndPartAgain) {
  const System system(model);
  const MassMatrix mass(system);
  const Scales scales(system, mass);
  BodyGroups groups(system, scales, mass);
  Vector v = Vector::Zero(system.velocity_count());
  const Configuration& apart = system.model().initial_configuration();
  const auto are_joined = [&](ContactState state) {
    groups.begin_step(apart, v, h, std::vector{state});
    EXPECT_EQ(groups.of_contact(0) == groups.of_other_side(0),
              groups.of_dof(Node(a).v) == groups.of_dof(Node(b).v));
    return groups.of_contact(0) == groups.of_other_side(0);
  };
  EXPECT_FALSE(are_joined(ContactState::gap)) << "1 m apart, at rest";
  EXPECT_TRUE(are_joined(ContactState::slip));
  EXPECT_DOUBLE_EQ(groups.length(groups.of_dof(Node(a).v)), 1.0);
  EXPECT_FALSE(are_joined(ContactState::gap));
  v[Node(a).v] = 400.0;  // 0.4 m in the step
  EXPECT_FALSE(are_joined(ContactState::gap));
  v[Node(a).v] = 600.0;  // 0.6 m, within a factor of two
  EXPECT_TRUE(are_joined(ContactState::gap));
  v.setZero();
  v[Node(c).v] = 1e6;
  EXPECT_FALSE(are_joined(ContactState::gap)) << "a body elsewhere is no reason";

  std::vector<PerKind> speed(groups.count(), PerKind{});
  groups.raise_speeds(v, speed);
  groups.balance_speeds(speed);
  EXPECT_EQ(speed[groups.of_dof(Node(a).v)][0], 0.0);
  EXPECT_EQ(speed[groups.of_dof(Node(c).v)][0], 1e6);
}

}  // namespace
}  // namespace picus::body_groups_test
