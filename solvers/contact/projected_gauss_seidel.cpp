#include <picus/solvers/contact/projected_gauss_seidel.hpp>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// One contact with all others held: a normal step, then a step of both friction rows onto the disc mu P_N.
void relax(const ContactCone& cone, const Eigen::MatrixXd& A, const Vector& b, Vector& P) {
  const Index n = cone.first_row;
  if (!cone.enabled) {
    P.segment(n, cone.rows).setZero();
    return;
  }
  if (A(n, n) > 0) P[n] = std::max(0.0, P[n] - (b[n] + A.row(n).dot(P)) / A(n, n));
  if (cone.rows == 1) return;
  const Index directions = cone.rows - 1;
  double compliance = 0;
  for (Index i = 1; i < cone.rows; ++i) compliance = std::max(compliance, A(n + i, n + i));
  auto tangential = P.segment(n + 1, directions);
  if (compliance > 0) {
    const Eigen::Vector<double, Eigen::Dynamic> y =
        b.segment(n + 1, directions) + A.middleRows(n + 1, directions) * P;
    tangential -= y / compliance;
  }
  const double limit = cone.mu * P[n];
  const double length = tangential.norm();
  if (length > limit) tangential *= length > 0 ? limit / length : 0.0;
}

}  // namespace

int solve_gauss_seidel(std::span<const ContactCone> cones, const Eigen::MatrixXd& A, const Vector& b,
                       Vector& P, const GaussSeidelOptions& options) {
  Vector before = P;
  for (int sweep = 1; sweep <= options.max_sweeps; ++sweep) {
    before = P;
    for (const ContactCone& cone : cones) relax(cone, A, b, P);
    const double change = (P - before).lpNorm<Eigen::Infinity>();
    if (change <= options.tolerance * P.lpNorm<Eigen::Infinity>()) return sweep;
  }
  return options.max_sweeps;
}

}  // namespace picus
