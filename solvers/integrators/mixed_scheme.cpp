#include <picus/solvers/integrators/mixed_scheme.hpp>
#include <picus/solvers/integrators/solver_options.hpp>
#include <picus/solvers/newton/flush_denormals.hpp>

namespace picus {

using solvers::FlushDenormals;

MixedScheme::Workspace::Workspace(const System& system_in, const SchemeOptions& options_in,
                                  const MixedOptions& own, const Configuration& q)
    : SchemeWorkspace(system_in, options_in, q),
      projection(options_in, data),
      impact(options_in, data),
      base(*this, own),
      motion(system_in),
      gaps(Vector::Zero(system_in.contact_row_count())),
      rate_before(gaps),
      rate_shift(gaps),
      active(system_in.contacts().size(), 0),
      closed(system_in.contacts().size(), ContactState::gap) {}

MixedScheme::MixedScheme(const SchemeOptions& options, const MixedOptions& own)
    : options_(options), own_(own) {
  require_valid(options_, own_);
}

TextEntries MixedScheme::options() const {
  TextEntries entries = option_texts(options_, own_);
  std::erase_if(entries, [&](const auto& entry) {
    return (entry.first == "rho_inf" && !has_rho_inf(own_.base)) ||
           (entry.first == "alpha" && own_.base != MixedBaseKind::ed_alpha);
  });
  return entries;
}

std::span<const StepForces> MixedScheme::step_forces() const {
  return workspace_ ? std::span(&workspace_->motion.forces, 1) : std::span<const StepForces>();
}

State MixedScheme::start(const System& system) {
  const ExclusiveUse use = begin_start(system);
  require_newtons_law(system, name());
  workspace_ = std::make_unique<Workspace>(system, options_, own_, system.model().initial_configuration());
  State state = workspace_->start(workspace_->projection, findings_);
  choose_pivots(state);
  return state;
}

void MixedScheme::change_contacts(const State& state) {
  const ExclusiveUse use = begin_change(state);
  require_newtons_law(system(), name());
  workspace_ = std::make_unique<Workspace>(system(), options_, own_, state.q);
  workspace_->resume(state, findings_);
  choose_pivots(state);
}

void MixedScheme::choose_pivots(const State& state) {
  Workspace& w = *workspace_;
  const System& system = *w.system;
  w.begin_step(state, options_.step);
  w.base.start(state);
  if (system.contacts().empty()) return;

  const std::vector<ContactState> all_closed(system.contacts().size(), ContactState::stick);
  w.data.q = state.q;
  w.data.v_smooth = state.v;
  system.evaluate_gradients(state.q, state.time, w.data.G);
  system.evaluate_contact_gradients(state.q, w.data.contact_G);
  w.impact.set_contact_multipliers(w.no_multiplier);
  w.impact.begin({.v = &state.v, .contact_rate_n = &state.contact_rate}, all_closed, false);
  w.impact.choose_pivots();
}

bool MixedScheme::find_closed(const State& state) {
  Workspace& w = *workspace_;
  if (w.closed.empty() || w.base.base().has_impact_law()) return false;
  w.system->evaluate_gaps(state.q, w.data.q, w.gaps);
  bool has_closed = false;
  for (std::size_t c = 0; c < w.closed.size(); ++c) {
    const Index row = w.system->contacts()[c].first_row;
    const bool is_closed = w.gaps[row] <= w.data.groups.closing_distance(c);
    w.closed[c] = is_closed ? ContactState::stick : ContactState::gap;
    has_closed |= is_closed && w.active[c] == 0;
  }
  return has_closed;
}

void MixedScheme::solve_impact(StepReport& report) {
  Workspace& w = *workspace_;
  StepData& d = w.data;
  d.v_smooth = w.motion.v;
  System::multiply(w.system->contact_entries(), d.contact_G, w.motion.v, w.rate_before);
  System::multiply(w.system->contact_entries(), d.contact_G, *d.v_n, w.rate_shift);
  w.rate_shift = w.rate_before - w.rate_shift;
  SolveSetting setting = w.setting({.max_iterations = options_.max_iterations});
  setting.sweeps_first = false;
  w.solve(w.impact, setting, "impact at its end", report, 1,
          [&] { w.impact.begin({.v = &w.motion.v, .contact_rate_n = &w.rate_before}, w.closed, false); });
}

StepReport MixedScheme::step(State& state) {
  const ExclusiveUse use = begin_step(state);
  const FlushDenormals flush;
  Workspace& w = *workspace_;
  StepReport report = named_report(subproblem_names());
  w.begin_step(state, options_.step);
  w.data.set_speeds(state.v, state.v, state.v);
  find_active_contacts(w.data, state, w.gaps, w.active);
  w.base.step(state, w.active, w.motion, report);
  if (w.motion.forces.restart == nullptr) w.motion.forces.restart = w.restart();
  const bool has_impact = find_closed(state);
  if (has_impact) solve_impact(report);
  w.refuse_fault(w.data.q);
  commit(state, has_impact);
  report.closed_contacts = count_closed(state);
  return report;
}

void MixedScheme::commit(State& state, bool has_impact) const {
  Workspace& w = *workspace_;
  const MixedBase::Motion& motion = w.motion;
  state.v = has_impact ? w.impact.velocity() : motion.v;
  System::multiply(w.system->contact_entries(), w.data.contact_G, state.v, state.contact_rate);
  w.law = motion.contact_state;
  state.acceleration = motion.acceleration;
  state.auxiliary = motion.auxiliary;
  state.constraint_force = motion.constraint_force;
  state.constraint_impulse.setZero();
  state.contact_impulse = state.position_multiplier = motion.contact_impulse;
  state.reaction = motion.reaction;
  ForcePoint& point = w.motion.forces.points[0];
  if (!has_impact && point.q == &w.data.q) point.q = nullptr;  // the end of the step
  if (has_impact) {
    // The contact forces of the step count along the same directions, which is an error of the order of h.
    w.motion.forces.contact_columns = &w.data.contact_G;
    w.motion.forces.rate_shift = &w.rate_shift;
    for (std::size_t c = 0; c < w.law.size(); ++c) {
      if (w.impact.contact_states()[c] != ContactState::gap) {
        w.law[c] = w.impact.contact_states()[c];
      } else {
        const auto& block = w.system->contacts()[c];
        w.rate_shift.segment(block.first_row, block.rows).setZero();
      }
    }
    state.constraint_impulse = w.impact.bilateral_multipliers();
    state.contact_impulse += w.impact.contact_multipliers();
    w.motion.constraint_impulses += state.constraint_impulse;
    w.motion.contact_impulses += w.impact.contact_multipliers();
    state.reaction += w.impact.momentum_residual() / w.data.h;
  }
  w.commit(state, w.data.q, w.law, motion.contact_state);
}

}  // namespace picus
