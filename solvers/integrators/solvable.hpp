#pragma once

#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/newton/semismooth_newton.hpp>
#include <picus/solvers/subproblems/contact_sweeps.hpp>

#include <memory>
#include <utility>

namespace picus {

/// A sub-problem of a scheme with its solvers: a linear solver that has analysed its tangent, sweeps, and buffers.
template <class Problem>
struct Solvable : Problem {
  /// `arguments` are those of the problem.
  template <class... Arguments>
  explicit Solvable(const SchemeOptions& options, Arguments&&... arguments)
      : Problem(std::forward<Arguments>(arguments)...), solver(make_solver(options)), work(this->size()) {
    this->set_scaling(options.scaling, options.regularization);
  }

  /// Chooses ordering and pivots of the factorisation from the tangent at the current iterate.
  void choose_pivots() { picus::choose_pivots(*this, *solver, work.r); }

  std::unique_ptr<LinearSolver> solver;  ///< has analysed the pattern of the tangent
  NewtonWorkspace work;                  ///< buffers of the iteration
  ContactSweeps sweeps;                  ///< for many contacts

 private:
  std::unique_ptr<LinearSolver> make_solver(const SchemeOptions& options) const {
    const Index contact_rows = this->size() - this->first_contact_unknown();
    const System& system = *this->system_;
    if constexpr (requires { this->pattern(); }) {  // larger than that of its KKT matrix
      return make_analyzed_solver(system, this->pattern(), false, contact_rows, options);
    } else {
      return make_analyzed_solver(system, this->matrix(), this->is_symmetric(), contact_rows, options,
                                  &this->data_->patterns);
    }
  }
};

}  // namespace picus
