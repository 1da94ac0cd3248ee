#pragma once

/// Signals that end a program as requests to stop at the end of the step: Ctrl-C, SIGTERM, SIGHUP (its terminal is gone)
/// and SIGXCPU (its time is used up).

#include <atomic>

namespace picus::program {

/// From now on these signals end the program at once with status 1: there is nothing yet that should be closed. SIGHUP
/// stays ignored where it is (`nohup picus run ...`), here and below.
void quit_on_stop_signals();

/// From now on these signals set the flag that is returned, however often they arrive, and do nothing else.
const std::atomic<bool>& catch_stop_signals();

/// The flag alone.
const std::atomic<bool>& stop_request();

}  // namespace picus::program
