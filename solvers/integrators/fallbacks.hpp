#pragma once

#include <picus/time_integrator.hpp>

#include <cstdint>

namespace picus {

template <class P>
class ParameterTable;

/// The remedies that a step may need. The interior point comes first, then the others in this order.
enum class Fallback : std::uint8_t {
  smaller_scaling,  ///< k and p a hundred times smaller, from open contacts
  other_first_guess,  ///< from the contact multipliers of the last step; from open contacts if that was the first attempt
  interior_point,  ///< the problem of the contacts alone by an interior-point method
  no_restitution,  ///< the same without restitution, which redundant contacts may not admit
  least_violation,  ///< rows that no motion can satisfy are left open by the least violation in the mass metric
  step_cut,         ///< the step in two halves
  accepted,         ///< the best iterate of all attempts, above its tolerance
};
/// As results and summaries call them, in the order of Fallback.
inline constexpr FallbackNames remedy_names = {
    "smaller scaling", "other first guess", "interior point",          "no restitution",
    "least violation", "step cut",          "accepted above tolerance"};
/// The same of schemes that do not cut their steps.
inline constexpr FallbackNames remedy_names_without_cuts = {
    "smaller scaling",         "other first guess", "interior point", "no restitution", "least violation", "",
    "accepted above tolerance"};

/// Which remedies a stalled solve may use; all by default.
struct FallbackPolicy {
  bool smaller_scaling = true;    ///< the solve again with k and p divided by 100
  bool other_first_guess = true;  ///< the solve again from what the first attempt did not begin with
  bool interior_point = true;     ///< the solve again, condensed to its contacts, by an interior-point method
  /// The same without the law of impact, at first of contacts that were closed before, then of all: redundant ones may
  /// demand what none of them can give.
  bool no_restitution = true;
  /// Contacts, constraints and prescribed motions that contradict each other are left open by the least violation.
  bool least_violation = true;
  /// An iterate whose residual is at most so many times its tolerance is near: restitution is not given up for less, and
  /// the best iterate of all attempts is accepted as the last of the remedies (not by `cs`). 1 (never) to 1e6.
  double accepted_residual = 1000.0;

  /// Its members as parameters.
  static const ParameterTable<FallbackPolicy>& table();
};

}  // namespace picus
