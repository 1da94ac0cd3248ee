#include "feature_contact_fixture.hpp"
#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/so3.hpp>
#include <picus/testing/tangent_check.hpp>
#include <support/contact_point.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace picus::feature_contact_test {
namespace {

using support::expect_near;

TEST_F(FeatureContactTest, DerivativesAreExact) {
  // Displacements that keep the closest points in their features.
  for (const auto& contact : all_kinds())
    support::expect_exact_tangents(model, *contact, {.length = 0.1, .angle = 0.3});
  for (const auto& contact : resisting_kinds())
    support::expect_exact_tangents(model, *contact, {.length = 0.1, .angle = 0.3});
  for (const auto& contact : grained_kinds())
    support::expect_exact_tangents(model, *contact, {.length = 0.1, .angle = 0.3});
}

// Slip s has the rows |s| along the grain and |s| (1 + (a - 1) sin^2) across it, with the angle between normal and grain.
TEST_F(FeatureContactTest, RowsAreLongerAcrossAGrain) {
  const PointNode point = model.add_point("on top", {.position = {0.1, 0.5, 0.2}});
  const auto triangle =
      Feature::triangle(MaterialPoint::on_ground({0, 0, 1}), MaterialPoint::on_ground({1, 0, -1}),
                        MaterialPoint::on_ground({-1, 0, -1}));  // its normal is y
  for (const double a : {0.4, 1.0, 2.5}) {
    for (const double angle : {0.0, 0.3, 1.0, std::numbers::pi / 2}) {
      SCOPED_TRACE(fmt::format("a = {}, angle {}", a, angle));
      const Vec3 along(std::cos(0.7), 0, std::sin(0.7));
      const Vec3 d = std::cos(angle) * Vec3::UnitY() + std::sin(angle) * along;
      const auto contact = model.add<FeatureContact>({.name = fmt::format("grain {} {}", a, angle),
                                                      .a = Feature::point(point),
                                                      .b = triangle,
                                                      .mu = 0.3,
                                                      .grain = Grain{{}, 3.0 * d, a}});
      const Eigen::MatrixXd G = support::gradient(*contact, start);
      const Vec3 across = Vec3::UnitY().cross(along);
      EXPECT_NEAR((G.bottomRows<2>() * along).norm(), 1.0, rounding);
      EXPECT_NEAR((G.bottomRows<2>() * across).norm(), 1 + (a - 1) * std::pow(std::sin(angle), 2), rounding);
      EXPECT_NEAR((G * along).dot(G * across), 0.0, rounding);
      expect_near(G.row(0).transpose(), Vec3::UnitY(), rounding, "normal");
    }
  }
}

TEST_F(FeatureContactTest, AGrainIsOnABodyOfTheContact) {
  const auto with = [&](const Grain& grain, Index directions = 2) {
    return refusal({.name = "",
                    .a = Feature::point(on(one, {0.1, 1, 0}), rho_a),
                    .b = Feature::point(mesh_point({0, -1, 0.3})),
                    .mu = 0.3,
                    .friction_directions = directions,
                    .grain = grain});
  };
  EXPECT_EQ(with({two, {1, 0, 0}, 2.0}),
            "contact \"c\": the grain is on a node that is no frame of this contact");
  EXPECT_EQ(with({one, {0, 0, 0}, 2.0}), "contact \"c\": grain has zero length");
  EXPECT_EQ(with({one, {1, 0, 0}, 0.0}), "contact \"c\": anisotropy is 0, must be positive");
  EXPECT_EQ(with({one, {1, 0, 0}, 2.0}, 1),
            "contact \"c\": anisotropy is 2, but friction has not two directions");
}

// Rates of the rows are those of the spin of a against b, times the lengths: c/mu about the axis of rolling.
TEST_F(FeatureContactTest, RowsOfDrillingAndRollingAreTheSpinOfTheSides) {
  const auto contact =
      model.add<FeatureContact>({.name = "contact",
                                 .a = Feature::point(on(one, {0.1, 1, 0}), rho_a),
                                 .b = Feature::edge(on(two, {-1, -1, 0}), on(two, {1, -1, 0}), rho_b),
                                 .mu = 0.25,
                                 .drilling_radius = 0.1,
                                 .rolling_arm = 0.05});
  ASSERT_EQ(contact->row_count(), 6);
  const Configuration q = support::moved(model, start, 0.1 * random.vector(model.velocity_count()));
  const Vector v = random.vector(model.velocity_count());
  const Vec3 spin = q.rotation(one) * v.segment<3>(one.v + 3) - q.rotation(two) * v.segment<3>(two.v + 3);
  const Mat3 E = contact->directions(q);
  const Vector rates = support::gradient(*contact, q) * support::local(*contact, v);
  EXPECT_NEAR(rates[3], 0.1 * E.col(0).dot(spin), 10 * rounding);
  for (const Index k : {1, 2})
    EXPECT_NEAR(rates[3 + k], 0.2 * E.col(0).cross(E.col(k)).dot(spin), 10 * rounding) << k;
}

// The closest points of lines at the distance d with the sine s of their angle move by d alpha/s^2 when one is tilted
// by alpha towards the other: rotations and difference steps must be that small. Rounding, 540 eps of the values,
// over the smallest difference step.
TEST_F(FeatureContactTest, DerivativesAreExactWhereEdgesAreNearlyParallel) {
  constexpr double distance = 0.1;
  for (const double sine : {0.05, 0.01, 3e-3}) {
    const auto rod = Feature::edge(on(one, {-1, distance, 0}), on(one, {1, distance, 0}), rho_a);
    const auto other = Feature::edge(on(two, {-1, 0, -sine}), on(two, {1, 0, sine}), rho_b);
    const double length = 0.1 * sine, angle = 0.5 * sine * sine, step = 0.25 * sine * sine;
    for (const auto& contact : {add(rod, other), add(rod, other, 0.0)}) {
      const TangentReport report =
          check_tangents(model, *contact, {.length = length, .angle = angle, .step = step});
      EXPECT_LT(report.worst_error, 540 * 2.2e-16 / (step * length)) << sine << report.description;
    }
  }
}

TEST_F(FeatureContactTest, GapIsTheDistanceOfTheSurfaces) {
  const auto sphere = Feature::point(on(one, {0.5, 1, 0}), rho_a);
  const auto ground = [](double x, double y, double z) { return MaterialPoint::on_ground({x, y, z}); };
  EXPECT_NEAR(gap(*add(sphere, Feature::point(ground(0.5, -1, 0), rho_b)), start), 2 - rho_a - rho_b,
              rounding);
  EXPECT_NEAR(gap(*add(sphere, Feature::edge(ground(-1, 0, 0), ground(1, 0, 0), rho_b)), start),
              1 - rho_a - rho_b, rounding);
  EXPECT_NEAR(gap(*add(sphere, Feature::edge(ground(-1, 0, 0), ground(0, 0, 0), rho_b)), start),
              std::sqrt(1.25) - rho_a - rho_b, rounding);
  const auto square = Feature::triangle(ground(0, 0, 1), ground(1, 0, -1), ground(-1, 0, -1));
  EXPECT_NEAR(gap(*add(Feature::point(on(one, {0.1, 0.5, 0})), square), start), 0.5, rounding);
  EXPECT_NEAR(gap(*add(Feature::point(on(one, {0.1, -0.5, 0})), square), start), -0.5, rounding);  // below
  EXPECT_NEAR(gap(*add(Feature::point(on(one, {0, 0.3, 1.4})), square), start), 0.5,
              rounding);  // beyond a corner
  EXPECT_NEAR(gap(*add(Feature::point(on(one, {0, -0.3, -1.4})), square), start), 0.5,
              rounding);  // beside, not below
  const auto rod = Feature::edge(on(one, {-1, 0.5, 0.2}), on(one, {2, 0.5, 0.2}), rho_a);
  EXPECT_NEAR(gap(*add(rod, Feature::edge(ground(0.3, 0, -3), ground(0.3, 0, 1), rho_b)), start),
              0.5 - rho_a - rho_b, rounding);
  EXPECT_NEAR(gap(*add(rod, Feature::edge(ground(0.3, 0, 0.5), ground(0.3, 0, 1), rho_b)), start),
              std::hypot(0.5, 0.3) - rho_a - rho_b, rounding);
}

// A sharp corner on the common diagonal of two triangles: at least one of them has it inside, above, on and below.
TEST_F(FeatureContactTest, NothingFallsBetweenTwoTriangles) {
  const auto ground = [](double x, double z) { return MaterialPoint::on_ground({x, 0, z}); };
  // A diagonal none of whose points is free of rounding.
  const auto low = ground(-0.1, -0.7);
  const auto high = ground(0.9, 0.6);
  const auto corner = Feature::point(one);
  const auto left = add(corner, Feature::triangle(low, ground(-0.1, 0.6), high));
  const auto right = add(corner, Feature::triangle(low, high, ground(0.9, -0.7)));
  Configuration q = start;
  for (const double height : {0.1, 1e-9, 0.0, -1e-9, -0.1}) {
    for (int i = 1; i < 100; ++i) {
      const double s = 0.01 * i;
      q.position(one) = Vec3(-0.1 + s, height, -0.7 + 1.3 * s);
      // If it is beside a triangle by rounding, the gap is the distance and never negative.
      EXPECT_NEAR(std::min(gap(*left, q), gap(*right, q)), height, rounding) << s;
      for (const auto& contact : {left, right})
        expect_near(contact->directions(q).col(0), Vec3::UnitY(), rounding, "normal");
    }
  }
}

TEST_F(FeatureContactTest, PlaneOfATriangleHasNoBorders) {
  const auto ground = [](double x, double z) { return MaterialPoint::on_ground({x, 0, z}); };
  const auto triangle = Feature::triangle(ground(0, 1), ground(1, -1), ground(-1, -1));
  const auto plane = add_plane(Feature::point(one), triangle);
  Configuration q = start;
  for (const double height : {0.1, 0.0, -0.1}) {
    for (const double x : {0.0, 1.0, 5.0}) {
      q.position(one) = Vec3(x, height, 0.3);
      EXPECT_NEAR(gap(*plane, q), height, rounding);
      expect_near(plane->directions(q).col(0), Vec3::UnitY(), rounding, "normal");
    }
  }
  EXPECT_EQ(
      refusal({.name = "", .a = Feature::point(one, rho_a), .b = Feature::point(two), .is_plane = true}),
      "contact \"c\": is_plane is for a triangle, but b has 1 point");
}

TEST_F(FeatureContactTest, ForcesActAtTheContactPoint) {
  for (const auto& contact : all_kinds()) {
    if (contact->nodes()[0].kind != NodeKind::frame || contact->nodes()[0] != one) continue;
    const Configuration q = support::moved(model, start, 0.1 * random.vector(model.velocity_count()));
    support::expect_force_at_contact_point(*contact, q, random.vector(contact->row_count()), 10 * rounding);
  }
}

TEST_F(FeatureContactTest, ParallelEdgesTouchInTheMiddleOfTheirOverlap) {
  const auto contact =
      add(Feature::edge(on(one, {-1, 0.4, 0}), on(one, {2, 0.4, 0}), rho_a),
          Feature::edge(MaterialPoint::on_ground({0, 0, 0}), MaterialPoint::on_ground({5, 0, 0}), 0));
  EXPECT_NEAR(gap(*contact, start), 0.4 - rho_a, rounding);
  expect_near(*contact->contact_point(start), Vec3(1, 0, 0), rounding, "contact point");
}

// Sharp edges above, on and behind each other, with either order of their points, and beyond their ends.
TEST_F(FeatureContactTest, CrossingEdgesHaveASide) {
  const auto ground = [](double x, double y, double z) { return MaterialPoint::on_ground({x, y, z}); };
  const auto upper = Feature::edge({one, {-1, 0, 0}}, {one, {1, 0, 0}});
  // x times z is -y.
  const auto against =
      add_crossing(upper, Feature::edge(ground(0, 0, -1), ground(0, 0, 1)), Crossing::against);
  const auto along = add_crossing(upper, Feature::edge(ground(0, 0, 1), ground(0, 0, -1)), Crossing::along);
  const auto thick = add_crossing(Feature::edge({one, {-1, 0, 0}}, {one, {1, 0, 0}}, rho_a),
                                  Feature::edge(ground(0, 0, -1), ground(0, 0, 1), rho_b), Crossing::against);
  Configuration q = start;
  q.rotation(one).setIdentity();
  for (const double height : {0.2, 1e-15, 0.0, -1e-15, -0.2}) {
    for (const double x : {-3.0, 0.4, 5.0}) {
      q.position(one) = Vec3(x, height, 0.3);
      for (const auto& contact : {against, along}) {
        EXPECT_NEAR(gap(*contact, q), height, rounding);
        expect_near(contact->directions(q).col(0), Vec3::UnitY(), rounding, "normal");
        expect_near(*contact->contact_point(q), Vec3(0, height / 2, 0.3), 10 * rounding, "contact point");
      }
      EXPECT_NEAR(gap(*thick, q), height - rho_a - rho_b, rounding);
    }
  }
}

// A translation of a is the slip; a rotation about the normal is none.
TEST_F(FeatureContactTest, CrossingEdgesSlipByTheirMaterialPoints) {
  const auto contact = add_crossing(
      Feature::edge({one, {-1, 0, 0}}, {one, {1, 0, 0}}),
      Feature::edge(MaterialPoint::on_ground({-0.1, 0, -1}), MaterialPoint::on_ground({0.1, 0, 1})),
      Crossing::against);
  Configuration q_n = start;
  q_n.rotation(one).setIdentity();
  for (const double height : {0.1, 0.0, -0.1}) {
    q_n.position(one) = Vec3(0, height, 0);
    Configuration q = q_n;
    const Vec3 shift(0.05, 0.02, -0.07);
    q.position(one) += shift;
    const Mat3 axes = contact->directions(q);
    expect_near(support::gap(*contact, q_n, q), axes.transpose() * (shift + height * Vec3::UnitY()).eval(),
                rounding, "shift");
    q = q_n;
    q.rotation(one) = so3::exp({0, 0.2, 0});
    EXPECT_LE(support::gap(*contact, q_n, q).tail<2>().norm(), rounding);
  }
}

// If the edges are parallel there is no crossing: nothing is divided by zero, and the distance is that of the edges.
TEST_F(FeatureContactTest, ParallelCrossingEdgesAreRoundOnes) {
  const auto contact =
      add_crossing(Feature::edge({one, {-1, 0, 0}}, {one, {1, 0, 0}}),
                   Feature::edge(MaterialPoint::on_ground({-1, 0, 0}), MaterialPoint::on_ground({1, 0, 0})),
                   Crossing::along);
  Configuration q = start;
  q.rotation(one).setIdentity();
  for (const double height : {0.2, 0.0, -0.2}) {
    q.position(one) = Vec3(0.5, height, 0);
    EXPECT_NEAR(gap(*contact, q), std::abs(height), rounding);
    EXPECT_TRUE(support::gradient(*contact, q).allFinite());
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(contact->dof_count(), contact->dof_count());
    contact->geometric_stiffness(q, std::array{1.0, 2.0, 3.0}, support::storage(K));
    EXPECT_TRUE(K.allFinite());
  }
}

// A closest point passes from a face to its edge and around a corner: gap and force directions have no jumps.
TEST_F(FeatureContactTest, GoesRoundEdgesAndCornersWithoutJumps) {
  const auto ground = [](double x, double y, double z) { return MaterialPoint::on_ground({x, y, z}); };
  const auto contact = add(Feature::point(one, rho_a),
                           Feature::triangle(ground(0, 0, 1), ground(1, 0, -1), ground(-1, 0, -1)));
  Configuration q = start;
  constexpr int steps = 4000;
  double last_gap = 0;
  Vec3 last_normal = Vec3::Zero();
  for (int i = 0; i <= steps; ++i) {
    const double x = -3 + 6.0 * i / steps;
    q.position(one) = Vec3(0.3 * x, 0.25, x);  // over two edges, and past a corner
    const double now = gap(*contact, q);
    const Vec3 normal = contact->directions(q).col(0);
    // Distances change by no more than the point moves, directions by that divided by the distance, at least 0.25 m.
    const double way = 6.0 / steps * std::hypot(1.0, 0.3);
    if (i > 0) {
      EXPECT_LE(std::abs(now - last_gap), way * (1 + rounding));
      EXPECT_LE((normal - last_normal).norm(), 1.01 * way / 0.25);
    }
    last_gap = now;
    last_normal = normal;
  }
}

TEST_F(FeatureContactTest, TwoPointsAreTwoSpheres) {
  const MaterialPoint a = on(one, {0.1, 1, 0});
  const MaterialPoint b = on(two, {0, -1, 0.3});
  const auto contact = add(Feature::point(a, rho_a), Feature::point(b, rho_b));
  const auto spheres =
      model.add<SphereToSphereContact>({.name = "spheres", .a = {b, rho_b}, .b = {a, rho_a}, .mu = 0.3});
  const Configuration q = support::moved(model, start, 0.1 * random.vector(model.velocity_count()));
  const auto resisting = model.add<FeatureContact>({.name = "resisting",
                                                    .a = Feature::point(a, rho_a),
                                                    .b = Feature::point(b, rho_b),
                                                    .mu = 0.3,
                                                    .drilling_radius = 0.02,
                                                    .rolling_arm = 0.01});
  const auto resisting_spheres = model.add<SphereToSphereContact>({.name = "resisting spheres",
                                                                   .a = {b, rho_b},
                                                                   .b = {a, rho_a},
                                                                   .mu = 0.3,
                                                                   .drilling_radius = 0.02,
                                                                   .rolling_arm = 0.01});
  expect_near(support::gap(*resisting, start, q), support::gap(*resisting_spheres, start, q), rounding,
              "gap, slip and rotation");
  expect_near(support::gap(*contact, start, q), support::gap(*spheres, start, q), rounding, "gap and slip");
  const Vector v = random.vector(model.velocity_count());
  expect_near(support::gradient(*contact, q) * support::local(*contact, v),
              support::gradient(*spheres, q) * support::local(*spheres, v), rounding, "rates");
}

TEST_F(FeatureContactTest, APointOverATriangleIsANodeOnAFace) {
  const MaterialPoint a = on(one, {0.1, 0.4, 0});
  const auto contact =
      add(Feature::point(a), Feature::triangle(on(two, {-1, 0, 1}), on(two, {1, 0, 1}), on(two, {0, 0, -2})),
          0.0);
  const Mat3 R_T = start.rotation(two).transpose();
  const auto face = model.add<NodeToFaceContact>(
      {.name = "face",
       .slave = a,
       .face = {.node = two, .point = on(two, {0, 0, 0}).offset, .normal = R_T * Vec3::UnitY()}});
  const Configuration q = support::moved(model, start, 0.1 * random.vector(model.velocity_count()));
  expect_near(support::gap(*contact, start, q), support::gap(*face, start, q), rounding, "gap");
  expect_near(support::gradient(*contact, q), support::gradient(*face, q), rounding, "gradient");
}

TEST_F(FeatureContactTest, ACommonMotionIsNoSlipAndForcesBalance) {
  std::vector<Handle<FeatureContact>> kinds = all_kinds();
  std::ranges::copy(resisting_kinds(), std::back_inserter(kinds));
  for (const auto& contact : kinds) {
    const support::RigidMotion observer(random);
    const Configuration q = support::moved(model, start, 0.1 * random.vector(model.velocity_count()));
    // If a side is on the ground, a motion of all nodes is not a motion of both sides.
    if (std::ranges::any_of(contact->points(), &MaterialPoint::is_ground)) continue;
    const Vector together = support::gap(*contact, q, observer(model, q));
    EXPECT_LE(together.tail(contact->row_count() - 1).norm(), rounding) << contact->name();
    EXPECT_NEAR(together[0], gap(*contact, q), rounding);
    const Vector p = random.vector(contact->row_count());
    const Vector f = support::gradient(*contact, q).transpose() * p;
    EXPECT_LE(support::resultant(*contact, q, f).norm(), 10 * rounding) << contact->name();
  }
}

// If neither side rotates, the couple of friction across a gap is not balanced; there is no other error.
TEST_F(FeatureContactTest, TwoSolidsLeaveTheCoupleOfTheirDistance) {
  const double height = 0.3;
  const auto contact =
      add(Feature::point(mesh_point({0.1, height, 0})),
          Feature::triangle(mesh_point({-1, 0, 1}), mesh_point({1, 0, 1}), mesh_point({0, 0, -2})));
  const support::RigidMotion observer(random);
  EXPECT_LE(support::gap(*contact, start, observer(model, start)).tail<2>().norm(), rounding);
  const Vector p = random.vector(3);
  const Vector f = support::gradient(*contact, start).transpose() * p;
  const Vector left = support::resultant(*contact, start, f);
  EXPECT_LE(left.head<3>().norm(), rounding);
  EXPECT_NEAR(left.tail<3>().norm(), height * p.tail<2>().norm(), rounding);
}

// A wheel that rolls along an edge: its displacement is its rotation times its radius, and it does not slip.
TEST_F(FeatureContactTest, RollingAlongAnEdgeSlipsInThirdOrderOnly) {
  Model pair;
  const auto ball =
      pair.add_frame("ball", {.position = {0, rho_a + rho_b, 0}, .rotation = random.rotation()});
  const auto contact = pair.add<FeatureContact>(
      {.name = "contact",
       .a = Feature::point(ball, rho_a),
       .b = Feature::edge(MaterialPoint::on_ground({-1, 0, 0}), MaterialPoint::on_ground({1, 0, 0}), rho_b),
       .mu = 0.3});
  const Configuration& q_n = pair.initial_configuration();
  const auto slip = [&](double angle) {
    Configuration q = q_n;
    q.position(ball).x() += rho_a * angle;
    q.rotation(ball) = so3::exp({0, 0, -angle}) * q_n.rotation(ball);
    return support::gap(*contact, q_n, q).tail<2>().norm();
  };
  EXPECT_LT(slip(0.1), 1e-3 * rho_a);
  EXPECT_NEAR(std::log2(slip(0.04) / slip(0.02)), 3.0, 0.05);
}

}  // namespace
}  // namespace picus::feature_contact_test
