#include <picus/checks.hpp>
#include <picus/elements/reduced/matrix_coupling.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>

#include <fmt/format.h>

#include <array>

namespace picus {
namespace {

/// Largest asymmetry of a block on the diagonal, relative to its largest entry.
constexpr double block_asymmetry = 1e-9;

std::vector<Node> nodes_of(const MatrixCoupling::Parameters& p) {
  return p.a == p.b ? std::vector<Node>{p.a} : std::vector<Node>{p.a, p.b};
}

Eigen::MatrixXd checked_block(const Culprit& who, std::string_view what, const MatrixCoupling::Parameters& p,
                              const Eigen::MatrixXd& block) {
  if (block.size() == 0) return {};
  const Index rows = velocity_size(p.a.kind), columns = velocity_size(p.b.kind);
  if (block.rows() != rows || block.cols() != columns) {
    throw ModelError(fmt::format("{}: {} is {} x {}, must be {} x {}", who.text(), what, block.rows(),
                                 block.cols(), rows, columns));
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j)
      require_finite(who, fmt::format("{}({}, {})", what, i, j), block(i, j), "");
  }
  const double largest = block.cwiseAbs().maxCoeff();
  if (largest == 0) return {};
  if (p.a == p.b && (block - block.transpose()).cwiseAbs().maxCoeff() > block_asymmetry * largest)
    throw ModelError(fmt::format("{}: {} is not symmetric", who.text(), what));
  return block;
}

}  // namespace

struct MatrixCoupling::Kinematics {
  Local d;
  std::array<Vec3, 2> theta;
  std::array<Mat3, 2> J = {Mat3::Identity(), Mat3::Identity()};
  std::array<Index, 2> rotation = {-1, -1};  ///< first row of the rotations of each node; -1: it has none

  /// J x and J^T x.
  Local times(Local x) const {
    for (std::size_t e = 0; e < 2; ++e) {
      if (rotation[e] >= 0) x.segment<3>(rotation[e]) = (J[e] * x.segment<3>(rotation[e])).eval();
    }
    return x;
  }
  Local transposed_times(Local x) const {
    for (std::size_t e = 0; e < 2; ++e) {
      if (rotation[e] >= 0) x.segment<3>(rotation[e]) = (J[e].transpose() * x.segment<3>(rotation[e])).eval();
    }
    return x;
  }
};

MatrixCoupling::MatrixCoupling(const Parameters& p, const Model& model) : Element(p.name, nodes_of(p)) {
  const Culprit who{"matrix coupling", name()};
  const Configuration& q_0 = model.initial_configuration();
  const std::array<std::string_view, 2> ends = {"a", "b"};
  for (std::size_t e = 0; e < nodes().size(); ++e) {
    const Node& node = nodes()[e];
    model.require_node(node, who.text(), ends[e]);
    if (node.kind == NodeKind::scalar)
      throw ModelError(fmt::format("{}: \"{}\" is a scalar node, must be a frame or a point", who.text(),
                                   model.node_name(node)));
    ends_.push_back({node, q_0.position(node),
                     node.kind == NodeKind::frame ? Mat3(q_0.rotation(node)) : Mat3::Identity()});
  }
  mass_ = checked_block(who, "mass", p, p.mass);
  stiffness_ = checked_block(who, "stiffness", p, p.stiffness);
  damping_ = checked_block(who, "damping", p, p.damping);
}

MatrixCoupling::Kinematics MatrixCoupling::kinematics(const Configuration& q) const {
  Kinematics at;
  at.d.resize(dof_count());
  Index first = 0;
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const auto& [node, position, rotation] = ends_[e];
    at.d.segment<3>(first) = q.position(node) - position;
    if (node.kind == NodeKind::frame) {
      at.rotation[e] = first + 3;
      at.theta[e] = so3::log(rotation.transpose() * q.rotation(node));
      at.d.segment<3>(first + 3) = at.theta[e];
      at.J[e] = so3::tangent_inverse(at.theta[e]);
    }
    first += velocity_size(node.kind);
  }
  return at;
}

MatrixCoupling::Local MatrixCoupling::times(const Eigen::MatrixXd& block, const Local& x) const {
  if (is_diagonal()) return block * x;
  const auto rows = rows_of(block), columns = columns_of(block);
  Local result(dof_count());
  result.head(rows).noalias() = block * x.tail(columns);
  result.tail(columns).noalias() = block.transpose() * x.head(rows);
  return result;
}

void MatrixCoupling::mass(const Configuration& /*q*/, std::span<double> M) const {
  if (mass_.size() == 0) return;
  const Index n = dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(M.data(), n, n);
  if (is_diagonal()) {
    matrix = 0.5 * (mass_ + mass_.transpose());
  } else {
    matrix.topRightCorner(mass_.rows(), mass_.cols()) = mass_;
    matrix.bottomLeftCorner(mass_.cols(), mass_.rows()) = mass_.transpose();
  }
}

Force::Traits MatrixCoupling::traits() const {
  return {.depends_on_configuration = stiffness_.size() > 0 || damping_.size() > 0,
          .depends_on_velocity = damping_.size() > 0,
          .has_potential = stiffness_.size() > 0,
          .potential_kind = PotentialKind::strain,
          .is_conservative = damping_.size() == 0};
}

MatrixCoupling::Local MatrixCoupling::local_velocity(const Vector& v) const {
  Local local(dof_count());
  Index first = 0;
  for (const End& end : ends_) {
    local.segment(first, velocity_size(end.node.kind)) = v.segment(end.node.v, velocity_size(end.node.kind));
    first += velocity_size(end.node.kind);
  }
  return local;
}

void MatrixCoupling::conservative_force(const Configuration& q, double /*t*/, std::span<double> f) const {
  if (stiffness_.size() == 0) return;
  const Kinematics at = kinematics(q);
  Eigen::Map<Vector>(f.data(), dof_count()) = -at.transposed_times(times(stiffness_, at.d));
}

void MatrixCoupling::force(const Motion& motion, std::span<double> f) const {
  const Kinematics at = kinematics(motion.q);
  Local sum = Local::Zero(dof_count());
  if (stiffness_.size() > 0) sum += times(stiffness_, at.d);
  if (damping_.size() > 0) sum += times(damping_, at.times(local_velocity(motion.v)));
  Eigen::Map<Vector>(f.data(), dof_count()) = -at.transposed_times(sum);
}

// Adds J^T B J.
void MatrixCoupling::add_transformed(const Eigen::MatrixXd& block, const Kinematics& at,
                                     std::span<double> K) const {
  const Index n = dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), n, n);
  for (Index c = 0; c < n; ++c)
    matrix.col(c) += at.transposed_times(times(block, at.times(Local::Unit(n, c))));
}

void MatrixCoupling::tangents(const Motion& motion, std::span<double> K, std::span<double> C) const {
  const Kinematics at = kinematics(motion.q);
  const Index n = dof_count();
  Eigen::Map<Eigen::MatrixXd> matrix(K.data(), n, n);
  Local sum = Local::Zero(n);
  if (stiffness_.size() > 0) {
    add_transformed(stiffness_, at, K);
    sum += times(stiffness_, at.d);
  }
  if (damping_.size() > 0) {
    const Local v = local_velocity(motion.v);
    add_transformed(damping_, at, C);
    sum += times(damping_, at.times(v));
    // d(J v)/dq, then J^T D times it.
    for (std::size_t e = 0; e < ends_.size(); ++e) {
      const Index first = at.rotation[e];
      if (first < 0) continue;
      const Mat3 turn = so3::tangent_inverse_derivative(at.theta[e], v.segment<3>(first)) * at.J[e];
      for (Index c = 0; c < 3; ++c) {
        Local rate = Local::Zero(n);
        rate.segment<3>(first) = turn.col(c);
        matrix.col(first + c) += at.transposed_times(times(damping_, rate));
      }
    }
  }
  // d(J^T m)/dq: J(theta)^T is J(-theta).
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const Index first = at.rotation[e];
    if (first < 0) continue;
    matrix.block<3, 3>(first, first) -=
        so3::tangent_inverse_derivative(-at.theta[e], sum.segment<3>(first)) * at.J[e];
  }
}

double MatrixCoupling::potential_energy(const Configuration& q, double /*t*/) const {
  if (stiffness_.size() == 0) return 0.0;
  const Kinematics at = kinematics(q);
  return 0.5 * at.d.dot(times(stiffness_, at.d));
}

}  // namespace picus
