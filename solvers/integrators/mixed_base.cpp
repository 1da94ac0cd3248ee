#include <picus/solvers/integrators/mixed_base_parts.hpp>
#include <picus/solvers/integrators/solver_options.hpp>

namespace picus {

using solvers::make_alpha_base;
using solvers::make_bathe_base;
using solvers::make_energy_decaying_base;
using solvers::make_half_explicit_base;
using solvers::make_midpoint_base;

MixedBase::Motion::Motion(const System& system)
    : v(Vector::Zero(system.velocity_count())),
      acceleration(v),
      auxiliary(v),
      constraint_force(Vector::Zero(system.row_count())),
      contact_impulse(Vector::Zero(system.contact_row_count())),
      inner_impulse(contact_impulse),
      reaction(v),
      contact_state(system.contacts().size(), ContactState::gap),
      contact_force(contact_impulse),
      constraint_impulses(constraint_force),
      contact_impulses(contact_impulse) {}

std::string_view name_of(MixedBaseKind base) {
  switch (base) {
    case MixedBaseKind::generalized_alpha:
      return "generalized-alpha";
    case MixedBaseKind::bathe:
      return "bathe";
    case MixedBaseKind::ed_alpha:
      return "ed-alpha";
    case MixedBaseKind::moreau_midpoint:
      return "moreau-midpoint";
    case MixedBaseKind::half_explicit:
      return "half-explicit";
  }
  return "";
}

bool has_rho_inf(MixedBaseKind base) {
  return base == MixedBaseKind::generalized_alpha || base == MixedBaseKind::ed_alpha;
}

void find_active_contacts(const StepData& data, const State& state, Vector& gaps, std::vector<char>& active) {
  data.system->evaluate_gaps(state.q, state.q, gaps);
  for (Index c = 0; c < count_of(active); ++c) {
    // The tolerance of the rates of the last step is also relative to the changes of velocity by contacts.
    const double change = data.impulse_n[data.groups.of_contact(c)] / data.contact_mass[c];
    const double distance = data.closing_distance(c) + data.tolerance * data.h * change;
    const double speed = 10 * data.tolerance * data.speed_of_contact(c) + distance / data.h;
    const Index row = data.system->contacts()[c].first_row;
    const bool approaches = state.contact_state[c] == ContactState::gap && state.contact_rate[row] < -speed;
    active[c] = gaps[row] <= distance && !approaches ? 1 : 0;
  }
}

std::unique_ptr<MixedBase> make_mixed_base(SchemeWorkspace& scheme, const MixedOptions& own) {
  switch (own.base) {
    case MixedBaseKind::generalized_alpha:
      return make_alpha_base(scheme, own.rho_inf);
    case MixedBaseKind::bathe:
      return make_bathe_base(scheme);
    case MixedBaseKind::ed_alpha:
      return make_energy_decaying_base(scheme, own.rho_inf, own.alpha);
    case MixedBaseKind::moreau_midpoint:
      return make_midpoint_base(scheme);
    case MixedBaseKind::half_explicit:
      return make_half_explicit_base(scheme);
  }
  throw OptionError("there is no such base scheme");
}

}  // namespace picus
