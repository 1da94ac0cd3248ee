#include <picus/solvers/contact/second_order_cone.hpp>

#include <algorithm>
#include <cmath>

namespace picus::solvers {

template <int Size>
double determinant(const ConeVector<Size>& x) {
  const double length = tangent_of<Size>(x).norm();
  return (x[0] - length) * (x[0] + length);
}

template <int Size>
ConeVector<Size> jordan_product(const ConeVector<Size>& x, const ConeVector<Size>& y) {
  ConeVector<Size> result(x.size());
  result[0] = x.dot(y);
  tangent_of<Size>(result) = x[0] * tangent_of<Size>(y) + y[0] * tangent_of<Size>(x);
  return result;
}

template <int Size>
ConeVector<Size> jordan_quotient(const ConeVector<Size>& x, const ConeVector<Size>& y) {
  ConeVector<Size> result(x.size());
  result[0] = (x[0] * y[0] - tangent_of<Size>(x).dot(tangent_of<Size>(y))) / determinant<Size>(x);
  tangent_of<Size>(result) = (tangent_of<Size>(y) - result[0] * tangent_of<Size>(x)) / x[0];
  return result;
}

template <int Size>
NesterovTodd<Size>::NesterovTodd(const ConeVector<Size>& p, const ConeVector<Size>& z) {
  const double det_p = determinant<Size>(p);
  const double det_z = determinant<Size>(z);
  ConeVector<Size> unit_z = z / std::sqrt(det_z);
  const ConeVector<Size> unit_p = p / std::sqrt(det_p);
  const double gamma = std::sqrt((1.0 + unit_z.dot(unit_p)) / 2.0);
  tangent_of<Size>(unit_z) *= -1.0;
  w_ = (unit_p + unit_z) / (2.0 * gamma);
  theta_ = std::pow(det_p / det_z, 0.25);
}

template <int Size>
ConeVector<Size> NesterovTodd<Size>::scale(const ConeVector<Size>& x, double sign) const {
  const double along = tangent_of<Size>(w_).dot(tangent_of<Size>(x));
  ConeVector<Size> result(x.size());
  result[0] = w_[0] * x[0] + sign * along;
  tangent_of<Size>(result) =
      tangent_of<Size>(x) + (sign * x[0] + along / (1.0 + w_[0])) * tangent_of<Size>(w_);
  return result;
}

template <int Size>
ConeMatrix<Size> NesterovTodd<Size>::inverse_square() const {
  ConeVector<Size> w = w_;
  tangent_of<Size>(w) *= -1.0;
  ConeMatrix<Size> result = 2.0 * w * w.transpose();
  result(0, 0) -= 1.0;
  result.diagonal().template segment<tangents_of_cone<Size>>(1, w.size() - 1).array() += 1.0;
  return result / (theta_ * theta_);
}

template <int Size>
double step_to_boundary(const ConeVector<Size>& x, const ConeVector<Size>& dx, double limit) {
  double a = limit;
  if (dx[0] < 0) a = std::min(a, -x[0] / dx[0]);
  if (x.size() == 1) return a;
  const double quadratic = dx[0] * dx[0] - tangent_of<Size>(dx).squaredNorm();
  const double half_linear = x[0] * dx[0] - tangent_of<Size>(x).dot(tangent_of<Size>(dx));
  const double constant = determinant<Size>(x);
  const double discriminant = half_linear * half_linear - quadratic * constant;
  if (discriminant < 0) return a;
  // Both roots without cancellation.
  const double q = -(half_linear + std::copysign(std::sqrt(discriminant), half_linear));
  for (const double root : {q / quadratic, constant / q}) {
    if (root > 0) a = std::min(a, root);
  }
  return a;
}

template double determinant<3>(const ConeVector<3>&);
template ConeVector<3> jordan_product<3>(const ConeVector<3>&, const ConeVector<3>&);
template ConeVector<3> jordan_quotient<3>(const ConeVector<3>&, const ConeVector<3>&);
template class NesterovTodd<3>;
template double step_to_boundary<3>(const ConeVector<3>&, const ConeVector<3>&, double);

template double determinant<Eigen::Dynamic>(const ConeVector<Eigen::Dynamic>&);
template ConeVector<Eigen::Dynamic> jordan_product<Eigen::Dynamic>(const ConeVector<Eigen::Dynamic>&,
                                                                   const ConeVector<Eigen::Dynamic>&);
template ConeVector<Eigen::Dynamic> jordan_quotient<Eigen::Dynamic>(const ConeVector<Eigen::Dynamic>&,
                                                                    const ConeVector<Eigen::Dynamic>&);
template class NesterovTodd<Eigen::Dynamic>;
template double step_to_boundary<Eigen::Dynamic>(const ConeVector<Eigen::Dynamic>&,
                                                 const ConeVector<Eigen::Dynamic>&, double);

}  // namespace picus::solvers
