// Invalid contacts of features are refused, with their names.

#include "feature_contact_fixture.hpp"

namespace picus::feature_contact_test {
namespace {

using FeatureContactRefusals = FeatureContactTest;

TEST_F(FeatureContactRefusals, RefusesWhatItCannotBe) {
  const auto p = Feature::point(one, rho_a);
  const auto e = Feature::edge(on(two, {0, 0, 0}), on(two, {1, 0, 0}), rho_b);
  const auto t = Feature::triangle(on(two, {0, 0, 0}), on(two, {1, 0, 0}), on(two, {0, 0, 1}));
  const auto ground = [](double x) { return MaterialPoint::on_ground({x, 0, 0}); };
  EXPECT_EQ(refusal({.name = "", .a = t, .b = p}),
            "contact \"c\": a is a triangle, must be a point or an edge");
  EXPECT_EQ(refusal({.name = "", .a = Feature::edge(one, on(one, {5, 5, 5})), .b = t}),
            "contact \"c\": a is an edge and b a triangle, which has no single closest point");
  EXPECT_EQ(refusal({.name = "", .a = {}, .b = e}), "contact \"c\": a has 0 points, must have 1 to 3");
  EXPECT_EQ(
      refusal({.name = "", .a = Feature::point(ground(0), rho_a), .b = Feature::edge(ground(1), ground(2))}),
      "contact \"c\": a and b are both on the ground");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = Feature::point(one, rho_b)}),
            "contact \"c\": a and b share node \"one\"");
  EXPECT_EQ(refusal({.name = "", .a = Feature::point(one), .b = Feature::edge(two, on(two, {5, 5, 5}))}),
            "contact \"c\": neither a nor b has a radius, and without one only a triangle, or an edge "
            "with a crossing, has an inside");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = e, .crossing = Crossing::along}),
            "contact \"c\": crossing is for two edges, but a is a point");
  EXPECT_EQ(refusal({.name = "",
                     .a = Feature::edge(one, on(one, {5, 5, 5}), rho_a),
                     .b = Feature::point(two),
                     .crossing = Crossing::against}),
            "contact \"c\": crossing is for two edges, but b is a point");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = t, .crossing = Crossing::against}),
            "contact \"c\": crossing is for two edges, but a is a point");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = Feature::edge(two, two, rho_b)}),
            "contact \"c\": b has both ends at one point");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = Feature::triangle(ground(0), ground(1), ground(2))}),
            "contact \"c\": b has three corners on one line");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = Feature::edge(two, ground(1), rho_b)}),
            "contact \"c\": the points of b must all move with frames, all with point nodes, or all be on "
            "the ground");
  EXPECT_EQ(refusal({.name = "", .a = Feature::point(one, -1), .b = e}),
            "contact \"c\": radius of a is -1 m, must not be negative");
  EXPECT_EQ(refusal({.name = "",
                     .a = Feature::point(one, rho_a),
                     .b = Feature::point(MaterialPoint::on_ground(start.position(one)), rho_b)}),
            "contact \"c\": a and b have a point in common at the start");
  EXPECT_EQ(refusal({.name = "",
                     .a = Feature::point(mesh_point({0, 0, 9}), rho_a),
                     .b = Feature::point(mesh_point({0, 9, 9})),
                     .mu = 0.1}),
            "contact \"c\": mu is 0.1, but a and b are on point nodes, which cannot carry the moment of "
            "friction on a radius");
  EXPECT_EQ(refusal({.name = "",
                     .a = Feature::edge(MaterialPoint::on_ground({0.1, -1, 0.1}),
                                        MaterialPoint::on_ground({0.1, 1, 0.1}), rho_a),
                     .b = Feature::edge(on(two, {-1, 0, 0.1}), on(two, {1, 0, 0.1}), rho_b)}),
            "contact \"c\": a and b have a point in common at the start");  // to within rounding
  EXPECT_EQ(refusal({.name = "",
                     .a = Feature::edge(MaterialPoint::on_ground({-1, 0, 0.5}),
                                        MaterialPoint::on_ground({1, 0, 0.5}), rho_a),
                     .b = Feature::edge(on(two, {0, -1, 0}), on(two, {0, 1, 0}), rho_b),
                     .mu = 0.1,
                     .friction_directions = 1}),
            "contact \"c\": friction_directions is 1, but two edges that cross touch across the plane of a "
            "planar model");
  EXPECT_EQ(refusal({.name = "", .a = Feature::point(MaterialPoint(), rho_a), .b = e}),
            "contact \"c\": a point of a is not given");
}

TEST_F(FeatureContactRefusals, RefusesResistanceThatNothingCanBear) {
  const auto p = Feature::point(one, rho_a);
  const auto t = Feature::triangle(on(two, {0, 0, 0}), on(two, {1, 0, 0}), on(two, {0, 0, 1}));
  EXPECT_EQ(refusal({.name = "", .a = p, .b = t, .drilling_radius = 1e-3}),
            "contact \"c\": mu is 0, but drilling_radius or rolling_arm is not");
  EXPECT_EQ(refusal({.name = "", .a = p, .b = t, .mu = 0.3, .rolling_arm = -1.0}),
            "contact \"c\": rolling_arm is -1 m, must not be negative");
  EXPECT_EQ(
      refusal({.name = "", .a = p, .b = t, .mu = 0.3, .friction_directions = 1, .drilling_radius = 1e-3}),
      "contact \"c\": drilling_radius is 0.001 m, but a planar contact does not drill");
  EXPECT_EQ(
      refusal(
          {.name = "", .a = p, .b = Feature::point(mesh_point({0, 9, 9})), .mu = 0.3, .rolling_arm = 1e-3}),
      "contact \"c\": drilling_radius or rolling_arm is not 0, but b is on point nodes, which do not turn");
  EXPECT_EQ(
      refusal({.name = "", .a = Feature::point(one), .b = t, .mu = 0.3, .rolling_arm = 1e-3}),
      "contact \"c\": drilling_radius or rolling_arm is not 0, but a and b are sharp and touch without an "
      "area");
}

}  // namespace
}  // namespace picus::feature_contact_test
