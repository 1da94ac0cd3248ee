#include <picus/elements/contacts/node_to_face.hpp>
#include <support/contact_point.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace picus::node_to_face_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

class NodeToFaceTest : public ::testing::Test {
 protected:
  Handle<NodeToFaceContact> add(const std::string& name, const MaterialPoint& slave, const Face& face,
                                double mu = 0.3, Index directions = 2) {
    return model.add<NodeToFaceContact>(
        {.name = name, .slave = slave, .face = face, .mu = mu, .friction_directions = directions});
  }
  std::string refusal(NodeToFaceContact::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<NodeToFaceContact>(std::move(parameters)); });
  }
  Configuration random_configuration() {
    return support::moved(model, start, random.vector(model.velocity_count(), 2.0));
  }

  support::Random random{31};
  Model model{"m"};
  FrameNode master = model.add_frame("master", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode body = model.add_frame("body", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  Vec3 offset{0.2, 0.5, -0.3};
  Face ground{.point = {0.1, 0.2, 0.3}, .normal = {1, 2, 2}};
  Face moving{.node = master, .point = {0.1, 0.2, 0.3}, .normal = {1, 2, 2}, .tangent = Vec3(1, 0, 0)};
  const Configuration& start = model.initial_configuration();
};

TEST_F(NodeToFaceTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *add("point on ground", point, ground));
  support::expect_exact_tangents(model, *add("body on ground", {body, offset}, ground));
  support::expect_exact_tangents(model, *add("point on face", point, moving));
  support::expect_exact_tangents(model, *add("body on face", {body, offset}, moving));
  support::expect_exact_tangents(model, *add("one direction", {body, offset}, moving, 0.3, 1));
  support::expect_exact_tangents(model, *add("no friction", {body, offset}, moving, 0.0));
  const NodeToFaceContact::Parameters grained{
      .name = "grained", .slave = {body, offset}, .face = moving, .mu = 0.3, .anisotropy = 2.5};
  support::expect_exact_tangents(model, *model.add<NodeToFaceContact>(grained));
  support::expect_exact_tangents(model, *add("ground on face", MaterialPoint::on_ground(offset), moving));
}

TEST_F(NodeToFaceTest, RowsAreAsManyAsTheFrictionNeeds) {
  EXPECT_EQ(add("two", point, ground)->row_count(), 3);
  EXPECT_EQ(add("one", point, ground, 0.3, 1)->row_count(), 2);
  const auto smooth = add("smooth", point, ground, 0.0);
  EXPECT_EQ(smooth->row_count(), 1);
  EXPECT_EQ(smooth->law().friction_directions, 0);
}

TEST_F(NodeToFaceTest, NormalGapIsTheDistanceFromThePlane) {
  const auto contact = add("contact", {body, offset}, ground);
  const Vec3 normal = ground.normal.normalized();
  const Vec3 x = MaterialPoint(body, offset).position(start);
  EXPECT_NEAR(support::gap(*contact, start, start)[0], normal.dot(x - ground.point), rounding);
  Configuration q = start;
  q.position(body) += 0.25 * normal;
  EXPECT_NEAR(support::gap(*contact, start, q)[0] - support::gap(*contact, start, start)[0], 0.25, rounding)
      << "the gap must grow towards the free side";
}

TEST_F(NodeToFaceTest, TangentialMotionIsMeasuredAlongTheTangents) {
  Face face = ground;
  face.normal = {0, 0, 2};
  face.tangent = Vec3(3, 0, 5);
  const auto contact = add("contact", point, face);
  Configuration q = start;
  q.position(point) += Vec3(0.1, 0.2, 0.3);
  const Vector g = support::gap(*contact, start, q);
  EXPECT_NEAR(g[1], 0.1, rounding);
  EXPECT_NEAR(g[2], 0.2, rounding);
}

TEST_F(NodeToFaceTest, DirectionsAreARightHandedTriad) {
  int count = 0;
  for (const Vec3& normal : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1e-9, 0, 1),
                             Vec3(0.02, -0.01, 1), Vec3(-1, 2, -3)}) {
    const auto contact =
        add("contact " + std::to_string(count++), point, {.point = Vec3::Zero(), .normal = normal});
    const Mat3& E = contact->directions();
    expect_near(E.transpose() * E, Mat3::Identity(), rounding, "products of directions");
    EXPECT_NEAR(E.determinant(), 1.0, rounding);
    expect_near(E.col(0), normal.normalized(), rounding, "normal");
  }
}

TEST_F(NodeToFaceTest, DefaultTangentLiesInThePlaneOfMotion) {
  const auto floor = add("floor", point, {.normal = {0, 1, 0}}, 0.3, 1);
  EXPECT_EQ(Vec3(floor->directions().col(1)), Vec3(1, 0, 0));
  const auto incline = add("incline", point, {.normal = {-0.6, 0.8, 0}}, 0.3, 1);
  expect_near(incline->directions().col(1), Vec3(0.8, 0.6, 0), rounding, "tangent of the incline");
  const auto table = add("table", point, {.normal = {0, 0, 1}});
  EXPECT_EQ(Vec3(table->directions().col(1)), Vec3(1, 0, 0));
}

// Galvez (2020), figure 4.2: neither node moves, and yet the contact slips.
TEST_F(NodeToFaceTest, FaceThatSpinsAboutItsNormalSlips) {
  Model turntable;
  const auto disc = turntable.add_frame("disc");
  const auto block = turntable.add_point("block", {.position = {0.5, 0, 0}});
  const auto contact = turntable.add<NodeToFaceContact>(
      {.name = "contact", .slave = block, .face = {.node = disc, .normal = {0, 0, 1}}, .mu = 0.3});
  const Configuration& q_n = turntable.initial_configuration();
  Vector increment = Vector::Zero(turntable.velocity_count());
  increment[disc.v + 5] = std::numbers::pi / 2;
  const Vector g = support::gap(*contact, q_n, support::moved(turntable, q_n, increment));
  // Relative to the disc the block moves from (0.5, 0) to (0, -0.5).
  expect_near(g, Vec3(0.0, -0.5, -0.5), rounding, "gap and tangential motion");
  const Vector rate = support::gradient(*contact, q_n) * support::local(*contact, increment);
  expect_near(rate, Vec3(0.0, 0.0, -0.5 * std::numbers::pi / 2), rounding, "slip rate");
}

TEST_F(NodeToFaceTest, MotionTogetherWithTheFaceIsNoSlip) {
  const auto contact = add("contact", {body, offset}, moving);
  const Vector g_n = support::gap(*contact, start, start);
  const Vector g = support::gap(*contact, start, support::RigidMotion(random)(model, start));
  expect_near(g, g_n, rounding, "gap and tangential motion");
  EXPECT_EQ(g_n[1], 0.0);
  EXPECT_EQ(g_n[2], 0.0);
}

TEST_F(NodeToFaceTest, GapRateFollowsTheGap) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q = random_configuration();
  const Vector v = random.vector(model.velocity_count());
  const Vector rate = support::derivative(
      [&](double t) { return support::gap(*contact, start, support::moved(model, q, t * v)); });
  expect_near(support::gradient(*contact, q) * support::local(*contact, v), rate,
              support::difference_tolerance, "rate");
}

TEST_F(NodeToFaceTest, ForceActsAtTheContactPoint) {
  const Configuration q = random_configuration();
  for (const Face& face : {ground, moving}) {
    const auto contact = add(face.node ? "face" : "ground", {body, offset}, face);
    support::expect_force_at_contact_point(*contact, q, random.vector(3), 10 * rounding);
  }
  EXPECT_EQ(*add("point", point, ground)->contact_point(q), q.position(point));
}

TEST_F(NodeToFaceTest, ContactForcesBalance) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q = random_configuration();
  const Vector f = support::gradient(*contact, q).transpose() * random.vector(3);
  expect_near(support::resultant(*contact, q, f), Vector::Zero(6), 10 * rounding, "resultant");
}

TEST_F(NodeToFaceTest, IsTheSameForEveryObserver) {
  const auto contact = add("contact", {body, offset}, moving);
  const Configuration q = random_configuration();
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  expect_near(support::gap(*contact, motion(model, start), seen), support::gap(*contact, start, q),
              10 * rounding, "gap");
  expect_near(support::gradient(*contact, seen),
              support::gradient(*contact, q) * motion.turn(*contact).transpose(), 10 * rounding, "gradient");
}

TEST_F(NodeToFaceTest, GroundIsABodyAtRest) {
  const auto still = model.add_frame("still");
  Face face = ground;
  const auto on_ground = add("on ground", {body, offset}, face);
  face.node = still;
  const auto on_body = add("on body", {body, offset}, face);
  const Configuration q = support::moved(model, start, [&] {
    Vector increment = random.vector(model.velocity_count());
    increment.segment<6>(still.v).setZero();
    return increment;
  }());
  expect_near(support::gap(*on_ground, start, q), support::gap(*on_body, start, q), rounding, "gap");
  expect_near(support::gradient(*on_ground, q), support::gradient(*on_body, q).leftCols(6), rounding,
              "gradient");
}

TEST_F(NodeToFaceTest, KeepsTheLaw) {
  const auto contact = model.add<NodeToFaceContact>(
      {.name = "contact", .slave = point, .face = ground, .mu = 0.3, .e_n = 0.5, .e_t = 0.1});
  EXPECT_EQ(contact->law().mu, 0.3);
  EXPECT_EQ(contact->law().e_n, 0.5);
  EXPECT_EQ(contact->law().e_t, 0.1);
  EXPECT_EQ(contact->law().friction_directions, 2);
}

TEST_F(NodeToFaceTest, RefusesAWrongLaw) {
  const auto with = [&](double mu, double e_n, double e_t, Index directions) {
    return refusal({.name = "C",
                    .slave = point,
                    .face = ground,
                    .mu = mu,
                    .e_n = e_n,
                    .e_t = e_t,
                    .friction_directions = directions});
  };
  EXPECT_EQ(with(-0.1, 0, 0, 2), "contact \"C\": mu is -0.1, must not be negative");
  EXPECT_EQ(with(nan, 0, 0, 2), "contact \"C\": mu is nan, must be a finite number");
  EXPECT_EQ(with(0.1, 1.5, 0, 2), "contact \"C\": e_n is 1.5, must lie in [0, 1]");
  EXPECT_EQ(with(0.1, 0, -0.5, 2), "contact \"C\": e_t is -0.5, must lie in [0, 1]");
  EXPECT_EQ(with(0.1, 0, 0, 3), "contact \"C\": friction_directions is 3, must be 1 or 2");
  EXPECT_EQ(with(0.1, 0, 0, 0), "contact \"C\": mu is 0.1, but friction_directions is 0");
}

TEST_F(NodeToFaceTest, RefusesAWrongFace) {
  const auto with = [&](const Face& face) { return refusal({.name = "C", .slave = point, .face = face}); };
  EXPECT_EQ(with({}), "contact \"C\": normal of the face has zero length");
  EXPECT_EQ(with({.normal = {0, 0, nan}}),
            "contact \"C\": normal of the face[2] is nan, must be a finite number");
  EXPECT_EQ(with({.point = {nan, 0, 0}, .normal = {0, 0, 1}}),
            "contact \"C\": point of the face[0] is nan m, must be a finite number");
  EXPECT_EQ(with({.normal = {0, 0, 1}, .tangent = Vec3(0, 0, 2)}),
            "contact \"C\": tangent of the face is along its normal");
  EXPECT_EQ(with({.normal = {0, 0, 1}, .tangent = Vec3::Zero()}),
            "contact \"C\": tangent of the face has zero length");
  EXPECT_EQ(with({.node = FrameNode{}, .normal = {0, 0, 1}}),
            "contact \"C\": node of the face is not a node of model \"m\"");
}

TEST_F(NodeToFaceTest, RefusesAWrongSlave) {
  EXPECT_EQ(refusal({.name = "C", .slave = {}, .face = ground}),
            "contact \"C\": slave is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "C", .slave = MaterialPoint::on_ground(offset), .face = ground}),
            "contact \"C\": the slave and the face are both on the ground");
  EXPECT_EQ(refusal({.name = "C", .slave = {master, offset}, .face = moving}),
            "contact \"C\": the slave and the face are on the same node");
}

}  // namespace
}  // namespace picus::node_to_face_test
