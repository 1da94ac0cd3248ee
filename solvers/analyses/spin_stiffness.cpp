#include <picus/so3.hpp>
#include <picus/solvers/analyses/spin_stiffness.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Displacements of the differences, relative to the size of the part and in radians: errors of their square, and rounding
/// divided by it.
constexpr double step = 1e-3;

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
  double most = 0;
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    most = std::max(most, u.segment<3>(node.v).norm() / length);
    if (node.kind == NodeKind::frame) most = std::max(most, u.segment<3>(node.v + 3).norm());
  }
  return most;
}

/// -dV/du at q_0 o exp(u).
void gradient(const System& system, const Vector& u, Configuration& q, const Vector& rest, Vector& f) {
  const Configuration& q_0 = system.model().initial_configuration();
  retract(system.nodes(), q_0, u, q);
  f.setZero(u.size());
  system.add_forces({q, rest, 0.0}, 1.0, f);
  for (const Node& node : system.nodes()) {
    if (node.kind != NodeKind::frame) continue;
    const Vec3 moment = f.segment<3>(node.v + 3);
    f.segment<3>(node.v + 3) = so3::tangent(u.segment<3>(node.v + 3)).transpose() * moment;
  }
}

/// M a for the acceleration a = X tr S - S X of each node that turns with Omega Omega^T = S: the centrifugal forces.
Vector centrifugal_force(const System& system, const SparseMatrix& M, const Vec3& origin, const Mat3& S) {
  Vector a = Vector::Zero(M.size), force = Vector::Zero(M.size);
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::scalar) continue;
    const Vec3 X = system.model().initial_configuration().position(node) - origin;
    a.segment<3>(node.v) = S.trace() * X - S * X;
  }
  for (Index c = 0; c < M.size; ++c) {
    for (Index k = M.column_start[c]; k < M.column_start[c + 1]; ++k) force[M.row[k]] += M.values[k] * a[c];
  }
  return force;
}

}  // namespace

SpinStiffness find_spin_stiffness(const System& system, const SparseMatrix& mass, const Vec3& origin,
                                  const Eigen::MatrixXd& shapes, const StaticResponse& respond) {
  const auto m = static_cast<Index>(shapes.cols());
  const double length = extent(system);
  const Vector rest = Vector::Zero(shapes.rows());
  Configuration q = system.model().initial_configuration();
  Vector f(shapes.rows()), sum(shapes.rows());
  SpinStiffness result;
  constexpr std::array<std::array<Index, 2>, 6> places = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
  for (std::size_t c = 0; c < 6; ++c) {
    Mat3 S = Mat3::Zero();
    S(places[c][0], places[c][1]) = S(places[c][1], places[c][0]) = 1.0;
    const Vector u = respond(centrifugal_force(system, mass, origin, S));
    const double size = magnitude(system, u, length);
    Eigen::MatrixXd& K = result[c];
    K = Eigen::MatrixXd::Zero(m, m);
    if (!(size > 0)) continue;
    const double along = step / size;
    for (Index k = 0; k < m; ++k) {
      const double across = step / std::max(magnitude(system, shapes.col(k), length), 1e-300);
      sum.setZero();
      for (const double a : {-1.0, 1.0}) {
        for (const double b : {-1.0, 1.0}) {
          gradient(system, a * along * u + b * across * shapes.col(k), q, rest, f);
          sum -= a * b * f;
        }
      }
      K.col(k) = shapes.transpose() * sum / (4 * along * across);
    }
    K = (0.5 * (K + K.transpose())).eval();
  }
  return result;
}

}  // namespace picus::solvers
