#pragma once

/// The directions along which joints transmit the impulses of contacts in a step.
///
/// A contact that stays closed acts on a mechanism over the whole step, and so do the impulses by which its joints
/// transmit this action. With the directions of the joints at t_{n+1} alone the scheme would be of first order where
/// these rotate; like those of the contacts (MeanForceDirections) they act along the mean of both ends. Impulses of
/// impacts, at the end of the step, act along the directions there.

#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/solvers/subproblems/contact_groups.hpp>
#include <picus/system.hpp>

namespace picus {

class MeanJointDirections {
 public:
  explicit MeanJointDirections(const System& system);

  /// Begins a step: G_n is evaluated again where it is needed.
  void begin_step() { has_G_n_ = false; }
  /// Columns (G_n + G)^T / 2 for the constraints of the groups whose contacts stay closed; G^T for all others. Null if
  /// there are no constraints. G_n is evaluated at q_n and t_n.
  const Gradients* average(const Gradients& G, const Configuration& q_n, double t_n, const BodyGroups& groups,
                           const ContactGroups& contacts);

 private:
  const System* system_;
  Gradients G_n_, mean_;
  bool has_G_n_ = false;
};

}  // namespace picus
