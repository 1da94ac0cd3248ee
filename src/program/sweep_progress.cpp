#include "sweep_progress.hpp"

#include "output.hpp"
#include "terminal.hpp"

#include <utility>

namespace picus::program {

SweepProgress::SweepProgress(std::size_t all, std::size_t before, std::string model, bool is_quiet)
    : all_(all),
      before_(before),
      model_(std::move(model)),
      is_quiet_(is_quiet),
      on_terminal_(stderr_is_terminal()) {}

SweepProgress::~SweepProgress() {
  if (is_drawn_) wipe_status_line();
}

void SweepProgress::show(std::size_t done, std::size_t failed, const std::string& note) {
  const Clock::time_point now = Clock::now();
  if (is_quiet_ || (!on_terminal_ && now - last_ < std::chrono::seconds(5))) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  std::string text = fmt::format("{} of {} done, {} failed", done, all_, failed);
  if (done > before_) {
    const double each = elapsed / static_cast<double>(done - before_);
    text += fmt::format(", {} left", duration_text(each * static_cast<double>(all_ - done)));
  }
  text += note;
  if (on_terminal_)
    draw_status_line(static_cast<double>(done) / static_cast<double>(all_), text);
  else
    write_error_text(fmt::format("{}: {}: {}\n", program_name(), model_, text));
  is_drawn_ = on_terminal_;
}

}  // namespace picus::program
