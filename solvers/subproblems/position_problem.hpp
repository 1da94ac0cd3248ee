#pragma once

#include <picus/solvers/subproblems/subproblem.hpp>

namespace picus {

/// What variants of the scheme leave out of the position correction.
struct PositionTerms {
  bool has_forces = true;    ///< h^2 f^p, the change of forces under the correction (eq. 3.30)
  bool has_friction = true;  ///< Coulomb's law over the step
};

/// The position correction (Galvez 2020, eqs. 3.39 and 4.1): from q~ to the nearest q, in the metric of
/// M(q~), that satisfies the constraints, the gaps and, through g_T, Coulomb's law over the step. Unknown U
/// and the multipliers.
class PositionProblem : public Subproblem {
 public:
  explicit PositionProblem(StepData& data) : Subproblem(data, KktAssembler::Rows::bilateral_and_contacts) {}

  std::string_view name() const override { return "position"; }

  /// From U = 0 and the contact multipliers that are set.
  void begin(const PositionTerms& terms = {});
  /// From U = 0, without sources and friction: the projection of a configuration on constraints and gaps, or
  /// on constraints only; residuals are measured against `length`, metres.
  void begin_projection(double length, bool has_contacts = true);

  /// Without constraints and contacts: U = 0.
  void take_smooth_motion();

  /// U at the current iterate.
  const Vector& correction() const { return U_; }

  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;

 private:
  const Chart* chart() const override { return &chart_; }
  void reset();

  double source_ = 0.0;  ///< h^2, or 0 without forces
  Vector U_;
  Vector violation_;
};

}  // namespace picus
