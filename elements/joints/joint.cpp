#include <picus/elements/joints/joint.hpp>
#include <picus/elements/joints/parts/joint_part.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

#include <numeric>

namespace picus {
namespace {

/// The sine below which two directions count as parallel.
constexpr double least_sine = 1e-6;

template <class Scalars>
std::vector<Node> nodes_of(const MaterialPoint& a, const MaterialPoint& b, const Scalars& scalars) {
  std::vector<Node> nodes;
  for (const MaterialPoint* end : {&a, &b}) {
    if (!end->is_ground()) nodes.push_back(end->node);
  }
  for (const auto& scalar : scalars) {
    if (scalar.node) nodes.push_back(*scalar.node);
  }
  return nodes;
}

void require_end(const Culprit& who, const std::string& what, const MaterialPoint& end, bool needs_frame,
                 const Model& model) {
  if (!end.is_given()) throw ModelError(fmt::format("{}: {} is not given", who.text(), what));
  if (end.is_ground()) {
    require_finite(who, what, end.offset, "m");
  } else if (needs_frame) {
    require_frame_point(who, what, end, model);
  } else {
    require_point(who, what, end, model);
  }
}

}  // namespace

Joint::Joint(std::string_view kind, const std::string& name, const MaterialPoint& a, const MaterialPoint& b,
             Ends allowed, const Model& model, const std::vector<Scalar>& scalars)
    : Element(name, nodes_of(a, b, scalars)), kind_(kind), a_(a, 0), b_(b, a.dof_count()) {
  const bool needs_frames = allowed == Ends::frames;
  require_end(who(), "a", a, needs_frames, model);
  require_end(who(), "b", b, needs_frames, model);
  if (a.is_ground() && b.is_ground()) {
    throw ModelError(fmt::format("{}: a and b are both on the ground", who().text()));
  }
  if (a.node == b.node) throw ModelError(fmt::format("{}: a and b are on the same node", who().text()));

  Index column = a.dof_count() + b.dof_count();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    const auto& [what, node] = scalars[i];
    if (node) model.require_node(*node, who().text(), what);
    for (std::size_t j = 0; j < i && node; ++j) {
      if (scalars[j].node != node) continue;
      throw ModelError(fmt::format("{}: {} and {} are the same node", who().text(), scalars[j].what, what));
    }
    scalars_.push_back(node ? JointScalar{*node, column++, what.starts_with("angle") ? "rad" : "m"}
                            : JointScalar{});
  }
}

Joint::~Joint() = default;

std::string_view Joint::unit_of(const Node& scalar) const {
  for (const JointScalar& one : scalars_) {
    if (one.is_given() && one.node == scalar) return one.unit;
  }
  return {};
}

JointKinematics Joint::kinematics(const Configuration& q) const {
  return {a_, b_, q};
}

void Joint::add(const JointPart& part) {
  parts_.push_back(part);
  row_count_ += std::visit([](const auto& p) { return p.row_count; }, part.equations);
}

void Joint::lock_rotation(const JointKinematics& start) {
  for (Index i = 0; i < 3; ++i) {
    add(PerpendicularDirections{Vec3::Unit(i), start.P.transpose() * Vec3::Unit((i + 1) % 3)});
  }
}

void Joint::align_axis(const JointKinematics& start, const Mat3& axes) {
  const Vec3 axis_B = start.P.transpose() * axes.col(2);
  add(PerpendicularDirections{axes.col(0), axis_B});
  add(PerpendicularDirections{axes.col(1), axis_B});
}

void Joint::keep_on_line(const Mat3& axes) {
  add(AxisDisplacement{.a = axes.col(0), .s = {}});
  add(AxisDisplacement{.a = axes.col(1), .s = {}});
}

Mat3 Joint::triad(const JointKinematics& start, const Vec3& axis, const std::optional<Vec3>& tangent) const {
  const Vec3 axis_A = start.A.R.transpose() * axis;
  Vec3 t_1 = axis_A.unitOrthogonal();
  if (tangent) {
    const Vec3 wanted = require_direction(who(), "tangent", *tangent);
    const Vec3 across = wanted - wanted.dot(axis) * axis;
    if (across.norm() < least_sine) {
      throw ModelError(fmt::format("{}: tangent is along the normal", who().text()));
    }
    t_1 = start.A.R.transpose() * across.normalized();
  }
  Mat3 axes;
  axes << t_1, axis_A.cross(t_1), axis_A;
  return axes;
}

std::array<double, Joint::max_dofs> Joint::local_velocity(ConstVectorRef v) const {
  std::array<double, max_dofs> result{};
  std::size_t next = 0;
  for (const Node& node : nodes()) {
    for (Index i = 0; i < velocity_size(node.kind); ++i) result[next++] = v[node.v + i];
  }
  return result;
}

std::vector<MaterialPoint> Joint::points() const {
  std::vector<MaterialPoint> chain;
  const auto add_origin = [&](const MaterialPoint& point) {
    if (!point.on_frame()) return;
    chain.push_back(point);
    chain.back().offset.setZero();
  };
  add_origin(a_.point());
  chain.push_back(a_.point());
  chain.push_back(b_.point());
  add_origin(b_.point());
  return chain;
}

std::vector<std::vector<Index>> Joint::polylines() const {
  std::vector<Index> line(points().size());
  std::iota(line.begin(), line.end(), 0);
  return {line};
}

template <class Action>
void Joint::for_each_part(Action&& action) const {
  Index row = 0;
  for (const JointPart& part : parts_) {
    std::visit(
        [&](const auto& p) {
          action(p, row);
          row += p.row_count;
        },
        part.equations);
  }
}

void Joint::residual(const Configuration& q, double, std::span<double> g) const {
  const JointKinematics at = kinematics(q);
  for_each_part([&](const auto& part, Index row) { part.residual(at, g.subspan(row, part.row_count)); });
}

void Joint::gradient(const Configuration& q, double, std::span<double> G) const {
  const JointKinematics at = kinematics(q);
  JointMatrix matrix(G.data(), row_count_, dof_count());
  for_each_part([&](const auto& part, Index row) { part.gradient(at, row, matrix); });
}

void Joint::geometric_stiffness(const Configuration& q, double, std::span<const double> lambda,
                                std::span<double> K) const {
  const JointKinematics at = kinematics(q);
  JointStiffness stiffness(JointMatrix(K.data(), dof_count(), dof_count()));
  for_each_part([&](const auto& part, Index row) {
    const auto own = lambda.subspan(row, part.row_count);
    part.add_geometric_stiffness(at, own, stiffness);
  });
  stiffness.write(at);
}

void Joint::rate_jacobian(const Configuration& q, double, std::span<const double> v,
                          std::span<double> H) const {
  const JointKinematics at = kinematics(q);
  JointMatrix matrix(H.data(), row_count_, dof_count());
  for_each_part([&](const auto& part, Index row) { part.rate_jacobian(at, v, row, matrix); });
}

}  // namespace picus
