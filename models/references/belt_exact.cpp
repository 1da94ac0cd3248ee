#include <picus/models/references/belt_exact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::models {
namespace {

constexpr Index order = 24;
constexpr double longest_piece = 0.02;  // s; the series converge for a multiple of it
constexpr double rest_speed = 1e-13;    // m/s; a bounce that begins slower is not told from rest

/// Taylor coefficients of a flight from position (x, y) with velocity (vx, vy), as rows.
Eigen::MatrixXd flight_series(const Belt& belt, double x, double y, double vx, double vy) {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(2, order + 1);
  c.col(0) << x, y;
  c.col(1) << vx, vy;
  Polynomial w = Polynomial::Zero(order + 1);  // r^2
  Polynomial u = Polynomial::Zero(order + 1);  // 1/r = w^(-1/2), from w u' = -u w'/2
  const double k_m = belt.stiffness / belt.mass;
  for (Index k = 0; k + 2 <= order; ++k) {
    for (Index j = 0; j <= k; ++j) w[k] += c.col(j).dot(c.col(k - j));
    if (k == 0) {
      u[0] = 1.0 / std::sqrt(w[0]);
    } else {
      for (Index j = 0; j < k; ++j) u[k] -= (0.5 * (k - j) + j) * w[k - j] * u[j];
      u[k] /= k * w[0];
    }
    Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // coefficient k of (x, y)/r
    for (Index j = 0; j <= k; ++j) direction += c.col(j) * u[k - j];
    Eigen::Vector2d acceleration = -k_m * (c.col(k) - belt.length * direction);
    if (k == 0) acceleration.y() -= belt.gravity;
    c.col(k + 2) = acceleration / ((k + 1.0) * (k + 2.0));
  }
  return c;
}

/// The same of a slip on the belt, harmonic about `centre`.
Eigen::MatrixXd slip_series(const Belt& belt, double centre, double x, double vx) {
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(2, order + 1);
  c(0, 0) = x - centre;
  c(0, 1) = vx;
  for (Index k = 0; k + 2 <= order; ++k) {
    c(0, k + 2) = -belt.stiffness / belt.mass * c(0, k) / ((k + 1.0) * (k + 2.0));
  }
  c(0, 0) = x;
  return c;
}

}  // namespace

BeltExact::BeltExact(const Belt& parameters, double until) : belt_(parameters) {
  Block block{0.0, belt_.length * std::cos(belt_.angle), belt_.length * std::sin(belt_.angle), 0.0, 0.0};
  do {
    block = fly(block, until);
    if (block.t >= until) return;
    collide(block);
  } while (block.vy > rest_speed);
  block.vy = 0.0;
  while (block.t < until) {
    const bool can_hold =
        belt_.stiffness * std::abs(block.x - belt_.length) < belt_.mu * belt_.mass * belt_.gravity;
    const bool moves_along = std::abs(block.vx - belt_.speed) < 1e-12 * belt_.speed;
    block = moves_along && can_hold ? stick(block, until) : slip(block, until);
  }
}

BeltExact::Block BeltExact::fly(Block block, double until) {
  stages_.push_back({block.t, Phase::flight});
  while (block.t < until) {
    Eigen::MatrixXd series = flight_series(belt_, block.x, block.y, block.vx, block.vy);
    const double landing = first_fall_below_zero(series.row(1), longest_piece, 0.0);
    const bool lands = landing <= longest_piece;
    const double s = lands ? landing : longest_piece;
    const Polynomial x = series.row(0);
    const Polynomial y = series.row(1);
    motion_.add(block.t, std::move(series));
    block = {block.t + s, value_at(x, s), lands ? 0.0 : value_at(y, s), slope_at(x, s), slope_at(y, s)};
    if (lands) break;
  }
  return block;
}

void BeltExact::collide(Block& block) const {
  const double normal = -(1.0 + belt_.restitution) * block.vy;  // impulses over m
  const double tangential = std::clamp(belt_.speed - block.vx, -belt_.mu * normal, belt_.mu * normal);
  block.vy *= -belt_.restitution;
  block.vx += tangential;
}

BeltExact::Block BeltExact::stick(Block block, double until) {
  stages_.push_back({block.t, Phase::stick});
  block.vx = belt_.speed;
  Eigen::MatrixXd line = Eigen::MatrixXd::Zero(2, 2);
  line.row(0) << block.x, block.vx;
  motion_.add(block.t, std::move(line));
  const double duration = (belt_.slip_length() - block.x) / belt_.speed;
  if (block.t + duration >= until) {
    block.t = until;
  } else {
    block.t += duration;
    block.x = belt_.slip_length();
  }
  return block;
}

BeltExact::Block BeltExact::slip(Block block, double until) {
  stages_.push_back({block.t, Phase::slip});
  // Where the block moves with the belt, the spring decides which way it slips.
  const double lag = belt_.speed - block.vx;
  const bool is_slower = std::abs(lag) < 1e-12 * belt_.speed ? block.x > belt_.length : lag > 0.0;
  const double sign = is_slower ? 1.0 : -1.0;
  const double centre = belt_.length + sign * (belt_.slip_length() - belt_.length);
  while (block.t < until) {
    Eigen::MatrixXd series = slip_series(belt_, centre, block.x, block.vx);
    Polynomial slowness = Polynomial::Zero(order);  // sign (v_0 - x')
    for (Index k = 0; k < order; ++k) slowness[k] = -sign * (k + 1) * series(0, k + 1);
    slowness[0] += sign * belt_.speed;
    const double end = first_fall_below_zero(slowness, longest_piece, 1e-13 * belt_.speed);
    const bool ends = end <= longest_piece;
    const double s = ends ? end : longest_piece;
    const Polynomial x = series.row(0);
    motion_.add(block.t, std::move(series));
    block = {block.t + s, value_at(x, s), 0.0, ends ? belt_.speed : slope_at(x, s), 0.0};
    if (ends) break;
  }
  return block;
}

double BeltExact::bouncing_end() const {
  const auto found = std::ranges::find_if(stages_, [](const Stage& s) { return s.phase != Phase::flight; });
  return found == stages_.end() ? std::numeric_limits<double>::infinity() : found->start;
}

double BeltExact::first_slip() const {
  const auto found = std::ranges::find(stages_, Phase::slip, &Stage::phase);
  return found == stages_.end() ? std::numeric_limits<double>::infinity() : found->start;
}

}  // namespace picus::models
