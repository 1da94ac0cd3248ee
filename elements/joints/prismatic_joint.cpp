#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/prismatic_joint.hpp>

namespace picus {

PrismaticJoint::PrismaticJoint(const Parameters& p, const Model& model)
    : CoordinateJoint("prismatic joint", p.name, p.a, p.b, Ends::frames, model,
                      {{"displacement", p.displacement}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "axis", p.axis));
  keep_on_line(axes);
  lock_rotation(start);
  add_displacement("displacement", start, axes.col(2), 0);
}

}  // namespace picus
