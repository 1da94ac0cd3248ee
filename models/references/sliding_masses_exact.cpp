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
constexpr double rounding = 1e-12;  // of speeds and forces; smaller crossings do not count
constexpr int max_events_at_once = 1000;

constexpr double never = std::numeric_limits<double>::infinity();

/// The number of pieces that have 4 million coefficients in total.
std::size_t max_pieces(Index masses) {
  return std::max<std::size_t>(4'000'000 / (masses * (order + 1)), 16);
}

}  // namespace

SlidingMassesExact::SlidingMassesExact(const SlidingMasses& parameters, double until,
                                       StopRequest stop_request)
    : count_(parameters.count),
      spacing_(parameters.spacing),
      time_unit_(std::sqrt(parameters.mass / parameters.stiffness)),
      motion_({.time = 0.0,
               .u = Vector::Zero(parameters.count),
               .v = Vector::Zero(parameters.count),
               .d = Eigen::VectorXi::Zero(parameters.count),
               .first_slip = Vector::Constant(parameters.count, never),
               .rest_time = never},
              max_pieces(parameters.count), stop_request, time_unit_) {
  const double force_unit = parameters.force > 0.0 ? parameters.force : 1.0;
  length_unit_ = force_unit / parameters.stiffness;
  friction_ = parameters.mu * parameters.mass * parameters.gravity / force_unit;
  load_ = parameters.force / force_unit;
  push_end_ = std::min(parameters.duration, until) / time_unit_;
  end_ = until / time_unit_;
}

const MotionPiece& SlidingMassesExact::piece_at(double t) const {
  return motion_.at(t / time_unit_, [this](Chain& chain) { return advance(chain); });
}

double SlidingMassesExact::first_slip(Index i) const {
  const Chain& chain = motion_.follow_until([i](const Chain& at) { return at.first_slip[i] < never; },
                                            [this](Chain& at) { return advance(at); });
  return time_unit_ * chain.first_slip[i];
}

double SlidingMassesExact::rest_time() const {
  const Chain& chain =
      motion_.follow_until([](const Chain&) { return false; }, [this](Chain& at) { return advance(at); });
  return time_unit_ * chain.rest_time;
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

MotionPiece SlidingMassesExact::advance(Chain& chain) const {
  if (chain.is_pushed && chain.time >= push_end_) {
    chain.is_pushed = false;
    chain.events_at_once = 0;
  }
  const double end = chain.is_pushed ? push_end_ : end_;
  MotionPiece piece{chain.time, {}};
  Eigen::MatrixXd f;
  series(chain, chain.is_pushed ? load_ : 0.0, piece.coefficients, f);
  const bool is_last = end - chain.time <= longest_piece;
  double s = is_last ? end - chain.time : longest_piece;
  const Index mass_of_event = find_event(chain, piece, f, s);

  chain.time = is_last && mass_of_event < 0 ? end : chain.time + s;
  for (Index i = 0; i < count_; ++i) {
    const Polynomial p = piece.coefficients.row(i);
    chain.u[i] = value_at(p, s);
    chain.v[i] = slope_at(p, s);
  }
  chain.events_at_once = s > 0.0 ? 0 : chain.events_at_once + 1;
  if (chain.events_at_once > max_events_at_once) {
    throw SolverError(fmt::format("sliding masses: events pile up at t = {} s", chain.time * time_unit_));
  }
  if (mass_of_event >= 0) handle_event(chain, mass_of_event, value_at(f.row(mass_of_event), s));
  chain.has_ended = !(chain.time < end_);
  return piece;
}

Index SlidingMassesExact::find_event(const Chain& chain, const MotionPiece& piece, const Eigen::MatrixXd& f,
                                     double& s) const {
  Index mass_of_event = -1;
  for (Index i = 0; i < count_; ++i) {
    double event = never;
    if (chain.d[i] != 0) {
      Polynomial speed = Polynomial::Zero(order);
      for (Index k = 0; k < order; ++k) speed[k] = chain.d[i] * (k + 1) * piece.coefficients(i, k + 1);
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
  return mass_of_event;
}

void SlidingMassesExact::handle_event(Chain& chain, Index i, double pull) const {
  const bool was_sticking = chain.d[i] == 0;
  chain.v[i] = 0.0;
  chain.d[i] = was_sticking || std::abs(pull) > friction_ ? (pull > 0.0 ? 1 : -1) : 0;
  if (was_sticking) {
    chain.first_slip[i] = std::min(chain.first_slip[i], chain.time);
    chain.rest_time = never;
  } else if (chain.d.isZero()) {
    chain.rest_time = chain.time;
  }
}

}  // namespace picus::models
