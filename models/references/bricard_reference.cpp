#include <picus/models/references/bricard_reference.hpp>
#include <picus/so3.hpp>

#include <cmath>
#include <numbers>

namespace picus::models {
namespace {

constexpr double ln_2 = std::numbers::ln2;

/// A hinge angle with its derivatives with respect to u.
struct Turn {
  double psi, d, dd;
};

/// cos(psi/2) = exp(-ln_2 w^2), where psi has the sign of w.
Turn turn_along(double w, double w_d, double w_dd) {
  const double cosine = std::exp(-ln_2 * w * w);
  // sin(psi/2) = w rho, and drho/dw, which would suffer cancellation near w = 0.
  const bool is_small = std::abs(w) < 1e-3;
  const double rho = is_small ? std::sqrt(2 * ln_2) * (1 - ln_2 * w * w / 2)
                              : std::sqrt(-std::expm1(-2 * ln_2 * w * w)) / std::abs(w);
  const double rho_d = is_small ? (-2 * ln_2 * ln_2 * w + 8.0 / 3 * ln_2 * ln_2 * ln_2 * w * w * w) / rho
                                : (2 * ln_2 * cosine * cosine - rho * rho) / (rho * w);
  const double by_w = 4 * ln_2 * cosine / rho;
  const double by_ww = by_w * (-2 * ln_2 * w - rho_d / rho);
  return {2 * std::atan2(w * rho, cosine), by_w * w_d, by_ww * w_d * w_d + by_w * w_dd};
}

}  // namespace

Vec3 BricardReference::start_of(Index corner) {
  static const std::array<Vec3, 6> corners = {Vec3(0, 0, 0),  Vec3(1, 0, 0),  Vec3(1, -1, 0),
                                              Vec3(1, -1, 1), Vec3(0, -1, 1), Vec3(0, 0, 1)};
  return corners[corner];
}

BricardReference::BricardReference(const BricardParameters& bricard, StopRequest stop_request)
    : bricard_(bricard), motion_({.u = 0.0, .rate = 0.0}, bricard.step, stop_request) {}

/// The last one is the ground again, where the chain closes.
std::array<BricardReference::Rod, 6> BricardReference::rods(double u) const {
  const double quarter = std::numbers::pi / 4;
  const double w_even = std::sin(quarter - u / 2);
  const double w_odd = std::sin(quarter + u / 2);
  const Turn even = turn_along(w_even, -std::cos(quarter - u / 2) / 2, -w_even / 4);
  const Turn odd = turn_along(w_odd, std::cos(quarter + u / 2) / 2, -w_odd / 4);

  std::array<Rod, 6> rods;
  Vec3 direction = start_of(0) - start_of(5);
  Vec3 axis = direction.cross(start_of(1) - start_of(0));
  Arm corner{bricard_.length * start_of(0), Vec3::Zero(), Vec3::Zero()};
  Vec3 omega = Vec3::Zero();  // of the rod with respect to u, and its derivative
  Vec3 alpha = Vec3::Zero();
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const Turn& turn = i % 2 == 0 ? even : odd;
    direction = so3::exp(turn.psi * axis) * direction;
    alpha += turn.d * omega.cross(axis) + turn.dd * axis;
    omega += turn.d * axis;
    const auto carried = [&](const Vec3& a) {
      return Arm{a, omega.cross(a), alpha.cross(a) + omega.cross(omega.cross(a))};
    };
    const auto moved = [&](double by, const Arm& along) {
      return Arm{corner.a + by * along.a, corner.d + by * along.d, corner.dd + by * along.dd};
    };
    const Arm along = carried(direction);
    rods[i] = {moved(bricard_.length / 2, along), {along, carried(axis), carried(axis.cross(direction))}};
    corner = moved(bricard_.length, along);
    // Hinges are twisted by a right angle, in alternating directions.
    const double twist = i % 2 == 0 ? -1.0 : 1.0;
    axis = twist * axis.cross(direction).eval();
  }
  return rods;
}

BricardReference::Equation BricardReference::equation(double u) const {
  const double along = bricard_.mass * bricard_.length * bricard_.length / 12;
  const double across = bricard_.mass * bricard_.width * bricard_.width / 12;
  const std::array<Rod, 6> all = rods(u);
  Equation sum{};
  const auto add = [&sum](double mass, const Arm& arm) {
    sum.inertia += mass * arm.d.squaredNorm();
    sum.bias += mass * arm.d.dot(arm.dd);
  };
  for (std::size_t i = 0; i < 5; ++i) {
    const Rod& rod = all[i];
    add(bricard_.mass, rod.centre);
    add(along, rod.axes[0]);
    add(across, rod.axes[1]);
    add(across, rod.axes[2]);
    sum.slope += bricard_.mass * bricard_.gravity * rod.centre.d.y();
    sum.potential += bricard_.mass * bricard_.gravity * rod.centre.a.y();
  }
  return sum;
}

BricardReference::Motion BricardReference::advance(const Motion& from, double h) const {
  const auto rate = [&](const Motion& at) {
    const Equation e = equation(at.u);
    return Motion{at.rate, -(e.bias * at.rate * at.rate + e.slope) / e.inertia};
  };
  const auto moved = [&](const Motion& by, double step) {
    return Motion{from.u + step * by.u, from.rate + step * by.rate};
  };
  const Motion k1 = rate(from);
  const Motion k2 = rate(moved(k1, h / 2));
  const Motion k3 = rate(moved(k2, h / 2));
  const Motion k4 = rate(moved(k3, h));
  return moved({k1.u + 2 * k2.u + 2 * k3.u + k4.u, k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate}, h / 6);
}

const BricardReference::Motion& BricardReference::at(double t) {
  return motion_.at(t, [this](const Motion& from, double h) { return advance(from, h); });
}

std::array<Vec3, 6> BricardReference::corners(double t) {
  const std::array<Rod, 6> all = rods(at(t).u);
  std::array<Vec3, 6> corners;
  for (std::size_t i = 0; i < corners.size(); ++i)
    corners[i] = all[i].centre.a - bricard_.length / 2 * all[i].axes[0].a;
  return corners;
}

double BricardReference::energy(double t) {
  const auto [u, rate] = at(t);
  const Equation e = equation(u);
  return e.inertia * rate * rate / 2 + e.potential;
}

}  // namespace picus::models
