#include "terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace picus::program {
namespace {

std::size_t terminal_width() {
  winsize size = {};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/// "[#####-----] " of 5 to 30 cells, or nothing if there is no room for it.
std::string bar(double fraction, std::size_t room) {
  if (room < 8) return "";
  const std::size_t cells = std::min<std::size_t>(room - 3, 30);
  const auto filled = static_cast<std::size_t>(fraction * static_cast<double>(cells));
  return '[' + std::string(filled, '#') + std::string(cells - filled, '-') + "] ";
}

}  // namespace

bool stderr_is_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

void draw_status_line(double fraction, std::string_view text) {
  const std::size_t width = terminal_width() - 1;
  const std::string line = bar(fraction, width - std::min(width, text.size())) + std::string(text);
  write_error_text("\r" + line.substr(0, width) + "\x1b[K");
}

void wipe_status_line() {
  write_error_text("\r\x1b[K");
}

void write_error_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace picus::program
