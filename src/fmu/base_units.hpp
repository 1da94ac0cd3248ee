#pragma once

/// Units of physical quantities in terms of SI base units, as FMI describes them.

#include <array>
#include <optional>
#include <string_view>

namespace picus::fmu {

/// A unit as factor times a product of powers of SI base units and the radian.
struct BaseUnit {
  /// Names of the units, in the order of the exponents.
  static constexpr std::array<std::string_view, 8> names = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  std::array<int, 8> exponents{};
  double factor = 1.0;  ///< base value = factor times value + offset
  double offset = 0.0;  ///< nonzero only for degC by itself
};

/// The unit named by `text` ("N m/rad", "mm", "kg m2/s"), where all factors after a '/' up to the next '*' or the end
/// of the parentheses are divisors. Empty for a text that is not a unit, and for units that are not products of base
/// units (dB).
std::optional<BaseUnit> base_unit(std::string_view text);

}  // namespace picus::fmu
