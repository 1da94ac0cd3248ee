#include "stop_signals.hpp"

#include "output.hpp"

#include <array>
#include <csignal>
#include <string>
#include <unistd.h>

namespace picus::program {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

// The final message, composed in advance since signal handlers cannot format it.
std::array<char, 128> message{};
std::size_t message_size = 0;

extern "C" void request_stop(int /*signal*/) {
  stop_requested = true;
}

extern "C" void quit(int /*signal*/) {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, message.data(), message_size);
  _exit(1);
}

void handle_stop_signals(void (*handle)(int)) {
  struct sigaction handler = {};
  handler.sa_handler = handle;
  handler.sa_flags = SA_RESTART;  // interrupted writes of results are continued
  sigemptyset(&handler.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU}) sigaction(signal, &handler, nullptr);
  struct sigaction present = {};
  const bool survives_terminal =
      sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;  // nohup
  if (!survives_terminal) sigaction(SIGHUP, &handler, nullptr);
}

}  // namespace

void quit_on_stop_signals() {
  const std::string text = program_name().substr(0, 100) + ": interrupted\n";
  message_size = text.copy(message.data(), message.size());
  handle_stop_signals(quit);
}

const std::atomic<bool>& stop_request() {
  return stop_requested;
}

const std::atomic<bool>& catch_stop_signals() {
  handle_stop_signals(request_stop);
  return stop_requested;
}

}  // namespace picus::program
