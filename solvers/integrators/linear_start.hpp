#pragma once

#include <picus/kkt_assembler.hpp>
#include <picus/solvers/linear/linear_solver.hpp>
#include <picus/solvers/subproblems/step_data.hpp>

#include <memory>

namespace picus::solvers {

/// The linear problems [M -G^T; -G 0] at the start: the shortest x in the metric of the mass with G x = rate, or the
/// acceleration of M x = f + G^T lambda. M and G are those of `data`.
class LinearStart {
 public:
  LinearStart(const System& system, StepData& data);

  /// Factorises the matrix of M and G; to be called before the first solve() and whenever they have changed. Throws
  /// SolverError if the matrix is singular.
  void factorize();

  /// Corrects x and lambda until M x - G^T lambda = f (free rows) and G x = rate. Throws SolverError if numbers overflow.
  void solve(const Vector& f, const Vector& rate, Vector& x, Vector& lambda);

 private:
  const System* system_;
  StepData* data_;
  KktAssembler kkt_;
  Vector k_;
  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace picus::solvers
