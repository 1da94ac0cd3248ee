#pragma once

/// How a program of Picus ends.

#include <functional>

namespace picus::program {

/// Does the work, writes out what it has printed, turns errors into one or two lines, and returns the exit status: 0
/// success, 1 the run failed, 2 wrong usage.
int exit_status_of(const std::function<void()>& work);

}  // namespace picus::program
