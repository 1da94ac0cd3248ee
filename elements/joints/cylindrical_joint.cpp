#include <picus/elements/joints/cylindrical_joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>

namespace picus {

CylindricalJoint::CylindricalJoint(const Parameters& p, const Model& model)
    : CoordinateJoint("cylindrical joint", p.name, p.a, p.b, Ends::frames, model,
                      {{"angle", p.angle}, {"displacement", p.displacement}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "axis", p.axis));
  keep_on_line(axes);
  align_axis(start, axes);
  add_angle("angle", start, axes, 0);
  add_displacement("displacement", start, axes.col(2), 1);
}

}  // namespace picus
