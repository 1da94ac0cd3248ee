#pragma once

/// Impacts of several contacts with Coulomb friction in a plane: every combination of states of the contacts is tried, and
/// all that hold are returned. Independent of the solvers of the library.

#include <picus/types.hpp>

#include <Eigen/LU>

#include <cmath>
#include <utility>
#include <vector>

namespace picus::support {

/// Rates u = u_0 + W P with a normal and a tangential row of each contact.
struct PlanarContacts {
  Eigen::MatrixXd W;
  Vector u_0;
  std::vector<double> mu, e;
};

namespace impact_states {

/// Normal: impulse at its least value, or rate at its target. Tangential: no sliding, or friction to one side.
enum class Normal { least_impulse, target_rate };
enum class Tangential { sticks, forward, backward };

inline constexpr double rounding = 1e-9;

/// All P with P_N >= least, u_N >= target, one of them equal, and Coulomb's law.
inline std::vector<Vector> all_impulses(const PlanarContacts& contacts, const Vector& u, const Vector& target,
                                        const Vector& least) {
  const Index n = count_of(contacts.mu);
  const double speed = contacts.u_0.lpNorm<Eigen::Infinity>();
  std::vector<Vector> found;
  constexpr int states = 6;
  const auto combinations = static_cast<long>(std::llround(std::pow(states, n)));
  for (long combination = 0; combination < combinations; ++combination) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    Vector b = Vector::Zero(2 * n);
    std::vector<std::pair<Normal, Tangential>> state;
    long rest = combination;
    for (Index i = 0; i < n; ++i, rest /= states) {
      const auto [normal, tangential] = state.emplace_back(static_cast<Normal>(rest % states / 3),
                                                           static_cast<Tangential>(rest % states % 3));
      const Index N = 2 * i, T = N + 1;
      if (normal == Normal::least_impulse) {
        A(N, N) = 1;
        b[N] = least[i];
      } else {
        A.row(N) = contacts.W.row(N);
        b[N] = target[i] - u[N];
      }
      if (tangential == Tangential::sticks) {
        A.row(T) = contacts.W.row(T);
        b[T] = -u[T];
      } else {
        A(T, T) = 1;
        A(T, N) = (tangential == Tangential::forward ? 1 : -1) * contacts.mu[i];
      }
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    if (!lu.isInvertible()) continue;
    const Vector P = lu.solve(b);
    const Vector after = u + contacts.W * P;
    bool holds = true;
    for (Index i = 0; i < n && holds; ++i) {
      const Index N = 2 * i, T = N + 1;
      const double scale = speed / contacts.W(N, N);
      const double friction = contacts.mu[i] * P[N];
      holds = P[N] >= least[i] - rounding * scale && after[N] >= target[i] - rounding * speed &&
              std::abs(P[T]) <= friction + rounding * scale;
      switch (state[static_cast<std::size_t>(i)].second) {
        case Tangential::sticks:
          break;
        case Tangential::forward:
          holds = holds && after[T] >= -rounding * speed;
          break;
        case Tangential::backward:
          holds = holds && after[T] <= rounding * speed;
          break;
      }
    }
    if (holds) found.push_back(P);
  }
  return found;
}

}  // namespace impact_states

/// Rates u_N >= -e u_N before, complementary to P_N >= 0.
inline std::vector<Vector> impulses_after_newton(const PlanarContacts& contacts) {
  const Index n = count_of(contacts.mu);
  Vector target(n);
  for (Index i = 0; i < n; ++i) target[i] = -contacts.e[i] * contacts.u_0[2 * i];
  return impact_states::all_impulses(contacts, contacts.u_0, target, Vector::Zero(n));
}

/// Compression to u_N >= 0, then an expansion with P_N >= e P_N of the compression (Glocker and Pfeiffer 1995).
inline std::vector<Vector> impulses_after_poisson(const PlanarContacts& contacts) {
  const Index n = count_of(contacts.mu);
  const Vector none = Vector::Zero(n);
  std::vector<Vector> all;
  for (const Vector& compression : impact_states::all_impulses(contacts, contacts.u_0, none, none)) {
    Vector least(n);
    for (Index i = 0; i < n; ++i) least[i] = contacts.e[i] * compression[2 * i];
    const Vector u = contacts.u_0 + contacts.W * compression;
    for (const Vector& expansion : impact_states::all_impulses(contacts, u, none, least))
      all.push_back(compression + expansion);
  }
  return all;
}

}  // namespace picus::support
