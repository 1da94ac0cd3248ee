#pragma once

/// Derivatives of user-defined functions along the group, by finite differences: for elements of which only the function
/// is given.

#include <picus/checks.hpp>
#include <picus/element.hpp>
#include <picus/model.hpp>

#include <array>
#include <span>
#include <utility>

namespace picus {

/// A configuration in which the nodes of one element can be moved; all other nodes are NaN, so that a function that
/// reads them has a NaN result. At most one per thread at a time; only the first one of a thread allocates memory.
class LocalConfiguration {
 public:
  /// Starts at q; both must outlive it.
  LocalConfiguration(const Element& element, const Configuration& q);
  ~LocalConfiguration();
  LocalConfiguration(const LocalConfiguration&) = delete;
  LocalConfiguration& operator=(const LocalConfiguration&) = delete;

  /// The moved configuration.
  const Configuration& q() const;
  /// q <- q o exp(by e) for the local component `dof`.
  void move(Index dof, double by);
  /// q <- q o exp(by_i e_i + by_j e_j) for two local components.
  void move(Index i, double by_i, Index j, double by_j);
  /// q <- q o exp(by v), v with the n local components.
  void move(std::span<const double> v, double by);
  /// Returns to the given configuration.
  void restore();

 private:
  const Element& element_;
  const Configuration& given_;
};

/// df/ds at s = 0 by central differences of fourth order, whose error is about 1e-12 of the change of f over 1000 steps;
/// exactly zero for functions that do not depend on s. evaluate(s, out) adds f(s) to `out`, which is zero on entry.
template <class Evaluate>
void central_difference(double step, std::span<double> derivative, const Evaluate& evaluate) {
  std::array<double, max_local_dofs> ahead;
  std::array<double, max_local_dofs> behind;
  const std::span<double> plus(ahead.data(), derivative.size());
  const std::span<double> minus(behind.data(), derivative.size());
  const auto add = [&](double place, double weight) {
    std::fill(plus.begin(), plus.end(), 0.0);
    std::fill(minus.begin(), minus.end(), 0.0);
    evaluate(place * step, plus);
    evaluate(-place * step, minus);
    for (std::size_t i = 0; i < derivative.size(); ++i) derivative[i] += weight * (plus[i] - minus[i]) / step;
  };
  std::fill(derivative.begin(), derivative.end(), 0.0);
  add(1, 8.0 / 12);
  add(2, -1.0 / 12);
}

/// d2f/da ds at a = s = 0 by differences of fourth order along the diagonals, 8 evaluations; exactly zero for functions
/// that do not depend on both. evaluate(a, s, out) adds f(a, s) to `out`, which is zero on entry.
template <class Evaluate>
void mixed_difference(double step_a, double step_s, std::span<double> derivative, const Evaluate& evaluate) {
  std::array<double, max_local_dofs> ahead;
  std::array<double, max_local_dofs> behind;
  const std::span<double> plus(ahead.data(), derivative.size());
  const std::span<double> minus(behind.data(), derivative.size());
  const auto add = [&](double place, double s, double weight) {
    std::fill(plus.begin(), plus.end(), 0.0);
    std::fill(minus.begin(), minus.end(), 0.0);
    evaluate(place * step_a, s * step_s, plus);
    evaluate(-place * step_a, s * step_s, minus);
    for (std::size_t i = 0; i < derivative.size(); ++i) derivative[i] += weight * (plus[i] - minus[i]);
  };
  std::fill(derivative.begin(), derivative.end(), 0.0);
  for (const auto& [place, weight] : {std::pair{1.0, 16.0}, {2.0, -1.0}}) {
    add(place, place, weight);
    add(place, -place, -weight);
  }
  for (double& value : derivative) value /= 48 * step_a * step_s;
}

/// Steps of differences: 1e-3 of a length for translations, of a radian for rotations and of a unit for scalars.
class DifferenceSteps {
 public:
  /// `length` is that over which the function changes, m.
  DifferenceSteps(const Element& element, double length) : element_(element), length_(length) {}

  /// The step of a local component.
  double of(Index dof) const;
  /// The step along v with which no component moves by more than its own step; 0 if v vanishes.
  double along(std::span<const double> v) const;

  /// Factor by which the steps of second derivatives are longer, since their rounding errors grow with the inverse
  /// square of the step.
  static constexpr double second = 3.0;

 private:
  const Element& element_;
  double length_;
};

/// The parts of second_derivatives().
class SecondDifferences {
 public:
  /// `centre` is the value of the function in the given configuration.
  SecondDifferences(const Element& element, const DifferenceSteps& steps, double centre);

  /// The step of a local component.
  double step(Index dof) const { return DifferenceSteps::second * steps_.of(dof); }
  /// f(place) is the function after `place` steps along component i.
  template <class Function>
  void add_direction(Index i, const Function& f) {
    const double one = f(1), minus_one = f(-1), two = f(2), minus_two = f(-2);
    first_[i] = (8 * (one - minus_one) - (two - minus_two)) / 12;
    squares_[i] = (16 * (one + minus_one - 2 * centre_) - (two + minus_two - 2 * centre_)) / 12;
  }
  /// The same for components i and j < i together, after both of them.
  template <class Function>
  void add_pair(Index i, Index j, const Function& f) {
    mixed_[i * max_size + j] =
        (16 * (f(1) + f(-1) - 2 * centre_) - (f(2) + f(-2) - 2 * centre_)) / 12 - squares_[i] - squares_[j];
  }
  /// Sets K, n x n, to X_j X_i f in row i of column j.
  void write(std::span<double> K) const;

 private:
  static constexpr Index max_size = max_local_dofs;
  const Element& element_;
  const DifferenceSteps& steps_;
  double centre_;
  std::array<double, max_local_dofs> first_, squares_;
  std::array<double, max_local_dofs * max_local_dofs> mixed_;
};

/// Sets K, n x n, to the second derivatives X_j X_i phi of a function of the configuration that `evaluate` gives at
/// `moved`; X_i is the derivative along exp(s e_i) from the right. With Y = X_i + X_j,
///
///     X_j X_i = 1/2 (Y^2 - X_i^2 - X_j^2) + 1/2 [X_j, X_i]
///
/// where the commutator of two rotations of a body is the derivative along the third. Differences of fourth order with
/// three times the step of first ones, 2 n (n + 1) + 1 evaluations.
template <class Evaluate>
void second_derivatives(const Element& element, LocalConfiguration& moved, const DifferenceSteps& steps,
                        std::span<double> K, const Evaluate& evaluate) {
  SecondDifferences differences(element, steps, evaluate(moved));
  const auto sample = [&](const auto& move) {
    return [&](double place) {
      move(place);
      const double value = evaluate(moved);
      moved.restore();
      return value;
    };
  };
  const Index n = element.dof_count();
  for (Index i = 0; i < n; ++i) {
    differences.add_direction(i, sample([&](double place) { moved.move(i, place * differences.step(i)); }));
    for (Index j = 0; j < i; ++j) {
      differences.add_pair(i, j, sample([&](double place) {
                             moved.move(i, place * differences.step(i), j, place * differences.step(j));
                           }));
    }
  }
  differences.write(K);
}

/// Throws ModelError, which names the element, unless it has nodes, each once and of this model, with no more components
/// than one element may have.
void require_nodes_of_user(const Culprit& who, const Element& element, const Model& model);

}  // namespace picus
