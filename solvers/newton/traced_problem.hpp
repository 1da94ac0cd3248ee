#pragma once

/// A wrapper of a problem that records the accumulated change of its unknowns, so that it can return to its best
/// iterate.

#include <picus/solvers/newton/semismooth_newton.hpp>

#include <limits>

namespace picus {

class TracedProblem : public NonlinearProblem {
 public:
  /// Recording begins at the current iterate. `problem` must outlive it.
  explicit TracedProblem(NonlinearProblem& problem)
      : problem_(&problem), increment_(Vector::Zero(problem.size())), best_increment_(increment_) {}

  Index size() const override { return problem_->size(); }
  ResidualNorm evaluate(Vector& r) override {
    const ResidualNorm norm = problem_->evaluate(r);
    if (norm.worst < best_) {
      best_ = norm.worst;
      best_increment_ = increment_;
    }
    return norm;
  }
  const SparseMatrix& tangent() override { return problem_->tangent(); }
  std::uint64_t tangent_kind() const override { return problem_->tangent_kind(); }
  std::uint64_t tangent_family() const override { return problem_->tangent_family(); }
  const SparseMatrix& tangent_with_updated_contacts() override {
    return problem_->tangent_with_updated_contacts();
  }
  void advance(const Vector& dx, double factor) override {
    increment_ += factor * dx;
    problem_->advance(dx, factor);
  }

  bool exclude_unreachable_residual(LinearSolver& solver) override {
    return problem_->exclude_unreachable_residual(solver);
  }
  int iterations_before_exclusion() const override { return problem_->iterations_before_exclusion(); }
  void leave_out_excluded_rows(LinearSolver& solver, Vector& dx) override {
    problem_->leave_out_excluded_rows(solver, dx);
  }

  /// Change of the unknowns since recording began.
  const Vector& increment() const { return increment_; }
  /// Smallest worst residual of the iterates evaluated, and the change of the unknowns that leads to that iterate.
  double best_residual() const { return best_; }
  const Vector& best_increment() const { return best_increment_; }
  /// Returns to that iterate, which must then be evaluated again.
  void return_to_best() {
    increment_ -= best_increment_;
    problem_->advance(increment_, -1.0);
    increment_ = best_increment_;
  }

 private:
  NonlinearProblem* problem_;
  Vector increment_, best_increment_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace picus
