#include "report_progress.hpp"

#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>

namespace picus::program {
namespace {

constexpr std::chrono::milliseconds bar_pause(200);
constexpr std::chrono::seconds line_pause(5);

}  // namespace

ReportProgress::ReportProgress()
    : on_terminal_(stderr_is_terminal()),
      drawer_([this](const std::stop_token& stop) { draw_until_stopped(stop); }) {}

ReportProgress::~ReportProgress() {
  drawer_.request_stop();
  drawer_.join();
  if (on_terminal_) wipe_status_line();
}

void ReportProgress::update(const models::Progress& progress) {
  const std::lock_guard lock(mutex_);
  what_.clear();
  finished_ = progress.finished;
  simulations_ = progress.simulations;
  fraction_ = progress.fraction;
  if (!progress.has_ended) {
    at_work_.emplace_back(progress.task);
  } else {
    at_work_.remove_if([&](const std::string& task) { return task == progress.task; });
  }
}

void ReportProgress::say(const std::string& what) {
  const std::lock_guard lock(mutex_);
  what_ = what;
  at_work_.clear();
}

std::string ReportProgress::status() const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (!what_.empty()) return fmt::format("{}, {} elapsed", what_, duration_text(elapsed));
  // At the beginning the estimate is meaningless.
  const bool is_known = fraction_ > 0.02;
  const std::string left =
      is_known ? fmt::format("about {} left", duration_text(elapsed * (1.0 - fraction_) / fraction_)) : "";
  return fmt::format("{} of {} simulations, {} elapsed{}{}{}{}", finished_, simulations_,
                     duration_text(elapsed), left.empty() ? "" : ", ", left, at_work_.empty() ? "" : "; at ",
                     at_work_.empty() ? "" : at_work_.front());
}

void ReportProgress::draw_until_stopped(const std::stop_token& stop) {
  const auto interval = on_terminal_ ? std::chrono::milliseconds(bar_pause) : line_pause;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); })) {
    if (on_terminal_) {
      draw_status_line(fraction_, status());
    } else {
      write_error_text(fmt::format("picus: {}\n", status()));
    }
    if (stop.stop_requested()) return;
  }
}

}  // namespace picus::program
