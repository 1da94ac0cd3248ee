#pragma once

/// The base schemes compared by Rezaei and Schindler, and what their two examples have in common.

#include <picus/models/benchmarks/benchmark.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models::rezaei {

struct NamedBase {
  std::string id;      ///< part of the ids of runs and rows, "alpha-1"
  std::string label;   ///< "generalized-alpha, rho 1"
  std::string scheme;  ///< "mixed:base=generalized-alpha"
};

/// Generalized-alpha with rho_inf 1 and 0, Bathe, ED-alpha with rho_inf 0: the unconditionally stable ones.
std::span<const NamedBase> implicit_bases();
/// Moreau's midpoint rule, half-explicit, generalized-alpha (rho_inf 0.8), Bathe, ED-alpha: the columns of tables 3 to 6.
std::span<const NamedBase> table_bases();

/// Adds `run` once for each base, as ID-BASE, labelled with the base.
void add_runs(Experiments& plan, const Run& run, std::span<const NamedBase> bases);
/// The run ID-BASE; throws Error, which states why, if it is not complete.
const TrialResult& run_of(const Experiments& outcomes, std::string_view id, std::string_view base);
/// Signal y of the runs ID-BASE, then the exact one if requested. `shape` gives everything but run and label.
std::vector<Curve> curves(std::string_view id, const Curve& shape, std::span<const NamedBase> bases,
                          bool with_exact = false);

/// The largest |value - exact| from t on.
double largest_error(const TrialResult& run, std::string_view quantity, double from = 0.0);
/// L1 norm (thesis, equation 3.56) of the difference of two series at the same instants, relative to that of the
/// second.
double distance(const TrialResult& run, const TrialResult& other, std::string_view quantity, double until);

}  // namespace picus::models::rezaei
