#pragma once

/// State, gap, rates and forces of a contact, read between two steps of a run through its handle:
///
///     picus::StepCallback watch(
///         [&](const picus::Snapshot& at) { peak = std::max(peak, at.contact(floor).force[0]); });
///
///     while (state.time < 1.0) {                          // a user-written loop
///       integrator.step(state);
///       const picus::ContactReading heel = picus::read_contact(system, state, integrator.step_size(), floor);
///     }

#include <picus/handle.hpp>
#include <picus/node.hpp>
#include <picus/state.hpp>
#include <picus/types.hpp>

namespace picus {

class System;

/// Components are in the order normal, then sliding directions; zero for those that the contact does not have. For
/// moments of drilling and rolling see ContactLoad.
struct ContactReading {
  ContactState state = ContactState::gap;  ///< at the end of the step, at velocity level
  double gap = 0.0;                        ///< g_N at the end of the step, m
  Vec3 rate = Vec3::Zero();                ///< G v at the end of the step, m/s
  Vec3 impulse = Vec3::Zero();             ///< over the step, N s; zero while open and at the start
  Vec3 force = Vec3::Zero();               ///< mean over the step, impulse / h, N
};

/// Force and moment that a contact exerts on the body of one of its nodes, inertial frame. Impulses over the step are h
/// times these.
struct ContactLoad {
  Vec3 force = Vec3::Zero();   ///< mean over the step, N
  Vec3 moment = Vec3::Zero();  ///< mean over the step, about the node, N m; zero on a point node
};

/// Values of the last step, of size h (s; 1 in a static analysis). Allocates nothing. Throws ModelError for a contact
/// of another model or a state of another system.
ContactReading read_contact(const System& system, const State& state, double h,
                            const InRole<Contact>& contact);

/// Load on a frame or point node of the contact, p = G^T (impulse of the contact)/h with G at the end of the step. Also
/// throws ModelError for a node that the contact does not have.
ContactLoad read_contact_load(const System& system, const State& state, double h,
                              const InRole<Contact>& contact, const Node& on);

}  // namespace picus
