#pragma once

/// Errors of the finite differences of user-defined functions.

namespace picus::support {

/// Error of first derivatives, relative to the change of the function over its length (local_differences.hpp).
inline constexpr double first_differences = 1e-11;
/// Rounding of second differences, of values up to seven: nested with steps of 1e-3 1.5^2 eps/1e-6 = 5e-10, of pairs of
/// components with steps of 3e-3 3 64/12 eps/9e-6 = 4e-10.
inline constexpr double second_differences = 7 * 5e-10;

}  // namespace picus::support
