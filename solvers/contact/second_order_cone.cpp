#include <picus/solvers/contact/second_order_cone.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {

double determinant(const ConeVector& x) {
  const double length = x.tail(x.size() - 1).norm();
  return (x[0] - length) * (x[0] + length);
}

ConeMatrix arrow(const ConeVector& x) {
  ConeMatrix A = x[0] * ConeMatrix::Identity(x.size(), x.size());
  A.row(0).tail(x.size() - 1) = x.tail(x.size() - 1).transpose();
  A.col(0).tail(x.size() - 1) = x.tail(x.size() - 1);
  return A;
}

ConeMatrix nesterov_todd(const ConeVector& p, const ConeVector& z) {
  const auto n = p.size();
  const double det_p = determinant(p);
  const double det_z = determinant(z);
  ConeVector unit_z = z / std::sqrt(det_z);
  const ConeVector unit_p = p / std::sqrt(det_p);
  const double gamma = std::sqrt((1.0 + unit_z.dot(unit_p)) / 2.0);
  unit_z.tail(n - 1) *= -1.0;
  const ConeVector w = (unit_p + unit_z) / (2.0 * gamma);
  ConeMatrix W = arrow(w);
  W.bottomRightCorner(n - 1, n - 1) =
      ConeMatrix::Identity(n - 1, n - 1) + w.tail(n - 1) * w.tail(n - 1).transpose() / (1.0 + w[0]);
  return std::pow(det_p / det_z, 0.25) * W;
}

double step_to_boundary(const ConeVector& x, const ConeVector& dx, double limit) {
  double a = limit;
  if (dx[0] < 0) a = std::min(a, -x[0] / dx[0]);
  if (x.size() == 1) return a;
  const auto n = x.size() - 1;
  const double quadratic = dx[0] * dx[0] - dx.tail(n).squaredNorm();
  const double half_linear = x[0] * dx[0] - x.tail(n).dot(dx.tail(n));
  const double constant = determinant(x);
  const double discriminant = half_linear * half_linear - quadratic * constant;
  if (discriminant < 0) return a;
  // Both roots without cancellation.
  const double q = -(half_linear + std::copysign(std::sqrt(discriminant), half_linear));
  for (const double root : {q / quadratic, constant / q}) {
    if (root > 0) a = std::min(a, root);
  }
  return a;
}

}  // namespace picus::solvers
