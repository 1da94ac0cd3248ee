#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <limits>

namespace picus::rigid_body_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order ten.
constexpr double rounding = 1e-13;

class RigidBodyTest : public ::testing::Test {
 protected:
  Handle<RigidBody> add(const std::string& name, const Mat3& J, const Vec3& c) {
    return model.add<RigidBody>(
        {.name = name, .node = node, .mass = mass, .inertia = J, .centre_of_mass = c});
  }

  /// A tensor that is not diagonal.
  Mat3 skewed_inertia() {
    const Mat3 R = random.rotation();
    return R * inertia::box(mass, {1.0, 2.0, 0.5}) * R.transpose();
  }

  support::Random random{5};
  Model model{"m"};
  FrameNode node = model.add_frame("node", {.position = random.vec3(), .rotation = random.rotation()});
  double mass = 3.0;
};

TEST_F(RigidBodyTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *add("centred", skewed_inertia(), Vec3::Zero()));
  support::expect_exact_tangents(model, *add("offset", skewed_inertia(), {0.1, -0.4, 0.3}));
  support::expect_exact_tangents(model, *add("sphere", inertia::sphere(mass, 0.5), Vec3::Zero()));
  support::expect_exact_tangents(model, *add("offset sphere", inertia::sphere(mass, 0.5), {0.3, 0, 0}));
}

TEST_F(RigidBodyTest, LeavesOutWhatVanishes) {
  const auto centred = add("centred", skewed_inertia(), Vec3::Zero());
  EXPECT_TRUE(centred->has_constant_mass());
  EXPECT_FALSE(centred->traits().depends_on_configuration);
  EXPECT_TRUE(centred->traits().depends_on_velocity);
  const auto sphere = add("sphere", inertia::sphere(mass, 0.5), Vec3::Zero());
  EXPECT_FALSE(sphere->traits().depends_on_velocity);
  const auto offset = add("offset", inertia::sphere(mass, 0.5), Vec3::UnitX());
  EXPECT_FALSE(offset->has_constant_mass());
  EXPECT_TRUE(offset->traits().depends_on_configuration);
  EXPECT_TRUE(offset->traits().depends_on_velocity);
}

TEST_F(RigidBodyTest, CentredMassIsBlockDiagonal) {
  const Mat3 J = skewed_inertia();
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  expected.topLeftCorner<3, 3>() = mass * Mat3::Identity();
  expected.bottomRightCorner<3, 3>() = J;
  EXPECT_EQ(support::mass(*add("body", J, Vec3::Zero()), model.initial_configuration()), expected);
}

TEST_F(RigidBodyTest, TranslationHasTheMomentumOfTheMassAtItsCentre) {
  const Vec3 c(0.1, -0.4, 0.3);
  const auto body = add("body", skewed_inertia(), c);
  const Configuration& q = model.initial_configuration();
  Vector v = Vector::Zero(6);
  v.head<3>() = random.vec3();
  const Vec3 p = mass * v.head<3>();
  Vector expected(6);
  expected << p, c.cross(q.rotation(node).transpose() * p);
  expect_near(support::mass(*body, q) * v, expected, rounding, "momentum");
}

TEST_F(RigidBodyTest, KineticEnergyIsThatOfItsParticles) {
  // Eight equal particles at the corners of a box, whose inertia about their common centre is known.
  const Vec3 half(0.5, 0.3, 0.2);
  const Vec3 c(0.1, -0.4, 0.3);
  const Mat3 J = mass * (half.squaredNorm() * Mat3::Identity() - Mat3(half.cwiseAbs2().asDiagonal()));
  const auto body = add("body", J, c);
  const Configuration& q = model.initial_configuration();
  const Vector v = random.vector(6);
  double expected = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
    const MaterialPoint particle(node, c + half.cwiseProduct(sign));
    expected += 0.5 * mass / 8 * particle.velocity(q, v).squaredNorm();
  }
  EXPECT_NEAR(0.5 * v.dot(support::mass(*body, q) * v), expected, rounding * expected);
}

TEST_F(RigidBodyTest, FreeFlightConservesEnergyAndMomenta) {
  const Vec3 c(0.1, -0.4, 0.3);
  const Mat3 J = skewed_inertia();
  const auto body = add("body", J, c);
  for (int i = 0; i < 20; ++i) {
    const Configuration q = support::moved(model, model.initial_configuration(), random.vector(6, 2.0));
    const Vector v = random.vector(6, 2.0);
    const Vector acceleration = support::mass(*body, q).ldlt().solve(support::force(*body, q, v));
    // Energy, linear momentum, angular momentum about the origin, a short time after q.
    const auto conserved = [&](double t) -> Vector {
      const Configuration q_t = support::moved(model, q, t * v);
      const Vector v_t = v + t * acceleration;
      const MaterialPoint centre(node, c);
      const Vec3 p = mass * centre.velocity(q_t, v_t);
      const Vec3 spin = q_t.rotation(node) * (J * v_t.tail<3>());
      Vector result(7);
      result << 0.5 * v_t.dot(support::mass(*body, q_t) * v_t), p, centre.position(q_t).cross(p) + spin;
      return result;
    };
    expect_near(support::derivative(conserved), Vector::Zero(7), support::difference_tolerance,
                "rates of energy, momentum and angular momentum");
  }
}

TEST_F(RigidBodyTest, OffsetAndCentredDescriptionsMoveAlike) {
  // The same body on a node at its centre of mass: the acceleration of that point must agree.
  const Vec3 c(0.1, -0.4, 0.3);
  const Mat3 J = skewed_inertia();
  const auto offset = add("offset", J, c);
  const auto centred = add("centred", J, Vec3::Zero());
  const Configuration& q = model.initial_configuration();
  const Vector v = random.vector(6);
  const Vector a = support::mass(*offset, q).ldlt().solve(support::force(*offset, q, v));
  const Vector b = support::mass(*centred, q).ldlt().solve(support::force(*centred, q, v));
  expect_near(a.tail<3>(), b.tail<3>(), rounding, "angular acceleration");
  const Vec3 Omega = v.tail<3>();
  const Vec3 in_body = Vec3(a.tail<3>()).cross(c) + Omega.cross(Omega.cross(c));
  const Vec3 of_centre = a.head<3>() + q.rotation(node) * in_body;
  expect_near(of_centre, Vec3::Zero(), rounding, "acceleration of the centre of mass");
}

TEST_F(RigidBodyTest, IsTheSameForEveryObserver) {
  const auto body = add("body", skewed_inertia(), {0.1, -0.4, 0.3});
  const support::RigidMotion motion(random);
  const Configuration& q = model.initial_configuration();
  const Configuration seen = motion(model, q);
  const Vector v = random.vector(6);
  const Eigen::MatrixXd T = motion.turn(*body);
  expect_near(support::mass(*body, seen), T * support::mass(*body, q) * T.transpose(), rounding, "mass");
  expect_near(support::force(*body, seen, motion.velocity(model, v)), T * support::force(*body, q, v),
              rounding, "force");
}

TEST_F(RigidBodyTest, MassPointIsTheCentreOfMass) {
  const auto body = add("body", skewed_inertia(), {0.1, -0.4, 0.3});
  EXPECT_EQ(body->mass_point().mass, mass);
  EXPECT_EQ(body->mass_point().point.offset, Vec3(0.1, -0.4, 0.3));
  EXPECT_EQ(body->mass_point().point.node, node);
}

class RigidBodyRefusal : public RigidBodyTest {
 protected:
  std::string refusal(const Mat3& J, const Vec3& c = Vec3::Zero()) {
    return message_of<ModelError>([&] { add("bird", J, c); });
  }
};

TEST_F(RigidBodyRefusal, OfAMassThatIsNotPositive) {
  mass = -1.0;
  EXPECT_EQ(refusal(Mat3::Identity()), "rigid body \"bird\": mass is -1 kg, must be positive");
  mass = 0.0;
  EXPECT_EQ(refusal(Mat3::Identity()), "rigid body \"bird\": mass is 0 kg, must be positive");
  mass = nan;
  EXPECT_EQ(refusal(Mat3::Identity()), "rigid body \"bird\": mass is nan kg, must be a finite number");
}

TEST_F(RigidBodyRefusal, OfInertiaThatIsNotANumber) {
  EXPECT_EQ(refusal(inertia::diagonal(1, nan, 1)),
            "rigid body \"bird\": inertia(1, 1) is nan kg m2, must be a finite number");
  EXPECT_EQ(
      message_of<ModelError>([&] { model.add<RigidBody>({.name = "bird", .node = node, .mass = 1.0}); }),
      "rigid body \"bird\": inertia(0, 0) is nan kg m2, must be a finite number");
}

TEST_F(RigidBodyRefusal, OfInertiaThatIsNotSymmetric) {
  Mat3 J = Mat3::Identity();
  J(0, 1) = 1e-3;
  EXPECT_EQ(refusal(J), "rigid body \"bird\": inertia is not symmetric");
}

TEST_F(RigidBodyRefusal, OfANegativePrincipalMoment) {
  EXPECT_EQ(refusal(inertia::diagonal(-1, 2, 2)),
            "rigid body \"bird\": inertia has a principal moment of -1 kg m2, none may be negative");
}

TEST_F(RigidBodyRefusal, OfAPrincipalMomentLargerThanTheOthersTogether) {
  EXPECT_EQ(
      refusal(inertia::diagonal(1, 2, 4)),
      "rigid body \"bird\": inertia has principal moments 1, 2 and 4 kg m2; no body has one larger than the "
      "sum of the others");
  EXPECT_NE(refusal(inertia::diagonal(0, 0, 1)), "nothing was thrown");
  EXPECT_EQ(refusal(inertia::diagonal(0.333333, 0.333333, 0.666667)), "nothing was thrown") << "six digits";
}

TEST_F(RigidBodyRefusal, OfACentreOfMassThatIsNotANumber) {
  EXPECT_EQ(refusal(Mat3::Identity(), {0, 0, nan}),
            "rigid body \"bird\": centre_of_mass[2] is nan m, must be a finite number");
}

TEST_F(RigidBodyRefusal, OfANodeOfNoModel) {
  node = {};
  EXPECT_EQ(refusal(Mat3::Identity()), "rigid body \"bird\": node is not a node of model \"m\"");
}

}  // namespace
}  // namespace picus::rigid_body_test
