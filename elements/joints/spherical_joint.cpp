#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/spherical_joint.hpp>
#include <picus/so3.hpp>

namespace picus {

SphericalJoint::SphericalJoint(const Parameters& p, const Model& model)
    : Joint("spherical joint", p.name, p.a, p.b, Ends::frames_or_points, model) {
  add(CoincidentPoints{});
  P_0_ = kinematics(model.initial_configuration()).P;
}

std::vector<Quantity> SphericalJoint::quantities() const {
  return {{"rotation", {3}, "rad", "rotation vector of b against a from the start, in the axes of a"},
          {"angular_velocity", {3}, "rad/s", "of b against a, in the axes of a"}};
}

void SphericalJoint::observe(const Motion& motion, std::span<double> values) const {
  const JointKinematics at = kinematics(motion.q);
  const auto v = local_velocity(motion.v);
  vector_view<3>(values) = so3::log(at.P * P_0_.transpose());
  vector_view<3>(values.subspan(3)) = -at.relative_angular_velocity(v);
}

}  // namespace picus
