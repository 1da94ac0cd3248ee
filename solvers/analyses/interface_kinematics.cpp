#include <picus/so3.hpp>
#include <picus/solvers/analyses/interface_kinematics.hpp>

#include <Eigen/LU>

namespace picus::solvers {
namespace {

/// 1/2 (a x (b x r) + b x (a x r))
Vec3 turned_twice(const Vec3& a, const Vec3& b, const Vec3& r) {
  return 0.5 * (a.cross(b.cross(r)) + b.cross(a.cross(r)));
}

/// The mean rotation theta of nodes minimises |exp(theta^) r - (r + u)|^2, u relative to the mean displacement:
/// sum (exp(theta^) r) x (r + u) = 0. Its second derivatives along two shapes, with A = sum |r|^2 I - r r^T:
/// A theta'' = sum (1/2 (a x (b x r) + b x (a x r))) x r + (a x r) x u_b + (b x r) x u_a
class MeanRotation {
 public:
  MeanRotation(const PartInterface& one, const Configuration& q) {
    for (const Node& node : one.nodes) mean_ += q.position(node) / static_cast<double>(one.nodes.size());
    Mat3 A = Mat3::Zero();
    for (const Node& node : one.nodes) {
      arms_.emplace_back(q.position(node) - mean_);
      A += arms_.back().squaredNorm() * Mat3::Identity() - arms_.back() * arms_.back().transpose();
    }
    inverse_ = A.inverse();
  }
  const Vec3& centre() const { return mean_; }

  /// For the displacements u of the nodes (three rows each) relative to their mean, and the rotations theta.
  Vec3 second(const Vector& u_a, const Vector& u_b, const Vec3& a, const Vec3& b) const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < count_of(arms_); ++i) {
      const Vec3& r = arms_[i];
      const Index row = 3 * i;
      sum += turned_twice(a, b, r).cross(r) + a.cross(r).cross(u_b.segment<3>(row)) +
             b.cross(r).cross(u_a.segment<3>(row));
    }
    return inverse_ * sum;
  }

 private:
  std::vector<Vec3> arms_;
  Vec3 mean_ = Vec3::Zero();
  Mat3 inverse_;
};

/// Displacements of the nodes relative to their mean, three rows each.
Eigen::MatrixXd relative_displacements(const PartInterface& one, const Eigen::MatrixXd& shapes) {
  const auto count = count_of(one.nodes);
  Eigen::MatrixXd u(3 * count, shapes.cols()), mean = Eigen::MatrixXd::Zero(3, shapes.cols());
  for (Index i = 0; i < count; ++i) {
    u.middleRows(3 * i, 3) = shapes.middleRows(one.nodes[i].v, 3);
    mean += u.middleRows(3 * i, 3) / static_cast<double>(count);
  }
  for (Index i = 0; i < count; ++i) u.middleRows(3 * i, 3) -= mean;
  return u;
}

}  // namespace

// p . sym(a x (b x r)) = a . (sym(p r^T) - p . r I) b
Eigen::MatrixXd rigid_rotation_work(const PartInterface& one, const Configuration& q,
                                    const Vector& nodal_force, const Eigen::MatrixXd& shapes) {
  if (!one.is_tied) return Eigen::MatrixXd::Zero(shapes.cols(), shapes.cols());
  Mat3 W = Mat3::Zero();
  for (const Node& node : one.nodes)
    W += nodal_force.segment<3>(node.v) * (q.position(node) - one.position).transpose();
  const Mat3 form = 0.5 * (W + W.transpose()) - W.trace() * Mat3::Identity();
  const Eigen::MatrixXd rotation = one.displacements(shapes).bottomRows(3);
  return rotation.transpose() * form * rotation;
}

std::vector<Eigen::MatrixXd> second_displacements(const PartInterface& one, const Configuration& q,
                                                  const Eigen::MatrixXd& shapes) {
  const auto m = columns_of(shapes);
  std::vector<Eigen::MatrixXd> second(one.size(), Eigen::MatrixXd::Zero(m, m));
  if (one.is_tied || one.kind == NodeKind::point) return second;
  const bool is_mean = one.nodes.size() > 1;
  const std::optional<MeanRotation> mean = is_mean ? std::optional(MeanRotation(one, q)) : std::nullopt;
  const Vec3 arm = one.position - (is_mean ? mean->centre() : q.position(one.nodes.front()));
  const Eigen::MatrixXd theta = one.displacements(shapes).bottomRows(3);
  const Eigen::MatrixXd u = is_mean ? relative_displacements(one, shapes) : Eigen::MatrixXd();
  for (Index k = 0; k < m; ++k) {
    for (Index l = 0; l <= k; ++l) {
      const Vec3 a = theta.col(k), b = theta.col(l);
      const Vec3 turn = is_mean ? mean->second(u.col(k), u.col(l), a, b) : Vec3::Zero();
      const Vec3 shift = turned_twice(a, b, arm) + turn.cross(arm);
      for (Index c = 0; c < 3; ++c) {
        second[c](k, l) = second[c](l, k) = shift[c];
        second[3 + c](k, l) = second[3 + c](l, k) = turn[c];
      }
    }
  }
  return second;
}

std::vector<Eigen::MatrixXd> second_displacements_of_node(const PartInterface& one, const Node& node,
                                                          const Configuration& q,
                                                          const Eigen::MatrixXd& shapes) {
  const auto m = columns_of(shapes);
  std::vector<Eigen::MatrixXd> second(3, Eigen::MatrixXd::Zero(m, m));
  if (!one.is_tied) return second;
  const Vec3 arm = q.position(node) - one.position;
  const Eigen::MatrixXd theta = one.displacements(shapes).bottomRows(3);
  for (Index k = 0; k < m; ++k) {
    for (Index l = 0; l < m; ++l) {
      const Vec3 shift = turned_twice(theta.col(k), theta.col(l), arm);
      for (Index c = 0; c < 3; ++c) second[c](k, l) = shift[c];
    }
  }
  return second;
}

}  // namespace picus::solvers
