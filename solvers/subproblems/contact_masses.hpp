#pragma once

/// Effective masses of contacts, by which their multipliers are scaled.

#include <picus/solvers/subproblems/scales.hpp>

namespace picus::solvers {

/// Effective masses of the normal rows of all contacts at q: 1 / (g K^-1 g^T), with the matrix K of M and the bilateral
/// constraints, so that massless slave nodes get the mass of the bodies to which they belong. A typical mass is used
/// where a contact point cannot move. In coupled parts of more than a few hundred unknowns only those near the contact
/// are included, with the others fixed: the error decreases exponentially with the distance, and this is accurate
/// enough for scaling.
Vector contact_masses(const System& system, const MassMatrix& mass, const Scales& scales,
                      const Configuration& q, double t);

}  // namespace picus::solvers
