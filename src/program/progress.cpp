#include "progress.hpp"

#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cmath>

namespace picus::program {
namespace {

constexpr std::chrono::milliseconds bar_interval(100);
constexpr std::chrono::seconds line_interval(5);
constexpr std::chrono::milliseconds look_interval(10);

}  // namespace

ProgressDisplay::ProgressDisplay() : on_terminal_(stderr_is_terminal()) {}

void ProgressDisplay::begin(const RunInfo& run) {
  model_ = run.system.model().name();
  until_ = run.until;
  subproblems_ = run.integrator.subproblem_names();
  start_ = last_look_ = last_drawn_ = Clock::now();
}

void ProgressDisplay::record(const Snapshot& snapshot) {
  if (snapshot.state.step == 0) return;
  ++steps_;
  ++counted_steps_;
  for (std::size_t i = 0; i < iterations_.size(); ++i)
    iterations_[i] += snapshot.report.subproblems[i].iterations;
  if (snapshot.report.accepted_residual > 0) ++accepted_;
  accepted_residual_ = std::max(accepted_residual_, snapshot.report.accepted_residual);
  if (--steps_to_look_ == 0) look_at_clock(snapshot.state);
}

void ProgressDisplay::look_at_clock(const State& state) {
  const auto now = Clock::now();
  if (now - last_look_ < look_interval / 2) stride_ *= 2;
  if (now - last_look_ > look_interval * 2) stride_ = std::max<std::int64_t>(stride_ / 2, 1);
  last_look_ = now;
  steps_to_look_ = stride_;
  if (now - last_drawn_ < (on_terminal_ ? std::chrono::nanoseconds(bar_interval) : line_interval)) return;
  last_drawn_ = now;
  draw(state, std::chrono::duration<double>(now - start_).count());
}

std::string ProgressDisplay::status(const State& state, double elapsed) const {
  const double left = elapsed * std::max(until_ - state.time, 0.0) / state.time;
  std::string means;
  for (std::size_t i = 0; i < iterations_.size(); ++i) {
    if (subproblems_[i].empty()) continue;
    means +=
        fmt::format(" {:.1f}", static_cast<double>(iterations_[i]) / static_cast<double>(counted_steps_));
  }
  const auto contacts = std::ssize(state.contact_state);
  const auto open = std::count(state.contact_state.begin(), state.contact_state.end(), ContactState::gap);
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(until_))), 0, 9);
  // On a terminal the text must leave room for a bar in 80 columns.
  const auto format = on_terminal_ ? "{:.{}f}/{:.4g} s  {:.0f} steps/s  {} left  it{}  {} closed {} open"
                                   : "t = {:.{}f} of {:.4g} s, {:.0f} steps/s, {} left, iterations{}, "
                                     "contacts {} closed {} open";
  std::string text =
      fmt::format(fmt::runtime(format), state.time, decimals, until_, static_cast<double>(steps_) / elapsed,
                  duration_text(left), means, contacts - open, open);
  if (accepted_ > 0) {
    text += fmt::format(fmt::runtime(on_terminal_ ? "  accepted {} (max {:.3g})"
                                                  : ", accepted above tolerance {} (at most {:.3g} times)"),
                        accepted_, accepted_residual_);
  }
  return text;
}

void ProgressDisplay::draw(const State& state, double elapsed) {
  const std::string text = status(state, elapsed);
  if (on_terminal_) {
    draw_status_line(std::min(state.time / until_, 1.0), text);
    is_drawn_ = true;
  } else {
    write_error_text(fmt::format("{}: {}: {}\n", program_name(), model_, text));
  }
  iterations_ = {};
  counted_steps_ = 0;
}

void ProgressDisplay::finish(const std::string& /*outcome*/) {
  if (is_drawn_) wipe_status_line();
}

}  // namespace picus::program
