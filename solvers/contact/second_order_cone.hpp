#pragma once

/// The second-order cone L = {|x_T| <= x_0} of dimension 1 to 6 and its Jordan algebra, as interior-point methods use
/// them. Sizes are known at compile time (3, that of a contact with friction) or not (Eigen::Dynamic); both compute the
/// same.

#include <picus/element.hpp>
#include <picus/types.hpp>

#include <cmath>

namespace picus::solvers {

/// Largest size of a point whose size is `Size`.
template <int Size>
inline constexpr int most_rows_of_cone = Size == Eigen::Dynamic ? static_cast<int>(max_contact_rows) : Size;
/// Number of tangential components.
template <int Size>
inline constexpr int tangents_of_cone = Size == Eigen::Dynamic ? Eigen::Dynamic : Size - 1;

template <int Size = Eigen::Dynamic>
using ConeVector = Eigen::Matrix<double, Size, 1, 0, most_rows_of_cone<Size>, 1>;
template <int Size = Eigen::Dynamic>
using ConeMatrix = Eigen::Matrix<double, Size, Size, 0, most_rows_of_cone<Size>, most_rows_of_cone<Size>>;

/// x_T.
template <int Size>
auto tangent_of(const ConeVector<Size>& x) {
  return x.template segment<tangents_of_cone<Size>>(1, x.size() - 1);
}
template <int Size>
auto tangent_of(ConeVector<Size>& x) {
  return x.template segment<tangents_of_cone<Size>>(1, x.size() - 1);
}

/// x_0^2 - |x_T|^2.
template <int Size>
double determinant(const ConeVector<Size>& x);

/// The Jordan product x o y = (x . y, x_0 y_T + y_0 x_T).
template <int Size>
ConeVector<Size> jordan_product(const ConeVector<Size>& x, const ConeVector<Size>& y);

/// The u with x o u = y, for x inside of the cone.
template <int Size>
ConeVector<Size> jordan_quotient(const ConeVector<Size>& x, const ConeVector<Size>& y);

/// The Nesterov-Todd scaling W of two points inside of the cone: symmetric, W z = W^-1 p. It is
///
///     W = theta (w_0, w_T^T; w_T, 1 + w_T w_T^T / (1 + w_0)),   W^2 = theta^2 (2 w w^T - J),   J = diag(1, -1, ..),
///
/// with det w = 1; its inverse has -w_T instead of w_T and 1 / theta.
template <int Size = Eigen::Dynamic>
class NesterovTodd {
 public:
  NesterovTodd() = default;
  NesterovTodd(const ConeVector<Size>& p, const ConeVector<Size>& z);

  bool is_finite() const { return std::isfinite(theta_) && w_.allFinite(); }
  /// W x.
  ConeVector<Size> times(const ConeVector<Size>& x) const { return theta_ * scale(x, 1.0); }
  /// W^-1 x.
  ConeVector<Size> solve(const ConeVector<Size>& x) const { return scale(x, -1.0) / theta_; }
  /// W^-2.
  ConeMatrix<Size> inverse_square() const;

 private:
  /// The matrix of (w_0, sign w_T) times x.
  ConeVector<Size> scale(const ConeVector<Size>& x, double sign) const;

  ConeVector<Size> w_;
  double theta_ = 1.0;
};

/// Largest a, at most `limit`, with x + a dx in the cone; x is inside.
template <int Size>
double step_to_boundary(const ConeVector<Size>& x, const ConeVector<Size>& dx, double limit);

}  // namespace picus::solvers
