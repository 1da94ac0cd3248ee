#pragma once

/// Quantities for rows: distances between runs, and comparisons of two schemes in a study.

#include <picus/models/benchmarks/benchmark.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace picus::models {

/// The run, or null if a step failed, for claims about failure. Throws Error if there is no run of that name.
const TrialResult* find_complete_run(const Experiments& outcomes, std::string_view id);

/// L1 error of a signal of a run up to an instant (s), relative to its exact values or to another run whose instants
/// include those of the first.
double error_until(const TrialResult& run, std::string_view quantity, double until);
double distance_until(const TrialResult& run, const TrialResult& finer, std::string_view quantity,
                      double until);

/// The part of a run between two instants, the first one excluded, s.
struct Window {
  double from, to;
};

/// L1 distance of a sum of signals from that of another run with the same step, relative to the latter, both averaged
/// over intervals of `mean_over`, s.
double distance_of_means(const TrialResult& run, const TrialResult& reference,
                         const std::vector<std::string>& quantities, Window window, double mean_over);

/// Root mean square of the error of a signal, and mean absolute second difference of it from step to step, which is h^2
/// times a second derivative for a smooth signal.
double rms_error(const TrialResult& run, std::string_view quantity, Window window);
double ripple(const TrialResult& run, std::string_view quantity, Window window);

/// Largest absolute value of a signal, its largest deviation from the exact values, and from its first value.
double largest(const Series& series);
double largest_error(const Series& series);
double largest_change(const Series& series);

/// The largest number of linear solves of a sub-problem in a step.
int worst_iterations(const TrialResult& run);

/// The step size at which the errors of a study reach `error`, by interpolation between its smallest step sizes above
/// and below, s.
std::optional<double> step_for(const ConvergenceResult& study, std::string_view quantity, double error);

/// The factor by which the errors of one scheme exceed those of another: geometric mean over all steps that both
/// completed, because single errors depend on where within a step the impacts occur. Throws Error if there is no such
/// step.
double error_ratio(const Experiments& outcomes, std::string_view study, std::string_view worse,
                   std::string_view better, std::string_view quantity);

/// Ratio of the linear solves per step of two schemes, at the largest step that both completed. Throws Error if there
/// is none.
struct IterationRatio {
  double step;  ///< s
  double mean;
  double worst;  ///< ratio of the maxima
};
IterationRatio iteration_ratio(const Experiments& outcomes, std::string_view study, std::string_view more,
                               std::string_view fewer);

/// The corresponding rows: the ratio of means is at least `least_mean`, that of maxima at least `least_worst`.
void add_iteration_ratio(Rows& rows, const Experiments& outcomes, std::string_view study,
                         std::string_view more, std::string_view fewer, double least_mean, double least_worst,
                         std::string_view source, std::string_view note = {});

}  // namespace picus::models
