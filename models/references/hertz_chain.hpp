#pragma once

/// A row of touching balls with contact forces F = K x^exponent, integrated by the classical Runge-Kutta method: an
/// independent reference for elastic impacts.

#include <algorithm>
#include <cmath>
#include <vector>

namespace picus::models {

/// Velocities after the impact, which has ended when no contact is compressed or closing. `dt` should be small
/// compared with (m^2 / (K^2 v))^(1/5), the time of an impact of two balls after Hertz.
inline std::vector<double> speeds_after_impact(const std::vector<double>& mass, std::vector<double> v,
                                               const std::vector<double>& stiffness, double exponent = 1.5,
                                               double dt = 1e-3) {
  const std::size_t n = mass.size();
  std::vector<double> x(n, 0.0);  // displacements
  const auto force = [&](std::size_t contact, const std::vector<double>& at) {
    return stiffness[contact] * std::pow(std::max(0.0, at[contact] - at[contact + 1]), exponent);
  };
  const auto acceleration = [&](const std::vector<double>& at) {
    std::vector<double> a(n, 0.0);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      a[i] -= force(i, at) / mass[i];
      a[i + 1] += force(i, at) / mass[i + 1];
    }
    return a;
  };
  const auto plus = [](const std::vector<double>& a, double factor, const std::vector<double>& b) {
    std::vector<double> sum = a;
    for (std::size_t i = 0; i < a.size(); ++i) sum[i] += factor * b[i];
    return sum;
  };
  const auto goes_on = [&] {
    for (std::size_t i = 0; i + 1 < n; ++i) {
      if (x[i] > x[i + 1] || v[i] > v[i + 1] + 1e-7) return true;
    }
    return false;
  };
  while (goes_on()) {
    const auto a_1 = acceleration(x);
    const auto v_2 = plus(v, dt / 2, a_1), a_2 = acceleration(plus(x, dt / 2, v));
    const auto v_3 = plus(v, dt / 2, a_2), a_3 = acceleration(plus(x, dt / 2, v_2));
    const auto v_4 = plus(v, dt, a_3), a_4 = acceleration(plus(x, dt, v_3));
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += dt / 6 * (v[i] + 2 * v_2[i] + 2 * v_3[i] + v_4[i]);
      v[i] += dt / 6 * (a_1[i] + 2 * a_2[i] + 2 * a_3[i] + a_4[i]);
    }
  }
  return v;
}

}  // namespace picus::models
