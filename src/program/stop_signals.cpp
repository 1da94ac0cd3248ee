#include "stop_signals.hpp"

#include "output.hpp"
#include "terminal.hpp"

#include <array>
#include <csignal>
#include <string>
#include <unistd.h>

namespace picus::program {
namespace {

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

// The final message, composed in advance since signal handlers cannot format it.
std::array<char, 4096> message{};
std::size_t message_size = 0;

/// Time, s, after which a program that has not checked the flag ends.
constexpr unsigned stop_patience = 2;

extern "C" void request_stop(int /*signal*/) {
  stop_requested = true;
}

extern "C" void request_stop_soon(int /*signal*/) {
  if (!stop_requested.exchange(true)) alarm(stop_patience);
}

extern "C" void quit(int /*signal*/) {
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, message.data(), message_size);
  _exit(1);
}

void set_message(std::string_view text, std::string_view wipe = "") {
  const std::string line = fmt::format("{}{}: {}\n", wipe, program_name(), text);
  message_size = line.copy(message.data(), message.size());
}

void handle_stop_signals(void (*handle)(int)) {
  alarm(0);
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
  set_message("interrupted");
  handle_stop_signals(quit);
}

const std::atomic<bool>& stop_request() {
  return stop_requested;
}

const std::atomic<bool>& catch_stop_signals() {
  handle_stop_signals(request_stop);
  return stop_requested;
}

const std::atomic<bool>& catch_stop_signals(std::string_view final_message) {
  const bool has_status_line = stderr_is_terminal();
  set_message(final_message, has_status_line ? "\r\x1b[K" : "");
  std::signal(SIGALRM, quit);
  handle_stop_signals(request_stop_soon);
  return stop_requested;
}

}  // namespace picus::program
