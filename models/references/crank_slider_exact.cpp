#include <picus/models/references/crank_slider_exact.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace picus::models {
namespace {

constexpr double step = 1e-5;             // s
constexpr double shortest_flight = 1e-9;  // s

/// Where f changes its sign from positive to not positive in (low, high].
double find_end(const std::function<double(double)>& f, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-18; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

}  // namespace

CrankSliderExact::CrankSliderExact(const Parameters& p, double until)
    : p_(p),
      A_(p.crank_inertia +
         p.crank_length * p.crank_length * (p.crank_mass / 4.0 + p.rod_mass + p.slider_mass)),
      B_(p.rod_inertia + p.rod_length * p.rod_length * (p.rod_mass / 4.0 + p.slider_mass)),
      C_((p.rod_mass / 2.0 + p.slider_mass) * p.crank_length * p.rod_length),
      G_1_((p.crank_mass / 2.0 + p.rod_mass + p.slider_mass) * p.crank_length),
      G_2_((p.rod_mass / 2.0 + p.slider_mass) * p.rod_length) {
  const bool is_held = p.clearance == 0.0;
  Knot now{.time = 0.0,
           .state = {p.crank_angle, p.rod_angle, p.crank_speed, p.rod_speed},
           .guide = is_held ? 1 : 0};
  knots_.push_back(now);
  while (now.time <= until) {
    double h = step;
    State next = advance(now.state, now.guide, h);
    if (is_held) {
      // No event ever.
    } else if (now.guide != 0) {
      // On a guide until its force would pull.
      const auto pressure = [&](double s) {
        return -now.guide * accelerations(advance(now.state, now.guide, s), now.guide).force;
      };
      if (pressure(h) <= 0.0) {
        h = find_end(pressure, 0.0, h);
        next = advance(now.state, now.guide, h);
        releases_.push_back(now.time + h);
        now.guide = 0;
      }
    } else if (std::abs(y(next)) > p.clearance && y(next) * y_rate(next) > 0.0) {
      const int side = y(next) > 0.0 ? 1 : -1;
      const auto gap = [&](double s) { return p.clearance - side * y(advance(now.state, 0, s)); };
      // From a guide the gap opens first: the search begins at the top of the flight.
      const double speed = -side * y_rate(now.state);
      const double deceleration = side * y_acceleration(now.state);
      const bool is_from_guide = gap(0.0) < 1e-12 && speed > 0.0 && deceleration > 0.0;
      h = find_end(gap, is_from_guide ? std::min(0.5 * h, speed / deceleration) : 0.0, h);
      next = advance(now.state, 0, h);
      impacts_.push_back({.time = now.time + h, .speed = std::abs(y_rate(next)), .is_upper = side > 0});
      reflect(next, p_.restitution);
      const double pull = side * y_acceleration(next);  // towards the guide
      if (pull > 0.0 && 2.0 * std::abs(y_rate(next)) / pull < shortest_flight) {
        now.guide = side;
        reflect(next, 0.0);
      }
    }
    now = {.time = now.time + h, .state = next, .guide = now.guide};
    knots_.push_back(now);
  }
}

CrankSliderExact::Accelerations CrankSliderExact::accelerations(const State& s, int guide) const {
  const auto& [alpha, beta, u, v] = s;
  const double M_12 = C_ * std::cos(alpha - beta);
  const double determinant = A_ * B_ - M_12 * M_12;
  const double f_1 = p_.torque - C_ * std::sin(alpha - beta) * v * v - p_.gravity * G_1_ * std::cos(alpha);
  const double f_2 = C_ * std::sin(alpha - beta) * u * u - p_.gravity * G_2_ * std::cos(beta);
  Accelerations a{.alpha = (B_ * f_1 - M_12 * f_2) / determinant,
                  .beta = (A_ * f_2 - M_12 * f_1) / determinant,
                  .force = 0.0};
  if (guide == 0) return a;
  const double n_1 = p_.crank_length * std::cos(alpha);
  const double n_2 = p_.rod_length * std::cos(beta);
  const double w_1 = (B_ * n_1 - M_12 * n_2) / determinant;  // M^-1 n
  const double w_2 = (A_ * n_2 - M_12 * n_1) / determinant;
  const double free_acceleration = n_1 * a.alpha + n_2 * a.beta - p_.crank_length * std::sin(alpha) * u * u -
                                   p_.rod_length * std::sin(beta) * v * v;
  a.force = -free_acceleration / (n_1 * w_1 + n_2 * w_2);
  a.alpha += w_1 * a.force;
  a.beta += w_2 * a.force;
  return a;
}

CrankSliderExact::State CrankSliderExact::rate(const State& s, int guide) const {
  const Accelerations a = accelerations(s, guide);
  return {s[2], s[3], a.alpha, a.beta};
}

CrankSliderExact::State CrankSliderExact::advance(const State& s, int guide, double h) const {
  const auto moved = [&](const State& k, double factor) {
    State shifted = s;
    for (std::size_t i = 0; i < 4; ++i) shifted[i] += factor * k[i];
    return shifted;
  };
  const State k_1 = rate(s, guide);
  const State k_2 = rate(moved(k_1, h / 2.0), guide);
  const State k_3 = rate(moved(k_2, h / 2.0), guide);
  const State k_4 = rate(moved(k_3, h), guide);
  State next = s;
  for (std::size_t i = 0; i < 4; ++i) next[i] += h / 6.0 * (k_1[i] + 2.0 * (k_2[i] + k_3[i]) + k_4[i]);
  return next;
}

void CrankSliderExact::reflect(State& s, double restitution) const {
  const double M_12 = C_ * std::cos(s[0] - s[1]);
  const double n_1 = p_.crank_length * std::cos(s[0]);
  const double n_2 = p_.rod_length * std::cos(s[1]);
  const double w_1 = B_ * n_1 - M_12 * n_2;
  const double w_2 = A_ * n_2 - M_12 * n_1;
  const double impulse = -(1.0 + restitution) * y_rate(s) / (n_1 * w_1 + n_2 * w_2);
  s[2] += w_1 * impulse;
  s[3] += w_2 * impulse;
}

double CrankSliderExact::y(const State& s) const {
  return p_.crank_length * std::sin(s[0]) + p_.rod_length * std::sin(s[1]);
}

double CrankSliderExact::y_rate(const State& s) const {
  return p_.crank_length * std::cos(s[0]) * s[2] + p_.rod_length * std::cos(s[1]) * s[3];
}

double CrankSliderExact::y_acceleration(const State& s) const {
  const Accelerations a = accelerations(s, 0);
  return p_.crank_length * (std::cos(s[0]) * a.alpha - std::sin(s[0]) * s[2] * s[2]) +
         p_.rod_length * (std::cos(s[1]) * a.beta - std::sin(s[1]) * s[3] * s[3]);
}

const CrankSliderExact::Knot& CrankSliderExact::knot_before(double t) const {
  const auto after = std::ranges::upper_bound(knots_, t, {}, &Knot::time);
  return after == knots_.begin() ? knots_.front() : *std::prev(after);
}

CrankSliderExact::State CrankSliderExact::at(double t) const {
  const Knot& knot = knot_before(t);
  return advance(knot.state, knot.guide, t - knot.time);
}

double CrankSliderExact::guide_force(double t) const {
  return accelerations(at(t), knot_before(t).guide).force;
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
