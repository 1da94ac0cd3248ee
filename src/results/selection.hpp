#pragma once

/// The choice of what to record, by patterns of names.

#include "columns.hpp"
#include <picus/name_pattern.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace picus::results {

/// The columns, or groups of columns, that a pattern of `include` stands for (all if there is none) and none
/// of `exclude`. Throws OptionError for a pattern that stands for nothing.
std::vector<Column> choose(std::vector<Column> columns, const std::vector<std::string>& include,
                           const std::vector<std::string>& exclude);

}  // namespace picus::results
