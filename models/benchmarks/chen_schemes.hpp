#pragma once

/// The schemes compared by Chen and others (2013), and DS in addition: runs, curves and rows common to their
/// examples.

#include <picus/models/benchmarks/measures.hpp>

#include <functional>
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

/// Steps at equal ratios for a study: the errors of a single run depend on where within a step the impacts occur,
/// which many step sizes average out.
std::vector<double> steps_between(double largest, double smallest, int count);

/// Adds `run` once for each scheme, as ID-SCHEME, labelled with the scheme (followed by run.label).
void add_runs(Experiments& plan, const Run& run);

/// The run ID-SCHEME; throws Error, which states why, if it is not complete.
const TrialResult& run_of(const Experiments& outcomes, std::string_view id, std::string_view scheme);

/// Signal y of the runs ID-SCHEME, then the exact one if requested. `shape` gives everything but run and label.
std::vector<Curve> curves(std::string_view id, const Curve& shape, bool with_exact = false);

/// Orders of a study for each scheme, as add_orders() computes them. Errors scatter by a factor of 2 from one step
/// size to the next; with 25 steps over 1.5 decades that leaves the slope uncertain by 0.1, with 61 steps over two
/// decades by 0.05.
void add_orders(Rows& rows, const Experiments& outcomes, std::string_view study, double least);

/// Errors of the runs ID-SCHEME by error_until(), without a claim, one row for each scheme and quantity.
void add_errors(Rows& rows, const Experiments& outcomes, std::string_view id,
                const std::vector<std::string>& quantities, double until);

/// The paper's claim about its scheme: a measure of Moreau-Jean and of Newmark is no smaller. One row for each of the
/// two, with the ratio.
void add_advantage(Rows& rows, std::string_view id, std::string_view what,
                   const std::function<double(const std::string& scheme)>& measure, std::string_view source,
                   std::string_view note = {});

/// Wall times of the runs ID-SCHEME relative to Moreau-Jean, without a claim, next to the published ones of the
/// paper's scheme, of Newmark and of Moreau-Jean with a smaller step, the run `fine`.
struct PublishedTimes {
  double alpha;
  double newmark;
  double fine_moreau_jean;
};
void add_relative_times(Rows& rows, const Experiments& outcomes, std::string_view id, std::string_view fine,
                        std::string_view source, const PublishedTimes& published);

}  // namespace picus::models::chen
