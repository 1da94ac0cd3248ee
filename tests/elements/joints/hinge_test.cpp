#include "joint_models.hpp"
#include <picus/elements/forces/scalar_load.hpp>
#include <picus/elements/forces/torsional_spring_damper.hpp>
#include <picus/elements/joints/cylindrical_joint.hpp>
#include <picus/elements/joints/hinge.hpp>
#include <picus/so3.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace picus::hinge_test {
namespace {

using support::expect_near;
using support::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
/// Rounding of a few dozen operations on numbers of order one.
constexpr double rounding = 1e-14;

/// Two arbitrarily rotated bodies that meet at `pin`; the angle starts at 0.4.
class HingeTest : public ::testing::Test {
 protected:
  MaterialPoint at_pin(const FrameNode& node) const {
    return {node, start.rotation(node).transpose() * (pin - start.position(node))};
  }
  Handle<Hinge> add() {
    return model.add<Hinge>(
        {.name = "hinge", .a = at_pin(a), .b = at_pin(b), .axis = 3 * axis, .angle = angle});
  }
  std::string refusal(Hinge::Parameters parameters) {
    return message_of<ModelError>([&] { model.add<Hinge>(std::move(parameters)); });
  }

  /// B rotated by `turn` about the hinge, and the angle increased by `increase`.
  Configuration turned(double turn, double increase) const {
    Configuration q = start;
    const Mat3 Q = so3::exp(turn * axis);
    q.position(b) = pin + Q * (start.position(b) - pin);
    q.rotation(b) = Q * start.rotation(b);
    q.value(angle) = start.value(angle) + increase;
    return q;
  }

  support::Random random{29};
  Vec3 pin = random.vec3();
  Vec3 axis = random.direction();
  Model model{"m"};
  FrameNode a = model.add_frame("a", {.position = random.vec3(), .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = random.vec3(), .rotation = random.rotation()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
  const Configuration& start = model.initial_configuration();
};

TEST_F(HingeTest, DerivativesAreExact) {
  support::expect_exact_tangents(model, *add());
  support::expect_exact_tangents(
      model, *model.add<Hinge>({.name = "without angle", .a = at_pin(a), .b = b, .axis = axis}));
}

TEST_F(HingeTest, HoldsAtTheStart) {
  const auto hinge = add();
  EXPECT_EQ(hinge->row_count(), 6);
  expect_near(support::violation(*hinge, start), Vector::Zero(6), rounding, "violation");
}

TEST_F(HingeTest, AngleFollowsTheRightHandRule) {
  const auto hinge = add();
  expect_near(support::violation(*hinge, turned(0.7, 0.7)), Vector::Zero(6), rounding, "turned");
  // With the angle behind by 0.7, the violation is sin(theta - s).
  EXPECT_NEAR(support::violation(*hinge, turned(0.7, 0.0))[5], std::sin(0.7), rounding);
  EXPECT_NEAR(support::violation(*hinge, turned(0.0, 0.7))[5], -std::sin(0.7), rounding);
}

TEST_F(HingeTest, AngleGoesOnPastHalfAndFullTurns) {
  const auto hinge = add();
  for (const double turn : {3.0, pi, 4.0, 2 * pi, 7.0, 40.0, -3.0, -pi, -7.0}) {
    // The rounding of the angle itself grows with it.
    expect_near(support::violation(*hinge, turned(turn, turn)), Vector::Zero(6), 10 * rounding, "turned");
    const Eigen::MatrixXd G = support::gradient(*hinge, turned(turn, turn));
    EXPECT_NEAR(G(5, 12), -1.0, 10 * rounding) << "the angle at " << turn << " is measured backwards";
  }
}

TEST_F(HingeTest, LetsTheBodiesTurnAboutTheAxisAlone) {
  const auto hinge = add();
  const Configuration q = turned(2.0, 2.0);
  const Vec3 spin = 1.5 * axis;
  Vector v = Vector::Zero(13);
  v.segment<3>(6) = spin.cross(q.position(b) - pin);
  v.segment<3>(9) = q.rotation(b).transpose() * spin;
  v[12] = 1.5;
  expect_near(support::gradient(*hinge, q) * v, Vector::Zero(6), rounding, "free motion");
  // Rank 6 of 13: the twelve components of two bodies and the angle, minus one relative rotation and six rigid
  // motions.
  EXPECT_GT(support::singular_values(support::gradient(*hinge, q))[5], 0.1);
}

TEST_F(HingeTest, GivesItsAngleAUnit) {
  const ScalarNode other = model.add_scalar("other"), slide = model.add_scalar("slide");
  EXPECT_EQ(model.unit_of(angle), "");
  model.add<Hinge>({.name = "hinge", .a = a, .b = b, .axis = axis, .angle = angle});
  model.add<CylindricalJoint>(
      {.name = "sleeve", .a = MaterialPoint::on_ground(pin), .b = a, .axis = axis, .displacement = slide});
  EXPECT_EQ(model.unit_of(angle), "rad");
  EXPECT_EQ(model.unit_of(slide), "m");
  EXPECT_EQ(model.unit_of(other), "");
}

TEST_F(HingeTest, WithoutAnAngleHasFiveRows) {
  const auto hinge = model.add<Hinge>({.name = "hinge", .a = at_pin(a), .b = at_pin(b), .axis = axis});
  EXPECT_EQ(hinge->row_count(), 5);
  EXPECT_EQ(hinge->dof_count(), 12);
  expect_near(support::violation(*hinge, turned(2.0, 0.0)), Vector::Zero(5), rounding, "turned");
}

TEST_F(HingeTest, ToleratesAStartWhosePointsDoNotMeet) {
  const auto hinge =
      model.add<Hinge>({.name = "hinge", .a = at_pin(a), .b = b, .axis = axis, .angle = angle});
  Vector expected = Vector::Zero(6);
  expected.head<3>() = start.position(b) - pin;
  expect_near(support::violation(*hinge, start), expected, rounding, "violation");
}

TEST_F(HingeTest, RateFollowsTheViolation) {
  const auto hinge = add();
  const Vector v = random.vector(model.velocity_count());
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count()));
  const Vector rate = support::derivative(
      [&](double t) { return support::violation(*hinge, support::moved(model, q, t * v)); });
  expect_near(support::gradient(*hinge, q) * support::local(*hinge, v), rate, support::difference_tolerance,
              "rate");
}

TEST_F(HingeTest, ReactionsBalanceAndLeaveTheMomentAboutTheAxisToTheAngle) {
  const auto hinge = add();
  const Configuration q = turned(2.0, 2.0);
  const Vector lambda = random.vector(6);
  const Vector f = support::gradient(*hinge, q).transpose() * lambda;
  expect_near(support::resultant(*hinge, q, f), Vector::Zero(6), rounding, "resultant of the reactions");
  const Vec3 moment_on_b =
      q.rotation(b) * f.segment<3>(9) + (q.position(b) - pin).cross(Vec3(f.segment<3>(6)));
  EXPECT_NEAR(moment_on_b.dot(axis), -f[12], rounding);
}

TEST_F(HingeTest, IsTheSameForEveryObserver) {
  const auto hinge = add();
  const Configuration q = support::moved(model, start, random.vector(model.velocity_count()));
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(6, 6);
  rows.topLeftCorner<3, 3>() = motion.Q;
  expect_near(support::violation(*hinge, seen), rows * support::violation(*hinge, q), rounding, "violation");
  expect_near(support::gradient(*hinge, seen),
              rows * support::gradient(*hinge, q) * motion.turn(*hinge).transpose(), rounding, "gradient");
}

TEST_F(HingeTest, RefusesWhatCannotTurn) {
  EXPECT_EQ(refusal({.name = "H", .a = a, .b = b, .axis = Vec3::Zero()}),
            "hinge \"H\": axis has zero length");
  EXPECT_EQ(refusal({.name = "H", .a = a, .b = b, .axis = {0, nan, 1}}),
            "hinge \"H\": axis[1] is nan, must be a finite number");
  EXPECT_EQ(refusal({.name = "H", .a = a, .b = {a, Vec3::UnitX()}, .axis = axis}),
            "hinge \"H\": a and b are on the same node");
  const auto point = model.add_point("point");
  EXPECT_EQ(refusal({.name = "H", .a = a, .b = point, .axis = axis}),
            "hinge \"H\": b is on a point node, must be on a frame");
  EXPECT_EQ(refusal({.name = "H", .a = {}, .b = b, .axis = axis}), "hinge \"H\": a is not given");
  EXPECT_EQ(refusal({.name = "H", .a = a, .b = b, .axis = axis, .angle = ScalarNode{}}),
            "hinge \"H\": angle is not a node of model \"m\"");
  EXPECT_EQ(refusal({.name = "H", .a = {a, {nan, 0, 0}}, .b = b, .axis = axis}),
            "hinge \"H\": offset of a[0] is nan m, must be a finite number");
}

/// A body on a hinge to the ground, off its centre of mass, without gravity.
struct Rotor {
  Rotor() {
    const Vec3 centre(1, 2, 3);
    node = joint_models::add_body(model, "rotor", mass, inertia::diagonal(0.02, 0.03, moment),
                                  {.position = centre}, Vec3::Zero());
    hinge = &*model.add<Hinge>({.name = "hinge",
                                .a = MaterialPoint::on_ground(centre + Vec3(-arm, 0, 0)),
                                .b = {node, {-arm, 0, 0}},
                                .axis = Vec3::UnitZ(),
                                .angle = angle});
  }
  double turn(const State& state) const { return state.q.value(angle); }

  static constexpr double mass = 1.5;
  static constexpr double moment = 0.04;
  static constexpr double arm = 0.2;
  static constexpr double moment_about_axis = moment + mass * arm * arm;
  Model model;
  ScalarNode angle = model.add_scalar("angle");
  FrameNode node;
  const Hinge* hinge = nullptr;
};

TEST(HingeMotor, GivenAnglesTurnTheBodyAndCostTheirMoment) {
  constexpr double acceleration = 40.0;
  Rotor rotor;
  rotor.model.drive(rotor.angle, Component::s,
                    {.displacement = [](double t) { return acceleration * t * t / 2; },
                     .rate = [](double t) { return acceleration * t; },
                     .acceleration = [](double) { return acceleration; }});
  const RunSummary summary = joint_models::run(rotor.model, {.step = 1e-3}, 1.0, [&](const State& state) {
    const double turn = acceleration * state.time * state.time / 2;  // up to three turns
    EXPECT_NEAR(rotor.turn(state), turn, 1e-12);
    expect_near(state.q.rotation(rotor.node), so3::exp(turn * Vec3::UnitZ()), 1e-12, "rotation");
    if (state.step < 2) return;
    // The mean over a step of the moment, with the error of second order of the centripetal force.
    EXPECT_NEAR(state.reaction[rotor.angle.v], Rotor::moment_about_axis * acceleration, 1e-2);
  });
  const Vector values = joint_models::observed(*rotor.hinge, summary.final_state);
  EXPECT_NEAR(values[0], 20.0, 1e-12);
  EXPECT_NEAR(values[1], 40.0, 1e-10);
}

TEST(HingeMotor, AMomentOnTheAngleTurnsTheBody) {
  constexpr double moment = 0.7;
  joint_models::expect_second_order(
      [&](double h) {
        Rotor rotor;
        rotor.model.add<ScalarLoad>({.name = "motor", .node = rotor.angle, .load = moment});
        double worst = 0;
        joint_models::run(rotor.model, {.step = h}, 1.0, [&](const State& state) {
          const double exact = moment / Rotor::moment_about_axis * state.time * state.time / 2;
          worst = std::max(worst, std::abs(rotor.turn(state) - exact));
        });
        return worst;
      },
      2e-3);
}

TEST(HingeMotor, ASpringOnTheAngleMakesAnOscillator) {
  constexpr double stiffness = 8.0;
  joint_models::expect_second_order(
      [&](double h) {
        Rotor rotor;
        rotor.model.add<TorsionalSpringDamper>(
            {.name = "spring", .node = rotor.angle, .stiffness = stiffness, .free_angle = 1.5});
        const double frequency = std::sqrt(stiffness / Rotor::moment_about_axis);
        double worst = 0;
        joint_models::run(rotor.model, {.step = h}, 1.0, [&](const State& state) {
          const double exact = 1.5 - 1.5 * std::cos(frequency * state.time);
          worst = std::max(worst, std::abs(rotor.turn(state) - exact));
        });
        return worst;
      },
      2e-3);
}

}  // namespace
}  // namespace picus::hinge_test
