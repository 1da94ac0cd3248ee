#include <picus/error.hpp>
#include <picus/models/references/sliding_masses_exact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus::models {
namespace {

constexpr Index order = 14;
constexpr double longest_piece =
    0.1;                            // the largest frequency is 2: the last term is below 1e-21 of the first
constexpr double rounding = 1e-12;  // of speeds and forces; what does not count as a crossing
constexpr int most_events_at_once = 1000;

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

SlidingMassesExact::SlidingMassesExact(const SlidingMasses& parameters, double until)
    : count_(parameters.count),
      spacing_(parameters.spacing),
      time_unit_(std::sqrt(parameters.mass / parameters.stiffness)),
      first_slip_(static_cast<std::size_t>(parameters.count), never),
      rest_time_(never) {
  const double force_unit = parameters.force > 0.0 ? parameters.force : 1.0;
  length_unit_ = force_unit / parameters.stiffness;
  friction_ = parameters.mu * parameters.mass * parameters.gravity / force_unit;
  Chain chain{0.0, Vector::Zero(count_), Vector::Zero(count_), Eigen::VectorXi::Zero(count_)};
  follow(chain, parameters.force / force_unit, std::min(parameters.duration, until) / time_unit_);
  follow(chain, 0.0, until / time_unit_);
}

void SlidingMassesExact::series(const Chain& chain, double load, Eigen::MatrixXd& u,
                                Eigen::MatrixXd& f) const {
  u = Eigen::MatrixXd::Zero(count_, order + 1);
  f = Eigen::MatrixXd::Zero(count_, order - 1);
  u.col(0) = chain.u;
  u.col(1) = chain.v;
  for (Index k = 0; k + 2 <= order; ++k) {
    const Vector tension = u.col(k).tail(count_ - 1) - u.col(k).head(count_ - 1);
    f.col(k).head(count_ - 1) += tension;
    f.col(k).tail(count_ - 1) -= tension;
    if (k == 0) f(0, 0) += load;
    for (Index i = 0; i < count_; ++i) {
      if (chain.d[i] == 0) continue;
      const double net = f(i, k) - (k == 0 ? friction_ * chain.d[i] : 0.0);
      u(i, k + 2) = net / ((k + 1) * (k + 2));
    }
  }
}

void SlidingMassesExact::follow(Chain& chain, double load, double end) {
  Eigen::MatrixXd u;
  Eigen::MatrixXd f;
  int events_at_once = 0;
  while (chain.t < end) {
    series(chain, load, u, f);
    // The first event, if any: a mass that slips stops, or one that sticks can be held no longer.
    const bool is_last = end - chain.t <= longest_piece;
    double s = is_last ? end - chain.t : longest_piece;
    Index mass_of_event = -1;
    for (Index i = 0; i < count_; ++i) {
      double event = never;
      if (chain.d[i] != 0) {
        Polynomial speed = Polynomial::Zero(order);
        for (Index k = 0; k < order; ++k) speed[k] = chain.d[i] * (k + 1) * u(i, k + 1);
        event = first_fall_below_zero(speed, s, rounding);
      } else {
        for (const double sign : {1.0, -1.0}) {
          Polynomial margin = -sign * f.row(i).transpose();
          margin[0] += friction_;
          event = std::min(event, first_fall_below_zero(margin, s, rounding));
        }
      }
      if (event <= s) {
        s = event;
        mass_of_event = i;
      }
    }

    motion_.add(chain.t, u);
    chain.t = is_last && mass_of_event < 0 ? end : chain.t + s;
    for (Index i = 0; i < count_; ++i) {
      const Polynomial p = u.row(i);
      chain.u[i] = value_at(p, s);
      chain.v[i] = slope_at(p, s);
    }
    events_at_once = s > 0.0 ? 0 : events_at_once + 1;
    if (events_at_once > most_events_at_once) {
      throw SolverError(fmt::format("sliding masses: events pile up at t = {} s", chain.t * time_unit_));
    }
    if (mass_of_event < 0) continue;
    const Index i = mass_of_event;
    const double pull = value_at(f.row(i), s);
    const bool was_sticking = chain.d[i] == 0;
    chain.v[i] = 0.0;
    chain.d[i] = was_sticking || std::abs(pull) > friction_ ? (pull > 0.0 ? 1 : -1) : 0;
    if (was_sticking) {
      double& first = first_slip_[static_cast<std::size_t>(i)];
      first = std::min(first, chain.t);
      rest_time_ = never;
    } else if (chain.d.isZero()) {
      rest_time_ = chain.t;
    }
  }
}

}  // namespace picus::models
