#pragma once

#include <picus/mass_matrix.hpp>
#include <picus/solvers/subproblems/scales.hpp>
#include <picus/system.hpp>

namespace picus::solvers {

/// The size of a model in a static analysis, m: the extent of its nodes; if these are all in one place, twice the longest
/// arm of a contact or a constraint about a node, or twice the longest radius of gyration. 1 m if there is none.
double size_of_model(const System& system, const Scales& scales, MassMatrix& mass);

}  // namespace picus::solvers
