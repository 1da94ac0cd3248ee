#include <picus/solvers/integrators/nsga_workspace.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace picus::solvers {
namespace {

/// Fraction of the energy of a contact's motion above which an event in its force is notable: of the energy of an
/// impulse that a force replaces, and of the work of a force that no longer acts, which is of order h^4 where contacts
/// open smoothly.
constexpr double notable_part = 1e-3;
/// Impulses are found by single solves, which an iterative solver would leave inaccurate.
SchemeOptions with_direct_solver(const SchemeOptions& options, const System& system) {
  SchemeOptions direct = options;
  using enum LinearSolverKind;
  if (options.linear_solver == klu || options.linear_solver == umfpack) return direct;
  constexpr Index small_size = 500;
  direct.linear_solver = system.velocity_count() + system.contact_row_count() <= small_size ? klu : umfpack;
  return direct;
}

/// Whether impacts of this contact depend on the rates before.
bool needs_rates_before(const ContactLaw& law) {
  return law.e_n > 0 || law.e_t != 0 || law.impact.kind != ImpactLaw::Kind::newton;
}

}  // namespace

NsgaWorkspace::NsgaWorkspace(const System& system_in, const SchemeOptions& options_in, double rho_inf_in,
                             const Configuration& q, SmoothLevel level)
    : SchemeWorkspace(system_in, options_in, q),
      holds_contacts(level == SmoothLevel::acceleration),
      held(system_in),
      smooth(options_in, data, holds_contacts ? &held : nullptr),
      position(options_in, data),
      velocity(options_in, data),
      auxiliary(Vector::Zero(system_in.velocity_count())),
      position_guess(no_multiplier),
      velocity_guess(no_multiplier),
      rho_inf(rho_inf_in),
      has_rows(system_in.row_count() + system_in.contact_row_count() > 0) {
  forces_.reserve(1);
  if (ImpactProblem::find_law(system_in) != nullptr)
    impact = std::make_unique<Solvable<ImpactProblem>>(with_direct_solver(options_in, system_in), data);
  const auto contacts = system_in.contacts();
  if (system_in.row_count() > 0 &&
      std::ranges::any_of(contacts, [](const auto& one) { return needs_rates_before(one.role->law()); }))
    projection_before_impact_ =
        std::make_unique<Solvable<VelocityProjection>>(with_direct_solver(options_in, system_in), data);
}

State NsgaWorkspace::start(StartFindings& findings) {
  State state = SchemeWorkspace::start(position, findings);
  choose_pivots(state);
  return state;
}

void NsgaWorkspace::resume(const State& state, const StartFindings& findings) {
  SchemeWorkspace::resume(state, findings);
}

void NsgaWorkspace::choose_pivots(const State& state) {
  data.v_smooth = state.v;
  data.set_speeds(state.v, state.v, state.v);
  if (holds_contacts) held.hold_all();
  begin_step(state, options->step, rho_inf);
  smooth.choose_pivots();
  held.release();
  if (!has_rows) return;
  data.v_smooth = state.v;
  data.dq_smooth.setZero();
  data.acceleration = state.acceleration;
  const std::vector<ContactState> closed(system->contacts().size(), ContactState::stick);
  position.set_contact_multipliers(no_multiplier);
  position.begin();
  position.choose_pivots();
  velocity.set_contact_multipliers(no_multiplier);
  velocity.begin({.v = &state.v, .contact_rate_n = &state.contact_rate}, closed);
  velocity.choose_pivots();
  if (impact) impact->ImpactProblem::choose_pivots(*impact->solver);
  if (!projection_before_impact_) return;
  projection_before_impact_->begin(state.v);
  projection_before_impact_->choose_pivots();
}

VelocityProblem::Before NsgaWorkspace::before_impact(const State& state) {
  VelocityProblem::Before before{.v = &state.v, .contact_rate_n = &state.contact_rate};
  has_shift_ = false;
  if (!projection_before_impact_) return before;
  const auto closed = position.contact_states();
  bool any_meets = false;
  for (std::size_t c = 0; c < closed.size() && !any_meets; ++c) {
    const auto& block = system->contacts()[c];
    const bool takes_part =
        closed[c] != ContactState::gap ||
        (impact && position.contact_motion()[block.first_row] <= data.closing_distance(c));
    any_meets =
        takes_part && state.contact_state[c] == ContactState::gap && needs_rates_before(block.role->law());
  }
  if (!any_meets) return before;
  Solvable<VelocityProjection>& projection_of_v = *projection_before_impact_;
  data.mass.assemble(data.q);
  projection_of_v.begin(state.v);
  const NewtonReport report =
      solve_newton(projection_of_v, *projection_of_v.solver, {}, projection_of_v.work);
  if (!report.converged) return before;
  before.v = &projection_of_v.velocity();
  has_shift_ = true;
  const Vector& change = projection_of_v.increment();
  no_rates_.setZero(system->contact_row_count());
  data.find_rates_before_impact(change, no_rates_, rate_shift_);
  return before;
}

bool NsgaWorkspace::solve_impact(const VelocityProblem::Before& before) {
  if (!impact) return true;
  const Profile::Scope clock(system->profile(), ProfilePart::contact_solver);
  data.find_rates_before_impact(*before.v, *before.contact_rate_n, rates_before_impact_);
  const ImpactProblem::Outcome outcome = impact->solve(*impact->solver, rates_before_impact_,
                                                       position.contact_motion(), position.contact_states());
  has_impact = outcome == ImpactProblem::Outcome::solved;
  impact_outcome = {.jump = &impact->increment(), .rates_after = &impact->rates_after()};
  return outcome != ImpactProblem::Outcome::failed;
}

std::string NsgaWorkspace::describe_failed_impact() const {
  return fmt::format("step from t = {} s with h = {} s: the impact at contact \"{}\" was not solved",
                     data.t - data.h, data.h, impact->culprit());
}

void NsgaWorkspace::begin_step(const State& state, double h, const GeneralizedAlpha& alpha) {
  SchemeWorkspace::begin_step(state, h);
  velocity.begin_step();
  has_impact = false;
  data.force_directions.begin(state.q, state.v,
                              held.any() ? held.states_of_others() : std::span(state.contact_state));
  smooth.begin(alpha, state.acceleration, state.auxiliary, state.constraint_force);
}

void NsgaWorkspace::choose_held_contacts(const State& state, double h) {
  SchemeWorkspace::begin_step(state, h);
  data.set_speeds(state.v, state.v, state.v);
  held.choose(data, state);
}

SolveSetting NsgaWorkspace::setting_without_remedies(const NewtonOptions& newton) const {
  SolveSetting result = setting(newton);
  result.policy = {.smaller_scaling = false,
                   .other_first_guess = false,
                   .interior_point = false,
                   .no_restitution = false,
                   .smallest_feasible_shift = false,
                   .accepted_residual = 1.0};
  result.contact_solver = ContactSolverKind::newton;
  result.sweeps_first = result.may_accept = result.may_accept_stalled = false;
  return result;
}

void NsgaWorkspace::guess_corrections(double h) {
  velocity_guess = h * smooth.contact_forces();
  position_guess = h * velocity_guess;
}

bool NsgaWorkspace::closes(const State& state) const {
  // Contacts that rest from the start on are closed without an impact, by impulses that vanish with the step, unlike the
  // forces that the accelerations lack.
  const bool is_second_step = state.step == 1;
  for (const std::size_t c : held.contacts()) {
    const Index row = system->contacts()[c].first_row;
    const double mass = data.contact_mass[c];
    const double impulse = state.contact_impulse[row];
    const double energy = is_second_step ? 0.0 : energy_of_contact(c);
    if (state.position_multiplier[row] == 0 && impulse * impulse / mass > notable_part * energy) return true;
  }
  return false;
}

bool NsgaWorkspace::pushes_apart(const State& state) const {
  const Vector& rate = velocity.contact_rate();
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    const auto& block = system->contacts()[c];
    const auto rates = rate.segment(block.first_row, block.rows);
    // At rest all energies are those of rounding errors.
    if (rates.lpNorm<Eigen::Infinity>() <= data.resting_rate(c)) continue;
    // Half of a contact force acts in the following step.
    const double work = 0.5 * state.position_multiplier.segment(block.first_row, block.rows).dot(rates);
    if (work > notable_part * energy_of_contact(c)) return true;
  }
  return false;
}

double NsgaWorkspace::energy_of_contact(std::size_t contact) const {
  const double speed = data.speed_of_contact(contact);
  return data.contact_mass[contact] * speed * speed;
}

bool NsgaWorkspace::resolves_vibrations() {
  constexpr double limit = 0.25;  // of h^2 K / M
  const SparseMatrix& tangent = smooth.tangent();
  const SparseMatrix& mass = data.smooth.mass.matrix();
  const auto dofs = system->free_dofs();
  const auto n = count_of(dofs);
  for (Index c = 0; c < n; ++c) {
    double rest = 0;
    for (Index e = tangent.column_start[c]; e < tangent.column_start[c + 1]; ++e) {
      const Index r = tangent.row[e];
      if (r >= n) continue;
      const Index entry = mass.find(dofs[r], dofs[c]);
      rest += std::abs(tangent.values[e] - (entry < 0 ? 0.0 : mass.values[entry]));
    }
    if (!(rest <= limit * data.smooth.mass.diagonal(dofs[c]))) return false;
  }
  return true;
}

void NsgaWorkspace::forget_forces() {
  forces_.clear();
  parts_.clear();
}

void NsgaWorkspace::note_forces(StepForces forces, const State* end) {
  const Configuration* q = &data.smooth.q;
  const Vector *v = &data.v_smooth, *dq = &data.dq_smooth;
  forces.restart = restart();
  forces.constraint_force = &data.lambda;
  if (has_rows) {
    forces.constraint_columns = &data.G;
    forces.constraint_impulse_columns = velocity.correction_columns();
    forces.contact_columns = &velocity.contact_columns();
    forces.rate_shift = has_shift_ ? &rate_shift_ : nullptr;
    forces.constraints_shift_rates = true;
    if (forces.points[0].q != nullptr) forces.point_columns = &data.smooth.G;
  }
  if (end != nullptr) {
    parts_.push_back(std::make_unique<Part>(Part{*end, *q, *v, *dq, data.G, data.smooth.G, {}, {}, {}}));
    if (has_rows) parts_.back()->contact_columns = velocity.contact_columns();
    if (forces.rate_shift != nullptr) parts_.back()->rate_shift = rate_shift_;
    if (forces.constraint_impulse_columns != nullptr)
      parts_.back()->impulse_columns = *forces.constraint_impulse_columns;
    const Part& part = *parts_.back();
    q = &part.q_smooth;
    v = &part.v_smooth;
    dq = &part.dq_smooth;
    forces.end = &part.end;
    forces.constraint_force = &part.end.constraint_force;
    forces.constraint_columns = &part.columns;
    if (has_rows) forces.contact_columns = &part.contact_columns;
    if (forces.rate_shift != nullptr) forces.rate_shift = &part.rate_shift;
    if (forces.constraint_impulse_columns != nullptr)
      forces.constraint_impulse_columns = &part.impulse_columns;
    if (forces.point_columns != nullptr) forces.point_columns = &part.point_columns;
  }
  if (has_rows) {
    forces.predicted_increment = dq;
    forces.predicted_velocity = v;
  }
  for (ForcePoint& point : forces.points) {
    if (point.q == nullptr) continue;
    point = {.q = q, .v = v, .time = data.t, .weight = point.weight};
  }
  if (end == nullptr) {
    const GeneralizedAlpha alpha{forces.alpha_m, forces.alpha_f, forces.next / forces.h, 0.0};
    forces.points[0].impulse = &smooth.force_impulse();
    forces.points[0].unit = alpha.force_rate(forces.h);
    if (forces.point_count > 1) {
      forces.points[1].impulse = &velocity.force_impulse();
      forces.points[1].unit = forces.h;
    }
  }
  forces_.push_back(forces);
}

void NsgaWorkspace::note_changes(State& state) const {
  // Multipliers of contacts that close or open do not go on as they have changed.
  const auto note = [&](const Vector& last, const Vector& now, Vector& change) {
    change = now - last;
    for (const auto& block : system->contacts()) {
      if (last[block.first_row] == 0 || now[block.first_row] == 0)
        change.segment(block.first_row, block.rows).setZero();
    }
  };
  note(state.position_multiplier, position.contact_multipliers(), state.position_multiplier_change);
  note(state.contact_impulse, velocity.contact_multipliers(), state.contact_impulse_change);
}

void NsgaWorkspace::commit(State& state, double h, bool has_forces) {
  const StepData& d = data;
  if (!holds_contacts) note_changes(state);
  state.position_multiplier = holds_contacts ? velocity_guess : position.contact_multipliers();
  state.contact_rate = velocity.contact_rate();
  state.v = has_rows ? velocity.velocity() : d.v_smooth;
  state.acceleration = d.acceleration;
  state.auxiliary = auxiliary;
  state.constraint_force = d.lambda;
  state.constraint_impulse = velocity.bilateral_multipliers();
  state.contact_impulse = velocity.contact_multipliers();
  state.reaction = smooth.reaction();
  if (has_rows && has_forces) state.reaction.setZero();
  if (has_rows) state.reaction += velocity.momentum_residual() / h;
  if (!has_impact) {
    SchemeWorkspace::commit(state, end(), velocity.contact_states(), position.contact_states());
    return;
  }
  state.contact_impulse += impact->contact_multipliers();
  state.constraint_impulse += impact->bilateral_multipliers();
  state.reaction += impact->momentum_residual() / h;
  states_.assign(velocity.contact_states().begin(), velocity.contact_states().end());
  for (std::size_t c = 0; c < states_.size(); ++c) {
    if (impact->carried(c) && states_[c] == ContactState::gap) states_[c] = ContactState::slip;
  }
  SchemeWorkspace::commit(state, end(), states_, position.contact_states());
}

}  // namespace picus::solvers
