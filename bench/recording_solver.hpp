#pragma once

/// Stores every matrix and right-hand side that a run solves, so that the linear algebra can be timed by itself.

#include <picus/solvers/linear/klu_solver.hpp>

#include <chrono>
#include <memory>
#include <vector>

namespace picus::bench {

/// The linear algebra of a run: its patterns, and every factorisation and solve in their order.
struct Tape {
  struct Event {
    std::size_t solver;
    bool is_solve;
    std::vector<double> values;  ///< of the matrix, or the right-hand side
  };
  std::vector<SparseMatrix> patterns;
  std::vector<Index> trailing;  ///< unknowns eliminated last, one number per pattern
  std::vector<Event> events;
};

class RecordingSolver : public LinearSolver {
 public:
  RecordingSolver(std::unique_ptr<LinearSolver> inner, Tape& tape)
      : inner_(std::move(inner)), tape_(&tape), number_(tape.patterns.size()) {
    tape_->patterns.emplace_back();
    tape_->trailing.push_back(0);
  }

  std::string_view name() const override { return inner_->name(); }
  void analyze(const SparseMatrix& matrix, Index trailing) override {
    tape_->patterns[number_] = matrix;
    tape_->trailing[number_] = trailing;
    inner_->analyze(matrix, trailing);
  }
  bool factorize(const SparseMatrix& matrix) override {
    tape_->events.push_back({number_, false, matrix.values});
    return inner_->factorize(matrix);
  }
  void solve(std::span<double> b) override {
    tape_->events.push_back({number_, true, {b.begin(), b.end()}});
    inner_->solve(b);
  }
  const LinearSolverStatistics& statistics() const override { return inner_->statistics(); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  Tape* tape_;
  std::size_t number_;
};

/// KLU called directly, without any checks.
class BareKlu {
 public:
  BareKlu(SparseMatrix pattern, Index trailing, std::vector<double> first_values)
      : matrix_(std::move(pattern)),
        starts_(matrix_.column_start.begin(), matrix_.column_start.end()),
        rows_(matrix_.row.begin(), matrix_.row.end()) {
    klu_defaults(&common_);
    symbolic_ = solvers::analyze_for_klu(matrix_, trailing, solvers::KluOrdering::symmetric, common_);
    numeric_ = klu_factor(starts_.data(), rows_.data(), first_values.data(), symbolic_, &common_);
  }
  ~BareKlu() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  BareKlu(const BareKlu&) = delete;
  BareKlu& operator=(const BareKlu&) = delete;

  void refactorize(std::vector<double>& values) {
    klu_refactor(starts_.data(), rows_.data(), values.data(), symbolic_, numeric_, &common_);
  }
  void solve(std::vector<double>& b) { klu_solve(symbolic_, numeric_, matrix_.size, 1, b.data(), &common_); }

 private:
  SparseMatrix matrix_;
  std::vector<Index> starts_, rows_;  // the interface of KLU predates const
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

/// The elimination order in a replay.
enum class Ordering : std::uint8_t { of_the_run, of_klu };

/// Time that KLU alone needs for everything on the tape, in the order of the run, s.
inline double replay_with_klu(const Tape& tape, Ordering ordering) {
  std::vector<std::unique_ptr<BareKlu>> solvers(tape.patterns.size());
  std::vector<Tape::Event> events = tape.events;
  for (const Tape::Event& event : events) {
    auto& solver = solvers[event.solver];
    if (solver || event.is_solve) continue;
    const Index trailing = ordering == Ordering::of_the_run ? tape.trailing[event.solver] : 0;
    solver = std::make_unique<BareKlu>(tape.patterns[event.solver], trailing, event.values);
  }
  const auto begin = std::chrono::steady_clock::now();
  for (Tape::Event& event : events) {
    if (event.is_solve) {
      solvers[event.solver]->solve(event.values);
    } else {
      solvers[event.solver]->refactorize(event.values);
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return elapsed.count();
}

}  // namespace picus::bench
