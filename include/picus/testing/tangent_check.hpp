#pragma once

/// Checks the derivatives of an element against finite differences of its functions, for user-defined elements:
///
///     const TangentReport report = check_tangents(model, *element);
///     ASSERT_LT(report.worst_error, tangent_tolerance) << report.description;
///
/// At random states with large rotations the following are compared, for the roles that the element plays:
///
///     mass_gradient       d(M w)/dq              and M = M^T, M the same for every q if declared so
///     tangents            -df/dq, -df/dv         and zero where the traits declare no dependence
///     conservative_force  -dV/dq                 for a conservative force its force() at v = 0
///     force               v . f + v . dV/dq + 1/2 v . dM/dt v = 0 if it is conservative
///     gradient            dg/dq                  of constraints and of contacts (at q = q_n if slip depends
///                                                on the path)
///     geometric_stiffness d(G^T lambda)/dq       of constraints, d(G^T p)/dq of contacts
///     rate_jacobian       d(G v + g_t)/dq
///     partial_rate        dg/dt                  zero unless the constraint is rheonomic
///
/// Differences are central, of order 8, and taken along the group: q o exp(k step e) for each component e. Where they
/// disagree, smaller steps are tried before a derivative counts as wrong: near a singularity (a line that becomes
/// parallel to another) the function is smooth over a short distance only.

#include <picus/model.hpp>

#include <string>

namespace picus {

/// States at which derivatives are compared with differences.
struct TangentCheckOptions {
  unsigned seed = 1;    ///< seed of the random states
  int samples = 10;     ///< number of random states
  double length = 1.0;  ///< typical length of the element: its nodes are displaced by at most this, m
  double angle = 3.0;   ///< its frames are rotated by at most this, rad
  double time = 1.0;    ///< states are at random times up to this, s
  /// Largest step of the differences, in radians and as a fraction of `length` and `time`.
  double step = 1.0 / 256;
};

/// Error bound of the default step for a function that is smooth over 0.3 lengths, radians and times: truncation
/// step^8/630 times the ninth derivative 9!/0.3^9, 2e-12, and rounding 540 eps = 1.2e-13 of the values; with a
/// sixteenth of this step, rounding is 1.9e-12 and the function may be smooth over 0.02 only.
inline constexpr double tangent_tolerance = 1e-11;

/// Result of a comparison.
struct TangentReport {
  /// Largest error of an entry, relative to the largest entry of its block or of the differentiated function.
  double worst_error = 0.0;
  /// The worst entry of each function with an error above tangent_tolerance: element, function, local row and column,
  /// both values. One per line; the first ones may be the cause of the others.
  std::string description;
};

/// Checks one element of the model.
TangentReport check_tangents(const Model& model, const Element& element,
                             const TangentCheckOptions& options = {});

/// Checks all elements and reports the worst.
TangentReport check_tangents(const Model& model, const TangentCheckOptions& options = {});

}  // namespace picus
