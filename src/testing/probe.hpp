#pragma once

/// Random states of an element, and finite differences along the group of functions of the state.

#include <picus/testing/tangent_check.hpp>

#include <array>
#include <functional>
#include <random>
#include <vector>

namespace picus::tangent_check {

/// df/dk at k = 0 by central differences of order 8.
template <class Function>
auto central_difference(const Function& f) {
  constexpr std::array weights = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  auto sum = (weights[0] * (f(1.0) - f(-1.0))).eval();
  for (std::size_t i = 1; i < weights.size(); ++i) {
    const auto k = static_cast<double>(i + 1);
    sum += weights[i] * (f(k) - f(-k));
  }
  return sum;
}

struct Sample {
  Configuration q;
  Vector v;
  double t;
};

/// Columns of derivatives are scaled by the unit of their component: `length` for translations, 1 otherwise.
class Probe {
 public:
  using Matrix = Eigen::MatrixXd;

  Probe(const Model& model, const Element& element, const TangentCheckOptions& options);

  Index size() const { return count_of(units_); }
  Sample random_sample();
  Configuration random_configuration();
  /// Entries in [-1, 1].
  Vector random_vector(Index size);

  /// The element's entries of a vector in natural layout.
  Vector local(const Vector& natural) const;

  /// df/dq with differences of that step, one column for each local component.
  Matrix difference(const Configuration& q, const std::function<Vector(const Configuration&)>& f,
                    double step) const;
  /// df/dv.
  Matrix difference(const Vector& v, const std::function<Vector(const Vector&)>& f, double step) const;
  /// A local matrix with columns scaled in the same way. Columns of the same component (a node named twice) are summed.
  Matrix gathered(const Matrix& exact) const;

 private:
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  Configuration moved(const Configuration& q, const Vector& increment) const;

  const Model& model_;
  const Element& element_;
  TangentCheckOptions options_;
  std::mt19937 random_;
  std::vector<Index> dofs_;    ///< natural component of each local column
  std::vector<double> units_;  ///< of each local column
};

}  // namespace picus::tangent_check
