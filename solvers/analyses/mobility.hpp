#pragma once

/// Degrees of freedom and redundant joints at a configuration.
///
/// With G the gradient of the constraints in the free components, degrees of freedom = components - rank G. Each y
/// with G^T y = 0 is a redundancy: forces y in the rows of G that balance each other and do no work in any motion.
/// It is compatible when the equations agree all the same, y . g = 0 and y . g_t = 0; otherwise no motion
/// satisfies them. In a singular position the rank is lower than it is nearby: y . d(G v)/dq v is not zero for some
/// v with G v = 0, whereas redundant joints stay redundant wherever the mechanism goes.

#include <picus/solvers/subproblems/start_findings.hpp>
#include <picus/system.hpp>

#include <string>
#include <utility>
#include <vector>

namespace picus {

struct Mobility {
  Index components = 0;  ///< free velocity components
  Index equations = 0;   ///< rows of constraints on them
  Index rank = 0;        ///< independent ones
  /// components - rank.
  Index degrees_of_freedom() const { return components - rank; }
  std::vector<Redundancy> redundancies;  ///< equations - rank, a basis
};

/// At the configuration q and the time t; by rank-revealing QR of the sparse G.
Mobility analyse_mobility(const System& system, const Configuration& q, double t = 0.0);
/// At the start of the model as the user gave it.
Mobility analyse_mobility(const System& system);

/// One sentence for all redundancies: how many, among how many constraints, the first few of them by name; empty if there
/// are none.
std::string summarize_redundancies(const System& system, const Mobility& mobility);
/// A sentence for each set of constraints that share redundancies: which constraints, in which directions.
std::vector<std::string> describe_redundancies(const System& system, const Configuration& q, double t,
                                               const Mobility& mobility);

/// What a start has to say about redundancies of a configuration that satisfies the constraints: a warning that sums them
/// up, and all of them; or throws SolverError that names constraints whose motions in time contradict each other.
StartFindings check_constraints(const System& system, const Configuration& q, double t);

/// For a start that cannot be brought onto the constraints: throws SolverError that names constraints which contradict
/// each other, if there are such.
void refuse_incompatible_constraints(const System& system);

}  // namespace picus
