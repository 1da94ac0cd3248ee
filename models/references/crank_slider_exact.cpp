#include <picus/models/references/crank_slider_exact.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace picus::models {
namespace {

constexpr double step = 1e-5;  // s
constexpr std::size_t max_knots = 200'000;
constexpr double shortest_flight = 1e-9;  // s

/// The point in (low, high] where f changes from positive to not positive.
double find_end(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-18; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

CrankSliderExact::CrankSliderExact(const Parameters& p, double until, StopRequest stop_request)
    : p_(p),
      A_(p.crank_inertia +
         p.crank_length * p.crank_length * (p.crank_mass / 4.0 + p.rod_mass + p.slider_mass)),
      B_(p.rod_inertia + p.rod_length * p.rod_length * (p.rod_mass / 4.0 + p.slider_mass)),
      C_((p.rod_mass / 2.0 + p.slider_mass) * p.crank_length * p.rod_length),
      G_1_((p.crank_mass / 2.0 + p.rod_mass + p.slider_mass) * p.crank_length),
      G_2_((p.rod_mass / 2.0 + p.slider_mass) * p.rod_length),
      until_(until),
      motion_({.time = 0.0,
               .state = {p.crank_angle, p.rod_angle, p.crank_speed, p.rod_speed},
               .mode = {.guide = p.clearance == 0.0 ? 1 : 0}},
              max_knots, stop_request) {
  if (p_.clearance == 0.0) p_.mu = 0.0;
}

CrankSliderExact::Knot CrankSliderExact::advance(Front& now) const {
  const Knot knot{.start = now.time, .state = now.state, .mode = now.mode};
  now.impact.time = now.release = never;
  if (now.mode.guide != 0) {
    advance_on_guide(now, step);
  } else {
    advance_free(now, step);
  }
  now.has_ended = !(knot.start <= until_);
  if (!now.has_ended) now.first_impact = std::min(now.first_impact, now.impact.time);
  return knot;
}

void CrankSliderExact::advance_free(Front& now, double h) const {
  State next = advance(now.state, now.mode, h);
  Mode mode;
  if (std::abs(y(next)) > p_.clearance && y(next) * y_rate(next) > 0.0) {
    const int side = y(next) > 0.0 ? 1 : -1;
    const auto gap = [&](double s) { return p_.clearance - side * y(advance(now.state, {}, s)); };
    // On leaving a guide the gap opens first: the search begins at the maximum of the gap.
    const double speed = -side * y_rate(now.state);
    const double deceleration = side * y_acceleration(now.state);
    const bool is_from_guide = gap(0.0) < 1e-12 && speed > 0.0 && deceleration > 0.0;
    h = find_end(gap, is_from_guide ? std::min(0.5 * h, speed / deceleration) : 0.0, h);
    next = advance(now.state, {}, h);
    now.impact = {.time = now.time + h, .speed = std::abs(y_rate(next)), .is_upper = side > 0};
    reflect(next, side, p_.restitution);
    const double pull = side * y_acceleration(next);  // towards the guide
    if (pull > 0.0 && 2.0 * std::abs(y_rate(next)) / pull < shortest_flight) {
      reflect(next, side, 0.0);
      mode = {.guide = side, .slip = x_rate(next) < 0.0 ? -1 : 1};
    }
  }
  now.time += h;
  now.state = next;
  now.mode = mode;
}

void CrankSliderExact::advance_on_guide(Front& now, double h) const {
  const Mode mode = now.mode;
  State next = advance(now.state, mode, h);
  Mode after = mode;
  if (p_.clearance > 0.0) {
    const auto slip = [&](double s) { return mode.slip * x_rate(advance(now.state, mode, s)); };
    const auto pressure = [&](double s) {
      return -mode.guide * accelerations(advance(now.state, mode, s), mode).force;
    };
    if (p_.mu > 0.0 && slip(h) <= 0.0) {
      h = find_end(slip, 0.0, h);
      after.slip = -mode.slip;
    }
    if (pressure(h) <= 0.0) {
      h = find_end(pressure, 0.0, h);
      after = {};
      now.release = now.time + h;
    }
    next = advance(now.state, mode, h);
  }
  now.time += h;
  now.state = next;
  now.mode = after;
}

void CrankSliderExact::list_events() const {
  if (has_listed_events_) return;
  std::vector<Impact> impacts;
  std::vector<double> releases;
  motion_.visit_all([this](Front& now) { advance(now); },
                    [&](const Front&, const Front& after) {
                      if (after.has_ended) return;
                      if (after.impact.time < never) impacts.push_back(after.impact);
                      if (after.release < never) releases.push_back(after.release);
                    });
  impacts_ = std::move(impacts);
  releases_ = std::move(releases);
  has_listed_events_ = true;
}

const std::vector<CrankSliderExact::Impact>& CrankSliderExact::impacts() const {
  list_events();
  return impacts_;
}

const std::vector<double>& CrankSliderExact::releases() const {
  list_events();
  return releases_;
}

void CrankSliderExact::follow_to_first_impact(double t) const {
  motion_.follow_until([t](const Front& now) { return now.first_impact < never || now.time > t; },
                       [this](Front& now) { return advance(now); });
}

double CrankSliderExact::first_impact() const {
  return motion_
      .follow_until([](const Front& now) { return now.first_impact < never; },
                    [this](Front& now) { return advance(now); })
      .first_impact;
}

CrankSliderExact::Accelerations CrankSliderExact::accelerations(const State& s, Mode mode) const {
  const auto& [alpha, beta, u, v] = s;
  const double M_12 = C_ * std::cos(alpha - beta);
  const double determinant = A_ * B_ - M_12 * M_12;
  const double f_1 = p_.torque - C_ * std::sin(alpha - beta) * v * v - p_.gravity * G_1_ * std::cos(alpha);
  const double f_2 = C_ * std::sin(alpha - beta) * u * u - p_.gravity * G_2_ * std::cos(beta);
  Accelerations a{.alpha = (B_ * f_1 - M_12 * f_2) / determinant,
                  .beta = (A_ * f_2 - M_12 * f_1) / determinant,
                  .force = 0.0};
  if (mode.guide == 0) return a;
  const double n_1 = p_.crank_length * std::cos(alpha);
  const double n_2 = p_.rod_length * std::cos(beta);
  // The normal force comes with friction: n^T lambda + t^T tau = p^T lambda.
  const double friction = p_.mu * mode.guide * mode.slip;
  const double p_1 = n_1 - friction * p_.crank_length * std::sin(alpha);
  const double p_2 = n_2 - friction * p_.rod_length * std::sin(beta);
  const double w_1 = (B_ * p_1 - M_12 * p_2) / determinant;  // M^-1 p
  const double w_2 = (A_ * p_2 - M_12 * p_1) / determinant;
  const double free_acceleration = n_1 * a.alpha + n_2 * a.beta - p_.crank_length * std::sin(alpha) * u * u -
                                   p_.rod_length * std::sin(beta) * v * v;
  a.force = -free_acceleration / (n_1 * w_1 + n_2 * w_2);
  a.alpha += w_1 * a.force;
  a.beta += w_2 * a.force;
  return a;
}

CrankSliderExact::State CrankSliderExact::rate(const State& s, Mode mode) const {
  const Accelerations a = accelerations(s, mode);
  return {s[2], s[3], a.alpha, a.beta};
}

CrankSliderExact::State CrankSliderExact::advance(const State& s, Mode mode, double h) const {
  const auto moved = [&](const State& k, double factor) {
    State shifted = s;
    for (std::size_t i = 0; i < 4; ++i) shifted[i] += factor * k[i];
    return shifted;
  };
  const State k_1 = rate(s, mode);
  const State k_2 = rate(moved(k_1, h / 2.0), mode);
  const State k_3 = rate(moved(k_2, h / 2.0), mode);
  const State k_4 = rate(moved(k_3, h), mode);
  State next = s;
  for (std::size_t i = 0; i < 4; ++i) next[i] += h / 6.0 * (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]);
  return next;
}

void CrankSliderExact::reflect(State& s, int side, double restitution) const {
  Eigen::Matrix2d M, G;
  M << A_, C_ * std::cos(s[0] - s[1]), C_ * std::cos(s[0] - s[1]), B_;
  G << p_.crank_length * std::cos(s[0]), p_.rod_length * std::cos(s[1]),   // n
      -p_.crank_length * std::sin(s[0]), -p_.rod_length * std::sin(s[1]);  // t
  const Eigen::Matrix2d W = G * M.inverse() * G.transpose();
  const double normal_jump = -(1.0 + restitution) * y_rate(s);
  const int slip = x_rate(s) < 0.0 ? -1 : 1;
  const double friction = p_.mu * side * slip;
  Eigen::Vector2d impulse;  // along y and x, on the slider
  impulse[0] = normal_jump / (W(0, 0) + friction * W(0, 1));
  impulse[1] = friction * impulse[0];
  const bool reverses = slip * (x_rate(s) + W.row(1).dot(impulse)) < 0.0;
  if (p_.mu > 0.0 && reverses) impulse = W.inverse() * Eigen::Vector2d(normal_jump, -x_rate(s));
  const Eigen::Vector2d jump = M.inverse() * G.transpose() * impulse;
  s[2] += jump[0];
  s[3] += jump[1];
}

double CrankSliderExact::x_rate(const State& s) const {
  return -p_.crank_length * std::sin(s[0]) * s[2] - p_.rod_length * std::sin(s[1]) * s[3];
}

double CrankSliderExact::y(const State& s) const {
  return p_.crank_length * std::sin(s[0]) + p_.rod_length * std::sin(s[1]);
}

double CrankSliderExact::y_rate(const State& s) const {
  return p_.crank_length * std::cos(s[0]) * s[2] + p_.rod_length * std::cos(s[1]) * s[3];
}

double CrankSliderExact::y_acceleration(const State& s) const {
  const Accelerations a = accelerations(s, {});
  return p_.crank_length * (std::cos(s[0]) * a.alpha - std::sin(s[0]) * s[2] * s[2]) +
         p_.rod_length * (std::cos(s[1]) * a.beta - std::sin(s[1]) * s[3] * s[3]);
}

const CrankSliderExact::Knot& CrankSliderExact::knot_at(double t) const {
  return motion_.at(t, [this](Front& now) { return advance(now); });
}

CrankSliderExact::State CrankSliderExact::at(double t) const {
  const Knot& knot = knot_at(t);
  return advance(knot.state, knot.mode, t - knot.start);
}

double CrankSliderExact::guide_force(double t) const {
  return accelerations(at(t), knot_at(t).mode).force;
}

double CrankSliderExact::crank_angle(double t) const {
  return at(t)[0];
}

double CrankSliderExact::crank_speed(double t) const {
  return at(t)[2];
}

double CrankSliderExact::rod_angle(double t) const {
  return at(t)[1];
}

double CrankSliderExact::rod_speed(double t) const {
  return at(t)[3];
}

double CrankSliderExact::slider_x(double t) const {
  const State s = at(t);
  return p_.crank_length * std::cos(s[0]) + p_.rod_length * std::cos(s[1]);
}

double CrankSliderExact::slider_y(double t) const {
  return y(at(t));
}

double CrankSliderExact::slider_vy(double t) const {
  return y_rate(at(t));
}

double CrankSliderExact::energy(double t) const {
  const auto [alpha, beta, u, v] = at(t);
  return 0.5 * (A_ * u * u + B_ * v * v) + C_ * std::cos(alpha - beta) * u * v +
         p_.gravity * (G_1_ * std::sin(alpha) + G_2_ * std::sin(beta));
}

}  // namespace picus::models
