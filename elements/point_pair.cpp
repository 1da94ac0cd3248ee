#include <picus/elements/point_pair.hpp>
#include <picus/elements/skew_products.hpp>
#include <picus/require_point.hpp>

#include <fmt/format.h>

namespace picus {

std::vector<Node> PointPair::nodes() const {
  std::vector<Node> result;
  for (const MaterialPoint& point : {a_, b_}) {
    if (!point.is_ground()) result.push_back(point.node);
  }
  return result;
}

void PointPair::require(const Culprit& who, const Model& model, const std::string& a,
                        const std::string& b) const {
  require_place(who, a, a_, model);
  require_place(who, b, b_, model);
  if (a_.is_ground() && b_.is_ground()) {
    throw ModelError(fmt::format("{}: {} and {} are both on the ground", who.text(), a, b));
  }
  if (a_.node == b_.node)
    throw ModelError(fmt::format("{}: {} and {} are on the same node", who.text(), a, b));
}

Vec3 PointPair::separation(const Configuration& q) const {
  return b_.position(q) - a_.position(q);
}

Vec3 PointPair::rate(const Motion& motion) const {
  return b_.velocity(motion.q, motion.v) - a_.velocity(motion.q, motion.v);
}

PointPair::Rows PointPair::gradient(const Configuration& q) const {
  Rows G = Rows::Zero();
  G.block<3, 3>(0, 0) = -Mat3::Identity();
  G.block<3, 3>(0, 6) = Mat3::Identity();
  if (a_.on_frame()) G.block<3, 3>(0, 3) = times_skew(q.rotation(a_.node), a_.offset);
  if (b_.on_frame()) G.block<3, 3>(0, 9) = -times_skew(q.rotation(b_.node), b_.offset);
  return G;
}

void PointPair::add_geometric_stiffness(const Configuration& q, const Vec3& w, Square& K) const {
  if (a_.on_frame()) K.block<3, 3>(3, 3) -= skew_times_skew(a_.offset, q.rotation(a_.node).transpose() * w);
  if (b_.on_frame()) K.block<3, 3>(9, 9) += skew_times_skew(b_.offset, q.rotation(b_.node).transpose() * w);
}

PointPair::Rows PointPair::rate_jacobian(const Motion& motion) const {
  Rows H = Rows::Zero();
  if (a_.on_frame()) H.block<3, 3>(0, 3) = turning_rate(motion, a_);
  if (b_.on_frame()) H.block<3, 3>(0, 9) = -turning_rate(motion, b_);
  return H;
}

void PointPair::write(const Column& column, std::span<double> f) const {
  Eigen::Map<Vector> vector(f.data(), a_.dof_count() + b_.dof_count());
  vector.head(a_.dof_count()) = column.head(a_.dof_count());
  vector.tail(b_.dof_count()) = column.segment(6, b_.dof_count());
}

void PointPair::write(const Square& square, std::span<double> K) const {
  const Index n_a = a_.dof_count();
  const Index n_b = b_.dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), n_a + n_b, n_a + n_b);
  matrix.topLeftCorner(n_a, n_a) = square.topLeftCorner(n_a, n_a);
  matrix.topRightCorner(n_a, n_b) = square.block(0, 6, n_a, n_b);
  matrix.bottomLeftCorner(n_b, n_a) = square.block(6, 0, n_b, n_a);
  matrix.bottomRightCorner(n_b, n_b) = square.block(6, 6, n_b, n_b);
}

void PointPair::write_row(const Column& values, Index row, Index rows, std::span<double> G) const {
  const Index n_a = a_.dof_count();
  const Index n_b = b_.dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(G.data(), rows, n_a + n_b);
  for (Index j = 0; j < n_a; ++j) matrix(row, j) = values[j];
  for (Index j = 0; j < n_b; ++j) matrix(row, n_a + j) = values[6 + j];
}

Mat3 PointPair::turning_rate(const Motion& motion, const MaterialPoint& point) {
  const Vec3 Omega = motion.v.segment<3>(point.node.v + 3);
  return times_skew(motion.q.rotation(point.node), Omega.cross(point.offset));
}

}  // namespace picus
