#pragma once

/// The frictional contact problem of one step of a model, for other solvers or for inspection: that of Moreau's scheme,
/// which is linear in impulses and velocities,
///
///     M (v' - v) = h f + G^T mu + G_c^T r,   G v' + g_t = 0,   u = G_c v' + (g/h, 0, 0),
///
/// with M, f, G, the gaps g >= 0 and the gradients G_c of contacts at the beginning of the step, condensed to u = W
/// r + q. A contact with restitution that closes within the step in the motion without contact forces has u = G_c
/// v' + e G_c v instead. The problem includes all contacts that are closed or whose gap is at most twice the distance
/// covered at the largest approach speed of that motion; all others remain open.
///
///     picus::StepCallback watch([&](const picus::Snapshot& at) {
///       const picus::StepContacts contacts = picus::find_step_contacts(at.system, at.state, at.h);
///       if (!contacts.indices.empty())
///         picus::write_friction_problem(fmt::format("step_{}.hdf5", at.state.step), contacts.problem);
///     });
///
/// Each scheme solves its own equations for the step; the impulses are similar where the step is short.

#include <picus/friction_problem.hpp>
#include <picus/system.hpp>

#include <vector>

namespace picus {

/// The contact problem of a step.
struct StepContacts {
  /// In m/s and N s, without a solution. If contacts have different numbers of rows, all have the largest one, 3 or 2;
  /// rows that a contact lacks are frictionless and decoupled.
  FrictionProblem problem;
  std::vector<std::size_t> indices;  ///< indices of its contacts in System::contacts()
};

/// The problem of the step of size h (s) that begins at `state`. Throws ModelError for a state of another model and for
/// a contact with drilling or rolling friction or an impact law other than Newton's, which such problems do not
/// include; SolverError if masses and constraints do not determine the motion.
StepContacts find_step_contacts(const System& system, const State& state, double h);

}  // namespace picus
