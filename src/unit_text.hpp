#pragma once

/// Units of physical quantities as text.

#include <string_view>

namespace picus::detail {

/// Whether `text` is a valid unit, such as "kg m2/s", "N/m", "1/s", "mm", "deg" or "" (a pure number): SI units and
/// units accepted for use with the SI, with decimal prefixes and powers, multiplied by blanks or '*' and divided by
/// '/'.
bool is_unit(std::string_view text);

}  // namespace picus::detail
