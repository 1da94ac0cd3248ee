#include <picus/models/references/belt_exact.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::models {
namespace {

constexpr Index order = 24;
constexpr double longest_piece = 0.02;  // s; the series converge for a multiple of this
constexpr std::size_t max_pieces = 10'000;
constexpr double rest_speed = 1e-13;  // m/s; a bounce that begins more slowly is not distinguished from rest

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

/// The same for slip on the belt, harmonic about `centre`.
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

BeltExact::BeltExact(const Belt& parameters, double until, StopRequest stop_request)
    : belt_(parameters),
      until_(until),
      motion_({.time = 0.0,
               .x = parameters.length * std::cos(parameters.angle),
               .y = parameters.length * std::sin(parameters.angle),
               .vx = 0.0,
               .vy = 0.0},
              max_pieces, stop_request) {}

const MotionPiece& BeltExact::piece_at(double t) const {
  return motion_.at(t, [this](Front& block) { return advance(block); });
}

MotionPiece BeltExact::advance(Front& block) const {
  if (std::exchange(block.begins_stage, false)) {
    if (block.phase != Phase::flight) block.bouncing_end = std::min(block.bouncing_end, block.time);
    if (block.phase == Phase::slip) {
      block.first_slip = std::min(block.first_slip, block.time);
      begin_slip(block);
    }
  }
  MotionPiece piece = block.phase == Phase::flight  ? fly(block)
                      : block.phase == Phase::stick ? stick(block)
                                                    : slip(block);
  block.has_ended = !(block.time < until_);
  return piece;
}

MotionPiece BeltExact::fly(Front& block) const {
  MotionPiece piece{block.time, flight_series(belt_, block.x, block.y, block.vx, block.vy)};
  const Polynomial x = piece.coefficients.row(0);
  const Polynomial y = piece.coefficients.row(1);
  const double landing = first_fall_below_zero(y, longest_piece, 0.0);
  const bool lands = landing <= longest_piece;
  const double s = lands ? landing : longest_piece;
  block.time += s;
  block.x = value_at(x, s);
  block.y = lands ? 0.0 : value_at(y, s);
  block.vx = slope_at(x, s);
  block.vy = slope_at(y, s);
  if (!lands) return piece;
  collide(block);
  if (block.vy > rest_speed) {
    block.begins_stage = true;
  } else {
    block.vy = 0.0;
    choose_phase(block);
  }
  return piece;
}

void BeltExact::collide(Front& block) const {
  const double normal = -(1.0 + belt_.restitution) * block.vy;  // impulses divided by m
  const double tangential = std::clamp(belt_.speed - block.vx, -belt_.mu * normal, belt_.mu * normal);
  block.vy *= -belt_.restitution;
  block.vx += tangential;
}

void BeltExact::choose_phase(Front& block) const {
  const bool can_hold =
      belt_.stiffness * std::abs(block.x - belt_.length) < belt_.mu * belt_.mass * belt_.gravity;
  const bool moves_along = std::abs(block.vx - belt_.speed) < 1e-12 * belt_.speed;
  block.phase = moves_along && can_hold ? Phase::stick : Phase::slip;
  block.begins_stage = true;
}

MotionPiece BeltExact::stick(Front& block) const {
  block.vx = belt_.speed;
  Eigen::MatrixXd line = Eigen::MatrixXd::Zero(2, 2);
  line.row(0) << block.x, block.vx;
  MotionPiece piece{block.time, std::move(line)};
  const double duration = (belt_.slip_length() - block.x) / belt_.speed;
  if (block.time + duration >= until_) {
    block.time = until_;
  } else {
    block.time += duration;
    block.x = belt_.slip_length();
  }
  block.phase = Phase::slip;
  block.begins_stage = true;
  return piece;
}

void BeltExact::begin_slip(Front& block) const {
  // If the block moves with the belt, the spring determines the direction of slip.
  const double lag = belt_.speed - block.vx;
  const bool is_slower = std::abs(lag) < 1e-12 * belt_.speed ? block.x > belt_.length : lag > 0.0;
  block.slip_sign = is_slower ? 1.0 : -1.0;
  block.slip_centre = belt_.length + block.slip_sign * (belt_.slip_length() - belt_.length);
}

MotionPiece BeltExact::slip(Front& block) const {
  MotionPiece piece{block.time, slip_series(belt_, block.slip_centre, block.x, block.vx)};
  const Polynomial x = piece.coefficients.row(0);
  Polynomial slowness = Polynomial::Zero(order);  // sign (v_0 - x')
  for (Index k = 0; k < order; ++k) slowness[k] = -block.slip_sign * (k + 1) * x[k + 1];
  slowness[0] += block.slip_sign * belt_.speed;
  const double end = first_fall_below_zero(slowness, longest_piece, 1e-13 * belt_.speed);
  const bool ends = end <= longest_piece;
  const double s = ends ? end : longest_piece;
  block.time += s;
  block.x = value_at(x, s);
  block.y = 0.0;
  block.vx = ends ? belt_.speed : slope_at(x, s);
  block.vy = 0.0;
  if (ends) choose_phase(block);
  return piece;
}

const std::vector<BeltExact::Stage>& BeltExact::stages() const {
  if (!stages_.empty()) return stages_;
  std::vector<Stage> stages;
  motion_.visit_all([this](Front& block) { advance(block); },
                    [&](const Front& before, const Front&) {
                      if (before.begins_stage) stages.push_back({before.time, before.phase});
                    });
  stages_ = std::move(stages);
  return stages_;
}

double BeltExact::bouncing_end() const {
  return motion_
      .follow_until([](const Front& block) { return block.bouncing_end < never; },
                    [this](Front& block) { return advance(block); })
      .bouncing_end;
}

double BeltExact::first_slip() const {
  return motion_
      .follow_until([](const Front& block) { return block.first_slip < never; },
                    [this](Front& block) { return advance(block); })
      .first_slip;
}

}  // namespace picus::models
