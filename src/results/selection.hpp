#pragma once

/// The choice of what to record, by patterns of names.

#include "columns.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace picus::results {

/// Whether `pattern` ('*': any characters, '?': one) stands for all of `text`.
bool matches(std::string_view pattern, std::string_view text);

/// The columns, or groups of columns, that a pattern of `include` stands for (all if there is none) and none
/// of `exclude`. Throws OptionError for a pattern that stands for nothing.
std::vector<Column> choose(std::vector<Column> columns, const std::vector<std::string>& include,
                           const std::vector<std::string>& exclude);

}  // namespace picus::results
