#pragma once

/// Impacts as plain data: rows of balls, and random ones.

#include <picus/solvers/contact/impact.hpp>
#include <support/random.hpp>

#include <cmath>
#include <vector>

namespace picus {

/// Balls in a row, each in touch with the next.
struct BallRow {
  std::vector<double> mass, speed;

  solvers::Impact impact(double e, const std::vector<double>& stiffness = {}) const {
    solvers::Impact result;
    const Index n = count_of(mass);
    Eigen::MatrixXd G = Eigen::MatrixXd::Zero(n - 1, n);
    for (Index i = 0; i + 1 < n; ++i) {
      G(i, i) = -1;
      G(i, i + 1) = 1;
      result.contacts.push_back(
          {.first_row = i, .e = e, .stiffness = stiffness.empty() ? 1.0 : stiffness[i]});
    }
    const Vector m = Eigen::Map<const Vector>(mass.data(), n);
    result.W = G * m.cwiseInverse().asDiagonal() * G.transpose();
    result.u_0 = G * Eigen::Map<const Vector>(speed.data(), n);
    return result;
  }
  /// Velocities after the impulses P.
  Vector after(const Vector& P) const {
    const Index n = count_of(mass);
    Vector v = Eigen::Map<const Vector>(speed.data(), n);
    for (Index i = 0; i + 1 < n; ++i) {
      v[i] -= P[i] / mass[i];
      v[i + 1] += P[i] / mass[i + 1];
    }
    return v;
  }
};

/// Equal balls of which the first moves with speed 1.
inline BallRow equal_balls(std::size_t count) {
  BallRow row{std::vector<double>(count, 1.0), std::vector<double>(count, 0.0)};
  row.speed[0] = 1.0;
  return row;
}

/// One to four contacts with and without friction on bodies with as many components as contacts, or some more;
/// `energy` is the kinetic energy before.
inline solvers::Impact random_impact(support::Random& random, double& energy) {
  const auto pick = [&](Index low, Index high) {
    return static_cast<Index>(
        std::floor(random.uniform(static_cast<double>(low), static_cast<double>(high) + 1)));
  };
  solvers::Impact impact;
  const Index contacts = pick(1, 4), components = contacts + pick(0, 6);
  const bool has_friction = random.uniform(0, 1) < 0.5, is_plastic = random.uniform(0, 1) < 0.2;
  Index rows = 0;
  for (Index c = 0; c < contacts; ++c) {
    const Index own = has_friction ? pick(1, 3) : 1;
    impact.contacts.push_back({.first_row = rows,
                               .rows = own,
                               .mu = own > 1 ? random.uniform(0, 1) : 0.0,
                               .e = is_plastic ? 0.0 : random.uniform(0, 1),
                               .stiffness = std::pow(10.0, random.uniform(-1, 1))});
    rows += own;
  }
  const Eigen::MatrixXd G = random.matrix(rows, components);
  const Vector v = random.vector(components);
  impact.W = G * G.transpose();
  impact.u_0 = G * v;
  energy = 0.5 * v.squaredNorm();
  return impact;
}

}  // namespace picus
