#pragma once

/// Measures the time that a run spends in bare factorisations and solves, in seconds of the processor, so that other
/// programs on the machine disturb little. Dense kernels have to keep to one thread (OPENBLAS_NUM_THREADS=1,
/// OMP_THREAD_LIMIT=1).

#include <picus/solvers/linear/linear_solver.hpp>

#include <chrono>
#include <ctime>
#include <memory>

namespace picus::bench {

/// Time that this program has spent on processors.
struct Clock {
  using duration = std::chrono::duration<double>;
  using time_point = std::chrono::time_point<Clock, duration>;
  static time_point now() { return time_point(duration(static_cast<double>(std::clock()) / CLOCKS_PER_SEC)); }
};

inline double seconds_since(Clock::time_point start) {
  return (Clock::now() - start).count();
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
