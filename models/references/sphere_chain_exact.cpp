#include <picus/models/references/sphere_chain_exact.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace picus::models {
namespace {

/// r^2 m divided by the moment of inertia of a solid ball.
constexpr double spin_up = 2.5;

}  // namespace

SphereChainExact::SphereChainExact(const SphereChainParameters& chain)
    : impact_(chain.distance / chain.speed) {
  first_.push_back({0.0, {0.0, chain.speed, chain.speed}, 0.0, 0.0});
  row_.push_back({0.0, {0.0, 0.0, 0.0}, 0.0, 0.0});
  if (chain.elastic) {
    add_elastic_pieces(chain);
  } else {
    add_inelastic_pieces(chain);
  }
}

SphereChainExact::Ball SphereChainExact::follow(const std::vector<Piece>& pieces, double t) {
  const auto later = std::ranges::upper_bound(pieces, t, {}, &Piece::start);
  const Piece& piece = later == pieces.begin() ? pieces.front() : *std::prev(later);
  const double s = t - piece.start;
  return {piece.at.x + (piece.at.v + piece.acceleration * s / 2) * s, piece.at.v + piece.acceleration * s,
          piece.at.rim + piece.rim_acceleration * s};
}

/// Ends the last piece after `duration` and appends another.
void SphereChainExact::go_on(std::vector<Piece>& pieces, double duration, double acceleration,
                             double rim_acceleration) {
  const double start = pieces.back().start + duration;
  pieces.push_back({start, follow(pieces, start), acceleration, rim_acceleration});
}

void SphereChainExact::add_inelastic_pieces(const SphereChainParameters& chain) {
  const auto N = static_cast<double>(chain.balls);
  const double f = chain.mu * chain.gravity;
  for (std::vector<Piece>* pieces : {&first_, &row_}) {
    go_on(*pieces, impact_, -f * (N - 2) / N, pieces == &first_ ? -spin_up * f : spin_up * f);
    pieces->back().at.v = chain.speed / N;
  }
  if (f == 0) return;
  // The row starts rolling first, for N = 2 together with the other ball.
  const double row_rolls = chain.speed / N / (spin_up * f + f * (N - 2) / N);
  const double together = f / (1 + (1 + 1 / spin_up) * (N - 1));
  go_on(first_, row_rolls, together, -spin_up * f);
  go_on(row_, row_rolls, together, together);
  const Ball& first = first_.back().at;
  const double first_rolls = std::max(0.0, first.rim - first.v) / (spin_up * f + together);
  go_on(first_, first_rolls, 0.0, 0.0);
  go_on(row_, first_rolls, 0.0, 0.0);
}

void SphereChainExact::add_elastic_pieces(const SphereChainParameters& chain) {
  const auto N = static_cast<double>(chain.balls);
  const double f = chain.mu * chain.gravity;
  go_on(first_, impact_, f, -spin_up * f);
  first_.back().at.v = -chain.speed * (N - 2) / N;
  go_on(row_, impact_, -f, spin_up * f);
  row_.back().at.v = 2 * chain.speed / N;
  if (f == 0) return;
  for (std::vector<Piece>* pieces : {&first_, &row_}) {
    const Ball& ball = pieces->back().at;
    go_on(*pieces, std::abs(ball.v - ball.rim) / ((1 + spin_up) * f), 0.0, 0.0);
  }
}

SphereChainExact::Ball SphereChainExact::first(double t) const {
  return follow(first_, t);
}

SphereChainExact::Ball SphereChainExact::row(double t) const {
  return follow(row_, t);
}

}  // namespace picus::models
