#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/screw_joint.hpp>

#include <numbers>

namespace picus {

ScrewJoint::ScrewJoint(const Parameters& p, const Model& model)
    : CoordinateJoint("screw joint", p.name, p.a, p.b, Ends::frames, model,
                      {{"angle", p.angle}, {"displacement", p.displacement}}) {
  require_finite(who(), "pitch", p.pitch, "m");
  if (p.pitch == 0) throw ModelError(who().text() + ": pitch is zero, which makes a hinge");
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "axis", p.axis));
  keep_on_line(axes);
  align_axis(start, axes);
  const AxisDisplacement along{axes.col(2), axes.col(2).dot(start.separation_in_axes()), {}};
  add(ScrewRelation{
      {axes.col(0), axes.col(1), start.P.transpose() * axes.col(0)}, along, 2 * std::numbers::pi / p.pitch});
  add_angle("angle", start, axes, 0);
  add_displacement("displacement", start, axes.col(2), 1);
}

}  // namespace picus
