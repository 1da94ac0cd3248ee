#include <picus/solvers/contact/second_order_cone.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {

double determinant(const ConeVector& x) {
  const double length = x.tail(x.size() - 1).norm();
  return (x[0] - length) * (x[0] + length);
}

ConeVector jordan_product(const ConeVector& x, const ConeVector& y) {
  const auto n = x.size() - 1;
  ConeVector result(n + 1);
  result[0] = x.dot(y);
  result.tail(n) = x[0] * y.tail(n) + y[0] * x.tail(n);
  return result;
}

ConeVector jordan_quotient(const ConeVector& x, const ConeVector& y) {
  const auto n = x.size() - 1;
  ConeVector result(n + 1);
  result[0] = (x[0] * y[0] - x.tail(n).dot(y.tail(n))) / determinant(x);
  result.tail(n) = (y.tail(n) - result[0] * x.tail(n)) / x[0];
  return result;
}

NesterovTodd::NesterovTodd(const ConeVector& p, const ConeVector& z) {
  const double det_p = determinant(p);
  const double det_z = determinant(z);
  ConeVector unit_z = z / std::sqrt(det_z);
  const ConeVector unit_p = p / std::sqrt(det_p);
  const double gamma = std::sqrt((1.0 + unit_z.dot(unit_p)) / 2.0);
  unit_z.tail(p.size() - 1) *= -1.0;
  w_ = (unit_p + unit_z) / (2.0 * gamma);
  theta_ = std::pow(det_p / det_z, 0.25);
}

ConeVector NesterovTodd::scale(const ConeVector& x, double sign) const {
  const auto n = x.size() - 1;
  const double along = w_.tail(n).dot(x.tail(n));
  ConeVector result(n + 1);
  result[0] = w_[0] * x[0] + sign * along;
  result.tail(n) = x.tail(n) + (sign * x[0] + along / (1.0 + w_[0])) * w_.tail(n);
  return result;
}

ConeMatrix NesterovTodd::inverse_square() const {
  const auto n = w_.size() - 1;
  ConeVector w = w_;
  w.tail(n) *= -1.0;
  ConeMatrix result = 2.0 * w * w.transpose();
  result(0, 0) -= 1.0;
  result.diagonal().tail(n).array() += 1.0;
  return result / (theta_ * theta_);
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
