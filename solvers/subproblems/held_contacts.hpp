#pragma once

/// The contacts that are constrained at acceleration level in the smooth motion, like joints: those that were closed at
/// t_n without a normal rate. All others are left to the corrections. Constrained contacts are called held.

#include <picus/solvers/subproblems/step_data.hpp>

#include <span>
#include <vector>

namespace picus {

class HeldContacts {
 public:
  explicit HeldContacts(const System& system);

  /// Finds the contacts to be held in the step from `state`, whose speeds are those in `data`.
  void choose(const StepData& data, const State& state);
  /// Holds all contacts, to choose pivots.
  void hold_all();
  /// Leaves all contacts to the corrections.
  void release();

  /// In ascending order.
  std::span<const std::size_t> contacts() const { return contacts_; }
  bool any() const { return !contacts_.empty(); }
  /// Whether they have more rows than their nodes have free components, so that their forces are not unique.
  bool are_redundant();
  bool holds(std::size_t contact) const { return is_held_[contact] != 0; }
  /// Contact states at t_n, where held contacts count as open: the closed ones are those that act by
  /// impulses.
  std::span<const ContactState> states_of_others() const { return states_of_others_; }

  /// Finds the directions of friction at t_{n+1} from the predicted motion there: opposite to the slip, if the contact
  /// slid at t_n and its slip does not end within the step. Otherwise friction is opposed to the acceleration.
  void find_directions(const Configuration& q, const Vector& v);
  /// Directions of friction in the layout of contact rows (ContactCone::direction), zero where unknown.
  const Vector& directions() const { return directions_; }
  /// Forces from which the iteration starts, contact row layout: those of the last step.
  const Vector& forces_n() const { return forces_n_; }

 private:
  const System* system_;
  std::vector<std::size_t> contacts_;
  std::vector<char> is_held_;
  std::vector<ContactState> states_of_others_;
  Vector slip_n_;  ///< tangential rates at t_n of the contacts that slide, contact row layout
  Vector directions_, forces_n_;
  std::vector<double> local_;     ///< buffer: the gradient of one contact
  std::vector<char> is_touched_;  ///< buffer: for each velocity component
};

}  // namespace picus
