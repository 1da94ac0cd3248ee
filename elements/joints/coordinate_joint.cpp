#include <picus/elements/joints/coordinate_joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>

#include <cmath>

namespace picus {
namespace {

double value_at(const JointKinematics& start, const JointScalar& s) {
  return s.is_given() ? s.value(start) : 0.0;
}

}  // namespace

struct CoordinateJoint::Coordinate {
  std::string name;
  std::variant<RotationAngle, AxisDisplacement> part;
};

CoordinateJoint::CoordinateJoint(std::string_view kind, const std::string& name, const MaterialPoint& a,
                                 const MaterialPoint& b, Ends allowed, const Model& model,
                                 const std::vector<Scalar>& scalars)
    : Joint(kind, name, a, b, allowed, model, scalars) {}

CoordinateJoint::~CoordinateJoint() = default;

void CoordinateJoint::add_angle(std::string name, const JointKinematics& start, const Mat3& axes,
                                std::size_t i) {
  const double theta = value_at(start, scalar(i));
  const Vec3 beta = std::cos(theta) * axes.col(0) + std::sin(theta) * axes.col(1);
  add_angle(std::move(name), {.t_1 = axes.col(0), .t_2 = axes.col(1), .b = start.P.transpose() * beta},
            scalar(i));
}

void CoordinateJoint::add_angle(std::string name, const RotationPair& pair, const JointScalar& s) {
  const RotationAngle angle{pair, s};
  if (s.is_given()) add(angle);
  coordinates_.push_back({std::move(name), angle});
}

void CoordinateJoint::add_displacement(std::string name, const JointKinematics& start, const Vec3& direction,
                                       std::size_t i) {
  const double c = direction.dot(start.separation_in_axes()) - value_at(start, scalar(i));
  const AxisDisplacement displacement{direction, c, scalar(i)};
  if (scalar(i).is_given()) add(displacement);
  coordinates_.push_back({std::move(name), displacement});
}

std::vector<Quantity> CoordinateJoint::quantities() const {
  std::vector<Quantity> result;
  for (const auto& [name, part] : coordinates_) {
    const bool is_angle = std::holds_alternative<RotationAngle>(part);
    const bool is_wrapped = is_angle && !std::get<RotationAngle>(part).s.is_given();
    result.push_back({name,
                      {},
                      is_angle ? "rad" : "m",
                      std::string("of b against a") + (is_wrapped ? ", in (-pi, pi]" : "")});
    result.push_back({name + "_rate", {}, is_angle ? "rad/s" : "m/s", "of b against a"});
  }
  return result;
}

void CoordinateJoint::observe(const Motion& motion, std::span<double> values) const {
  const JointKinematics at = kinematics(motion.q);
  const auto v = local_velocity(motion.v);
  std::size_t next = 0;
  for (const Coordinate& coordinate : coordinates_) {
    const CoordinateValue now = std::visit(
        [&](const auto& part) {
          return part.s.is_given() ? CoordinateValue{part.s.value(at), part.s.rate(v)} : part.measure(at, v);
        },
        coordinate.part);
    values[next++] = now.value;
    values[next++] = now.rate;
  }
}

}  // namespace picus
