#include <picus/solvers/contact/augmented_law.hpp>

#include <algorithm>
#include <cmath>

namespace picus {
namespace {

/// Rows that share a cone: sliding with drilling, or rolling.
struct Tangent {
  Index first;
  Index end;
  bool sticks = false;
  bool is_known = false;  ///< whether tau is a known direction
  double length = 0.0;    ///< |xi_T|

  Index size() const { return end - first; }
};

/// The augmented multiplier and its position relative to the cones.
struct Augmented {
  /// Component of tau in a row of the tangent; without friction |xi_T| may be zero, and tau is irrelevant. NaN is
  /// preserved.
  double tau(const Tangent& tangent, Index row) const {
    return tangent.length == 0 ? 0.0 : xi[row] / tangent.length;
  }

  ContactState state;
  bool rests_on_apex = false;  ///< P_N is that of the apex
  double bound = 0.0;          ///< normal multiplier of the friction law
  std::array<double, max_contact_rows> xi{};
  std::array<Tangent, 2> tangents;
};

double length_of(const double* x, Index size) {
  if (size == 0) return 0.0;
  if (size == 2) {
    // Most contacts have two tangents; hypot, which cannot overflow, takes longer than the rest of the law.
    constexpr double least = 1e-280;
    constexpr double most = 1e280;
    const double square = x[0] * x[0] + x[1] * x[1];
    if (square > least && square < most) return std::sqrt(square);
  }
  double length = std::abs(x[0]);
  for (Index i = 1; i < size; ++i) length = std::hypot(length, x[i]);
  return length;
}

Augmented augment(const ContactCone& cone, const double* y, const double* P) {
  const Index first_rolling = cone.rows - cone.rolling_rows;
  Augmented augmented{
      .state = ContactState::gap,
      .xi = {P[0] - cone.p * y[0]},
      .tangents = {{{.first = 1, .end = first_rolling}, {.first = first_rolling, .end = cone.rows}}}};
  // A gap that is NaN counts as closed, so that it propagates to the residual.
  augmented.rests_on_apex = augmented.xi[0] < cone.apex;
  if (!cone.is_candidate || (augmented.rests_on_apex && cone.apex == 0)) return augmented;
  const double normal = augmented.bound = augmented.rests_on_apex ? cone.apex : augmented.xi[0];
  for (Index i = 1; i < cone.rows; ++i) augmented.xi[i] = P[i] - cone.p * y[i];
  for (Tangent& tangent : augmented.tangents) {
    tangent.is_known =
        cone.direction != nullptr && length_of(cone.direction + tangent.first, tangent.size()) > 0;
    if (tangent.is_known) {
      std::copy(cone.direction + tangent.first, cone.direction + tangent.end,
                augmented.xi.begin() + tangent.first);
      tangent.length = 1.0;
      continue;
    }
    tangent.length = length_of(augmented.xi.data() + tangent.first, tangent.size());
    tangent.sticks = cone.mu > 0 && tangent.size() > 0 && tangent.length <= cone.mu * normal;
  }
  augmented.state = augmented.tangents[0].sticks ? ContactState::stick : ContactState::slip;
  return augmented;
}

ContactState residual(const ContactCone& cone, const Augmented& augmented, const double* y, const double* P,
                      double* r) {
  if (augmented.state == ContactState::gap) {
    for (Index i = 0; i < cone.rows; ++i) r[i] = -cone.k / cone.p * P[i];
    return augmented.state;
  }
  r[0] = augmented.rests_on_apex ? -cone.k / cone.p * (P[0] - cone.apex) : -cone.k * y[0];
  for (const Tangent& tangent : augmented.tangents) {
    for (Index i = tangent.first; i < tangent.end; ++i) {
      r[i] = tangent.sticks
                 ? -cone.k * y[i]
                 : cone.k / cone.p * (-P[i] + cone.mu * augmented.bound * augmented.tau(tangent, i));
    }
  }
  return augmented.state;
}

/// The same for the most frequent contacts: two tangents, no rolling, no apex, no known direction. The general function
/// would take a sixth of the time of sweeps.
ContactState residual_of_two_tangents(const ContactCone& cone, const double* y, const double* P, double* r) {
  const double normal = P[0] - cone.p * y[0];
  if (!cone.is_candidate || normal < 0) {
    for (int i = 0; i < 3; ++i) r[i] = -cone.k / cone.p * P[i];
    return ContactState::gap;
  }
  r[0] = -cone.k * y[0];
  const std::array<double, 2> xi = {P[1] - cone.p * y[1], P[2] - cone.p * y[2]};
  const double length = length_of(xi.data(), 2);
  if (cone.mu > 0 && length <= cone.mu * normal) {
    r[1] = -cone.k * y[1];
    r[2] = -cone.k * y[2];
    return ContactState::stick;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const double tau = length == 0 ? 0.0 : xi[i] / length;
    r[i + 1] = cone.k / cone.p * (-P[i + 1] + cone.mu * normal * tau);
  }
  return ContactState::slip;
}

}  // namespace

ContactState contact_residual(const ContactCone& cone, const double* y, const double* P, double* r) {
  if (cone.rows == 3 && cone.rolling_rows == 0 && cone.apex == 0 && cone.direction == nullptr)
    return residual_of_two_tangents(cone, y, P, r);
  return residual(cone, augment(cone, y, P), y, P, r);
}

ContactEquations contact_equations(const ContactCone& cone, const double* y, const double* P) {
  ContactEquations equations;
  const Augmented augmented = augment(cone, y, P);
  equations.state = residual(cone, augmented, y, P, equations.r.data());
  const Index m = cone.rows;
  const Index first_rolling = m - cone.rolling_rows;
  const double k = cone.k;
  const auto D = [&](Index r, Index c) -> double& { return equations.D[c * m + r]; };
  const auto E = [&](Index r, Index c) -> double& { return equations.E[c * m + r]; };

  if (equations.state == ContactState::gap) {
    for (Index i = 0; i < m; ++i) E(i, i) = -k * k / cone.p;
    return equations;
  }
  const bool presses = !augmented.rests_on_apex;
  if (presses) {
    D(0, 0) = -k;
    E(0, 0) = -cone.epsilon;
  } else {
    E(0, 0) = -k * k / cone.p;
  }
  for (const Tangent& tangent : augmented.tangents) {
    for (Index i = tangent.first; i < tangent.end; ++i) {
      if (tangent.sticks) {
        D(i, i) = -k;
        E(i, i) = -cone.epsilon;
        continue;
      }
      const double tau_i = augmented.tau(tangent, i);
      if (presses) {
        D(i, 0) = -k * cone.mu * tau_i;
        E(i, 0) = k * k / cone.p * cone.mu * tau_i;
      }
      for (Index j = tangent.first; j < tangent.end; ++j) {
        const double tau_j = augmented.tau(tangent, j);
        const double identity = i == j ? 1.0 : 0.0;
        // With one friction direction tau is a sign, whose derivative is zero.
        const double turn = tangent.size() == 1 || cone.mu == 0 || tangent.is_known
                                ? 0.0
                                : cone.mu * augmented.bound / tangent.length * (identity - tau_i * tau_j);
        D(i, j) = -k * turn;
        E(i, j) = k * k / cone.p * (turn - identity);
      }
      for (Index j = 1; j < std::min<Index>(first_rolling, 3); ++j)
        D(i, j) += k / cone.p * augmented.bound * tau_i * cone.mu_gradient[j - 1];
    }
  }
  return equations;
}

}  // namespace picus
