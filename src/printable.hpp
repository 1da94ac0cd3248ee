#pragma once

/// Texts of files that anybody may have written, on their way to a terminal.

#include <string>
#include <string_view>

namespace picus::detail {

/// The text in one line that commands no terminal: control characters, marks that turn the direction of writing and
/// bytes that are no UTF-8 become escapes such as \n, \x1b and \u202e.
std::string printable(std::string_view text);

}  // namespace picus::detail
