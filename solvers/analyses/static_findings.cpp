// What a static increment tells besides its equilibrium: motions that nothing holds, and warnings.

#include <picus/error.hpp>
#include <picus/solvers/analyses/static_increment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace picus::solvers {
namespace {

/// Upper bound of the energy of a zero-energy motion relative to the terms that it is summed from: ten times what the
/// inverse iteration adds.
constexpr double small_energy = 10 * indistinct_stiffness;
/// At an equilibrium the geometric stiffness has the relative error of the forces, 1e-8 by default: a motion has zero
/// energy if its energy is below ten times that fraction of the work of a typical force along it.
constexpr double negligible_energy = 1e-7;

/// A warning tells of contacts that slide farther than this in a relaxation, relative to the size of the model.
constexpr double notable_slip = 0.01;

}  // namespace

SoftestMotion StaticIncrement::softest(const Vector& push) {
  return softest_in(push.isZero(0.0) ? w_.problem.held_stiffness() : w_.problem.stiffness(), push);
}

SoftestMotion StaticIncrement::softest_in(const SparseMatrix& stiffness, const Vector& push) {
  // Pivots of other tangents lose the digits that tell sticking contacts from none.
  if (!w_.data.system->contacts().empty()) w_.problem.analyze_with(*w_.solver);
  return find_softest_motion(*w_.data.system, w_.data.scales, stiffness, w_.problem.component_stiffness(),
                             *w_.solver, push);
}

/// Whether the equilibrium from which a sub-increment starts would be none, or unstable, without friction. Where free
/// motions are allowed, they do not tell.
bool StaticIncrement::is_held_by_friction_alone(const State& state) {
  if (options_.allow_free_motions) return false;
  residual_at(state, state.time);
  const SoftestMotion motion = softest_in(w_.problem.smooth_stiffness(), Vector::Zero(state.v.size()));
  return !motion.found || motion.is_small(small_energy) || (!motion.is_held && motion.energy < 0);
}

/// Whether there is a zero-energy motion at the equilibrium from which a sub-increment starts.
bool StaticIncrement::is_free_at(const State& state) {
  residual_at(state, state.time);
  const SoftestMotion motion = softest(Vector::Zero(state.v.size()));
  return !motion.found || motion.is_small(small_energy);
}

/// Throws if there is a zero-energy motion at the iterate last evaluated, which is an equilibrium. False if the energy
/// falls along its softest motion.
bool StaticIncrement::find_least_stiffness(double time) {
  if (options_.allow_free_motions) return true;
  const SoftestMotion motion = softest(Vector::Zero(w_.data.system->velocity_count()));
  const double work = w_.problem.typical_force() * w_.data.scales.length(MotionKind::translation);
  const double negligible = std::max(negligible_energy, 10 * options_.tolerance) * work;
  if (motion.found && motion.is_small(small_energy) && std::abs(motion.energy) <= negligible)
    throw_free_motion(describe_motion(motion), time);
  softest_dof_ = motion.dof;
  return !(w_.has_energy && motion.found && !motion.is_held && motion.energy < -small_energy * motion.terms &&
           motion.energy < -negligible);
}

void StaticIncrement::warn_of_instability(double time) {
  w_.warnings.push_back(
      fmt::format("the equilibrium at load factor {:.6g} is unstable: the energy falls as {} changes",
                  load_factor(time), w_.data.system->describe_dof(softest_dof_)));
}

/// Warns of a contact that friction did not hold while a state without stiffness moved to its equilibrium.
void StaticIncrement::warn_of_sliding(const State& before, const State& after) {
  const System& system = *w_.data.system;
  double farthest = notable_slip * w_.data.scales.length(MotionKind::translation);
  std::string sentence;
  for (const auto& block : system.contacts()) {
    const Index directions = std::min<Index>(block.rows - 1, block.role->law().friction_directions);
    const double slip =
        (after.contact_slip - before.contact_slip).segment(block.first_row + 1, directions).norm();
    if (!(slip > farthest)) continue;
    farthest = slip;
    sentence =
        fmt::format("contact \"{}\" slid by {:.3g} m before an equilibrium was found at load factor {:.6g}",
                    block.element->name(), slip, after.load_factor);
  }
  if (!sentence.empty()) w_.warnings.push_back(sentence);
}

/// Throws SolverError that names the motion that diverged in a relaxation, or a zero-energy motion at its end that is
/// driven by unbalanced forces.
void StaticIncrement::refuse_driven_motion(double time) {
  if (is_unbounded_) throw_free_motion(flight_, time);
  const SoftestMotion motion = softest(w_.problem.momentum_residual());
  if (motion.found && motion.is_small(small_energy)) throw_free_motion(describe_motion(motion), time);
}

/// A motion (natural layout) with its largest component.
SoftestMotion StaticIncrement::largest_motion(const Vector& x) const {
  SoftestMotion result{.found = true, .x = x};
  const Scales& scales = w_.data.scales;
  double largest = 0;
  for (const Index dof : w_.data.system->free_dofs()) {
    const double part = std::abs(x[dof]) / scales.length(scales.kind(dof));
    if (part > largest) result.dof = dof;
    largest = std::max(largest, part);
  }
  result.x /= std::max(largest, 1e-300);
  return result;
}

/// Throws if the iterate last evaluated violates the limits of an element.
void StaticIncrement::refuse_fault(double time) const {
  const std::string fault = w_.data.system->find_fault(w_.data.q);
  if (!fault.empty())
    throw SolverError(
        fmt::format("no equilibrium was found at load factor {:.6g}: {}", load_factor(time), fault));
}

/// Throws if a constraint is beyond the reaction for which it is valid.
void StaticIncrement::refuse_overload(const State& state) const {
  const std::string overload = w_.load_limits.overload(state.constraint_force);
  if (!overload.empty())
    throw SolverError(fmt::format("at load factor {:.6g} {}", load_factor(state.time), overload));
}

void StaticIncrement::throw_free_motion(const std::string& motion, double time) const {
  throw SolverError(fmt::format("no static equilibrium at load factor {:.6g}: nothing holds {}",
                                load_factor(time), motion));
}

std::string StaticIncrement::describe_motion(const SoftestMotion& motion) const {
  return solvers::describe_motion(*w_.data.system, w_.data.scales, motion, w_.data.contact_G,
                                  w_.problem.contact_states());
}

/// Where friction was the last hold, the motion beyond its limit tells what it no longer holds.
void StaticIncrement::refuse(const State& state, double next) {
  if (w_.has_friction && is_held_by_friction_alone(state) && take_step(state, next)) {
    const std::string motion = describe_motion(largest_motion(w_.problem.increment()));
    State moved = state;
    if (!relax(moved, next) && is_unbounded_) throw_free_motion(motion, next);
    failure_ = fmt::format("contacts no longer hold {}", motion);
  }
  throw SolverError(
      fmt::format("no equilibrium near load factor {:.6g} (limit point?): from there, in steps of {:.3g}, {}",
                  state.time, w_.substep, failure_));
}

}  // namespace picus::solvers
