#include <picus/solvers/contact/augmented_law.hpp>

#include <cmath>

namespace picus {
namespace {

/// The augmented multiplier and where it lies with respect to the cone.
struct Augmented {
  /// Component i of tau; without friction |xi_T| may be zero, and tau does not matter. NaN stays NaN.
  double tau(std::size_t i) const { return length == 0 ? 0.0 : tangent[i] / length; }

  ContactState state;
  double normal;
  double length;                  ///< |xi_T|
  std::array<double, 2> tangent;  ///< xi_T
};

Augmented augment(const ContactCone& cone, const double* y, const double* P) {
  Augmented xi{ContactState::gap, P[0] - cone.p * y[0], 0.0, {}};
  // A gap that is NaN counts as closed, so that the residual shows it.
  if (!cone.enabled || xi.normal < 0) return xi;
  for (Index i = 1; i < cone.rows; ++i) xi.tangent[static_cast<std::size_t>(i - 1)] = P[i] - cone.p * y[i];
  xi.length = cone.rows == 2 ? std::abs(xi.tangent[0]) : std::hypot(xi.tangent[0], xi.tangent[1]);
  const bool sticks = cone.mu > 0 && cone.rows > 1 && xi.length <= cone.mu * xi.normal;
  xi.state = sticks ? ContactState::stick : ContactState::slip;
  return xi;
}

ContactState residual(const ContactCone& cone, const Augmented& xi, const double* y, const double* P,
                      double* r) {
  if (xi.state == ContactState::gap) {
    for (Index i = 0; i < cone.rows; ++i) r[i] = -cone.k / cone.p * P[i];
    return xi.state;
  }
  r[0] = -cone.k * y[0];
  for (Index i = 1; i < cone.rows; ++i) {
    if (xi.state == ContactState::stick) {
      r[i] = -cone.k * y[i];
    } else {
      const double tau = xi.tau(static_cast<std::size_t>(i - 1));
      r[i] = cone.k / cone.p * (-P[i] + cone.mu * xi.normal * tau);
    }
  }
  return xi.state;
}

}  // namespace

ContactState contact_residual(const ContactCone& cone, const double* y, const double* P, double* r) {
  return residual(cone, augment(cone, y, P), y, P, r);
}

ContactEquations contact_equations(const ContactCone& cone, const double* y, const double* P) {
  ContactEquations equations;
  const Augmented xi = augment(cone, y, P);
  equations.state = residual(cone, xi, y, P, equations.r.data());
  const auto m = static_cast<std::size_t>(cone.rows);
  const double k = cone.k;
  const auto D = [&](std::size_t r, std::size_t c) -> double& { return equations.D[c * m + r]; };
  const auto E = [&](std::size_t r, std::size_t c) -> double& { return equations.E[c * m + r]; };

  if (equations.state == ContactState::gap) {
    for (std::size_t i = 0; i < m; ++i) E(i, i) = -k * k / cone.p;
    return equations;
  }
  D(0, 0) = -k;
  E(0, 0) = -cone.epsilon;
  for (std::size_t i = 1; i < m; ++i) {
    if (equations.state == ContactState::stick) {
      D(i, i) = -k;
      E(i, i) = -cone.epsilon;
      continue;
    }
    const double tau_i = xi.tau(i - 1);
    D(i, 0) = -k * cone.mu * tau_i;
    E(i, 0) = k * k / cone.p * cone.mu * tau_i;
    for (std::size_t j = 1; j < m; ++j) {
      const double tau_j = xi.tau(j - 1);
      const double identity = i == j ? 1.0 : 0.0;
      // One friction direction: the direction is a sign, which does not turn.
      const double turn =
          m == 2 || cone.mu == 0 ? 0.0 : cone.mu * xi.normal / xi.length * (identity - tau_i * tau_j);
      D(i, j) = -k * turn;
      E(i, j) = k * k / cone.p * (turn - identity);
    }
  }
  return equations;
}

}  // namespace picus
