#pragma once

#include <picus/time_integrator.hpp>

#include <cstdint>

namespace picus {

template <class P>
class ParameterTable;

/// The remedies for a step that does not converge: first the interior-point method, then the others in this order.
enum class Fallback : std::uint8_t {
  smaller_scaling,  ///< k and p a hundred times smaller, starting from open contacts
  other_first_guess,  ///< from the contact multipliers of the last step; from open contacts if these were tried first
  interior_point,           ///< the contact problem alone by an interior-point method
  no_restitution,           ///< the same without restitution, which may be infeasible for redundant contacts
  smallest_feasible_shift,  ///< the least violation: infeasible rows are relaxed by the smallest feasible shift
  step_cut,                 ///< the step in two halves
  impulse = step_cut,       ///< of `mixed`: contact forces are left out of accelerations, or to the impact
  accepted,                 ///< accept the best iterate of all attempts, above its tolerance
};
/// Names in results and summaries, in the order of Fallback.
inline constexpr FallbackNames remedy_names = {
    "smaller scaling", "other first guess", "interior point",          "no restitution",
    "least violation", "step cut",          "accepted above tolerance"};
/// The same for schemes that do not cut their steps.
inline constexpr FallbackNames remedy_names_without_cuts = {
    "smaller scaling",         "other first guess", "interior point", "no restitution", "least violation", "",
    "accepted above tolerance"};

/// The same for `mixed`, whose contact forces may turn out to be impulses.
inline constexpr FallbackNames remedy_names_of_mixed = {
    "smaller scaling", "other first guess",         "interior point",          "no restitution",
    "least violation", "impulse without collision", "accepted above tolerance"};

/// Which remedies a stalled solve may use; all by default.
struct FallbackPolicy {
  bool smaller_scaling = true;    ///< repeat the solve with k and p divided by 100
  bool other_first_guess = true;  ///< repeat the solve from the alternative initial guess
  bool interior_point = true;  ///< repeat the solve, condensed to its contacts, by an interior-point method
  /// The same without impact law, first for contacts that were closed before, then for all: with redundant contacts the
  /// impact law may have no solution.
  bool no_restitution = true;
  /// Relax incompatible contacts, constraints and prescribed motions by the smallest feasible shift, the least
  /// violation in the mass metric.
  bool smallest_feasible_shift = true;
  /// Acceptable residual as a multiple of the tolerance: below it restitution is not given up, and the best iterate of
  /// all attempts is accepted as the last remedy (not by `cs`). 1 (never) to 1e6.
  double accepted_residual = 1000.0;

  /// All options as parameters.
  static const ParameterTable<FallbackPolicy>& table();
};

}  // namespace picus
