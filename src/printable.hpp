#pragma once

/// Sanitising of texts from untrusted files for output on a terminal.

#include <string>
#include <string_view>

namespace picus::detail {

/// The text in one line without terminal control sequences: control characters, bidirectional marks and invalid UTF-8
/// bytes are replaced by escapes such as \n, \x1b and \u202e.
std::string printable(std::string_view text);

}  // namespace picus::detail
