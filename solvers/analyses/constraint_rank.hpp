#pragma once

/// Linear dependence of rows of constraints.

#include <picus/solvers/linear/sparse_rank.hpp>
#include <picus/system.hpp>

#include <span>
#include <vector>

namespace picus::solvers {

/// A row is redundant if its distance from the span of others is at most this fraction of its length: above the
/// rounding error of the start and its projection, below any intended angle.
inline constexpr double dependent = 1e-8;

/// The active rows of G as columns of length 1, for SparseRank.
struct UnitRows {
  std::vector<SparseEntry> entries;
  Vector length;            ///< of all rows, in units of components
  double negligible = 0.0;  ///< rows no longer than this count as zero
};

/// At the configuration q, without the components whose `index` is negative.
UnitRows unit_rows(const System& system, const Configuration& q, double t, std::span<const Index> index);

/// Whether some of the `count` redundancies at q, which satisfies the constraints, cease to exist where positions
/// violate them in the way in which schemes do: at the end of a step along the tangent of a motion. This is the case in
/// spatial loops; in planar ones, and with several hinges in a line, rows remain dependent.
bool lose_redundancies(const System& system, const Configuration& q, double t, Index count);

}  // namespace picus::solvers
