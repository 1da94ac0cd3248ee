#pragma once

/// Effective masses of contacts, by which their multipliers are scaled.

#include <picus/solvers/subproblems/scales.hpp>

namespace picus::solvers {

/// Effective masses of the normal rows of all contacts at q: 1 / (g K^-1 g^T), K the matrix of M and the
/// bilateral constraints, so that massless slave nodes count with the bodies that carry them. The typical
/// mass where a contact point cannot move. Parts of more than a few hundred unknowns count with those that are next to the
/// contact, as if the others stood still: the error falls exponentially with the distance, and scales need no more.
Vector contact_masses(const System& system, const MassMatrix& mass, const Scales& scales,
                      const Configuration& q, double t);

}  // namespace picus::solvers
