#pragma once

/// Common parts of the base schemes of mixed timestepping.

#include <picus/error.hpp>
#include <picus/solvers/integrators/mixed_base.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/explicit_stage.hpp>
#include <picus/solvers/subproblems/implicit_stage.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace picus::solvers {

/// Common parts of all bases.
class CommonBase : public MixedBase {
 protected:
  CommonBase(SchemeWorkspace& scheme, MixedBaseKind kind)
      : scheme_(scheme), data_(scheme.data), kind_(kind) {}

  const System& system() const { return *data_.system; }

  template <class Problem>
  static void close(const std::vector<char>& active, Problem& problem) {
    for (std::size_t c = 0; c < active.size(); ++c) problem.set_candidate(c, active[c] != 0);
  }

  template <class Problem>
  static void close_all(const System& system, Problem& problem) {
    for (std::size_t c = 0; c < system.contacts().size(); ++c) problem.set_candidate(c, true);
  }

  /// `begin` sets the problem to its initial guess, with the contact multipliers set before. `force_rate` times a
  /// contact force is a multiplier.
  template <class Problem, class Begin>
  void solve(const State& state, Problem& problem, LinearSolver& solver, NewtonWorkspace& work,
             double force_rate, const Begin& begin, StepReport& report) {
    const bool has_contacts = std::ranges::any_of(problem.cones(), &ContactCone::is_candidate);
    const auto rows = count_of(problem.contact_multipliers());
    no_multiplier_.setZero(rows);
    last_multiplier_.resize(rows);
    const Index one = system().contact_row_count();
    for (Index first = 0; first < rows; first += one)
      last_multiplier_.segment(first, one) = force_rate / data_.h * state.position_multiplier;
    SolveSetting setting = scheme_.setting(predicted_newton(scheme_.options->max_iterations, has_contacts),
                                           last_multiplier_, state.contact_state);
    const bool is_warm = setting.first_guess == &last_multiplier_ && setting.is_at_rest;
    // Two coupled stages have twice the rows.
    setting.no_multiplier = &no_multiplier_;
    setting.first_guess = is_warm ? &last_multiplier_ : &no_multiplier_;
    setting.other_guess = is_warm ? &no_multiplier_ : &last_multiplier_;
    // Errors of rates that an accepted guess leaves are the same in every step, and positions are not corrected: gaps
    // would open.
    if (has_contacts && is_warm) setting.newton.guess_tolerance = 0.0;
    // Where reactions are not unique, sweeps find different ones in each stage and step, and the bases propagate them
    // in their accelerations: stacks of boxes on four corners each fly apart.
    setting.sweeps_first = false;
    const NewtonReport solved =
        RemediedSolve(problem, {solver, work, sweeps_}, setting, report, report.subproblems[0]).solve(begin);
    if (solved.converged) return;
    const std::string what = fmt::format("stage to t = {} s (base {})", data_.t, name_of(kind_));
    throw SolverError(scheme_.describe_failure(problem, what, solved));
  }

  /// Copies the results of the last stage of a step.
  void copy_results(const ImplicitStage& stage, Motion& motion) const {
    motion.v = stage.velocity();
    motion.acceleration = stage.acceleration();
    motion.constraint_force = stage.bilateral_force();
    motion.contact_impulse = data_.h * stage.contact_force();
    motion.reaction = stage.reaction();
    motion.contact_state.assign(stage.contact_states().begin(), stage.contact_states().end());
  }

  /// Sets the quadrature of the step, with forces at q and the velocity of its end before impacts, and without other
  /// impulses of reactions.
  void begin_quadrature(const StepForces& forces, Motion& motion) const {
    motion.forces = forces;
    motion.forces.points[0] = {.q = &data_.q, .v = &motion.v, .time = data_.t};
    motion.forces.constraint_force = &motion.constraint_force;
    motion.forces.contact_force = &motion.contact_force;
    motion.forces.constraint_impulse = &motion.constraint_impulses;
    motion.forces.contact_impulse = &motion.contact_impulses;
    motion.contact_force = motion.contact_impulse / data_.h;
    motion.constraint_impulses.setZero();
    motion.contact_impulses.setZero();
  }
  /// Sets a quadrature by weights, without memory but with F_n of weight `last`; reactions are impulses.
  StepForces weighted_forces(double last = 0.0) const {
    StepForces forces;
    forces.h = data_.h;
    forces.last = last;
    return forces;
  }

  SchemeWorkspace& scheme_;
  StepData& data_;
  MixedBaseKind kind_;

 private:
  ContactSweeps sweeps_;
  Vector no_multiplier_, last_multiplier_;
};

/// A base with one implicit stage problem, used once or several times per step.
class ImplicitBase : public CommonBase {
 protected:
  ImplicitBase(SchemeWorkspace& scheme, MixedBaseKind kind)
      : CommonBase(scheme, kind),
        stage_(scheme.data),
        solver_(make_analyzed_solver(system(), stage_.matrix(), false, system().contact_row_count(),
                                     *scheme.options)),
        work_(stage_.size()) {
    stage_.set_scaling(scheme.options->scaling, scheme.options->regularization);
    formulas_.v_0 = formulas_.dq_0 = Vector::Zero(system().velocity_count());
  }

  /// The forces at the end of the step, known from the last stage.
  void note_forces(Motion& motion) const {
    motion.forces.points[0].impulse = &stage_.force_impulse();
    motion.forces.points[0].unit = formulas_.force_rate;
  }

  void choose_stage_pivots() {
    close_all(system(), stage_);
    choose_pivots(stage_, *solver_, work_.r);
  }

  ImplicitStage stage_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  StageFormulas formulas_;
};

class ExplicitBase : public CommonBase {
 public:
  bool carries_contact_forces() const override { return false; }

 protected:
  ExplicitBase(SchemeWorkspace& scheme, MixedBaseKind kind)
      : CommonBase(scheme, kind),
        stage_(scheme.data),
        solver_(make_analyzed_solver(system(), stage_.matrix(), false, system().contact_row_count(),
                                     *scheme.options)),
        work_(stage_.size()),
        prescribed_v_(Vector::Zero(system().velocity_count())),
        prescribed_a_(prescribed_v_) {
    stage_.set_scaling(scheme.options->scaling, scheme.options->regularization);
  }

  void copy_results(const ExplicitStage& stage, double force_rate, Motion& motion) const {
    motion.v = stage.velocity();
    motion.acceleration = stage.increment() / force_rate;
    motion.auxiliary = motion.acceleration;
    system().clear_prescribed(motion.auxiliary);
    motion.constraint_force = stage.bilateral_multipliers() / force_rate;
    motion.contact_impulse = data_.h / force_rate * stage.contact_multipliers();
    motion.reaction = stage.momentum_residual() / force_rate;
    motion.contact_state.assign(stage.contact_states().begin(), stage.contact_states().end());
  }

  /// Sets prescribed components for (t_n, t_n + time].
  void prescribe(const State& state, double time) {
    system().prescribe(state.time, time, data_.dq, prescribed_v_, prescribed_a_);
  }

  ExplicitStage stage_;
  std::unique_ptr<LinearSolver> solver_;
  NewtonWorkspace work_;
  Vector prescribed_v_, prescribed_a_;
};

/// Each base is defined in a source file of its own.
std::unique_ptr<MixedBase> make_alpha_base(SchemeWorkspace& scheme, double rho_inf);
std::unique_ptr<MixedBase> make_bathe_base(SchemeWorkspace& scheme);
std::unique_ptr<MixedBase> make_energy_decaying_base(SchemeWorkspace& scheme, double rho_inf, double alpha);
std::unique_ptr<MixedBase> make_midpoint_base(SchemeWorkspace& scheme);
std::unique_ptr<MixedBase> make_half_explicit_base(SchemeWorkspace& scheme);

}  // namespace picus::solvers
