#include <picus/elements/joints/distance_joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>

namespace picus {

DistanceJoint::DistanceJoint(const Parameters& p, const Model& model)
    : Joint("distance joint", p.name, p.a, p.b, Ends::frames_or_points, model) {
  const double distance = kinematics(model.initial_configuration()).separation().norm();
  if (distance == 0) throw ModelError(who().text() + ": a and b are at the same place");
  length_ = p.length.value_or(distance);
  require_positive(who(), "length", length_, "m");
  add(PointDistance{length_});
}

std::vector<Quantity> DistanceJoint::quantities() const {
  return {{"distance", {}, "m", "between the points"},
          {"direction", {3}, "", "unit vector from a to b, in inertial axes"}};
}

void DistanceJoint::observe(const Motion& motion, std::span<double> values) const {
  const Vec3 d = kinematics(motion.q).separation();
  values[0] = d.norm();
  vector_view<3>(values.subspan(1)) = d / values[0];
}

}  // namespace picus
