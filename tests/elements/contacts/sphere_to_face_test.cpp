#include <picus/elements/contacts/node_to_face.hpp>
#include <picus/elements/contacts/sphere_to_face.hpp>
#include <picus/so3.hpp>
#include <support/contact_point.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::sphere_to_face_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;
constexpr double r = 0.3;

class SphereToFaceTest : public ::testing::Test {
 protected:
  Handle<SphereToFaceContact> add(const std::string& name, const MaterialPoint& centre, const Face& face,
                                  double mu = 0.3, Index directions = 2) {
    return model.add<SphereToFaceContact>({.name = name,
                                           .centre = centre,
                                           .radius = r,
                                           .face = face,
                                           .mu = mu,
                                           .friction_directions = directions});
  }
  std::string refusal(SphereToFaceContact::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<SphereToFaceContact>(std::move(parameters)); });
  }
  Configuration random_configuration() {
    return support::moved(model, start, random.vector(model.velocity_count(), 2.0));
  }

  support::Random random{37};
  Model model{"m"};
  FrameNode master = model.add_frame("master", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode body = model.add_frame("body", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  Vec3 offset{0.2, 0.5, -0.3};
  Face ground{.point = {0.1, 0.2, 0.3}, .normal = {1, 2, 2}};
  Face moving{.node = master, .point = {0.1, 0.2, 0.3}, .normal = {1, 2, 2}, .tangent = Vec3(1, 0, 0)};
  const Configuration& start = model.initial_configuration();
};

TEST_F(SphereToFaceTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *add("point on ground", point, ground));
  support::expect_exact_tangents(model, *add("body on ground", {body, offset}, ground));
  support::expect_exact_tangents(model, *add("point on face", point, moving));
  support::expect_exact_tangents(model, *add("body on face", {body, offset}, moving));
  support::expect_exact_tangents(model, *add("one direction", {body, offset}, moving, 0.3, 1));
  support::expect_exact_tangents(model, *add("no friction", {body, offset}, moving, 0.0));
  const auto with = [&](const std::string& name, const Face& face, Index directions, double drilling,
                        double rolling) {
    return model.add<SphereToFaceContact>({.name = name,
                                           .centre = {body, offset},
                                           .radius = r,
                                           .face = face,
                                           .mu = 0.3,
                                           .friction_directions = directions,
                                           .drilling_radius = drilling,
                                           .rolling_arm = rolling});
  };
  SphereToFaceContact::Parameters grained{.name = "grained",
                                          .centre = {body, offset},
                                          .radius = r,
                                          .face = moving,
                                          .mu = 0.3,
                                          .drilling_radius = 0.1,
                                          .rolling_arm = 0.05,
                                          .anisotropy = 2.5};
  support::expect_exact_tangents(model, *model.add<SphereToFaceContact>(grained));
  support::expect_exact_tangents(model, *with("drilling on ground", ground, 2, 0.1, 0.0));
  support::expect_exact_tangents(model, *with("drilling on face", moving, 2, 0.1, 0.0));
  support::expect_exact_tangents(model, *with("rolling on ground", ground, 2, 0.0, 0.05));
  support::expect_exact_tangents(model, *with("both on face", moving, 2, 0.1, 0.05));
  support::expect_exact_tangents(model, *with("rolling in the plane", moving, 1, 0.0, 0.05));
}

TEST_F(SphereToFaceTest, GapIsTheDistanceOfTheSurface) {
  const auto contact = add("contact", {body, offset}, ground);
  const Vec3 normal = ground.normal.normalized();
  const Vec3 x = MaterialPoint(body, offset).position(start);
  EXPECT_NEAR(support::gap(*contact, start, start)[0], normal.dot(x - ground.point) - r, rounding);
}

// However the body rotates in between, the slip rate is the velocity of the material point at the contact.
TEST_F(SphereToFaceTest, SlipRateIsThatOfTheBodiesAtTheContact) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q = random_configuration();
  const Vector v = random.vector(model.velocity_count());
  const Vec3 normal = q.rotation(master) * contact->directions().col(0);
  const Vec3 at = MaterialPoint(body, offset).position(q) - r * normal;
  const auto velocity_at_contact = [&](const FrameNode& node) -> Vec3 {
    const Vec3 in_node = q.rotation(node).transpose() * (at - q.position(node));
    return MaterialPoint(node, in_node).velocity(q, v);
  };
  const Vec3 slip =
      q.rotation(master).transpose() * (velocity_at_contact(body) - velocity_at_contact(master));
  const Vector rate = support::gradient(*contact, q) * support::local(*contact, v);
  EXPECT_NEAR(rate[1], contact->directions().col(1).dot(slip), 10 * rounding);
  EXPECT_NEAR(rate[2], contact->directions().col(2).dot(slip), 10 * rounding);
}

/// Rotated by `turn` in inertial axes, and displaced as rolling on the ground requires for the integral of omega.
Configuration rolled(const Configuration& q_n, const FrameNode& ball, const Mat3& turn, const Vec3& omega_t,
                     const Vec3& normal) {
  Configuration q = q_n;
  q.rotation(ball) = turn * q_n.rotation(ball);
  q.position(ball) += omega_t.cross(r * normal);
  return q;
}

TEST_F(SphereToFaceTest, RollingAboutOneAxisIsNoSlip) {
  const auto contact = add("contact", body, ground);
  for (int i = 0; i < 10; ++i) {
    const Vec3 psi = random.vec3();
    const Configuration q = rolled(start, body, so3::exp(psi), psi, ground.normal.normalized());
    const Vector g = support::gap(*contact, start, q);
    EXPECT_NEAR(g[1], 0.0, rounding);
    EXPECT_NEAR(g[2], 0.0, rounding);
  }
}

// R(t) = exp(a t) exp(b t) rotates with omega = a + exp(a t) b, whose integral is t (a + T(a t)^T b).
TEST_F(SphereToFaceTest, RollingAboutAChangingAxisSlipsInThirdOrderOnly) {
  const auto contact = add("contact", body, ground);
  const Vec3 a(1.0, 0.5, -0.3);
  const Vec3 b(-0.2, 0.8, 0.7);
  const auto slip = [&](double t) {
    const Configuration q = rolled(start, body, so3::exp(t * a) * so3::exp(t * b),
                                   t * (a + so3::tangent(t * a).transpose() * b), ground.normal.normalized());
    return support::gap(*contact, start, q).tail<2>().norm();
  };
  // psi is the integral of omega up to t^3 |omega x domega/dt|/12, here about t^3/6.
  EXPECT_LT(slip(0.1), 2e-4 * r);
  EXPECT_NEAR(std::log2(slip(0.02) / slip(0.01)), 3.0, 0.05);
}

TEST_F(SphereToFaceTest, DerivativeAwayFromTheStartOfTheStepIsTheGradientUpToTheTurn) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q_n = random_configuration();
  for (const double turn : {1e-2, 1e-3}) {
    const Configuration q = support::moved(model, q_n, random.vector(model.velocity_count(), turn));
    const Eigen::MatrixXd dg = support::derivative_on_group(
        model.nodes(), q, model.velocity_count(),
        [&](const Configuration& moved) { return support::gap(*contact, q_n, moved); });
    Eigen::MatrixXd local(3, 12);
    local << dg.middleCols<6>(body.v), dg.middleCols<6>(master.v);
    // |psi| < 2 sqrt(3) turn, and T^-1 = 1 + psi^/2 + ...
    EXPECT_LT((local - support::gradient(*contact, q)).cwiseAbs().maxCoeff(), 2 * turn * r);
  }
}

TEST_F(SphereToFaceTest, MotionTogetherWithTheFaceIsNoSlip) {
  for (const MaterialPoint& centre : {MaterialPoint(body, offset), MaterialPoint(point)}) {
    const auto contact = add(centre.on_frame() ? "body" : "point", centre, moving);
    const Vector g_n = support::gap(*contact, start, start);
    const Vector g = support::gap(*contact, start, support::RigidMotion(random)(model, start));
    expect_near(g, g_n, rounding, "gap and tangential motion");
  }
}

TEST_F(SphereToFaceTest, ForceActsAtTheContactPoint) {
  const Configuration q = random_configuration();
  for (const Face& face : {ground, moving}) {
    const auto contact = add(face.node ? "face" : "ground", {body, offset}, face);
    support::expect_force_at_contact_point(*contact, q, random.vector(3), 10 * rounding);
  }
  EXPECT_EQ(*add("point", point, ground)->contact_point(q),
            q.position(point) - r * ground.normal.normalized());
}

TEST_F(SphereToFaceTest, ContactForcesBalance) {
  for (const MaterialPoint& centre : {MaterialPoint(body, offset), MaterialPoint(point)}) {
    const auto contact = add(centre.on_frame() ? "body" : "point", centre, moving);
    const Configuration q = random_configuration();
    const Vector f = support::gradient(*contact, q).transpose() * random.vector(3);
    expect_near(support::resultant(*contact, q, f), Vector::Zero(6), 10 * rounding, "resultant");
  }
}

TEST_F(SphereToFaceTest, IsTheSameForEveryObserver) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q = random_configuration();
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  expect_near(support::gap(*contact, motion(model, start), seen), support::gap(*contact, start, q),
              10 * rounding, "gap");
  expect_near(support::gradient(*contact, seen),
              support::gradient(*contact, q) * motion.turn(*contact).transpose(), 10 * rounding, "gradient");
}

TEST_F(SphereToFaceTest, WithoutRadiusIsANode) {
  const auto sphere = model.add<SphereToFaceContact>(
      {.name = "sphere", .centre = {body, offset}, .radius = 1e-300, .face = moving, .mu = 0.3});
  const auto node =
      model.add<NodeToFaceContact>({.name = "node", .slave = {body, offset}, .face = moving, .mu = 0.3});
  const Configuration q = random_configuration();
  EXPECT_EQ(support::gap(*sphere, start, q), support::gap(*node, start, q));
  EXPECT_EQ(support::gradient(*sphere, q), support::gradient(*node, q));
}

TEST_F(SphereToFaceTest, IsDrawnAsCirclesOfItsRadius) {
  const auto contact = add("contact", {body, offset}, ground);
  const auto points = contact->points();
  EXPECT_EQ(contact->polylines().size(), 3u);
  for (const auto& line : contact->polylines()) {
    EXPECT_EQ(line.front(), line.back()) << "circles are closed";
    for (const Index i : line) {
      ASSERT_LT(static_cast<std::size_t>(i), points.size());
      EXPECT_NEAR((points[i].offset - offset).norm(), r, rounding);
    }
  }
  ASSERT_EQ(contact->spheres().size(), 1U);
  EXPECT_EQ(contact->spheres()[0].radius, r);
  EXPECT_EQ(contact->points()[contact->spheres()[0].centre].offset, offset);
  // A point node has no axes to carry circles.
  const auto on_point = add("point", point, ground);
  EXPECT_EQ(on_point->spheres().size(), 1U);
  EXPECT_TRUE(on_point->polylines().empty());
}

TEST_F(SphereToFaceTest, RefusesWhatIsNoSphereOnAFace) {
  EXPECT_EQ(refusal({.name = "C", .centre = body, .face = ground}),
            "contact \"C\": radius is 0 m, must be positive");
  EXPECT_EQ(refusal({.name = "C", .centre = body, .radius = nan, .face = ground}),
            "contact \"C\": radius is nan m, must be a finite number");
  EXPECT_EQ(refusal({.name = "C", .centre = {}, .radius = r, .face = ground}),
            "contact \"C\": centre is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "C", .centre = {master, offset}, .radius = r, .face = moving}),
            "contact \"C\": the sphere and the face are on the same node");
  EXPECT_EQ(refusal({.name = "C", .centre = body, .radius = r, .face = {}}),
            "contact \"C\": normal of the face has zero length");
  EXPECT_EQ(refusal({.name = "C", .centre = body, .radius = r, .face = ground, .mu = -0.1}),
            "contact \"C\": mu is -0.1, must not be negative");
}

/// Rates of the rows are those of the spin relative to the face, times the lengths: c/mu about the axis of rolling.
TEST_F(SphereToFaceTest, RowsOfDrillingAndRollingAreTheSpinAgainstTheFace) {
  const auto contact = model.add<SphereToFaceContact>({.name = "contact",
                                                       .centre = {body, offset},
                                                       .radius = r,
                                                       .face = moving,
                                                       .mu = 0.25,
                                                       .drilling_radius = 0.1,
                                                       .rolling_arm = 0.05});
  ASSERT_EQ(contact->row_count(), 6);
  const Configuration q = random_configuration();
  const Vector v = random.vector(model.velocity_count());
  const Vec3 spin = q.rotation(master).transpose() * (q.rotation(body) * v.segment<3>(body.v + 3)) -
                    v.segment<3>(master.v + 3);
  const Mat3 E = contact->directions();
  const Vector rates = support::gradient(*contact, q) * support::local(*contact, v);
  EXPECT_NEAR(rates[3], 0.1 * E.col(0).dot(spin), 10 * rounding);
  // A sphere that moves along T_1 without slip rotates about N x T_1.
  EXPECT_NEAR(rates[4], 0.2 * E.col(2).dot(spin), 10 * rounding);
  EXPECT_NEAR(rates[5], -0.2 * E.col(1).dot(spin), 10 * rounding);
}

/// The row of T_2 is a times as long; those of drilling and rolling are as they were.
TEST_F(SphereToFaceTest, AnisotropyScalesTheSecondTangent) {
  SphereToFaceContact::Parameters p{.name = "plain",
                                    .centre = {body, offset},
                                    .radius = r,
                                    .face = moving,
                                    .mu = 0.25,
                                    .drilling_radius = 0.1,
                                    .rolling_arm = 0.05};
  const auto plain = model.add<SphereToFaceContact>(p);
  p.name = "grained";
  p.anisotropy = 2.5;
  const auto grained = model.add<SphereToFaceContact>(p);
  const Configuration q = random_configuration();
  Vector scale = Vector::Ones(6);
  scale[2] = 2.5;
  expect_near(support::gradient(*grained, q), scale.asDiagonal() * support::gradient(*plain, q), rounding,
              "gradient");
  expect_near(support::gap(*grained, start, q), scale.asDiagonal() * support::gap(*plain, start, q), rounding,
              "displacement");
  p.drilling_radius = 0.0;  // a planar contact has none
  p.friction_directions = 1;
  EXPECT_EQ(refusal(p), "contact \"grained\": anisotropy is 2.5, but friction has not two directions");
}

TEST_F(SphereToFaceTest, RefusesResistanceThatNothingCanBear) {
  SphereToFaceContact::Parameters p{.name = "C", .centre = body, .radius = r, .face = ground, .mu = 0.2};
  p.drilling_radius = -1.0;
  EXPECT_EQ(refusal(p), "contact \"C\": drilling_radius is -1 m, must not be negative");
  p.drilling_radius = 0.0;
  p.rolling_arm = nan;
  EXPECT_EQ(refusal(p), "contact \"C\": rolling_arm is nan m, must be a finite number");
  p.rolling_arm = 1e-3;
  p.mu = 0.0;
  EXPECT_EQ(refusal(p), "contact \"C\": mu is 0, but drilling_radius or rolling_arm is not");
  p.mu = 0.2;
  p.centre = point;
  EXPECT_EQ(refusal(p),
            "contact \"C\": drilling_radius or rolling_arm is not 0, but the sphere is on a point node, "
            "which does not turn");
  p.centre = body;
  p.drilling_radius = 1e-3;
  p.friction_directions = 1;
  EXPECT_EQ(refusal(p), "contact \"C\": drilling_radius is 0.001 m, but a planar contact does not drill");
}

}  // namespace
}  // namespace picus::sphere_to_face_test
