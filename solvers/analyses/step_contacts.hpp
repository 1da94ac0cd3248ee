#pragma once

/// The frictional contact problem of one step of a model, for other solvers or for a look at it: Moreau's, which is linear in impulses and
/// velocities,
///
///     M (v' - v) = h f + G^T mu + G_c^T r,   G v' + g_t = 0,   u = G_c v' + (g/h, 0, 0),
///
/// with M, f, G, the gaps g >= 0 and the gradients G_c of contacts at the state in which the step begins, condensed to u = W r + q. A contact with
/// restitution that the motion without contact forces closes within the step has u = G_c v' + e G_c v instead. Its contacts are all that are
/// touched or no farther than twice the way at the largest speed of approach in that motion: those beyond stay open.
///
///     picus::StepCallback watch([&](const picus::Snapshot& at) {
///       const picus::StepContacts contacts = picus::find_step_contacts(at.system, at.state, at.h);
///       if (!contacts.places.empty())
///         picus::write_friction_problem(fmt::format("step_{}.hdf5", at.state.step), contacts.problem);
///     });
///
/// The schemes solve other equations for the step, each its own; impulses are alike where the step is short.

#include <picus/friction_problem.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus {

/// The contacts of a step.
struct StepContacts {
  /// In m/s and N s, without a solution. Where contacts have different numbers of rows it has the largest one, 3 or 2; rows that one
  /// lacks are without friction and move by themselves.
  FrictionProblem problem;
  std::vector<std::size_t> places;  ///< of its contacts among System::contacts()
};

/// Of the step of `h` seconds that begins with `state`. Throws ModelError for a state of another model and for a contact that
/// resists drilling or rolling, which such problems know nothing of; SolverError where masses and constraints do not determine the motion.
StepContacts find_step_contacts(const System& system, const State& state, double h);

}  // namespace picus
