#include <picus/so3.hpp>
#include <picus/solvers/analyses/geometric_stiffness.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Displacements of the finite differences, relative to the size of the part and in radians: truncation errors are of
/// the order of their square, rounding errors are divided by it.
constexpr double step = 1e-3;
/// Forces whose even part is below this fraction are linear: it is 1e-13 by rounding, and of the order of the step
/// where points rotate.
constexpr double rounding = 1e-9;

/// The largest extent of the nodes' positions.
double extent(const System& system) {
  const Configuration& q = system.model().initial_configuration();
  Vec3 low = Vec3::Constant(INFINITY), high = Vec3::Constant(-INFINITY);
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    low = low.cwiseMin(q.position(node));
    high = high.cwiseMax(q.position(node));
  }
  return std::max((high - low).norm(), 1e-300);
}

/// Largest displacement of a node relative to the length, or rotation, rad.
double magnitude(const System& system, const Vector& u, double length) {
  double most = 1e-300;
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    most = std::max(most, u.segment<3>(node.v).norm() / length);
    if (node.kind == NodeKind::frame) most = std::max(most, u.segment<3>(node.v + 3).norm());
  }
  return most;
}

/// The potential's gradient at q_0 o exp(u), and its parts that are even and odd in u.
class Gradient {
 public:
  explicit Gradient(const System& system)
      : system_(system),
        q_(system.model().initial_configuration()),
        rest_(Vector::Zero(system.velocity_count())) {
    at(rest_, start_);
  }
  /// g(u) + g(-u) - 2 g(0): d3V[u, u, .] to fourth order.
  void even(const Vector& u, Vector& result) {
    at(u, result);
    at(-u, other_);
    odd_ = (result - other_).norm();
    result += other_ - 2.0 * start_;
  }
  /// |g(u) - g(-u)| of the last call.
  double odd() const { return odd_; }

 private:
  void at(const Vector& u, Vector& g) {
    retract(system_.nodes(), system_.model().initial_configuration(), u, q_);
    g.setZero(u.size());
    system_.add_forces({q_, rest_, 0.0}, -1.0, g);
    for (const Node& node : system_.nodes()) {
      if (node.kind != NodeKind::frame) continue;
      const Vec3 moment = g.segment<3>(node.v + 3);
      g.segment<3>(node.v + 3) = so3::tangent(u.segment<3>(node.v + 3)).transpose() * moment;
    }
  }

  const System& system_;
  Configuration q_;
  Vector rest_, start_, other_;
  double odd_ = 0.0;
};

}  // namespace

GeometricStiffness find_geometric_stiffness(const System& system, const Eigen::MatrixXd& displacements,
                                            const Eigen::MatrixXd& shapes) {
  const auto m = columns_of(shapes);
  const auto loads = columns_of(displacements);
  const double length = extent(system);
  Vector scale(m);
  for (Index k = 0; k < m; ++k) scale[k] = step / magnitude(system, shapes.col(k), length);
  GeometricStiffness result;
  result.of.assign(loads, Eigen::MatrixXd::Zero(m, m));
  result.forces_are_linear = true;
  Gradient gradient(system);
  Vector even;
  // Work of d3V[x, x, .] along each displacement, for x = phi_k and, by polarisation, phi_k + phi_l.
  Eigen::MatrixXd single(loads, m);
  for (Index k = 0; k < m; ++k) {
    gradient.even(scale[k] * shapes.col(k), even);
    if (even.norm() > rounding * gradient.odd()) result.forces_are_linear = false;
    single.col(k).noalias() = displacements.transpose() * even;
  }
  if (result.forces_are_linear) return result;
  for (Index k = 0; k < m; ++k) {
    for (Index l = 0; l <= k; ++l) {
      Vector work = single.col(k);
      if (l < k) {
        gradient.even(scale[k] * shapes.col(k) + scale[l] * shapes.col(l), even);
        work = 0.5 * (displacements.transpose() * even - single.col(k) - single.col(l));
      }
      for (Index c = 0; c < loads; ++c)
        result.of[c](k, l) = result.of[c](l, k) = work[c] / (scale[k] * scale[l]);
    }
  }
  return result;
}

}  // namespace picus::solvers
