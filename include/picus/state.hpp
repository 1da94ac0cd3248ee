#pragma once

/// The state of a run between two steps: a plain value that can be copied, saved and restored bit for bit.

#include <picus/configuration.hpp>
#include <picus/contact_key.hpp>
#include <picus/types.hpp>

#include <cstdint>
#include <vector>

namespace picus {

/// State of a contact: open, sticking, or slipping (or closed without friction). The numbers are those of the result
/// file.
enum class ContactState : std::uint8_t {
  gap = 0,    ///< open
  stick = 1,  ///< closed without sliding
  slip = 2,   ///< closed and sliding, or closed without friction
};

/// TimeIntegrator::start fills every vector to its full size. Velocity-like vectors have the natural layout
/// (Node::v), rows of constraints and contacts the layout of System.
struct State {
  double time = 0.0;         ///< s; the load factor in statics
  std::int64_t step = 0;     ///< number of steps since the start
  double load_factor = 1.0;  ///< factor of loads (Force::Traits::is_load); 1 except in statics

  Configuration q;      ///< configuration of all nodes
  Vector v;             ///< total velocity
  Vector acceleration;  ///< smooth acceleration dv~/dt, m/s2 and rad/s2 (body frame), without impacts
  Vector auxiliary;     ///< further data of the scheme from step to step, e.g. a_n of generalized-alpha

  Vector constraint_force;  ///< lambda, smooth multiplier of each bilateral row, N or N m
  /// Impulse in addition to h lambda in the last step, N s; reaction = lambda + impulse / h.
  Vector constraint_impulse;
  Vector contact_impulse;  ///< impulse of each contact row in the last step, N s; force = impulse / h
  Vector contact_rate;     ///< gap rates G v at the end of the step, m/s
  Vector contact_slip;     ///< tangential displacement while closed, accumulated (0 in normal rows), m
  std::vector<ContactState> contact_state;  ///< one per contact, at velocity level
  /// Data of each contact row that a scheme stores for its next step: the multipliers of the last position correction,
  /// kg m; for the scheme `mixed`, the contact forces of its base times h, N s.
  Vector position_multiplier;
  /// Change of contact_impulse over the last step, zero where it is not known: with it a scheme may predict that of its
  /// next step.
  Vector contact_impulse_change;
  Vector position_multiplier_change;  ///< the same of position_multiplier
  /// Keys of the contacts detected for the last step, ascending; their rows follow those of the declared contacts.
  std::vector<ContactKey> found_contacts;

  Vector reaction;  ///< mean generalised reaction force of fixed and driven components over the last step
};

}  // namespace picus
