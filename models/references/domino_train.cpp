#include <picus/models/references/domino_train.hpp>

#include <array>
#include <cmath>

namespace picus::models {
namespace {

/// Sums over all moving dominoes, of which the foremost is rotated by t: (dt_i/dt)^2, and the rise of their centres
/// of mass relative to the upright position.
struct TrainSums {
  double inertia = 0;
  double height = 0;
};

TrainSums sum_of_train(const DominoTrain& p, int moving, double t) {
  TrainSums sums;
  double weight = 1;
  for (int i = 0; i < moving; ++i) {
    sums.inertia += weight * weight;
    sums.height += 0.5 * (p.height * (std::cos(t) - 1) + p.thickness * std::sin(t));
    const double turn = std::asin(((p.spacing + p.thickness) * std::cos(t) - p.thickness) / p.height);
    weight *= 1 - (p.spacing + p.thickness) * std::sin(t) / (p.height * std::cos(turn));
    t += turn;
  }
  return sums;
}

}  // namespace

std::vector<double> domino_hits(const DominoTrain& p, int count) {
  const double inertia = (p.height * p.height + p.thickness * p.thickness) / 3;  // divided by the mass
  const double last = std::asin(p.spacing / p.height);
  std::vector<double> hits;
  double time = 0;
  double rate = p.rate;
  for (int moving = 1; moving <= count; ++moving) {
    const TrainSums start = sum_of_train(p, moving, 0);
    const double energy = 0.5 * inertia * start.inertia * rate * rate + p.gravity * start.height;
    const auto rate_at = [&](double t) {
      const TrainSums sums = sum_of_train(p, moving, t);
      return std::sqrt(2 * (energy - p.gravity * sums.height) / (inertia * sums.inertia));
    };
    // dt/w, by two-point Gauss quadrature on many subintervals.
    constexpr int parts = 200;
    const double part = last / parts;
    for (int i = 0; i < parts; ++i) {
      for (const double side : {-1.0, 1.0})
        time += 0.5 * part / rate_at(part * (i + 0.5 + side * 0.5 / std::sqrt(3.0)));
    }
    const double sum = sum_of_train(p, moving, last).inertia;
    rate = rate_at(last) * sum / (sum + 1);
    if (!std::isfinite(time)) break;
    hits.push_back(time);
  }
  return hits;
}

}  // namespace picus::models
