#pragma once

/// Measures the time that a run spends in bare factorisations and solves.

#include <picus/solvers/linear/linear_solver.hpp>

#include <chrono>
#include <memory>

namespace picus::bench {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct LinearTimes {
  double factorize = 0.0;  ///< s
  double solve = 0.0;      ///< s
};

class TimingSolver : public LinearSolver {
 public:
  TimingSolver(std::unique_ptr<LinearSolver> inner, LinearTimes& times)
      : inner_(std::move(inner)), times_(&times) {}

  std::string_view name() const override { return inner_->name(); }
  void analyze(const SparseMatrix& matrix, Index trailing) override { inner_->analyze(matrix, trailing); }
  bool factorize(const SparseMatrix& matrix) override {
    const auto start = Clock::now();
    const bool is_regular = inner_->factorize(matrix);
    times_->factorize += seconds_since(start);
    return is_regular;
  }
  void solve(std::span<double> b) override {
    const auto start = Clock::now();
    inner_->solve(b);
    times_->solve += seconds_since(start);
  }
  const LinearSolverStatistics& statistics() const override { return inner_->statistics(); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  LinearTimes* times_;
};

}  // namespace picus::bench
