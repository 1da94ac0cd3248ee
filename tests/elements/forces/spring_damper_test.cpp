#include <picus/elements/forces/spring_damper.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace picus::spring_damper_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of a few dozen operations on numbers of order ten.
constexpr double rounding = 1e-13;

class SpringDamperTest : public ::testing::Test {
 protected:
  Handle<SpringDamper> add(SpringDamper::Parameters parameters) {
    parameters.name = "spring " + std::to_string(count++);
    return model.add<SpringDamper>(std::move(parameters));
  }
  std::string refusal(SpringDamper::Parameters parameters) {
    parameters.name = "S";
    return message_of<ModelError>([&] { model.add<SpringDamper>(std::move(parameters)); });
  }
  static ScalarLaw stiffening() {
    return ScalarLaw::function([](double e) { return 3 * e + 2 * e * e * e; },
                               [](double e) { return 3 + 6 * e * e; });
  }

  support::Random random{17};
  Model model{"m"};
  // Far enough apart for random moves of up to one metre and offsets of half a metre.
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode other = model.add_frame("other", {.position = {4, 3, -2}, .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = {-4, 2, 3}});
  Vec3 X_A{0.2, 0.3, -0.1};
  Vec3 X_B{-0.1, 0.2, 0.3};
  MaterialPoint ground = MaterialPoint::on_ground({1, -6, 0});
  const Configuration& start = model.initial_configuration();
  int count = 0;
};

TEST_F(SpringDamperTest, DerivativesAreExact) {
  for (const double damping : {0.0, 0.7}) {
    support::expect_exact_tangents(
        model, *add({.a = {frame, X_A}, .b = {other, X_B}, .stiffness = 3.0, .damping = damping}));
    support::expect_exact_tangents(
        model, *add({.a = {frame, X_A}, .b = point, .damping = damping, .preload = 2, .law = stiffening()}));
    support::expect_exact_tangents(
        model,
        *add({.a = point, .b = {frame, X_A}, .stiffness = 3.0, .damping = damping, .free_length = 0.0}));
    support::expect_exact_tangents(
        model,
        *add({.a = ground, .b = {frame, X_A}, .stiffness = 3.0, .damping = damping, .free_length = 2.0}));
    support::expect_exact_tangents(
        model, *add({.a = point, .b = ground, .stiffness = 3.0, .damping = damping, .free_length = 9.0}));
  }
  const ScalarLaw quadratic =
      ScalarLaw::function([](double w) { return w + w * w * w / 3; }, [](double w) { return 1 + w * w; });
  support::expect_exact_tangents(
      model, *add({.a = {frame, X_A}, .b = {other, X_B}, .law = stiffening(), .damping_law = quadratic}));
}

TEST_F(SpringDamperTest, PullsAlongItsLine) {
  Model plain;
  const auto a = plain.add_point("a");
  const auto b = plain.add_point("b", {.position = {3, 4, 0}});
  const auto spring = plain.add<SpringDamper>({.name = "spring",
                                               .a = a,
                                               .b = b,
                                               .stiffness = 10.0,
                                               .damping = 2.0,
                                               .free_length = 4.0,
                                               .preload = 1.0});
  Vector v = Vector::Zero(6);
  v.tail<3>() = Vec3(0.6, 0.8, 5.0);  // 1 m/s along the line
  const Vec3 tension = (10.0 * 1.0 + 1.0 + 2.0) * Vec3(0.6, 0.8, 0);
  Vector expected(6);
  expected << tension, -tension;
  const Configuration& q = plain.initial_configuration();
  expect_near(support::force(*spring, q, v), expected, rounding, "force");
  EXPECT_NEAR(spring->potential_energy(q, 0.0), 5.0 + 1.0, rounding);
  std::array<double, 3> values{};
  spring->observe({q, v, 0.0}, values);
  EXPECT_NEAR(values[0], 5.0, rounding);
  EXPECT_NEAR(values[1], 1.0, rounding);
  EXPECT_NEAR(values[2], 13.0, rounding);
}

TEST_F(SpringDamperTest, IsFreeOfForceAtTheStartByDefault) {
  const auto spring = add({.a = {frame, X_A}, .b = {other, X_B}, .stiffness = 3.0});
  const Vector at_rest = Vector::Zero(model.velocity_count());
  EXPECT_EQ(support::force(*spring, start, at_rest).norm(), 0.0);
  EXPECT_EQ(spring->free_length(),
            (MaterialPoint(other, X_B).position(start) - MaterialPoint(frame, X_A).position(start)).norm());
}

TEST_F(SpringDamperTest, ForcesBalanceAndAreTheSameForEveryObserver) {
  const auto spring = add({.a = {frame, X_A}, .b = {other, X_B}, .damping = 0.5, .law = stiffening()});
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count()));
  const Vector v = random.vector(model.velocity_count());
  const Vector f = support::force(*spring, q, v);
  expect_near(support::resultant(*spring, q, f), Vector::Zero(6), 100 * rounding, "resultant");
  const support::RigidMotion motion(random);
  expect_near(support::force(*spring, motion(model, q), motion.velocity(model, v)), motion.turn(*spring) * f,
              100 * rounding, "force");
  EXPECT_NEAR(spring->potential_energy(motion(model, q), 0.0), spring->potential_energy(q, 0.0),
              100 * rounding);
}

TEST_F(SpringDamperTest, DamperResistsExtensionAlone) {
  const auto damper = add({.a = {frame, X_A}, .b = {other, X_B}, .damping = 0.5});
  // A rigid spin about the origin changes no length.
  const Vec3 omega(1, -2, 0.5);
  Vector v = Vector::Zero(model.velocity_count());
  for (const FrameNode& node : {frame, other}) {
    v.segment<3>(node.v) = omega.cross(start.position(node));
    v.segment<3>(node.v + 3) = start.rotation(node).transpose() * omega;
  }
  EXPECT_LT(support::force(*damper, start, v).norm(), rounding);
  const Vector any = random.vector(model.velocity_count());
  const double power = support::force(*damper, start, any).dot(support::local(*damper, any));
  std::array<double, 3> values{};
  damper->observe({start, any, 0.0}, values);
  EXPECT_NEAR(power, -0.5 * values[1] * values[1], rounding);
  EXPECT_LT(power, 0.0);
}

TEST_F(SpringDamperTest, WithoutFreeLengthIsSmoothWhereItsEndsMeet) {
  Model plain;
  const auto a = plain.add_point("a", {.position = {1, 2, 3}});
  const auto b = plain.add_point("b", {.position = {1, 2, 3}});
  const auto spring =
      plain.add<SpringDamper>({.name = "spring", .a = a, .b = b, .stiffness = 7.0, .free_length = 0.0});
  support::expect_exact_tangents(plain, *spring);
  const Configuration& q = plain.initial_configuration();
  const Vector v = Vector::Zero(6);
  EXPECT_EQ(support::force(*spring, q, v).norm(), 0.0);
  Eigen::MatrixXd expected(6, 6);
  const Mat3 k = 7.0 * Mat3::Identity();
  expected << k, -k, -k, k;
  const Eigen::MatrixXd K = support::filled(6, 6, [&](auto storage) {
    std::array<double, 36> C{};
    spring->tangents({q, v, 0.0}, storage, C);
  });
  EXPECT_EQ(K, expected);
}

TEST_F(SpringDamperTest, AsAFunctionOfTheLengthAttractsAsThatSays) {
  // Gravitation between two bodies: F = 1/l^2, V = -1/l.
  const ScalarLaw newton =
      ScalarLaw::function([](double l) { return 1 / (l * l); }, [](double l) { return -2 / (l * l * l); },
                          [](double l) { return -1 / l; });
  const auto pair = add({.a = frame, .b = point, .free_length = 0.0, .law = newton});
  support::expect_exact_tangents(model, *pair);
  const Vec3 D = start.position(point) - start.position(frame);
  const Vector f = support::force(*pair, start, Vector::Zero(model.velocity_count()));
  expect_near(f.tail<3>(), -D / std::pow(D.norm(), 3), rounding, "attraction");
}

TEST_F(SpringDamperTest, RefusesWrongConstants) {
  EXPECT_EQ(refusal({.a = frame, .b = point, .stiffness = -1.0}),
            "spring-damper \"S\": stiffness is -1 N/m, must not be negative");
  EXPECT_EQ(refusal({.a = frame, .b = point, .damping = nan}),
            "spring-damper \"S\": damping is nan N s/m, must be a finite number");
  EXPECT_EQ(refusal({.a = frame, .b = point, .free_length = -2.0}),
            "spring-damper \"S\": free_length is -2 m, must not be negative");
  EXPECT_EQ(refusal({.a = frame, .b = point, .preload = nan}),
            "spring-damper \"S\": preload is nan N, must be a finite number");
  EXPECT_EQ(refusal({.a = frame, .b = point, .stiffness = 1.0, .law = stiffening()}),
            "spring-damper \"S\": both law and stiffness are given");
  EXPECT_EQ(refusal({.a = frame, .b = point, .damping = 1.0, .damping_law = stiffening()}),
            "spring-damper \"S\": both damping_law and damping are given");
  EXPECT_EQ(
      refusal({.a = frame, .b = point, .law = ScalarLaw::table({1, 1}, {0, 0})}),
      "spring-damper \"S\": law is a table whose abscissae do not ascend: 1 is followed by 1 at point 1");
  EXPECT_EQ(refusal({.a = frame, .b = point, .damping_law = ScalarLaw()}),
            "spring-damper \"S\": damping_law is not given");
}

TEST_F(SpringDamperTest, RefusesWrongEnds) {
  const auto twin = model.add_frame("twin", {.position = start.position(frame)});
  EXPECT_EQ(refusal({.a = frame, .b = twin, .stiffness = 1.0, .free_length = 0.5}),
            "spring-damper \"S\": a and b coincide at the start, so that the force has no direction");
  EXPECT_EQ(refusal({.a = frame, .stiffness = 1.0}), "spring-damper \"S\": b is not given");
  EXPECT_EQ(refusal({.a = FrameNode{}, .b = frame}), "spring-damper \"S\": a is not given");
  EXPECT_EQ(refusal({.a = ground, .b = MaterialPoint::on_ground({0, 0, 0})}),
            "spring-damper \"S\": a and b are both on the ground");
  EXPECT_EQ(refusal({.a = {frame, X_A}, .b = {frame, X_B}}),
            "spring-damper \"S\": a and b are on the same node");
  EXPECT_EQ(refusal({.a = MaterialPoint::on_ground({0, nan, 0}), .b = frame}),
            "spring-damper \"S\": position of a[1] is nan m, must be a finite number");
  EXPECT_EQ(refusal({.a = frame, .b = {other, {nan, 0, 0}}}),
            "spring-damper \"S\": offset of b[0] is nan m, must be a finite number");
  Model foreign;
  foreign.add_point("x");
  const auto stranger = foreign.add_frame("stranger");
  EXPECT_EQ(refusal({.a = frame, .b = stranger}), "spring-damper \"S\": b is not a node of model \"m\"");
}

}  // namespace
}  // namespace picus::spring_damper_test
