#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/elements/joints/point_in_plane.hpp>

namespace picus {

PointInPlane::PointInPlane(const Parameters& p, const Model& model)
    : CoordinateJoint("point in plane", p.name, p.a, p.b, Ends::frames_or_points, model,
                      {{"x", p.x}, {"y", p.y}}) {
  const JointKinematics start = kinematics(model.initial_configuration());
  const Mat3 axes = triad(start, require_direction(who(), "normal", p.normal), p.tangent);
  add(AxisDisplacement{.a = axes.col(2), .s = {}});
  add_displacement("x", start, axes.col(0), 0);
  add_displacement("y", start, axes.col(1), 1);
}

}  // namespace picus
