#include "stop_signals.hpp"

#include <csignal>

namespace picus::program {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void request_stop(int /*signal*/) {
  stop_requested = true;
}

}  // namespace

const std::atomic<bool>& catch_stop_signals() {
  struct sigaction handler = {};
  handler.sa_handler = request_stop;
  handler.sa_flags = SA_RESTART;  // a write of results goes on
  sigemptyset(&handler.sa_mask);
  sigaction(SIGINT, &handler, nullptr);
  sigaction(SIGTERM, &handler, nullptr);
  return stop_requested;
}

}  // namespace picus::program
