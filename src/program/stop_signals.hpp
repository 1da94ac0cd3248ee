#pragma once

/// Termination signals as requests to stop at the end of the step: Ctrl-C, SIGTERM, SIGHUP (terminal closed) and
/// SIGXCPU (CPU time limit reached).

#include <atomic>
#include <string_view>

namespace picus::program {

/// Makes these signals end the program immediately with status 1: there is nothing to be closed yet. SIGHUP remains
/// ignored if it is (`nohup picus run ...`), here and below.
void quit_on_stop_signals();

/// Makes these signals set the returned flag, however often they arrive, and do nothing else.
const std::atomic<bool>& catch_stop_signals();

/// The same; two seconds after the first of them the program ends with status 1 and this message, unless
/// catch_stop_signals() was called in the meantime: the flag has not been checked, and the files on disk are readable.
const std::atomic<bool>& catch_stop_signals(std::string_view final_message);

/// The flag.
const std::atomic<bool>& stop_request();

}  // namespace picus::program
