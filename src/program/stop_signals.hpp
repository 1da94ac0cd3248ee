#pragma once

/// Ctrl-C and SIGTERM as a request to stop at the end of the step.

#include <atomic>

namespace picus::program {

/// From now on SIGINT and SIGTERM set the flag that is returned, however often they arrive, and do nothing
/// else.
const std::atomic<bool>& catch_stop_signals();

}  // namespace picus::program
