#pragma once

/// Standard error as a screen for progress.

#include <string_view>

namespace picus::program {

/// Whether a line on it can be drawn anew.
bool stderr_is_terminal();

/// Draws a bar and the text in place of the last such line; what is too long for the screen is cut.
void draw_status_line(double fraction, std::string_view text);
void wipe_status_line();

/// Writes at once.
void write_error_text(std::string_view text);

}  // namespace picus::program
