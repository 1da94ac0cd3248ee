#pragma once

#include <picus/profile.hpp>
#include <picus/solvers/linear/linear_solver.hpp>

#include <utility>

namespace picus::solvers {

/// A wrapper that times another linear solver for a profile.
class ProfiledSolver : public LinearSolver {
 public:
  /// `profile` must outlive it.
  ProfiledSolver(std::unique_ptr<LinearSolver> inner, Profile& profile)
      : inner_(std::move(inner)), profile_(&profile) {}

  std::string_view name() const override { return inner_->name(); }
  void analyze(const SparseMatrix& matrix, Index trailing) override {
    const Profile::Scope clock(profile_, ProfilePart::analysis);
    inner_->analyze(matrix, trailing);
  }
  bool factorize(const SparseMatrix& matrix) override {
    const Profile::Scope clock(profile_, ProfilePart::factorization);
    return inner_->factorize(matrix);
  }
  bool factorize_trailing(const SparseMatrix& matrix) override {
    const Profile::Scope clock(profile_, ProfilePart::factorization);
    return inner_->factorize_trailing(matrix);
  }
  void solve(std::span<double> b) override {
    const Profile::Scope clock(profile_, ProfilePart::solution);
    inner_->solve(b);
  }
  void set_accuracy(double accuracy) override { inner_->set_accuracy(accuracy); }
  bool sweeps() const override { return inner_->sweeps(); }
  const LinearSolverStatistics& statistics() const override { return inner_->statistics(); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  Profile* profile_;
};

/// The solver with a ProfiledSolver around it if there is a profile, otherwise the solver itself.
inline std::unique_ptr<LinearSolver> with_profile(std::unique_ptr<LinearSolver> solver, Profile* profile) {
  if (profile == nullptr) return solver;
  return std::make_unique<ProfiledSolver>(std::move(solver), *profile);
}

}  // namespace picus::solvers
