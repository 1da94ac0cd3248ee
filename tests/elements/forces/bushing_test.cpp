#include <picus/elements/forces/bushing.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace picus::bushing_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order ten.
constexpr double rounding = 1e-13;
/// Both frames rotate by at most this angle, so that B rotates relative to A by less than pi.
constexpr TangentCheckOptions within_half_a_turn = {.angle = 1.4};

class BushingTest : public ::testing::Test {
 protected:
  Handle<Bushing> add(Bushing::Parameters parameters) {
    parameters.name = "bushing " + std::to_string(count++);
    return model.add<Bushing>(std::move(parameters));
  }
  std::string refusal(Bushing::Parameters parameters) {
    parameters.name = "B";
    return message_of<ModelError>([&] { model.add<Bushing>(std::move(parameters)); });
  }
  Mat6 random_semidefinite() {
    const Mat6 root = random.matrix(6, 6);
    return root * root.transpose();
  }

  support::Random random{23};
  Model model{"m"};
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point");
  Vec3 X_A{0.2, 0.3, -0.1};
  Vec3 X_B{-0.1, 0.2, 0.3};
  Mat3 axes = random.rotation();
  Mat6 K = random_semidefinite();
  Mat6 C = random_semidefinite();
  MaterialPoint ground = MaterialPoint::on_ground({0.3, -0.2, 0.1});
  const Configuration& start = model.initial_configuration();
  int count = 0;
};

TEST_F(BushingTest, DerivativesAreExact) {
  for (const Mat6& damping : {Mat6(Mat6::Zero()), C}) {
    support::expect_exact_tangents(
        model, *add({.a = {a, X_A}, .b = {b, X_B}, .stiffness = K, .damping = damping, .axes = axes}),
        within_half_a_turn);
    support::expect_exact_tangents(
        model, *add({.a = ground, .b = {b, X_B}, .stiffness = K, .damping = damping, .axes = axes}),
        within_half_a_turn);
    support::expect_exact_tangents(
        model, *add({.a = {a, X_A}, .b = ground, .stiffness = K, .damping = damping, .axes = axes}),
        within_half_a_turn);
  }
  support::expect_exact_tangents(model, *add({.a = a, .b = b, .damping = C}), within_half_a_turn);
}

TEST_F(BushingTest, DerivativesAreExactAtSmallRotations) {
  const auto bushing = add({.a = {a, X_A}, .b = {b, X_B}, .stiffness = K, .damping = C, .axes = axes});
  for (const double angle : {1e-12, 1e-8, 1e-4})
    support::expect_exact_tangents(model, *bushing, {.angle = angle});
}

TEST_F(BushingTest, ResistsAlongItsAxes) {
  Model plain;
  const auto body = plain.add_frame("body", {.position = {1, 2, 3}, .rotation = axes});
  const Mat6 k = Bushing::diagonal({2, 3, 5}, {7, 11, 13});
  const auto bushing = plain.add<Bushing>(
      {.name = "bushing", .a = MaterialPoint::on_ground({1, 2, 3}), .b = body, .stiffness = k, .axes = axes});
  const Configuration& q_0 = plain.initial_configuration();
  const Vector at_rest = Vector::Zero(6);
  EXPECT_LT(support::force(*bushing, q_0, at_rest).norm(), rounding) << "free of stress at the start";
  for (Index i = 0; i < 3; ++i) {
    Vector increment = Vector::Zero(6);
    increment.head<3>() = 0.1 * axes.col(i);
    Vector expected = -k(i, i) * increment;
    expect_near(support::force(*bushing, support::moved(plain, q_0, increment), at_rest), expected, rounding,
                "displacement");
    // One axis of rotation: the moment is k times the angle about it, however large.
    increment.setZero();
    increment[3 + i] = 2.5;
    expected = -k(3 + i, 3 + i) * increment;
    expect_near(support::force(*bushing, support::moved(plain, q_0, increment), at_rest), expected, rounding,
                "rotation");
  }
}

TEST_F(BushingTest, ForcesBalanceAndAreTheSameForEveryObserver) {
  const auto bushing = add({.a = {a, X_A}, .b = {b, X_B}, .stiffness = K, .damping = C, .axes = axes});
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count(), 0.8));
  const Vector v = random.vector(model.velocity_count());
  const Vector f = support::force(*bushing, q, v);
  expect_near(support::resultant(*bushing, q, f), Vector::Zero(6), 100 * rounding, "resultant");
  const support::RigidMotion motion(random);
  expect_near(support::force(*bushing, motion(model, q), motion.velocity(model, v)),
              motion.turn(*bushing) * f, 100 * rounding, "force");
}

TEST_F(BushingTest, ChangesSignWithItsEnds) {
  // At the point where both meet and for a rotation about one axis, A and B are alike.
  Model plain;
  const auto one = plain.add_frame("one");
  const auto two = plain.add_frame("two");
  const Mat6 k = Bushing::diagonal({2, 3, 5}, {7, 11, 13});
  const auto forth = plain.add<Bushing>({.name = "forth", .a = one, .b = two, .stiffness = k});
  const auto back = plain.add<Bushing>({.name = "back", .a = two, .b = one, .stiffness = k});
  Vector increment = Vector::Zero(12);
  increment[9] = 1.2;
  const Configuration q = support::moved(plain, plain.initial_configuration(), increment);
  const Vector at_rest = Vector::Zero(12);
  const Vector f = support::force(*forth, q, at_rest);
  const Vector g = support::force(*back, q, at_rest);
  expect_near(f.head<6>(), g.tail<6>(), rounding, "force on one");
  expect_near(f.tail<6>(), g.head<6>(), rounding, "force on two");
}

TEST_F(BushingTest, DamperTakesEnergyAndNothingFromARigidMotion) {
  const auto damper = add({.a = {a, X_A}, .b = {b, X_B}, .damping = C, .axes = axes});
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count(), 0.8));
  const Vector v = random.vector(model.velocity_count());
  EXPECT_LT(support::force(*damper, q, v).dot(support::local(*damper, v)), 0.0);
  const Vec3 omega(1, -2, 0.5);
  Vector rigid = Vector::Zero(model.velocity_count());
  for (const FrameNode& node : {a, b}) {
    rigid.segment<3>(node.v) = omega.cross(q.position(node));
    rigid.segment<3>(node.v + 3) = q.rotation(node).transpose() * omega;
  }
  EXPECT_LT(support::force(*damper, q, rigid).norm(), 10 * rounding);
}

TEST_F(BushingTest, ReportsItsStrainAndLoad) {
  const auto bushing = add({.a = {a, X_A}, .b = {b, X_B}, .stiffness = K, .damping = C, .axes = axes});
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count(), 0.8));
  const Vector v = random.vector(model.velocity_count());
  Vector values(12);
  bushing->observe({q, v, 0.0}, {values.data(), 12});
  const Vector e = values.head<6>();
  EXPECT_NEAR(bushing->potential_energy(q, 0.0), 0.5 * e.dot(K * e), rounding);
  const Vector e_rate = support::derivative([&](double t) -> Vector {
    Vector moved(12);
    bushing->observe({support::moved(model, q, t * v), v, 0.0}, {moved.data(), 12});
    return moved.head<6>();
  });
  expect_near(values.tail<6>(), K * e + C * e_rate, support::difference_tolerance, "load");
}

TEST_F(BushingTest, RefusesWrongMatrices) {
  Mat6 wrong = K;
  wrong(0, 3) += 1.0;
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = wrong}), "bushing \"B\": stiffness is not symmetric");
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = K, .damping = wrong}),
            "bushing \"B\": damping is not symmetric");
  wrong(0, 3) = nan;
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = wrong}),
            "bushing \"B\": stiffness(0, 3) is nan, must be a finite number");
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = Bushing::diagonal({1, 1, -2}, {1, 1, 1})}),
            "bushing \"B\": stiffness has a negative eigenvalue -2");
  // However large the entries in other units.
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = Bushing::diagonal({1e9, 1e9, 1e9}, {1, -0.5, 1})}),
            "bushing \"B\": stiffness has a negative eigenvalue -0.5");
  Mat6 skewed = Bushing::diagonal({1e9, 1e9, 1e9}, {1, 1, 1});
  skewed(3, 4) = 0.5;
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = skewed}), "bushing \"B\": stiffness is not symmetric");
  EXPECT_EQ(refusal({.a = a, .b = b}), "bushing \"B\": neither stiffness nor damping is given");
  EXPECT_EQ(refusal({.a = a, .b = b, .stiffness = K, .axes = 2 * axes}),
            "bushing \"B\": axes is not a proper orthogonal matrix");
}

TEST_F(BushingTest, RefusesWrongEnds) {
  EXPECT_EQ(refusal({.a = a, .b = point, .stiffness = K}),
            "bushing \"B\": b is on a point node, must be on a frame");
  EXPECT_EQ(refusal({.a = point, .b = b, .stiffness = K}),
            "bushing \"B\": a is on a point node, must be on a frame");
  EXPECT_EQ(refusal({.a = a, .b = {a, X_B}, .stiffness = K}), "bushing \"B\": a and b are on the same node");
  EXPECT_EQ(refusal({.a = a, .stiffness = K}), "bushing \"B\": b is not given");
  EXPECT_EQ(refusal({.a = ground, .b = ground, .stiffness = K}),
            "bushing \"B\": a and b are both on the ground");
}

}  // namespace
}  // namespace picus::bushing_test
