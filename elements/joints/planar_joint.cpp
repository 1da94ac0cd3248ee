#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/planar_joint.hpp>

namespace picus {

PlanarJoint::PlanarJoint(const Parameters& p, const Model& model)
    : CoordinateJoint("planar joint", p.name, p.a, p.b, Ends::frames, model,
                      {{"x", p.x}, {"y", p.y}, {"angle", p.angle}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "normal", p.normal), p.tangent);
  add(AxisDisplacement{.a = axes.col(2), .s = {}});
  align_axis(start, axes);
  add_displacement("x", start, axes.col(0), 0);
  add_displacement("y", start, axes.col(1), 1);
  add_angle("angle", start, axes, 2);
}

}  // namespace picus
