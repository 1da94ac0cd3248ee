#pragma once

/// Keeps every matrix and right-hand side that a run solves, so that the bare linear algebra can be timed
/// alone.

#include <picus/solvers/linear/linear_solver.hpp>

#include <klu.h>

#include <chrono>
#include <memory>
#include <vector>

namespace picus::bench {

/// The linear algebra of one sub-problem in a run: values and right-hand sides in the order of solving.
struct Tape {
  SparseMatrix pattern;
  std::vector<std::vector<double>> values;
  std::vector<std::vector<double>> sides;
};

class RecordingSolver : public LinearSolver {
 public:
  RecordingSolver(std::unique_ptr<LinearSolver> inner, Tape& tape) : inner_(std::move(inner)), tape_(&tape) {}

  std::string_view name() const override { return inner_->name(); }
  void analyze(const SparseMatrix& matrix, Index trailing) override {
    tape_->pattern = matrix;
    inner_->analyze(matrix, trailing);
  }
  bool factorize(const SparseMatrix& matrix) override {
    tape_->values.push_back(matrix.values);
    return inner_->factorize(matrix);
  }
  void solve(std::span<double> b) override {
    tape_->sides.emplace_back(b.begin(), b.end());
    inner_->solve(b);
  }
  const LinearSolverStatistics& statistics() const override { return inner_->statistics(); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  Tape* tape_;
};

/// Seconds that KLU needs to refactorise and solve all systems of the tape, called directly, without any
/// check.
inline double replay_with_klu(const Tape& tape) {
  if (tape.values.empty()) return 0.0;
  klu_common common;
  klu_defaults(&common);
  auto start = tape.pattern.column_start;
  auto row = tape.pattern.row;
  auto values = tape.values;
  auto sides = tape.sides;
  klu_symbolic* symbolic = klu_analyze(tape.pattern.size, start.data(), row.data(), &common);
  klu_numeric* numeric = klu_factor(start.data(), row.data(), values.front().data(), symbolic, &common);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < values.size(); ++k) {
    klu_refactor(start.data(), row.data(), values[k].data(), symbolic, numeric, &common);
    klu_solve(symbolic, numeric, tape.pattern.size, 1, sides[k].data(), &common);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return elapsed.count();
}

}  // namespace picus::bench
