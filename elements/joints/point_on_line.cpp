#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/point_on_line.hpp>

namespace picus {

PointOnLine::PointOnLine(const Parameters& p, const Model& model)
    : CoordinateJoint("point on line", p.name, p.a, p.b, Ends::frames_or_points, model,
                      {{"displacement", p.displacement}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "axis", p.axis));
  keep_on_line(axes);
  add_displacement("displacement", start, axes.col(2), 0);
}

}  // namespace picus
