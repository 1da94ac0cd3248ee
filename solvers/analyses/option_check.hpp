#pragma once

/// Ranges of the options of an analysis.

#include <picus/error.hpp>

#include <fmt/format.h>

#include <string_view>

namespace picus::solvers {

/// Throws OptionError, e.g. `count is 0, must be at least 1`, unless `holds`.
inline void check_option(bool holds, std::string_view option, double value, std::string_view range) {
  if (!holds) throw OptionError(fmt::format("{} is {}, must be {}", option, value, range));
}

}  // namespace picus::solvers
