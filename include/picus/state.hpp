#pragma once

/// The state of a run between two steps: a plain value that can be copied, saved and restored bit for bit.

#include <picus/configuration.hpp>
#include <picus/contact_key.hpp>
#include <picus/types.hpp>

#include <cstdint>
#include <vector>

namespace picus {

/// What a contact does: open, closed without sliding, closed and sliding (or without friction). The numbers
/// are those of the result file.
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
  double load_factor = 1.0;  ///< what loads (Force::Traits::is_load) are multiplied by; 1 but in statics

  Configuration q;      ///< where all nodes are
  Vector v;             ///< total velocity
  Vector acceleration;  ///< smooth acceleration dv~/dt, m/s2 and rad/s2 (body frame); impacts are not in it
  Vector auxiliary;     ///< whatever else the scheme carries from step to step, e.g. a_n of generalized-alpha

  Vector constraint_force;  ///< lambda, smooth multiplier of each bilateral row, N or N m
  /// Impulse beyond h lambda in the last step, N s; reaction = lambda + impulse / h.
  Vector constraint_impulse;
  Vector contact_impulse;  ///< impulse of each contact row in the last step, N s; force = impulse / h
  Vector contact_rate;     ///< gap rates G v at the end of the step, m/s
  Vector contact_slip;     ///< tangential motion while closed, gathered since the start (0 in normal rows), m
  std::vector<ContactState> contact_state;  ///< one per contact, at velocity level
  Vector position_multiplier;               ///< contact multipliers of the last position correction, kg m
  /// Of the contacts that were found for the last step, ascending; their rows follow those of the model's own.
  std::vector<ContactKey> found_contacts;

  Vector reaction;  ///< mean generalised force over the last step that held fixed and driven components
};

}  // namespace picus
