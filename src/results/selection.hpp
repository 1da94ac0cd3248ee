#pragma once

/// Selection of the recorded data, by name patterns.

#include "columns.hpp"
#include <picus/name_pattern.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace picus::results {

/// The columns that match, or belong to a group that matches, a pattern of `include` (all columns if there is none) and
/// no pattern of `exclude`. Throws OptionError for a pattern that matches nothing.
std::vector<Column> choose(std::vector<Column> columns, const std::vector<std::string>& include,
                           const std::vector<std::string>& exclude);

}  // namespace picus::results
