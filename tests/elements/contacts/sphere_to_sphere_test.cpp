#include <picus/elements/contacts/sphere_to_sphere.hpp>
#include <picus/so3.hpp>
#include <support/contact_point.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace picus::sphere_to_sphere_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;
constexpr double r_a = 0.5;
constexpr double r_b = 0.3;

class SphereToSphereTest : public ::testing::Test {
 protected:
  Handle<SphereToSphereContact> add(const std::string& name, const MaterialPoint& a, const MaterialPoint& b,
                                    double mu = 0.3, Index directions = 2) {
    return model.add<SphereToSphereContact>(
        {.name = name, .a = {a, r_a}, .b = {b, r_b}, .mu = mu, .friction_directions = directions});
  }
  std::string refusal(SphereToSphereContact::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<SphereToSphereContact>(std::move(parameters)); });
  }
  Configuration random_configuration() {
    return support::moved(model, start, random.vector(model.velocity_count()));
  }

  support::Random random{41};
  Model model{"m"};
  // Far apart, so that after random displacements of up to a metre the direction between the centres is defined.
  FrameNode one = model.add_frame("one", {.position = {-3, 2, 1}, .rotation = random.rotation()});
  FrameNode two = model.add_frame("two", {.position = {3, -2, 2}, .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = {2, 4, -3}});
  Vec3 X_a{0.2, 0.5, -0.3};
  Vec3 X_b{-0.3, 0.1, 0.2};
  MaterialPoint ground = MaterialPoint::on_ground({0.5, 0, -1});
  const Configuration& start = model.initial_configuration();
};

TEST_F(SphereToSphereTest, DerivativesAreExact) {
  // The directions rotate fast near the pole; a finer step resolves that.
  const TangentCheckOptions options = {.length = 0.5};
  support::expect_exact_tangents(model, *add("bodies", {one, X_a}, {two, X_b}), options);
  support::expect_exact_tangents(model, *add("body and point", {one, X_a}, point), options);
  support::expect_exact_tangents(model, *add("point and body", point, {one, X_a}), options);
  support::expect_exact_tangents(model, *add("on ground", ground, {two, X_b}), options);
  support::expect_exact_tangents(model, *add("point on ground", ground, point), options);
  support::expect_exact_tangents(model, *add("against ground", {two, X_b}, ground), options);
  support::expect_exact_tangents(model, *add("one direction", {one, X_a}, {two, X_b}, 0.3, 1), options);
  support::expect_exact_tangents(model, *add("no friction", {one, X_a}, point, 0.0), options);
  const auto with = [&](const std::string& name, const MaterialPoint& b, Index directions, double drilling,
                        double rolling) {
    return model.add<SphereToSphereContact>({.name = name,
                                             .a = {{one, X_a}, r_a},
                                             .b = {b, r_b},
                                             .mu = 0.3,
                                             .friction_directions = directions,
                                             .drilling_radius = drilling,
                                             .rolling_arm = rolling});
  };
  support::expect_exact_tangents(model, *with("drilling", {two, X_b}, 2, 0.1, 0.0), options);
  support::expect_exact_tangents(model, *with("rolling", {two, X_b}, 2, 0.0, 0.05), options);
  support::expect_exact_tangents(model, *with("both", {two, X_b}, 2, 0.1, 0.05), options);
  support::expect_exact_tangents(model, *with("both on the ground", ground, 2, 0.1, 0.05), options);
  support::expect_exact_tangents(model, *with("rolling in the plane", {two, X_b}, 1, 0.0, 0.05), options);
}

// Rates of the rows are those of the spin of b against a, times the lengths: c/mu about the axis of rolling.
TEST_F(SphereToSphereTest, RowsOfDrillingAndRollingAreTheSpinOfTheSpheres) {
  const auto contact = model.add<SphereToSphereContact>({.name = "contact",
                                                         .a = {{one, X_a}, r_a},
                                                         .b = {{two, X_b}, r_b},
                                                         .mu = 0.25,
                                                         .drilling_radius = 0.1,
                                                         .rolling_arm = 0.05});
  ASSERT_EQ(contact->row_count(), 6);
  const Configuration q = random_configuration();
  const Vector v = random.vector(model.velocity_count());
  const Vec3 spin = q.rotation(two) * v.segment<3>(two.v + 3) - q.rotation(one) * v.segment<3>(one.v + 3);
  const Mat3 E = contact->directions(q);
  const Vector rates = support::gradient(*contact, q) * support::local(*contact, v);
  EXPECT_NEAR(rates[3], 0.1 * E.col(0).dot(spin), 10 * rounding);
  for (const Index k : {1, 2})
    EXPECT_NEAR(rates[3 + k], 0.2 * E.col(0).cross(E.col(k)).dot(spin), 10 * rounding) << k;
}

TEST_F(SphereToSphereTest, GapIsTheDistanceOfTheSurfaces) {
  const auto contact = add("contact", one, two);
  EXPECT_NEAR(support::gap(*contact, start, start)[0], std::sqrt(36 + 16 + 1) - r_a - r_b, rounding);
}

TEST_F(SphereToSphereTest, SlipRateIsThatOfTheBodiesAtTheContact) {
  const auto contact = add("contact", {one, X_a}, {two, X_b});
  Configuration q = random_configuration();
  // Brought into contact.
  const Vec3 D = MaterialPoint(two, X_b).position(q) - MaterialPoint(one, X_a).position(q);
  q.position(two) -= (1 - (r_a + r_b) / D.norm()) * D;
  const Vec3 at = MaterialPoint(one, X_a).position(q) + r_a * D.normalized();
  const Vector v = random.vector(model.velocity_count());
  const auto velocity_at_contact = [&](const FrameNode& node) -> Vec3 {
    const Vec3 in_node = q.rotation(node).transpose() * (at - q.position(node));
    return MaterialPoint(node, in_node).velocity(q, v);
  };
  const Vec3 relative = velocity_at_contact(two) - velocity_at_contact(one);
  expect_near(support::gradient(*contact, q) * support::local(*contact, v),
              contact->directions(q).transpose() * relative, 10 * rounding, "rates");
}

// A ball that rolls around a fixed one rotates by (r_a + r_b)/r_b times the angle of the line of centres.
TEST_F(SphereToSphereTest, RollingRoundABallIsNoSlip) {
  Model pair;
  const Vec3 centre(0.1, 0.2, 0.3);
  const Vec3 D(0, r_a + r_b, 0);
  const auto ball = pair.add_frame("ball", {.position = centre + D, .rotation = random.rotation()});
  const auto contact = pair.add<SphereToSphereContact>(
      {.name = "contact", .a = {MaterialPoint::on_ground(centre), r_a}, .b = {ball, r_b}, .mu = 0.3});
  const Configuration& q_n = pair.initial_configuration();
  for (const double theta : {1e-3, 0.1, 1.0}) {
    Configuration q = q_n;
    q.position(ball) = centre + so3::exp({0, 0, theta}) * D;
    q.rotation(ball) = so3::exp({0, 0, theta * (r_a + r_b) / r_b}) * q_n.rotation(ball);
    expect_near(support::gap(*contact, q_n, q), Vec3::Zero(), rounding, "gap and tangential motion");
  }
}

TEST_F(SphereToSphereTest, RollingAboutAChangingAxisSlipsInThirdOrderOnly) {
  Model pair;
  const Vec3 D_0(0, r_a + r_b, 0);
  const auto ball_a = pair.add_frame("a");
  const auto ball_b = pair.add_frame("b", {.position = D_0});
  const auto contact =
      pair.add<SphereToSphereContact>({.name = "contact", .a = {ball_a, r_a}, .b = {ball_b, r_b}, .mu = 0.3});
  const Configuration& q_n = pair.initial_configuration();
  const double alpha = r_a / (r_a + r_b);
  // Both rotate about changing axes; the centre of b moves as rolling requires. 2000 midpoint steps leave an error of
  // 1e-7 of the t^3 term that is tested.
  const auto slip = [&](double t) {
    Configuration q = q_n;
    Vec3 D = D_0;
    constexpr int steps = 2000;
    const double h = t / steps;
    for (int i = 0; i < steps; ++i) {
      const double s = (i + 0.5) * h;
      const Vec3 omega_a = Vec3(1.0, 0.3, -0.5) + s * Vec3(0, 2.0, 1.0);
      const Vec3 omega_b = Vec3(-0.4, 0.5, 1.0) + s * Vec3(3.0, 0, -1.0);
      q.rotation(ball_a) = Mat3(so3::exp(h * omega_a) * q.rotation(ball_a));
      q.rotation(ball_b) = Mat3(so3::exp(h * omega_b) * q.rotation(ball_b));
      D = so3::exp(h * (alpha * omega_a + (1 - alpha) * omega_b)) * D;
    }
    q.position(ball_b) = D;
    return support::gap(*contact, q_n, q).tail<2>().norm();
  };
  EXPECT_LT(slip(0.1), 1e-3 * r_b);
  EXPECT_NEAR(std::log2(slip(0.04) / slip(0.02)), 3.0, 0.1);
}

TEST_F(SphereToSphereTest, MotionOfBothTogetherIsNoSlip) {
  const auto check = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b) {
    const auto contact = add(name, a, b);
    const Vector g_n = support::gap(*contact, start, start);
    const Vector g = support::gap(*contact, start, support::RigidMotion(random)(model, start));
    expect_near(g, g_n, 10 * rounding, name);
  };
  check("bodies", {one, X_a}, {two, X_b});
  check("body and point", {one, X_a}, point);
}

TEST_F(SphereToSphereTest, ForceActsAtTheContactPoint) {
  Configuration q = random_configuration();
  const Vec3 n = random.direction();
  const Vec3 x_a = MaterialPoint(one, X_a).position(q);
  q.position(two) = x_a + (r_a + r_b) * n - q.rotation(two) * X_b;  // they touch
  const auto contact = add("bodies", {one, X_a}, {two, X_b});
  EXPECT_LE((*contact->contact_point(q) - (x_a + r_a * n)).norm(), 10 * rounding);
  support::expect_force_at_contact_point(*contact, q, random.vector(3), 10 * rounding);

  // With a on the ground the first node is that of b.
  q.position(two) = ground.offset + (r_a + r_b) * n - q.rotation(two) * X_b;
  support::expect_force_at_contact_point(*add("on ground", ground, {two, X_b}), q, random.vector(3),
                                         10 * rounding);
}

TEST_F(SphereToSphereTest, ContactForcesBalance) {
  const auto check = [&](const std::string& name, const MaterialPoint& a, const MaterialPoint& b, double mu) {
    const auto contact = add(name, a, b, mu);
    const Configuration q = random_configuration();
    const Vector f = support::gradient(*contact, q).transpose() * random.vector(contact->row_count());
    expect_near(support::resultant(*contact, q, f), Vector::Zero(6), 10 * rounding, name);
  };
  check("bodies", {one, X_a}, {two, X_b}, 0.3);
  check("body and point", {one, X_a}, point, 0.3);
  check("points", model.add_point("another"), point, 0.0);
}

// Directions are fixed by inertial axes, so only what does not depend on their choice is the same.
TEST_F(SphereToSphereTest, SlipIsTheSameForEveryObserver) {
  const auto contact = add("contact", {one, X_a}, {two, X_b});
  const Configuration q = random_configuration();
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  const Vector g = support::gap(*contact, start, q);
  const Vector g_seen = support::gap(*contact, motion(model, start), seen);
  EXPECT_NEAR(g_seen[0], g[0], 10 * rounding);
  EXPECT_NEAR(g_seen.tail<2>().norm(), g.tail<2>().norm(), 10 * rounding);
  const Eigen::MatrixXd turn = motion.turn(*contact);
  const Eigen::MatrixXd G = support::gradient(*contact, q) * turn.transpose();
  const Eigen::MatrixXd G_seen = support::gradient(*contact, seen);
  expect_near(G_seen.row(0), G.row(0), 10 * rounding, "normal row");
  expect_near(G_seen.bottomRows<2>().transpose() * G_seen.bottomRows<2>(),
              G.bottomRows<2>().transpose() * G.bottomRows<2>(), 100 * rounding, "tangential rows");
}

TEST_F(SphereToSphereTest, DirectionsAreATriadThatNeverFlips) {
  const auto contact = add("contact", one, two);
  constexpr int steps = 10000;
  const auto triad = [&](const Vec3& n) {
    Configuration q = start;
    q.position(two) = q.position(one) + n;
    return contact->directions(q);
  };
  // Around the three coordinate planes and a few others.
  for (int circle = 0; circle < 20; ++circle) {
    const Vec3 axis = circle < 3 ? Vec3(Vec3::Unit(circle)) : random.direction();
    const Vec3 from = axis.unitOrthogonal();
    Mat3 last = triad(from);
    for (int i = 1; i <= steps; ++i) {
      const Mat3 E = triad(so3::exp(2 * std::numbers::pi * i / steps * axis) * from);
      // Directions rotate faster than n near -pole, but these circles pass it at 0.03 or more.
      EXPECT_LT((E - last).norm(), 0.05) << circle;
      if (i % 100 == 0) {
        expect_near(E.transpose() * E, Mat3::Identity(), 1e-12, "products of directions");
        EXPECT_NEAR(E.determinant(), 1.0, 1e-12);
      }
      last = E;
    }
  }
}

TEST_F(SphereToSphereTest, OneDirectionLiesInThePlaneOfMotion) {
  Model flat;
  const auto a = flat.add_frame("a");
  const auto b = flat.add_frame("b", {.position = {0.6, 0.8, 0}});
  const auto contact = flat.add<SphereToSphereContact>(
      {.name = "contact", .a = {a, r_a}, .b = {b, r_b}, .mu = 0.3, .friction_directions = 1});
  expect_near(contact->directions(flat.initial_configuration()).col(1), Vec3(0.8, -0.6, 0), rounding,
              "tangent");
}

TEST_F(SphereToSphereTest, DrawsOnlyWhatIsWanted) {
  EXPECT_EQ(add("both", one, two)->polylines().size(), 6u);
  EXPECT_EQ(add("one", one, point)->polylines().size(), 3u);
  const auto hidden =
      model.add<SphereToSphereContact>({.name = "hidden", .a = {one, r_a}, .b = {two, r_b}, .drawn = false});
  EXPECT_TRUE(hidden->points().empty());
}

TEST_F(SphereToSphereTest, RefusesWhatIsNoPairOfSpheres) {
  EXPECT_EQ(refusal({.name = "C", .a = {one, 0.0}, .b = {two, r_b}}),
            "contact \"C\": radius of sphere a is 0 m, must be positive");
  EXPECT_EQ(refusal({.name = "C", .a = {one, r_a}, .b = {two, nan}}),
            "contact \"C\": radius of sphere b is nan m, must be a finite number");
  EXPECT_EQ(refusal({.name = "C", .a = {one, r_a}, .b = {{one, X_b}, r_b}}),
            "contact \"C\": sphere a and sphere b are on the same node");
  EXPECT_EQ(refusal({.name = "C", .a = {.radius = r_a}, .b = {two, r_b}}),
            "contact \"C\": sphere a is not given");
  EXPECT_EQ(refusal({.name = "C", .a = {ground, r_a}, .b = {ground, r_b}}),
            "contact \"C\": sphere a and sphere b are both on the ground");
  EXPECT_EQ(
      refusal({.name = "C", .a = {one, r_a}, .b = {model.add_point("twin", {.position = {-3, 2, 1}}), r_b}}),
      "contact \"C\": the centres of the spheres coincide at the start");
  EXPECT_EQ(refusal({.name = "C", .a = {point, r_a}, .b = {model.add_point("other"), r_b}, .mu = 0.2}),
            "contact \"C\": mu is 0.2, but both spheres are on point nodes, which cannot carry the moment of "
            "friction");
  EXPECT_EQ(
      refusal({.name = "C",
               .a = {one, r_a},
               .b = {model.add_frame("above", {.position = {-3, 2, 5}}), r_b},
               .mu = 0.2,
               .friction_directions = 1}),
      "contact \"C\": friction_directions is 1, for motion in the plane x-y, but the centres lie along z");
  EXPECT_EQ(refusal({.name = "C", .a = {one, r_a}, .b = {two, r_b}, .e_n = 1.5}),
            "contact \"C\": e_n is 1.5, must lie in [0, 1]");
  EXPECT_EQ(
      refusal({.name = "C", .a = {one, r_a}, .b = {point, r_b}, .mu = 0.2, .rolling_arm = 1e-3}),
      "contact \"C\": drilling_radius or rolling_arm is not 0, but sphere b is on point nodes, which do not "
      "turn");
  EXPECT_EQ(refusal({.name = "C", .a = {one, r_a}, .b = {two, r_b}, .drilling_radius = 1e-3}),
            "contact \"C\": mu is 0, but drilling_radius or rolling_arm is not");
}

}  // namespace
}  // namespace picus::sphere_to_sphere_test
