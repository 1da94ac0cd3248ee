#include "joint_models.hpp"
#include <picus/elements/joints/screw_joint.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <limits>
#include <numbers>

namespace picus::screw_joint_test {
namespace {

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;

/// A nut falls on a vertical spindle with the acceleration g/(1 + J (2 pi/p)^2/m), and rotates.
void expect_fall(double pitch, bool has_nodes, double moment = 1e-3) {
  constexpr double mass = 0.8;
  Model model;
  const auto nut =
      joint_models::add_body(model, "nut", mass, inertia::diagonal(0.8 * moment, 0.8 * moment, moment),
                             {.position = {0.1, 0.2, 0.3}});
  ScrewJoint::Parameters parameters = {.name = "J",
                                       .a = MaterialPoint::on_ground({0.1, 0.2, 0}),
                                       .b = nut,
                                       .axis = Vec3::UnitZ(),
                                       .pitch = pitch};
  if (has_nodes) {
    parameters.angle = model.add_scalar("angle", {.value = 0.3});
    parameters.displacement = model.add_scalar("displacement", {.value = 0.2});
  }
  const auto joint = model.add<ScrewJoint>(parameters);
  EXPECT_EQ(joint->row_count(), has_nodes ? 7 : 5);
  const double ratio = 2 * pi / pitch;
  const double acceleration = g / (1 + moment * ratio * ratio / mass);
  double turns = 0;
  const RunSummary summary = joint_models::run(model, {.step = 1e-3}, 1.0, [&](const State& state) {
    const double fall = acceleration * state.time * state.time / 2;
    turns = std::abs(fall / pitch);
    // Constant accelerations are solved exactly up to the tolerance, 1e-8 of the motion in a step.
    EXPECT_NEAR(state.q.position(nut).z(), 0.3 - fall, 1e-10);
    const Mat3 R = so3::exp(-fall * ratio * Vec3::UnitZ());
    EXPECT_LT((state.q.rotation(nut) - R).norm(), 1e-10 * std::abs(ratio));
    const Vector values = joint_models::observed(*joint, state);
    EXPECT_NEAR(values[2], (has_nodes ? 0.2 : 0.0) - fall, 1e-10);
    if (has_nodes) {
      EXPECT_NEAR(values[0], 0.3 - fall * ratio, 1e-10 * std::abs(ratio));
    }
  });
  EXPECT_GT(turns, 3.0);
  EXPECT_LT(summary.worst_violation, 1e-12);
}

TEST(ScrewJoint, ANutFallsOnARightHandedSpindle) {
  expect_fall(0.1, false);
  expect_fall(0.1, true);
}

TEST(ScrewJoint, ANutFallsOnALeftHandedSpindle) {
  expect_fall(-0.3, false);
  expect_fall(-0.3, true);
}

TEST(ScrewJoint, ANutFallsOnAFineThread) {
  expect_fall(0.004, true, 1e-5);
}

TEST(ScrewJoint, RefusesAPitchThatIsNone) {
  Model model;
  const auto b = model.add_frame("b");
  const auto refusal = [&](double pitch) {
    return support::message_of<ModelError>([&] {
      model.add<ScrewJoint>({.name = "S",
                             .a = MaterialPoint::on_ground({0, 0, 0}),
                             .b = b,
                             .axis = Vec3::UnitZ(),
                             .pitch = pitch});
    });
  };
  EXPECT_EQ(refusal(0.0), "screw joint \"S\": pitch is zero, which makes a hinge");
  EXPECT_EQ(refusal(std::numeric_limits<double>::infinity()),
            "screw joint \"S\": pitch is inf m, must be a finite number");
}

}  // namespace
}  // namespace picus::screw_joint_test
