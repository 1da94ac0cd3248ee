#include <picus/models/references/bouncing_oscillator_exact.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace picus::models {
namespace {

constexpr std::size_t max_phases = 100'000;

double square(double x) {
  return x * x;
}

}  // namespace

BouncingOscillatorExact::BouncingOscillatorExact(const Parameters& parameters, double until,
                                                 StopRequest stop_request)
    : p_(parameters),
      w_(std::sqrt(2.0 * parameters.stiffness / parameters.mass)),
      w_floor_(std::sqrt(parameters.stiffness / parameters.mass)),
      until_(until),
      motion_({.time = 0.0,
               .phase = {.start = 0.0,
                         .motion = {.x = parameters.height, .vx = 0.0, .r = 0.0, .vr = 0.0},
                         .on_floor = false}},
              max_phases, stop_request) {}

BouncingOscillatorExact::Phase BouncingOscillatorExact::advance(Front& front) const {
  Phase phase = front.phase;
  const double length = duration(phase);
  front.impact = never;
  if (length == never) {
    front.has_ended = true;
    return phase;
  }
  const double end = phase.start + length;
  Motion last = motion(phase, length);
  last.x = 0.0;
  bool stays = false;
  if (!phase.on_floor) {
    front.impact = end;
    const double jump = -(1.0 + p_.restitution) * last.vx;  // of x'; q_2' = x' + r' is continuous
    last.vx += jump;
    last.vr -= jump;
    const double force = p_.mass * p_.gravity - p_.stiffness * last.r;  // from the floor on the resting ball
    const double next_flight = 2.0 * last.vx * p_.mass / force;
    stays = force > 0.0 && w_ * next_flight < 1e-6;
    if (stays) {
      last.vr += last.vx;
      last.vx = 0.0;
      front.first_accumulation = std::min(front.first_accumulation, end);
    }
  }
  front.phase = {.start = end, .motion = last, .on_floor = stays};
  front.time = end;
  front.has_ended = !(end <= until_);
  return phase;
}

const std::vector<double>& BouncingOscillatorExact::impact_times() const {
  if (!impact_times_.empty()) return impact_times_;
  std::vector<double> times;
  motion_.visit_all([this](Front& front) { advance(front); },
                    [&](const Front&, const Front& after) {
                      if (after.impact < never) times.push_back(after.impact);
                    });
  impact_times_ = std::move(times);
  return impact_times_;
}

double BouncingOscillatorExact::first_impact() const {
  return flight_time({.x = p_.height, .vx = 0.0, .r = 0.0, .vr = 0.0});
}

double BouncingOscillatorExact::first_accumulation() const {
  return motion_
      .follow_until([](const Front& front) { return front.first_accumulation < never; },
                    [this](Front& front) { return advance(front); })
      .first_accumulation;
}

BouncingOscillatorExact::Motion BouncingOscillatorExact::motion(const Phase& phase, double s) const {
  const Motion& at = phase.motion;
  if (phase.on_floor) {
    const double rest = -p_.mass * p_.gravity / p_.stiffness;
    const double c = std::cos(w_floor_ * s);
    const double d = std::sin(w_floor_ * s);
    return {.x = 0.0,
            .vx = 0.0,
            .r = rest + (at.r - rest) * c + at.vr / w_floor_ * d,
            .vr = -w_floor_ * (at.r - rest) * d + at.vr * c};
  }
  // x = x_0 + (x_0' + r_0'/2) s - g s^2/2 - (r - r_0)/2: the centre of mass falls freely. Written such that short
  // flights do not lose digits.
  const double c = std::cos(w_ * s);
  const double d = std::sin(w_ * s);
  return {.x = at.x + at.vx * s - 0.5 * p_.gravity * s * s + at.r * square(std::sin(0.5 * w_ * s)) +
               0.5 * at.vr * (s - d / w_),
          .vx = at.vx - p_.gravity * s + 0.5 * w_ * at.r * d + at.vr * square(std::sin(0.5 * w_ * s)),
          .r = at.r * c + at.vr / w_ * d,
          .vr = -w_ * at.r * d + at.vr * c};
}

double BouncingOscillatorExact::duration(const Phase& phase) const {
  return phase.on_floor ? time_on_floor(phase.motion) : flight_time(phase.motion);
}

double BouncingOscillatorExact::flight_time(const Motion& start) const {
  const double amplitude = std::hypot(start.r, start.vr / w_);
  const double most = p_.gravity + 0.5 * square(w_) * amplitude;  // |x''| <= most
  const Phase flight{.start = 0.0, .motion = start, .on_floor = false};
  double s = 0.0;
  if (start.x == 0.0 && start.vx == 0.0) {
    // The spring lifts the ball: x = x''' s^3/6 - ..., |x''''| <= w^4 amplitude/2, so that x > 0 at least up to
    // 4 x'''/max |x''''|.
    s = 2.0 * (0.5 * square(w_) * start.vr) / (0.5 * square(square(w_)) * amplitude);
  }
  // x stays positive for at least as long as with x'' = -most: no root is ever skipped, and close to one the steps
  // are those of Newton.
  for (int i = 0; i < 10000; ++i) {
    const Motion now = motion(flight, s);
    const double x = std::fmax(now.x, 0.0);
    const double safe = (now.vx + std::sqrt(square(now.vx) + 2.0 * most * x)) / most;
    if (!(safe > 1e-16 * s)) break;
    s += safe;
  }
  return s;
}

double BouncingOscillatorExact::time_on_floor(const Motion& start) const {
  // r = -m g/k + a cos(w s - phi) reaches m g/k.
  const double weight = p_.mass * p_.gravity / p_.stiffness;
  const double cosine = start.r + weight;
  const double sine = start.vr / w_floor_;
  const double a = std::hypot(cosine, sine);
  if (a <= 2.0 * weight) return never;
  const double phase = std::atan2(sine, cosine);
  double angle = phase - std::acos(2.0 * weight / a);
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  return angle / w_floor_;
}

BouncingOscillatorExact::Motion BouncingOscillatorExact::motion(double t) const {
  const Phase& phase = motion_.at(t, [this](Front& front) { return advance(front); });
  return motion(phase, t - phase.start);
}

double BouncingOscillatorExact::upper_position(double t) const {
  const Motion now = motion(t);
  return now.x + p_.length + now.r;
}

double BouncingOscillatorExact::upper_velocity(double t) const {
  const Motion now = motion(t);
  return now.vx + now.vr;
}

double BouncingOscillatorExact::energy(double t) const {
  const Motion now = motion(t);
  return 0.5 * p_.mass * (square(now.vx) + square(now.vx + now.vr)) +
         p_.mass * p_.gravity * (2.0 * now.x + now.r) + 0.5 * p_.stiffness * square(now.r);
}

}  // namespace picus::models
