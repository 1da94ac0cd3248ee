#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/universal_joint.hpp>
#include <picus/so3.hpp>

#include <cmath>

namespace picus {
namespace {

/// Below this sine of the angle between its axes the joint locks.
constexpr double least_sine = 0.01;

}  // namespace

UniversalJoint::UniversalJoint(const Parameters& p, const Model& model)
    : CoordinateJoint("universal joint", p.name, p.a, p.b, Ends::frames, model,
                      {{"angle_a", p.angle_a}, {"angle_b", p.angle_b}}) {
  const Vec3 axis_a = require_direction(who(), "axis_a", p.axis_a);
  const Vec3 axis_b = require_direction(who(), "axis_b", p.axis_b);
  if (axis_a.cross(axis_b).norm() < least_sine) {
    throw ModelError(who().text() + ": axis_a and axis_b are parallel");
  }
  const JointKinematics start = kinematics(model.initial_configuration());
  const Vec3 in_A = start.A.R.transpose() * axis_a;
  const Vec3 in_B = start.B.R.transpose() * axis_b;
  add(CoincidentPoints{});
  add(PerpendicularDirections{in_A, in_B, axis_a.dot(axis_b)});

  // If its t_1 is the component of the other arm normal to its own axis, a pair measures zero at the start; with t_1
  // rotated back by the value of the node it measures that value.
  const auto theta_0 = [&](std::size_t i) { return scalar(i).is_given() ? scalar(i).value(start) : 0.0; };
  const Mat3 A = triad(start, axis_a, axis_b);
  const Mat3 turn_A = A * so3::exp({0, 0, -theta_0(0)});
  add_angle("angle_a", {.t_1 = turn_A.col(0), .t_2 = turn_A.col(1), .b = in_B, .carrier = Carrier::A},
            scalar(0));
  // Relative to B the arm of A rotates in the opposite direction.
  Vec3 t_1 = start.B.R.transpose() * (axis_a - axis_a.dot(axis_b) * axis_b).normalized();
  Vec3 t_2 = t_1.cross(in_B);
  const double c = std::cos(theta_0(1));
  const double s = std::sin(theta_0(1));
  add_angle("angle_b", {.t_1 = c * t_1 - s * t_2, .t_2 = s * t_1 + c * t_2, .b = in_A, .carrier = Carrier::B},
            scalar(1));
}

}  // namespace picus
