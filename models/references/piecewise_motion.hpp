#pragma once

/// A piecewise motion: on each piece the coordinates are Taylor polynomials of the time since its start,
///
///     x_i(start + s) = sum_k c_ik s^k.
///
/// It is the basis of event-driven reference solutions, see FollowedMotion.

#include <picus/types.hpp>

namespace picus::models {

using Polynomial = Eigen::VectorXd;  ///< coefficients, in ascending order

double value_at(const Polynomial& p, double s);
double slope_at(const Polynomial& p, double s);

/// The s in [0, h] at which p becomes negative, to rounding; h + 1 if it stays above -tolerance. Coefficients at the
/// start within the tolerance count as zero. The slope may change sign once in [0, h].
double first_fall_below_zero(const Polynomial& p, double h, double tolerance);

/// One row of coefficients for each coordinate.
struct MotionPiece {
  double start;
  Eigen::MatrixXd coefficients;

  /// Coordinate i and its rate at t.
  double position(Index i, double t) const { return value_at(coefficients.row(i), t - start); }
  double velocity(Index i, double t) const { return slope_at(coefficients.row(i), t - start); }
};

}  // namespace picus::models
