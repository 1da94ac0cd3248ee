#pragma once

/// The sub-problems of one step from a given start, one by one.

#include <picus/solvers/integrators/nsga_problems.hpp>
#include <picus/solvers/subproblems/contact_masses.hpp>

namespace picus {

class OneStep {
 public:
  OneStep(const Model& model, double h, double scaling = 1.0, double regularization = 1e-8)
      : system(model), q_n(model.initial_configuration()) {
    const auto given = model.initial_velocity();
    v_n = Eigen::Map<const Vector>(given.data(), given.size());
    data.q_n = &q_n;
    data.v_n = &v_n;
    data.contact_state_n = &state_n;
    data.h = h;
    data.t = h;
    data.contact_mass = solvers::contact_masses(system, data.mass, data.scales, q_n, 0.0);
    for (Subproblem* problem : {static_cast<Subproblem*>(&smooth), static_cast<Subproblem*>(&position),
                                static_cast<Subproblem*>(&velocity)}) {
      problem->set_scaling(scaling, regularization);
    }
    for (Subproblem* problem : {static_cast<Subproblem*>(&position), static_cast<Subproblem*>(&velocity)})
      problem->set_contact_multipliers(Vector::Zero(system.contact_row_count()));
  }

  NewtonReport solve_smooth() {
    const Vector zero = Vector::Zero(system.velocity_count());
    smooth.begin(GeneralizedAlpha::with_spectral_radius(0.8), zero, zero, Vector::Zero(system.row_count()));
    const NewtonReport report = solve(smooth);
    smooth.finish(auxiliary);
    return report;
  }
  /// From the motion at the start, as an integrator does.
  void begin_velocity() {
    Gradients G = system.make_contact_gradients();
    system.evaluate_contact_gradients(q_n, G);
    System::multiply(system.contact_entries(), G, v_n, rate_n);
    velocity.begin({.v = &v_n, .contact_rate_n = &rate_n}, position.contact_states());
  }
  NewtonReport solve(Subproblem& problem) {
    const auto solver = make_solver(problem);
    NewtonWorkspace work(problem.size());
    return solve_newton(problem, *solver, {}, work);
  }
  static std::unique_ptr<LinearSolver> make_solver(const Subproblem& problem) {
    auto solver = make_linear_solver(LinearSolverKind::klu, problem.matrix());
    solver->analyze(problem.matrix(), problem.size() - problem.first_contact_unknown());
    return solver;
  }

  System system;
  Configuration q_n;
  Vector v_n, auxiliary;
  Vector rate_n = Vector::Zero(system.contact_row_count());
  std::vector<ContactState> state_n = std::vector<ContactState>(system.contacts().size(), ContactState::gap);
  StepData data{system};
  SmoothProblem smooth{data};
  PositionProblem position{data};
  VelocityProblem velocity{data};
};

}  // namespace picus
