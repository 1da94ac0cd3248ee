#pragma once

/// Checks the derivatives of an element against differences of its functions, for elements of one's own:
///
///     const TangentReport report = check_tangents(model, *element);
///     ASSERT_LT(report.worst_error, tangent_tolerance) << report.description;
///
/// At random states with large rotations these are compared, for the roles that the element plays:
///
///     mass_gradient       d(M w)/dq              and M = M^T, M the same for every q if it says so
///     tangents            -df/dq, -df/dv         and those zero that its traits deny
///     conservative_force  -dV/dq                 also of force() at v = 0 if it is all of it
///     force               v . f + v . dV/dq + 1/2 v . dM/dt v = 0 if it is conservative
///     gradient            dg/dq                  of constraints and of contacts (at q = q_n if slip depends
///                                                on the path)
///     geometric_stiffness      d(G^T lambda)/dq
///     rate_jacobian       d(G v + g_t)/dq
///     partial_rate        dg/dt                  zero unless the constraint is rheonomic
///     curvature           d(G^T p)/dq
///
/// A difference is central, of order 8, and taken along the group: q o exp(k step e) for each component e.

#include <picus/model.hpp>

#include <string>

namespace picus {

/// At which states derivatives are compared with differences.
struct TangentCheckOptions {
  unsigned seed = 1;    ///< of the random states
  int samples = 10;     ///< random states
  double length = 1.0;  ///< typical of the element: its nodes are moved up to that far from the start, m
  double angle = 3.0;   ///< its frames are turned by up to that from the start, rad
  double time = 1.0;    ///< states are at random times up to that, s
  /// Of the differences, in radians and as parts of `length` and `time`.
  double step = 1.0 / 256;
};

/// What the default step may leave of a function that is smooth over 0.3 lengths, radians and times:
/// truncation step^8/630 times the ninth derivative 9!/0.3^9, 2e-12, and rounding 540 eps = 1.2e-13 of the
/// values.
inline constexpr double tangent_tolerance = 1e-11;

/// What a comparison found.
struct TangentReport {
  /// Largest error of an entry, as a part of the largest entry of its block or of the differentiated
  /// function.
  double worst_error = 0.0;
  /// The worst entry of each function that is wrong by more than tangent_tolerance: element, function, local
  /// row and column, both values. One a line; those that come first may be the cause of the others.
  std::string description;
};

/// Checks one element of the model.
TangentReport check_tangents(const Model& model, const Element& element,
                             const TangentCheckOptions& options = {});

/// Checks all elements and reports the worst.
TangentReport check_tangents(const Model& model, const TangentCheckOptions& options = {});

}  // namespace picus
