#pragma once

/// The directions along which joints transmit the impulses of contacts in a step.
///
/// A contact that stays closed acts on a mechanism over the whole step, and so do the impulses by which its joints
/// transmit this action. With the directions of the joints at t_{n+1} alone the scheme would be of first order where
/// these rotate; like those of the contacts (MeanForceDirections) they act along the mean of both ends. Impulses of
/// impacts, at the end of the step, act along the directions there.

#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/state.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus {

class MeanJointDirections {
 public:
  explicit MeanJointDirections(const System& system);

  /// Begins a step: G_n is evaluated again where it is needed.
  void begin_step() { has_G_n_ = false; }
  /// Columns (G_n + G)^T / 2 for the constraints of the groups in which contacts are closed at both ends of the step, by
  /// `states_n` and `states`, and no contact closes in it; G^T for all others. Null if there are no such groups. G_n is
  /// evaluated at q_n and t_n.
  const Gradients* average(const Gradients& G, const Configuration& q_n, double t_n, const BodyGroups& groups,
                           std::span<const ContactState> states_n, std::span<const ContactState> states);

 private:
  enum class Group : std::uint8_t { without, closed, closing };
  const System* system_;
  Gradients G_n_, mean_;
  bool has_G_n_ = false;
  std::vector<Group> group_;  ///< buffer
};

}  // namespace picus
