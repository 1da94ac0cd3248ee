#include <picus/elements/joints/hinge.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>

namespace picus {

Hinge::Hinge(const Parameters& p, const Model& model)
    : CoordinateJoint("hinge", p.name, p.a, p.b, Ends::frames, model, {{"angle", p.angle}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "axis", p.axis));
  add(CoincidentPoints{});
  align_axis(start, axes);
  add_angle("angle", start, axes, 0);
}

}  // namespace picus
