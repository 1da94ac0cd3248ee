#pragma once

#include <picus/solvers/subproblems/implicit_stage.hpp>

#include <vector>

namespace picus::solvers {

/// Two stages coupled by their velocity increments, as one problem of twice the size. Unknowns are those of the first
/// stage, then those of the second; likewise the contact rows.
class TwoStageProblem : public ContactProblem {
 public:
  /// The stages must outlive the problem; each has its own StepData, and from now on depends on the other.
  TwoStageProblem(ImplicitStage& first, ImplicitStage& second);

  Index size() const override { return matrix_.size; }
  const Threads* threads() const override { return stages_[0]->threads(); }
  const SparseMatrix& pattern() const { return matrix_; }
  ResidualNorm evaluate(Vector& r) override;
  const SparseMatrix& tangent() override;
  void advance(const Vector& dx, double factor) override;
  std::string describe(Index unknown) const override;

  void set_scaling(double scaling, double regularization) override;
  void set_restitution(Restitution /*restitution*/) override {}
  bool has_restitution() const override { return false; }
  std::span<const ContactCone> cones() const override;
  const Vector& contact_multipliers() const override;
  void set_contact_multipliers(const Vector& P) override;
  const Vector& contact_motion() const override;
  double weight(Index unknown) const override;
  const SparseMatrix& tangent_with(ContactRows rows) override;
  Index contact_unknown(Index contact_row) const override;
  double fixed_multiplier_row(Index contact_row, double dP) const override;
  void contact_response(const Vector& dx, Vector& response) override;
  bool exclude_unreachable_residual(LinearSolver& solver) override;
  int iterations_before_exclusion() const override { return stages_[0]->iterations_before_exclusion(); }
  void leave_out_excluded_rows(LinearSolver& solver, Vector& dx) override;

 private:
  void add(const SparseMatrix& block, std::size_t row, std::size_t column);

  std::array<ImplicitStage*, 2> stages_;
  Index stage_size_;
  SparseMatrix matrix_;
  std::array<std::array<std::vector<Index>, 2>, 2>
      places_;  ///< position of the entries of each block; -1: always zero
  std::array<Vector, 2> part_;
  Index contact_rows_;  ///< number of contact rows of one stage
  // Concatenated from both stages on request.
  mutable std::vector<ContactCone> cones_;
  mutable Vector multipliers_, motion_;
  Vector of_stage_;  ///< buffer of contact rows
  RedundantBorder border_;
  std::array<RedundantBorder::Part, 2> border_parts_;
};

}  // namespace picus::solvers
