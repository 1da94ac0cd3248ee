#include <picus/error.hpp>
#include <picus/local_dofs.hpp>
#include <picus/solvers/analyses/mobility.hpp>
#include <picus/solvers/integrators/closed_contacts.hpp>
#include <picus/solvers/integrators/consistent_start.hpp>
#include <picus/solvers/integrators/overdamped_start.hpp>
#include <picus/solvers/integrators/scheme_workspace.hpp>
#include <picus/solvers/subproblems/contact_masses.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

namespace picus {

using solvers::average_overdamped_start;
using solvers::check_start;
using solvers::ClosedContacts;
using solvers::contact_masses;
using solvers::count_closed_contacts;
using solvers::make_consistent_start;

namespace {

/// Driven components, which may press bodies together that cannot give way; empty without contacts.
std::string describe_drives(const System& system) {
  if (system.contacts().empty() || !system.has_driven_dofs()) return {};
  std::string drives;
  for (const auto& [dof, motion] : system.model().driven())
    drives += (drives.empty() ? "" : ", ") + system.describe_dof(dof);
  return "; contacts cannot stop what is driven: " + drives;
}

}  // namespace

SchemeWorkspace::SchemeWorkspace(const System& system_in, const SchemeOptions& options_in,
                                 const Configuration& q)
    : system(&system_in),
      options(&options_in),
      data(system_in),
      no_multiplier(Vector::Zero(system_in.contact_row_count())),
      load_limits_(system_in),
      motion_(no_multiplier) {
  data.tolerance = options->tolerance;
  data.q = q;
  data.mass.assemble(q);
  data.contact_mass = contact_masses(*system, data.mass, data.scales, q, 0.0);
}

State SchemeWorkspace::start(Solvable<PositionProblem>& projection, StartFindings& findings) {
  // A heap computed by another code may penetrate in hundreds of contacts. Violations that remain after the start must
  // be an error.
  StepReport report;
  const auto solve = [&](int iterations, const std::function<void()>& begin) {
    SolveSetting strict = setting({.max_iterations = iterations});
    strict.profile = nullptr;
    strict.policy.smallest_feasible_shift = false;
    strict.may_accept = strict.may_accept_stalled = false;
    return try_solve(projection, strict, report, 0, begin);
  };
  State state;
  try {
    state = make_consistent_start(*system, data, options->step, projection, solve);
  } catch (const SolverError&) {
    refuse_incompatible_constraints(*system);
    throw;
  }
  findings = check_start(*system, data.groups, state);
  data.redundancies = findings.lasting;
  averaged_start = findings.averaged = average_overdamped_start(*this, state);
  return state;
}

void SchemeWorkspace::resume(const State& state, const StartFindings& findings) {
  averaged_start = findings.averaged;
  data.redundancies = findings.lasting;
  data.q = state.q;
  data.t = state.time;
  data.v_smooth = state.v;
  data.evaluate(*system);
}

void SchemeWorkspace::begin_step(const State& state, double h) {
  refuse_overload(state, h);
  step_start_ = state.time;
  is_first_step_ = state.step == 0;
  data.q_n = &state.q;
  data.v_n = &state.v;
  data.contact_state_n = &state.contact_state;
  data.contact_rate_n = &state.contact_rate;
  data.groups.begin_step(state.q, state.v, h, state.contact_state);
  std::ranges::fill(data.impulse_n, 0.0);
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    const auto& block = system->contacts()[c];
    double& largest = data.impulse_n[data.groups.of_contact(c)];
    largest = std::max(largest,
                       state.contact_impulse.segment(block.first_row, block.rows).lpNorm<Eigen::Infinity>());
  }
  data.h = h;
  data.t = state.time + h;
}

void SchemeWorkspace::refuse_overload(const State& state, double h) const {
  const std::string overload = state.constraint_force.isZero(0.0)
                                   ? load_limits_.overload(state.constraint_impulse, 1 / h)
                                   : load_limits_.overload(state.constraint_force);
  if (!overload.empty()) throw SolverError(fmt::format("at t = {} s {}", state.time, overload));
}

SolveSetting SchemeWorkspace::setting(const NewtonOptions& newton) const {
  return {.profile = system->profile(),
          .newton = newton,
          .policy = options->fallbacks,
          .contact_solver = options->contact_solver,
          .scaling = options->scaling,
          .regularization = options->regularization,
          .no_multiplier = &no_multiplier,
          .first_guess = &no_multiplier,
          .other_guess = &no_multiplier};
}

SolveSetting SchemeWorkspace::setting(const NewtonOptions& newton, const Vector& last_multiplier,
                                      std::span<const ContactState> last_states) const {
  SolveSetting result = setting(newton);
  result.other_guess = &last_multiplier;
  const ClosedContacts closed = count_closed_contacts(*system, last_states);
  // Factors of the last step are best used with the contact states of the last step.
  if (!closed.are_of_standing_structures() && !(newton.reuses_tangent && closed.suffice_as_guess()))
    return result;
  result.is_at_rest = closed.are_at_rest();
  result.first_guess = &last_multiplier;
  // This initial guess is accurate, and its remaining error must not accumulate over the steps.
  result.newton.guess_tolerance =
      std::min(newton.guess_tolerance, predicted_newton(newton.max_iterations, true).guess_tolerance);
  result.other_guess = &no_multiplier;
  return result;
}

std::string SchemeWorkspace::describe_failure(std::string_view what, const NewtonReport& report,
                                              const std::string& culprit) const {
  return fmt::format(
             "step from t = {} s with h = {} s: the {} was not solved; after {} iterations the residual of "
             "{} is "
             "{}",
             step_start_, data.h, what, report.iterations, culprit, times_tolerance(report.residual.worst)) +
         (std::isnan(report.residual.worst) ? describe_undefined_force() : describe_drives(*system));
}

std::string SchemeWorkspace::describe_undefined_force() const {
  const auto find = [&](const Configuration& q, const Vector& v) -> std::string {
    if (!v.allFinite()) return "";
    std::array<double, max_local_dofs> buffer;
    for (const auto& [element, role] : system->model().forces()) {
      const std::span<double> f(buffer.data(), element->dof_count());
      std::ranges::fill(f, 0.0);
      role->force({q, v, data.t}, f);
      if (!std::ranges::all_of(f, [](double one) { return std::isfinite(one); })) return element->name();
    }
    return "";
  };
  std::string name = find(data.smooth.q, data.v_smooth);
  if (name.empty()) name = find(*data.q_n, *data.v_n);
  return name.empty() ? "" : fmt::format(", and so is the force of element \"{}\"", name);
}

// The rotation over a step is the logarithm of a rotation matrix, at most half a turn. The rate at the beginning of the
// step detects larger ones.
std::string SchemeWorkspace::describe_lost_roll(const Configuration& q) const {
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    const auto& [element, contact, dofs, rows, first_row, first_source] = system->contacts()[c];
    if (!contact->has_path_dependent_slip()) continue;
    for (const Node& node : element->nodes()) {
      if (node.kind != NodeKind::frame) continue;
      const double turn = data.h * data.v_n->segment<3>(node.v + 3).norm();
      if (!(turn > std::numbers::pi)) continue;
      std::array<double, max_contact_rows> g{};
      contact->displacement(q, q, std::span(g.data(), rows));
      const bool touches = g[0] <= data.tolerance * data.groups.length(data.groups.of_contact(c));
      if (!touches && (*data.contact_state_n)[c] == ContactState::gap) continue;
      return fmt::format(
          "contact \"{}\" has lost how its bodies roll: node \"{}\" turns by {:.3g} rad in the step, more "
          "than half a turn; take a smaller step",
          element->name(), system->model().node_name(node), turn);
    }
  }
  return {};
}

std::string SchemeWorkspace::describe_fault(const Configuration& q) const {
  std::string fault = system->find_fault(q);
  if (fault.empty()) fault = describe_lost_roll(q);
  return fault.empty() ? fault
                       : fmt::format("step from t = {} s with h = {} s: {}", step_start_, data.h, fault);
}

void SchemeWorkspace::refuse_fault(const Configuration& q) const {
  const std::string fault = describe_fault(q);
  if (!fault.empty()) throw SolverError(fault);
}

void SchemeWorkspace::commit(State& state, const Configuration& q, std::span<const ContactState> law,
                             std::span<const ContactState> closed) {
  system->evaluate_gaps(state.q, q, motion_);  // tangential rows: displacement in the step
  for (std::size_t c = 0; c < system->contacts().size(); ++c) {
    const auto& block = system->contacts()[c];
    // A slip in the step within the rounding of gaps does not count: at rest, speeds and their tolerances
    // vanish.
    const double standstill = data.closing_distance(c) / data.h;
    const double* rates = state.contact_rate.data() + block.first_row;
    state.contact_state[c] =
        observed_state(law[c], std::span(rates, 1 + block.role->law().friction_directions), standstill);
    if (closed[c] == ContactState::gap) continue;
    for (Index i = block.first_row + 1; i < block.first_row + block.rows; ++i)
      state.contact_slip[i] += motion_[i];
  }
  state.q = q;
  orthonormalize(system->nodes(), state.q);
  for (const Index dof : system->free_dofs()) state.reaction[dof] = 0.0;
  state.time += data.h;
  ++state.step;
}

}  // namespace picus
