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
      : problem_(&problem), way_(Vector::Zero(problem.size())), best_way_(way_) {}

  Index size() const override { return problem_->size(); }
  ResidualNorm evaluate(Vector& r) override {
    const ResidualNorm norm = problem_->evaluate(r);
    if (norm.worst < best_) {
      best_ = norm.worst;
      best_way_ = way_;
    }
    return norm;
  }
  const SparseMatrix& tangent() override { return problem_->tangent(); }
  std::uint64_t tangent_kind() const override { return problem_->tangent_kind(); }
  std::uint64_t tangent_family() const override { return problem_->tangent_family(); }
  const SparseMatrix& tangent_of_states() override { return problem_->tangent_of_states(); }
  void advance(const Vector& dx, double factor) override {
    way_ += factor * dx;
    problem_->advance(dx, factor);
  }

  bool leave_out_unsolvable(LinearSolver& solver) override { return problem_->leave_out_unsolvable(solver); }

  /// Smallest worst residual of the iterates evaluated, and the change of the unknowns that leads to that iterate.
  double best_residual() const { return best_; }
  const Vector& best_way() const { return best_way_; }
  /// Returns to that iterate, which must then be evaluated again.
  void return_to_best() {
    way_ -= best_way_;
    problem_->advance(way_, -1.0);
    way_ = best_way_;
  }

 private:
  NonlinearProblem* problem_;
  Vector way_, best_way_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace picus
