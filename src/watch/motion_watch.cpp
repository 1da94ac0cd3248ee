#include "motion_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace picus::watch {
namespace {

/// Relative difference allowed between displacement and integral of the rate. The error of Simpson's rule is a
/// thousandth for a sine with seven steps per period, and a sixth of one step for each jump of the rate, e.g. a motor
/// that is switched on or off once or twice in a run.
constexpr double mismatch_limit = 0.05;

/// A rotation of half a turn is ambiguous, and the increments of a step must remain well below it.
constexpr double rotation_limit = std::numbers::pi / 2;

}  // namespace

void MotionWatch::Path::add(double step, double integral, double rounding) {
  if (!std::isfinite(step) || !std::isfinite(integral)) return;  // rejected elsewhere
  travelled += std::max(std::abs(step), std::abs(integral));
  missed += std::max(0.0, std::abs(step - integral) - rounding);
}

MotionWatch::MotionWatch(const System& system, const State& start) : system_(&system) {
  for (const auto& [dof, motion] : system.model().driven()) driven_.push_back({dof, &motion});
  std::size_t rows = 0, most = 0;
  for (const auto& block : system.constraints()) {
    if (!block.role->is_rheonomic()) continue;
    moving_.push_back(&block);
    rows += block.rows;
    most = std::max<std::size_t>(most, block.rows);
  }
  paths_.resize(driven_.size() + rows);
  for (std::vector<double>* buffer : {&g_0_, &g_1_, &rate_, &sum_}) buffer->resize(most);
  restart(start);
}

void MotionWatch::restart(const State& state) {
  for (Driven& driven : driven_) {
    driven.displacement = driven.motion->displacement(state.time);
    driven.rate = driven.motion->rate(state.time);
    driven.reaction = state.reaction[driven.dof];
  }
}

double MotionWatch::record_step(const State& state, double h) {
  constexpr double epsilon = 8 * std::numeric_limits<double>::epsilon();
  double doubt = 0;
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    Driven& driven = driven_[i];
    const double displacement = driven.motion->displacement(state.time);
    const double rate = driven.motion->rate(state.time);
    const double middle = driven.motion->rate(state.time - h / 2);
    paths_[i].add(displacement - driven.displacement, h / 6 * (driven.rate + 4 * middle + rate),
                  epsilon * (std::abs(displacement) + std::abs(driven.displacement)));
    const double reaction = state.reaction[driven.dof];
    doubt += h / 4 * (reaction - driven.reaction) * (driven.rate + rate);
    driven.reaction = reaction;
    driven.displacement = displacement;
    driven.rate = rate;
  }
  if (!moving_.empty()) check_constraints(state, h);
  return doubt;
}

void MotionWatch::check_constraints(const State& state, double h) {
  constexpr double epsilon = 64 * std::numeric_limits<double>::epsilon();
  const double length = system_->length_scale();
  Path* path = paths_.data() + driven_.size();
  for (const RowBlock<BilateralConstraint>* block : moving_) {
    const std::size_t m = block->rows;
    const auto evaluate = [&](const auto& function, std::vector<double>& out) {
      std::fill(out.begin(), out.end(), 0.0);
      function(std::span<double>(out.data(), m));
    };
    const auto violation = [&](double t, std::vector<double>& g) {
      evaluate([&](std::span<double> out) { block->role->residual(state.q, t, out); }, g);
    };
    violation(state.time - h, g_0_);
    violation(state.time, g_1_);
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (int k = 0; k < 3; ++k) {
      const double t = state.time - h + k * h / 2;
      const double weight = k == 1 ? 4.0 : 1.0;
      evaluate([&](std::span<double> out) { block->role->partial_rate(state.q, t, out); }, rate_);
      for (std::size_t row = 0; row < m; ++row) sum_[row] += h / 6 * weight * rate_[row];
    }
    for (std::size_t row = 0; row < m; ++row)
      (path++)->add(g_1_[row] - g_0_[row], sum_[row], epsilon * length);
  }
}

std::string MotionWatch::name_of(std::size_t path) const {
  if (path < driven_.size()) return system_->describe_dof(driven_[path].dof);
  path -= driven_.size();
  for (const RowBlock<BilateralConstraint>* block : moving_) {
    const std::size_t m = block->rows;
    if (path < m) return fmt::format("constraint \"{}\"", block->element->name());
    path -= m;
  }
  return "a motion";
}

std::vector<std::string> MotionWatch::warnings() const {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto& [travelled, missed] = paths_[i];
    if (missed <= mismatch_limit * travelled) continue;
    std::string sentence = fmt::format(
        "the motion of {} contradicts itself: its rate is not the derivative of its displacement, from which "
        "it differs "
        "by {:.3g} over a way of {:.3g}",
        name_of(i), missed, travelled);
    if (sentences.empty() || sentences.back() != sentence) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

RotationWatch::RotationWatch(const System& system) : system_(&system) {
  for (const Node& node : system.nodes()) {
    if (node.kind == NodeKind::frame) frames_.push_back(node.index);
  }
}

void RotationWatch::record_step(const State& state, double h) {
  const auto nodes = system_->nodes();
  for (const Index frame : frames_) {
    const double square = h * h * state.v.segment<3>(nodes[frame].v + 3).squaredNorm();
    if (square <= largest_square_) continue;
    largest_square_ = square;
    node_ = frame;
    time_ = state.time;
  }
}

std::vector<std::string> RotationWatch::warnings() const {
  const double angle = std::sqrt(largest_square_);
  if (angle <= rotation_limit) return {};
  const Node& node = system_->nodes()[node_];
  return {
      fmt::format("node \"{}\" turns by {:.3g} rad in a step (t = {:.6g} s): from half a turn on nothing "
                  "tells which way round, and "
                  "more than a quarter is not resolved",
                  system_->model().node_name(node), angle, time_)};
}

}  // namespace picus::watch
