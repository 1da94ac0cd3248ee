#include <picus/elements/joints/fixed_joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/so3.hpp>

namespace picus {

FixedJoint::FixedJoint(const Parameters& p, const Model& model)
    : Joint("fixed joint", p.name, p.a, p.b, Ends::frames, model) {
  const JointKinematics start = kinematics(model.initial_configuration());
  add(CoincidentPoints{});
  lock_rotation(start);
  P_0_ = start.P;
}

std::vector<Quantity> FixedJoint::quantities() const {
  return {{"opening", {3}, "m", "from the point of a to that of b, in the axes of a"},
          {"misalignment", {3}, "rad", "rotation vector of b against a from the start, in the axes of a"}};
}

void FixedJoint::observe(const Motion& motion, std::span<double> values) const {
  const JointKinematics at = kinematics(motion.q);
  vector_view<3>(values) = at.separation_in_axes();
  vector_view<3>(values.subspan(3)) = so3::log(at.P * P_0_.transpose());
}

}  // namespace picus
