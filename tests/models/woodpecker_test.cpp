#include "woodpecker_names.hpp"
#include <picus/models/woodpecker.hpp>
#include <picus/system.hpp>

#include <gmock/gmock.h>

#include <cmath>
#include <string>
#include <tuple>

namespace picus::models::woodpecker_test {
namespace {

using Case = Woodpecker::Case;
using Variant = Woodpecker::Variant;

/// Conditions on the start in every case and variant.
class WoodpeckerStartTest : public testing::TestWithParam<std::tuple<Case, Variant>> {
 protected:
  Case guidance = std::get<0>(GetParam());
  Variant variant = std::get<1>(GetParam());
  Model model = make_woodpecker({.guidance = guidance, .variant = variant});
  System system{model};
  const Configuration& q = model.initial_configuration();
  Vector v = Eigen::Map<const Vector>(model.initial_velocity().data(), model.velocity_count());

  double angle_of(const std::string& node) const {
    const Mat3 R = q.rotation(model.find_node(node));
    return std::atan2(R(1, 0), R(0, 0));
  }
};

TEST_P(WoodpeckerStartTest, HasTheNamesThatOthersUse) {
  std::vector<std::string> contacts;
  for (const auto& contact : model.contacts()) contacts.push_back(contact.element->name());
  if (guidance == Case::one) {
    EXPECT_THAT(contacts, testing::ElementsAre("beak", "lower_right", "upper_right"));
  } else {
    EXPECT_THAT(contacts,
                testing::ElementsAre("beak", "lower_right", "upper_right", "upper_left", "lower_left"));
  }
  EXPECT_NO_THROW(model.find_node("sleeve"));
  EXPECT_NO_THROW(model.find_node("bird"));
}

TEST_P(WoodpeckerStartTest, ClosesAllJointsInPositionAndVelocity) {
  Vector g(system.row_count());
  system.evaluate_constraint_residual(q, 0.0, g);
  EXPECT_LT(g.lpNorm<Eigen::Infinity>(), 1e-15);

  Gradients G = system.make_constraint_gradients();
  system.evaluate_gradients(q, 0.0, G);
  Vector rate(system.row_count());
  System::multiply(system.constraint_entries(), G, v, rate);
  EXPECT_LT(rate.lpNorm<Eigen::Infinity>(), 1e-14);
}

TEST_P(WoodpeckerStartTest, HasTheAnglesAndRatesOfTheThesis) {
  const Node sleeve = model.find_node("sleeve");
  const Node bird = model.find_node("bird");
  EXPECT_NEAR(angle_of("sleeve"), -0.1036, 1e-15);
  EXPECT_NEAR(angle_of("bird"), -0.2788, 1e-15);
  EXPECT_EQ(q.position(sleeve).x(), 0.0);
  EXPECT_EQ(v[sleeve.v + 5], 0.0);
  EXPECT_EQ(v[bird.v + 5], -7.4583);
  EXPECT_EQ(v[sleeve.v + 1], -0.3411);
  EXPECT_NEAR(q.value(model.find_node("angle")), -0.2788 + 0.1036, 1e-15);
}

TEST_P(WoodpeckerStartTest, HasTheGapsOfTheGeometry) {
  Vector g(system.contact_row_count());
  system.evaluate_gaps(q, q, g);
  for (const RowBlock<Contact>& contact : system.contacts()) {
    const double gap = g[contact.first_row];
    const std::string& name = contact.element->name();
    // The published angle closes the linearised gap of two corners, which therefore penetrate by 16
    // micrometres.
    if (name == "lower_right" || name == "upper_left") {
      EXPECT_NEAR(gap, 0.0031 * std::cos(0.1036) - 0.0058 * std::sin(0.1036) - 0.0025, 1e-16) << name;
      EXPECT_NEAR(gap, -16e-6, 1e-6) << name;
    } else {
      EXPECT_GT(gap, 1e-3) << name;
    }
  }
}

TEST_P(WoodpeckerStartTest, MovesInThePlane) {
  for (const Node& node : model.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    for (const Index component : {2, 3, 4}) EXPECT_TRUE(model.is_fixed(node.v + component));
    EXPECT_EQ(model.is_fixed(node.v), guidance == Case::one && node == model.find_node("sleeve"));
    EXPECT_FALSE(model.is_fixed(node.v + 1));
    EXPECT_FALSE(model.is_fixed(node.v + 5));
  }
}

INSTANTIATE_TEST_SUITE_P(All, WoodpeckerStartTest,
                         testing::Combine(testing::Values(Case::one, Case::two),
                                          testing::Values(Variant::rigid_links, Variant::body_points)));

TEST(Woodpecker, KeepsAllContactsInCaseOneIfAsked) {
  const Model model = make_woodpecker({.guidance = Case::one, .all_contacts = true});
  EXPECT_EQ(model.contacts().size(), 5U);
  EXPECT_TRUE(model.is_fixed(model.find_node("sleeve").v));
}

TEST(Woodpecker, NeedsNoFurtherNodesForBodyPoints) {
  EXPECT_EQ(make_woodpecker({.variant = Variant::body_points}).nodes().size(), 3U);   // sleeve, bird, angle
  EXPECT_EQ(make_woodpecker({.variant = Variant::rigid_links}).nodes().size(), 10U);  // thesis, table 5.2
}

TEST(Woodpecker, PutsTheSameParametersOnAllContacts) {
  const Model model = make_woodpecker({.mu = 0.35, .beak_restitution = 0.4});
  for (const auto& contact : model.contacts()) {
    EXPECT_EQ(contact.role->law().mu, 0.35);
    EXPECT_EQ(contact.role->law().e_n, contact.element->name() == "beak" ? 0.4 : 0.0);
    EXPECT_EQ(contact.role->law().friction_directions, 1);
  }
}

}  // namespace
}  // namespace picus::models::woodpecker_test
