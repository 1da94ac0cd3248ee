#pragma once

/// Numbers that rows compare: distances between runs, and what a study shows of two schemes.

#include <picus/models/benchmarks/benchmark.hpp>

#include <optional>
#include <string_view>

namespace picus::models {

/// The run, null where a step failed: for claims about that. Throws Error when there is no run of that name.
const TrialResult* find_complete_run(const Experiments& outcomes, std::string_view id);

/// L1 error of a signal of a run up to an instant (s) against its exact values, or against another run whose instants
/// contain those of the first.
double error_until(const TrialResult& run, std::string_view quantity, double until);
double distance_until(const TrialResult& run, const TrialResult& finer, std::string_view quantity,
                      double until);

/// The largest value of a signal in size, its largest distance from the exact values, and from its first value.
double largest(const Series& series);
double largest_error(const Series& series);
double largest_change(const Series& series);

/// The most linear solves of one sub-problem in one step.
int most_iterations(const TrialResult& run);

/// The step at which the errors of a study reach `error`, on the line through its smallest steps above and below, s.
std::optional<double> step_for(const ConvergenceResult& study, std::string_view quantity, double error);

/// By what factor the errors of one scheme exceed those of another: geometric mean over all steps that both completed,
/// because single errors depend on where in a step the impacts fall. Throws Error when there is no such step.
double error_ratio(const Experiments& outcomes, std::string_view study, std::string_view worse,
                   std::string_view better, std::string_view quantity);

/// Linear solves in a step of one scheme over those of another, at the largest step that both completed. Throws Error when
/// there is none.
struct IterationRatio {
  double step;  ///< s
  double mean;
  double worst;  ///< of the steps with most
};
IterationRatio iteration_ratio(const Experiments& outcomes, std::string_view study, std::string_view more,
                               std::string_view fewer);

/// Rows of that: the ratio of means is at least `least_mean`, that of most at least `least_worst`.
void add_iteration_ratio(Rows& rows, const Experiments& outcomes, std::string_view study,
                         std::string_view more, std::string_view fewer, double least_mean, double least_worst,
                         std::string_view source, std::string_view note = {});

}  // namespace picus::models
