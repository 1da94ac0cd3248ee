#include "joint_models.hpp"
#include <picus/elements/joints/distance_joint.hpp>
#include <picus/elements/joints/user_constraint.hpp>
#include <picus/testing/tangent_check.hpp>
#include <support/differences.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/user_functions.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace picus::user_constraint_test {
namespace {

using support::expect_near;
using support::first_differences;
using support::message_of;
using support::second_differences;

class UserConstraintTest : public testing::Test {
 protected:
  std::string refusal(UserConstraint::Parameters parameters) {
    parameters.name = "C";
    return message_of<ModelError>([&] { model.add<UserConstraint>(std::move(parameters)); });
  }
  /// A rod of fixed length between a point of the frame and the point.
  UserConstraint::Parameters rod(double length) const {
    return {.name = "rod",
            .nodes = {frame, point},
            .residual = [end = MaterialPoint{frame, {0.2, 0.5, -0.3}}, other = point, length](
                            const Configuration& q, double, std::span<double> g) {
              const Vec3 d = q.position(other) - end.position(q);
              g[0] = (d.squaredNorm() - length * length) / (2 * length);
            }};
  }

  support::Random random{3};
  Model model{"m"};
  PointNode bystander = model.add_point("bystander", {.position = {1, 2, 3}});
  FrameNode frame = model.add_frame("frame", {.position = random.vec3(), .rotation = random.rotation()});
  PointNode point = model.add_point("point", {.position = random.vec3()});
  ScalarNode angle = model.add_scalar("angle", {.value = 0.4});
};

TEST_F(UserConstraintTest, DifferencesItsEquations) {
  // A screw whose lead changes, and a point on a moving plane that the frame turns.
  const auto constraint = model.add<UserConstraint>(
      {.name = "C",
       .nodes = {frame, angle, point},
       .rows = 2,
       .residual =
           [frame = frame, angle = angle, point = point](const Configuration& q, double t,
                                                         std::span<double> g) {
             const double a = q.value(angle);
             g[0] = q.position(frame).x() - 0.1 * a * std::cos(a) - 0.3 * std::sin(t);
             g[1] = (q.rotation(frame) * Vec3(1, 2, 2) / 3).dot(q.position(point) - q.position(frame)) -
                    0.2 * std::cos(2 * t);
           },
       .is_rheonomic = true});
  EXPECT_EQ(constraint->row_count(), 2);
  EXPECT_LT(check_tangents(model, *constraint).worst_error, second_differences);
}

TEST_F(UserConstraintTest, AgreesWithTheJointOfTheLibrary) {
  const auto joint =
      model.add<DistanceJoint>({.name = "joint", .a = {frame, {0.2, 0.5, -0.3}}, .b = point, .length = 1.3});
  const auto differenced = model.add<UserConstraint>(rod(1.3));
  UserConstraint::Parameters given = rod(1.3);
  given.name = "given";
  given.gradient = [&joint](const Configuration& q, double t, std::span<double> G) {
    joint->gradient(q, t, G);
  };
  const auto with_gradient = model.add<UserConstraint>(given);

  const Configuration& q = model.initial_configuration();
  const double lambda = 2.0;
  const Vector v = random.vector(9);
  const auto K = [&](const BilateralConstraint& one) {
    return support::filled(9, 9, [&](auto out) { one.geometric_stiffness(q, 0.0, {&lambda, 1}, out); });
  };
  const auto H = [&](const BilateralConstraint& one) {
    return support::filled(1, 9, [&](auto out) { one.rate_jacobian(q, 0.0, {v.data(), 9}, out); });
  };
  expect_near(support::gradient(*differenced, q), support::gradient(*joint, q), first_differences,
              "gradient");
  expect_near(K(*differenced), K(*joint), second_differences, "geometric stiffness");
  expect_near(K(*with_gradient), K(*joint), first_differences, "geometric stiffness with a gradient");
  expect_near(H(*differenced), H(*joint), second_differences, "Jacobian of the rate");
}

TEST_F(UserConstraintTest, StartsTheClockAtZero) {
  double earliest = 1.0;
  const auto constraint = model.add<UserConstraint>(
      {.name = "C",
       .nodes = {angle},
       .residual =
           [angle = angle, &earliest](const Configuration& q, double t, std::span<double> g) {
             earliest = std::min(earliest, t);
             g[0] = q.value(angle) - 0.4 * std::exp(-3 * t);
           },
       .is_rheonomic = true,
       .duration = 0.3});
  for (const double t : {0.0, 1e-4, 0.01, 2.0}) {
    double rate = 0;
    constraint->partial_rate(model.initial_configuration(), t, {&rate, 1});
    // One-sided at the start: (step rate)^4/5 of the rate, with a step of 1e-3 of the duration.
    EXPECT_NEAR(rate, 1.2 * std::exp(-3 * t), 1.2 * std::pow(3e-4 * 3, 4) / 5 + 1e-11) << t;
  }
  EXPECT_EQ(earliest, 0.0);
}

/// The conical pendulum of DistanceJoint moves in the same way.
TEST(UserConstraint, HoldsAPendulumAsTheJointDoes) {
  constexpr double length = 0.8;
  const auto end = [&](bool is_users) {
    Model model;
    const auto bob = joint_models::add_mass(
        model, "bob", 1.4, {.position = {0.6, 0, -std::sqrt(0.28)}, .velocity = {0, 1.9, 0.4}});
    if (is_users) {
      model.add<UserConstraint>({.name = "J",
                                 .nodes = {bob},
                                 .residual = [bob](const Configuration& q, double, std::span<double> g) {
                                   g[0] = (q.position(bob).squaredNorm() - length * length) / (2 * length);
                                 }});
    } else {
      model.add<DistanceJoint>({.name = "J", .a = MaterialPoint::on_ground({0, 0, 0}), .b = bob});
    }
    return joint_models::run(model, {.step = 4e-3, .tolerance = 1e-10}, 2.0).final_state;
  };
  const State users = end(true);
  const State joints = end(false);
  // The errors of the gradients, over 500 steps.
  EXPECT_LT((users.v - joints.v).lpNorm<Eigen::Infinity>(), 500 * first_differences);
  EXPECT_LT((users.constraint_force - joints.constraint_force).lpNorm<Eigen::Infinity>(), 1e-6);
}

/// A bead on a wire that turns in its plane at a constant rate: r'' = omega^2 r, exactly.
TEST(UserConstraint, MayMoveInTime) {
  constexpr double omega = 2.0;
  const auto error = [](double h) {
    Model model;
    const auto bead = joint_models::add_mass(
        model, "bead", 0.7, {.position = {0.3, 0, 0}, .velocity = {0, 0.3 * omega, 0}}, Vec3::Zero());
    model.fix(bead, {Component::z});
    model.add<UserConstraint>({.name = "wire",
                               .nodes = {bead},
                               .residual =
                                   [bead](const Configuration& q, double t, std::span<double> g) {
                                     const Vec3 normal(-std::sin(omega * t), std::cos(omega * t), 0);
                                     g[0] = normal.dot(q.position(bead));
                                   },
                               .is_rheonomic = true});
    double worst = 0;
    joint_models::run(model, {.step = h}, 0.5, [&](const State& state) {
      const double phi = omega * state.time;
      const Vec3 exact = 0.3 * std::cosh(phi) * Vec3(std::cos(phi), std::sin(phi), 0);
      worst = std::max(worst, (state.q.position(bead) - exact).norm());
    });
    return worst;
  };
  joint_models::expect_second_order(error, 4e-3);
}

TEST_F(UserConstraintTest, MayNotReadNodesThatItDoesNotName) {
  const auto cheat =
      model.add<UserConstraint>({.name = "C",
                                 .nodes = {angle},
                                 .residual = [this](const Configuration& q, double, std::span<double> g) {
                                   g[0] = q.position(bystander).x();
                                 }});
  EXPECT_TRUE(std::isnan(support::gradient(*cheat, model.initial_configuration())(0, 0)));
}

TEST_F(UserConstraintTest, RefusesWhatItCannotEvaluate) {
  const auto zero = [](const Configuration&, double, std::span<double>) {};
  EXPECT_EQ(refusal({.nodes = {frame}}), "user constraint \"C\": residual is not given");
  EXPECT_EQ(refusal({.nodes = {}, .residual = zero}),
            "user constraint \"C\": nodes is empty, nothing is acted on");
  EXPECT_EQ(refusal({.nodes = {frame}, .rows = 0, .residual = zero}),
            "user constraint \"C\": rows is 0, must lie in [1, 12]");
  const auto at_time = [](const Configuration&, double t, std::span<double> g) { g[0] = -t; };
  EXPECT_EQ(refusal({.nodes = {frame}, .residual = at_time}),
            "user constraint \"C\": its residual depends on time, but is_rheonomic is false");
  EXPECT_EQ(refusal({.nodes = {frame}, .residual = zero, .length = -1}),
            "user constraint \"C\": length is -1 m, must be positive");
  EXPECT_EQ(refusal({.nodes = {frame}, .residual = zero, .duration = 0}),
            "user constraint \"C\": duration is 0 s, must be positive");
  EXPECT_EQ(
      refusal({.nodes = {frame},
               .residual = [](const Configuration&, double,
                              std::span<double> g) { g[0] = std::numeric_limits<double>::infinity(); }}),
      "user constraint \"C\": row 0 of the residual at the start is inf, must be a finite number");
}

}  // namespace
}  // namespace picus::user_constraint_test
