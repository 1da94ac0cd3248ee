#pragma once

/// Units of physical quantities as text.

#include <string_view>

namespace picus::detail {

/// Whether it is a unit as "kg m2/s", "N/m", "1/s", "mm", "deg" or "" (a pure number) is: units of the SI and those used beside
/// them, with decimal prefixes and powers, multiplied by blanks or '*' and divided by '/'.
bool is_unit(std::string_view text);

}  // namespace picus::detail
