#include <picus/solvers/contact/local_contact.hpp>
#include <picus/solvers/contact/lzb_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace picus::solvers {
namespace {

/// Step times frequency. The error of final rates is of second order: 3e-5 of the speed of approach for chains of
/// spheres (test_solvers --gtest_filter=LzbImpact*).
constexpr double phase_of_step = 0.02;
/// Limit on steps: a chain takes 140 for each contact, a body that is wedged between elastic surfaces may take any
/// number.
constexpr int steps_of_impact = 5000;
constexpr int steps_of_contact = 1000;
constexpr int sweeps_of_step = 100;
/// Accuracies relative to the speed of approach: of the impulses of a step (as rates), of the transition from
/// compression to recovery, of the end. Bodies between others may collide repeatedly with a fraction of their speed.
constexpr double sweep_tolerance = 1e-14;
constexpr double turn_tolerance = 1e-10;
constexpr double end_tolerance = 1e-5;
/// Change of rates in a step, relative to the speed of approach, below which friction keeps contacts compressed.
constexpr double standstill = 1e-9;
/// Motion, relative to the compression, below which the mean force is that in the middle.
constexpr double small_motion = 1e-5;
constexpr int illinois_iterations = 60;
/// Compliance added to each friction direction, relative to the trace of the compliances of the contact.
constexpr double least_compliance = 1e-10;
constexpr double illinois_tolerance = 1e-15;

/// The root of an increasing function between bounds at which its values are <= 0 and >= 0 (Illinois).
template <class Function>
double find_root_between(const Function& f, double low, double high, double f_low, double f_high,
                         double tolerance) {
  int side = 0;
  double root = high;
  for (int k = 0; k < illinois_iterations; ++k) {
    if (f_low == 0) return low;
    if (f_high == 0 || high - low <= illinois_tolerance * high) return high;
    root = (low * f_high - high * f_low) / (f_high - f_low);
    if (!(root > low && root < high)) root = 0.5 * (low + high);
    const double value = f(root);
    if (std::abs(value) <= tolerance) return root;
    if (value < 0) {
      low = root;
      f_low = value;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = root;
      f_high = value;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
  }
  return root;
}

}  // namespace

LzbReport LzbImpact::solve(const Impact& impact, double exponent, Vector& P) {
  begin(impact, exponent);
  P.setZero(impact.u_0.size());
  LzbReport report;
  const int limit = steps_of_impact + steps_of_contact * static_cast<int>(contacts_.size());
  while (!(report.ended = has_ended()) && report.steps < limit) {
    fly();
    const double dt = solve_step_to_turn(step_size());
    commit(dt);
    P += P_;
    is_wedged_ = (u_end_ - u_).lpNorm<Eigen::Infinity>() <= standstill * speed_;
    u_ = u_end_;
    ++report.steps;
  }
  // Removes energy gained by rounding errors, or by sweeps that did not converge.
  if (impact.energy_change(P) > 0) P *= std::clamp(-2 * P.dot(impact.u_0) / P.dot(impact.W * P), 0.0, 1.0);
  return report;
}

void LzbImpact::begin(const Impact& impact, double exponent) {
  impact_ = &impact;
  exponent_ = exponent;
  speed_ = impact.approach();
  is_wedged_ = false;
  u_ = u_end_ = impact.u_0;
  P_.setZero(u_.size());
  contacts_.clear();
  for (const ImpactContact& c : impact.contacts) {
    Contact contact{.rest = c.e * c.e, .stiffness = c.stiffness};
    for (const ImpactContact& other : impact.contacts)
      contact.row_sum += std::abs(impact.W(c.first_row, other.first_row));
    contacts_.push_back(contact);
  }
}

bool LzbImpact::has_ended() const {
  double stored = 0.0, most = 0.0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Index n = impact_->contacts[i].first_row;
    if (u_[n] < -end_tolerance * speed_) return false;
    stored += energy(contacts_[i], contacts_[i].x);
    most = std::max(most, impact_->W(n, n));
  }
  const double approach = end_tolerance * speed_;
  return is_wedged_ || stored * most <= 0.5 * approach * approach;
}

void LzbImpact::fly() {
  double time = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (contacts_[i].x > 0) return;
    const double u = u_[impact_->contacts[i].first_row];
    if (u < -end_tolerance * speed_) time = std::min(time, contacts_[i].distance / -u);
  }
  if (!std::isfinite(time)) return;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    double& distance = contacts_[i].distance;
    distance = std::max(0.0, distance + time * u_[impact_->contacts[i].first_row]);
  }
}

double LzbImpact::step_size() const {
  double dt = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const double rate = contact.row_sum * contact.stiffness * exponent_;
    if (contact.x > 0)
      dt = std::min(dt, phase_of_step / std::sqrt(rate * std::pow(contact.x, exponent_ - 1)));
    // A contact that has just closed has no stiffness yet: x = |u| dt.
    const double u = u_[impact_->contacts[i].first_row];
    if (u < 0)
      dt = std::min(dt, std::pow(phase_of_step * phase_of_step / (rate * std::pow(-u, exponent_ - 1)),
                                 1 / (exponent_ + 1)));
  }
  return dt;
}

double LzbImpact::energy(const Contact& contact, double x) const {
  return contact.stiffness * std::pow(x, exponent_ + 1) / (exponent_ + 1);
}

double LzbImpact::force(const Contact& contact, double x) const {
  return contact.stiffness * std::pow(x, exponent_);
}

double LzbImpact::mean_force(const Contact& contact, double motion, double& x, double& distance) const {
  if (motion > 0) {
    const double in_touch = motion - distance;
    distance = std::max(0.0, -in_touch);
    if (in_touch <= 0) return 0.0;
    const double x_0 = x;
    x += in_touch;
    if (in_touch < small_motion * x_0) return force(contact, x_0 + 0.5 * in_touch);
    return (energy(contact, x) - energy(contact, x_0)) / motion;
  }
  const double x_0 = x;
  x = std::max(0.0, contact.rest > 0 ? x_0 + motion / contact.rest : 0.0);
  if (x > 0) {
    if (x_0 - x < small_motion * x_0) return force(contact, 0.5 * (x + x_0));
    return contact.rest * (energy(contact, x_0) - energy(contact, x)) / -motion;
  }
  distance += -motion - contact.rest * x_0;
  return motion < 0 ? contact.rest * energy(contact, x_0) / -motion : 0.0;
}

/// P = dt F(motion - compliance P), of which the right-hand side does not increase with P.
double LzbImpact::solve_normal(const Contact& contact, double motion, double compliance, double dt) const {
  const auto impulse = [&](double P) {
    double x = contact.x, distance = contact.distance;
    return dt * mean_force(contact, motion - compliance * P, x, distance);
  };
  if (contact.rest == 0) {
    if (motion <= 0) return 0.0;
    // Without recovery a contact keeps its compression at any force up to that of the compression.
    const double holding = motion / compliance;
    if (contact.x > 0 && holding <= dt * force(contact, contact.x)) return holding;
  }
  const double most = impulse(0.0);
  if (!(most > 0)) return 0.0;
  const double high = contact.rest == 0 ? std::min(most, motion / compliance) : most;
  return find_root_between([&](double P) { return P - impulse(P); }, 0.0, high, -most, high - impulse(high),
                           illinois_tolerance * most);
}

void LzbImpact::solve_step(double dt) {
  const Impact& impact = *impact_;
  for (int sweep = 0; sweep < sweeps_of_step; ++sweep) {
    double change = 0.0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const ImpactContact& c = impact.contacts[i];
      const Index n = c.first_row;
      const double before = P_[n];
      const double compliance = 0.5 * impact.W(n, n);
      const double rate = u_[n] + 0.5 * impact.W.row(n).dot(P_) - compliance * before;
      P_[n] = solve_normal(contacts_[i], -dt * rate, dt * compliance, dt);
      change = std::max(change, std::abs(P_[n] - before) * impact.W(n, n));
      const Index sliding = c.rows - 1 - c.rolling_rows;
      if (sliding > 0) change = std::max(change, slide(n + 1, sliding, c.mu * P_[n]));
      if (c.rolling_rows > 0) change = std::max(change, slide(n + 1 + sliding, c.rolling_rows, c.mu * P_[n]));
    }
    if (change <= sweep_tolerance * speed_) break;
  }
  u_end_ = u_ + impact.W * P_;
}

double LzbImpact::slide(Index first, Index rows, double bound) {
  std::array<double, (max_contact_rows - 1) * (max_contact_rows - 1)> A{};
  std::array<double, max_contact_rows> rate{}, P{};
  double trace = 0.0;
  for (Index k = 0; k < rows; ++k) {
    rate[k] = u_[first + k] + 0.5 * impact_->W.row(first + k).dot(P_);
    for (Index l = 0; l < rows; ++l) {
      A[l * rows + k] = 0.5 * impact_->W(first + k, first + l);
      rate[k] -= A[l * rows + k] * P_[first + l];
    }
    trace += A[k * rows + k];
  }
  if (!(trace > 0)) return 0.0;
  // No friction acts in directions in which the bodies cannot move.
  for (Index k = 0; k < rows; ++k) A[k * rows + k] += least_compliance * trace;
  solve_friction(rows, A.data(), rate.data(), bound, P.data());
  double change = 0.0;
  for (Index k = 0; k < rows; ++k) {
    double rate_change = 0.0;
    for (Index l = 0; l < rows; ++l) rate_change += 2 * A[l * rows + k] * (P[l] - P_[first + l]);
    change = std::max(change, std::abs(rate_change));
  }
  std::copy_n(P.data(), rows, P_.data() + first);
  return change;
}

double LzbImpact::largest_turning_rate() {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Index n = impact_->contacts[i].first_row;
    const bool compresses = u_[n] < -turn_tolerance * speed_ && contacts_[i].rest < 1;
    if (compresses && P_[n] > 0) largest = std::max(largest, u_end_[n]);
  }
  return largest;
}

double LzbImpact::solve_step_to_turn(double dt) {
  solve_step(dt);
  const double rate = largest_turning_rate();
  if (!(rate > turn_tolerance * speed_)) return dt;
  const double last = find_root_between(
      [&](double time) {
        solve_step(time);
        return largest_turning_rate();
      },
      0.0, dt, -speed_, rate, turn_tolerance * speed_);
  solve_step(last);
  return last;
}

void LzbImpact::commit(double dt) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Index n = impact_->contacts[i].first_row;
    Contact& contact = contacts_[i];
    const double motion = -0.5 * dt * (u_[n] + u_end_[n]);
    const double held = P_[n] / dt;
    const bool is_held =
        contact.rest == 0 && held > 0 && contact.x > 0 && (motion <= 0 || held < force(contact, contact.x));
    if (is_held) {
      contact.x = std::min(contact.x, std::pow(held / contact.stiffness, 1 / exponent_));
      continue;
    }
    mean_force(contact, motion, contact.x, contact.distance);
  }
}

}  // namespace picus::solvers
