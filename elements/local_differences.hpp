#pragma once

/// Derivatives of functions of the user along the group, by differences: for elements of which only the function is
/// given.

#include <picus/checks.hpp>
#include <picus/element.hpp>
#include <picus/model.hpp>

#include <array>
#include <span>

namespace picus {

/// The configuration of the nodes of one element, which can be moved; those of all other nodes are NaN, so that a
/// function that reads them shows. One per thread, which only the first one of a thread allocates.
class LocalConfiguration {
 public:
  /// Starts at q; both must outlive it.
  LocalConfiguration(const Element& element, const Configuration& q);
  ~LocalConfiguration();
  LocalConfiguration(const LocalConfiguration&) = delete;
  LocalConfiguration& operator=(const LocalConfiguration&) = delete;

  /// The configuration as moved.
  const Configuration& q() const;
  /// q <- q o exp(by e) for the local component `dof`.
  void move(Index dof, double by);
  /// q <- q o exp(by v), v with the n local components.
  void move(std::span<const double> v, double by);
  /// Back to the configuration given.
  void restore();

 private:
  const Element& element_;
  const Configuration& given_;
};

/// df/ds at s = 0 by central differences of fourth order, whose error is about 1e-12 of the change of f over 1000 steps;
/// exactly zero for what does not depend on s. evaluate(s, out) adds f(s) to what is zero.
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

/// Steps of differences: 1e-3 of a length for translations, of a radian for rotations and of a unit for scalars.
class DifferenceSteps {
 public:
  /// `length` is that over which the function changes, m.
  DifferenceSteps(const Element& element, double length) : element_(element), length_(length) {}

  /// Of a local component.
  double of(Index dof) const;
  /// For a motion along v, of the component that it moves most; 0 if v vanishes.
  double along(std::span<const double> v) const;

 private:
  const Element& element_;
  double length_;
};

/// Throws ModelError, which names the element, unless it has nodes, each once and of this model, with no more components
/// than one element may have.
void require_nodes_of_user(const Culprit& who, const Element& element, const Model& model);

}  // namespace picus
