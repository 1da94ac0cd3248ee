#pragma once

/// Display of progress on standard error.

#include <string_view>

namespace picus::program {

/// Whether a line on standard error can be redrawn.
bool stderr_is_terminal();

/// Replaces the last status line by a bar and the text, truncated to the width of the screen.
void draw_status_line(double fraction, std::string_view text);
void wipe_status_line();

/// Writes immediately.
void write_error_text(std::string_view text);

}  // namespace picus::program
