#pragma once

/// The schemes that Chen and others (2013) compare, and DS beside them: runs, curves and rows that their examples have in
/// common.

#include <picus/models/benchmarks/benchmark.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models::chen {

struct NamedScheme {
  std::string name;   ///< "moreau-jean"
  std::string label;  ///< "Moreau-Jean"
};

/// DS first, then those of the paper: its own, Moreau-Jean with theta = 1, fully implicit Newmark with gamma = 1.
std::span<const NamedScheme> schemes();
std::vector<std::string> scheme_names();

/// Steps at equal ratios for a study: errors of a single run depend on where in a step the impacts fall, which many steps
/// average out.
std::vector<double> steps_between(double largest, double smallest, int count);

/// Adds `run` once for each scheme, as ID-SCHEME, with the scheme's label (and what run.label adds to it).
void add_runs(Plan& plan, const PlannedRun& run);

/// The run ID-SCHEME where it is complete; null where the scheme is not there, or a step failed.
const TrialResult* find_run(const Outcomes& outcomes, std::string_view id, std::string_view scheme);

/// Signal y of the runs ID-SCHEME, then the exact one where asked for. `shape` gives all but run and label.
std::vector<Curve> curves(std::string_view id, const Curve& shape, bool with_exact = false);

/// Orders of a study for each scheme, as add_orders() has them. Errors scatter by a factor of 2 from one step to the next;
/// with 25 steps over 1.5 decades that leaves the slope uncertain by 0.1, with 61 steps over two decades by 0.05.
void add_orders(Rows& rows, const Outcomes& outcomes, std::string_view study, double least);

/// L1 error of a signal of a run up to an instant (s) against its exact values, or against another run whose instants
/// contain those of the first.
double error_until(const TrialResult& run, std::string_view quantity, double until);
double distance_until(const TrialResult& run, const TrialResult& finer, std::string_view quantity,
                      double until);

/// Errors as of error_until() of the runs ID-SCHEME, shown, one row for each scheme and quantity.
void add_errors(Rows& rows, const Outcomes& outcomes, std::string_view id,
                const std::vector<std::string>& quantities, double until, std::string_view source);

/// By what factor the errors of one scheme exceed those of another: geometric mean over all steps that both completed,
/// because single errors depend on where in a step the impacts fall. Empty when one of them is not there.
std::optional<double> error_ratio(const Outcomes& outcomes, std::string_view study, std::string_view worse,
                                  std::string_view better, std::string_view quantity);

/// Wall times of the runs ID-SCHEME over that of Moreau-Jean, shown, beside the published ones of the paper's scheme and
/// of Newmark.
void add_relative_times(Rows& rows, const Outcomes& outcomes, std::string_view id, std::string_view source,
                        double alpha, double newmark);

}  // namespace picus::models::chen
