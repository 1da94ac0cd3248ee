#pragma once

/// A user-defined constraint on any nodes, of which only the equation is needed:
///
///     g(q, t) = 0,   reaction G^T lambda,   G = dg/dq
///
/// g is in metres, or in radians for constraints on orientation; a multiplier is then a force in newtons or a moment in
/// newton metres. `gradient` gives G, m x n, column by column with respect to left-trivialised increments (see
/// element.hpp), with the n velocity components of the nodes one after another; all storage is zero on entry.
///
/// Without `gradient` the element differentiates g along the group itself: central differences of fourth order with a
/// step of 1e-3 (`length` for translations, 1 for rotations and scalars, `duration` for time), 4 n evaluations of g. If g
/// is smooth over a length, a radian and a duration, their error is about 1e-12 of the change of g over a length. Second
/// derivatives, for tangents only, are second differences, or differences of `gradient`: about 1e-9, and for
/// geometric_stiffness() 2 n (n + 1) + 1 or 4 n evaluations, for rate_jacobian() 8 n or 5, up to twice as many of a
/// rheonomic g in the first two steps of time.
///
/// g may only read its own nodes: during differencing all others are NaN. It is called concurrently with other elements,
/// from any thread of the run, unless Model::evaluate_serially says otherwise.

#include <picus/element.hpp>
#include <picus/model.hpp>

#include <functional>
#include <string>
#include <vector>

namespace picus {

class UserConstraint : public Element, public BilateralConstraint {
 public:
  /// BilateralConstraint::residual: g, m entries; zero on entry.
  using ResidualFunction = std::function<void(const Configuration& q, double t, std::span<double> g)>;
  /// BilateralConstraint::gradient: G, m x n, column by column; zero on entry.
  using GradientFunction = std::function<void(const Configuration& q, double t, std::span<double> G)>;

  struct Parameters {
    std::string name;
    std::vector<Node> nodes;         ///< at least one, each once
    Index rows = 1;                  ///< m, number of equations, at most 12
    ResidualFunction residual;       ///< g; must be given
    GradientFunction gradient = {};  ///< exact G; otherwise g is differenced
    bool is_rheonomic = false;       ///< whether g depends on t
    double length = 1.0;             ///< over which g changes, m; scales the differences
    double duration = 1.0;           ///< over which g changes, s; likewise
  };
  /// Throws ModelError for parameters out of range and for an equation that is not finite at the start. Rows that are
  /// violated there are reported at the start of a run, together with those of all other constraints.
  UserConstraint(Parameters parameters, const Model& model);

  Index row_count() const override { return parameters_.rows; }
  void residual(const Configuration& q, double t, std::span<double> g) const override;
  void gradient(const Configuration& q, double t, std::span<double> G) const override;
  void geometric_stiffness(const Configuration& q, double t, std::span<const double> lambda,
                           std::span<double> K) const override;
  void rate_jacobian(const Configuration& q, double t, std::span<const double> v,
                     std::span<double> H) const override;
  /// An equation may depend on a velocity component in some configurations only.
  bool has_structural_zeros() const override { return false; }
  bool is_rheonomic() const override { return parameters_.is_rheonomic; }
  void partial_rate(const Configuration& q, double t, std::span<double> g_t) const override;

 private:
  Parameters parameters_;
};

}  // namespace picus
