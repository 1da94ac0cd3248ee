#pragma once

/// Exit status of the programs of Picus.

#include <functional>

namespace picus::program {

/// Executes `work`, flushes its output, reports errors in one or two lines, and returns the exit status: 0 success, 1
/// the run failed, 2 wrong usage.
int exit_status_of(const std::function<void()>& work);

}  // namespace picus::program
