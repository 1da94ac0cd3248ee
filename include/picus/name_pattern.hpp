#pragma once

/// Patterns of names, as users type them to choose among data sets and signals.

#include <string_view>

namespace picus {

/// Whether `pattern` ('*': any characters, '?': one) stands for all of `text`.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace picus
