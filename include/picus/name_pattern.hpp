#pragma once

/// Patterns of names, typed by users to select data sets and signals.

#include <string_view>

namespace picus {

/// Whether `pattern` ('*': any characters, '?': one) matches all of `text`.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace picus
