#pragma once

/// The mass matrix with which the impulses of contacts over a step change velocities.
///
/// The velocity of a node outside the centre of mass changes by int M(q)^-1 G^T lambda dt, and M(q) turns with the body.
/// Like its directions (MeanForceDirections), the mean of M at both ends of the step makes the effect of a contact that
/// stays closed of second order. Impacts, at the end of the step, change velocities with M there.

#include <picus/mass_matrix.hpp>
#include <picus/solvers/subproblems/body_groups.hpp>
#include <picus/solvers/subproblems/contact_groups.hpp>

#include <optional>
#include <vector>

namespace picus {

class MeanMass {
 public:
  /// `mass`: a mass matrix of the system.
  explicit MeanMass(const MassMatrix& mass) {
    if (!mass.is_constant()) mean_ = mass;
  }

  /// (M(q_n) + M)/2 in the groups whose contacts stay closed, M in all others; null if M is constant.
  const MassMatrix* average(const MassMatrix& mass, const Configuration& q_n, const BodyGroups& groups,
                            const ContactGroups& contacts);

 private:
  std::optional<MassMatrix> mean_;  ///< only if M varies
  std::vector<char> is_averaged_;   ///< for each component
};

}  // namespace picus
