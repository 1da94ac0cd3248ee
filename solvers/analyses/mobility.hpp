#pragma once

/// Degrees of freedom and redundant joints at a configuration.
///
/// With G the gradient of the constraints in the free components, degrees of freedom = components - rank G. Each y
/// with G^T y = 0 is a redundancy: self-equilibrated constraint forces y, which do no work in any motion. It is
/// compatible if y . g = 0 and y . g_t = 0; otherwise no motion satisfies the constraints. In a singular position the
/// rank is lower than in nearby configurations: y . d(G v)/dq v is not zero for some v with G v = 0, whereas redundant
/// joints remain redundant in all configurations of the mechanism.

#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/system.hpp>

#include <string>
#include <utility>
#include <vector>

namespace picus {

struct Mobility {
  Index components = 0;  ///< free velocity components
  Index equations = 0;   ///< constraint rows on free components
  Index rank = 0;        ///< number of independent rows
  /// components - rank.
  Index degrees_of_freedom() const { return components - rank; }
  std::vector<Redundancy> redundancies;  ///< a basis, equations - rank entries
};

/// Mobility at the configuration q and the time t, by rank-revealing QR factorisation of the sparse G.
Mobility analyse_mobility(const System& system, const Configuration& q, double t = 0.0);
/// Mobility at the initial configuration as given by the user.
Mobility analyse_mobility(const System& system);

/// One sentence about all redundancies: how many, among how many constraints, with the names of the first few; empty if
/// there are none.
std::string summarize_redundancies(const System& system, const Mobility& mobility);
/// One sentence for each set of linearly dependent constraints: which constraints, in which directions.
std::vector<std::string> describe_redundancies(const System& system, const Configuration& q, double t,
                                               const Mobility& mobility);

/// Redundancies of an initial configuration that satisfies the constraints: a warning that summarises them, and the
/// full list. Throws SolverError that names rheonomic constraints whose prescribed rates are incompatible.
StartFindings check_constraints(const System& system, const Configuration& q, double t);

/// For an initial configuration that cannot be projected onto the constraints: throws SolverError that names
/// incompatible constraints, if there are any.
void refuse_incompatible_constraints(const System& system);

}  // namespace picus
