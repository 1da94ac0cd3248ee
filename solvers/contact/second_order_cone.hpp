#pragma once

/// The second-order cone L = {|x_T| <= x_0} of dimension 1 to 6 and its Jordan algebra, as interior-point methods use
/// them.

#include <picus/element.hpp>
#include <picus/types.hpp>

#include <cmath>

namespace picus::solvers {

using ConeVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, static_cast<int>(max_contact_rows), 1>;
using ConeMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0,
                                 static_cast<int>(max_contact_rows), static_cast<int>(max_contact_rows)>;

/// x_0^2 - |x_T|^2.
double determinant(const ConeVector& x);

/// The Jordan product x o y = (x . y, x_0 y_T + y_0 x_T).
ConeVector jordan_product(const ConeVector& x, const ConeVector& y);

/// The u with x o u = y, for x inside of the cone.
ConeVector jordan_quotient(const ConeVector& x, const ConeVector& y);

/// The Nesterov-Todd scaling W of two points inside of the cone: symmetric, W z = W^-1 p. It is
///
///     W = theta (w_0, w_T^T; w_T, 1 + w_T w_T^T / (1 + w_0)),   W^2 = theta^2 (2 w w^T - J),   J = diag(1, -1, ..),
///
/// with det w = 1; its inverse has -w_T instead of w_T and 1 / theta.
class NesterovTodd {
 public:
  NesterovTodd() = default;
  NesterovTodd(const ConeVector& p, const ConeVector& z);

  bool is_finite() const { return std::isfinite(theta_) && w_.allFinite(); }
  /// W x.
  ConeVector times(const ConeVector& x) const { return theta_ * scale(x, 1.0); }
  /// W^-1 x.
  ConeVector solve(const ConeVector& x) const { return scale(x, -1.0) / theta_; }
  /// W^-2.
  ConeMatrix inverse_square() const;

 private:
  /// The matrix of (w_0, sign w_T) times x.
  ConeVector scale(const ConeVector& x, double sign) const;

  ConeVector w_;
  double theta_ = 1.0;
};

/// Largest a, at most `limit`, with x + a dx in the cone; x is inside.
double step_to_boundary(const ConeVector& x, const ConeVector& dx, double limit);

}  // namespace picus::solvers
