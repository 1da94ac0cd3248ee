#pragma once

/// A motion that is known piece by piece: on each piece the coordinates are Taylor polynomials of the time since
/// its start,
///
///     x_i(start + s) = sum_k c_ik s^k.
///
/// It is what event-driven reference solutions are made of, see FollowedMotion.

#include <picus/types.hpp>

namespace picus::models {

using Polynomial = Eigen::VectorXd;  ///< coefficients, the constant one first

double value_at(const Polynomial& p, double s);
double slope_at(const Polynomial& p, double s);

/// The s in [0, h] at which p becomes negative, to rounding; h + 1 if it stays above -tolerance. Coefficients
/// within the tolerance at the start count as zeros of p there. The slope may change its sign once in [0, h].
double first_fall_below_zero(const Polynomial& p, double h, double tolerance);

/// A row of coefficients for each coordinate.
struct MotionPiece {
  double start;
  Eigen::MatrixXd coefficients;

  /// Coordinate i and its rate at t.
  double position(Index i, double t) const { return value_at(coefficients.row(i), t - start); }
  double velocity(Index i, double t) const { return slope_at(coefficients.row(i), t - start); }
};

}  // namespace picus::models
