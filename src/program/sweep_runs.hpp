#pragma once

/// The runs of a sweep: one point here, or all that are missing, in processes of this machine or by a scheduler of Dask.

#include "sweep_journal.hpp"
#include "sweep_results.hpp"

#include <cstddef>

namespace picus::program {

/// Runs a point in this process. Whatever it throws is its failure.
SweepOutcome run_point(const SweepOptions& options, std::size_t point);

/// The points without outcome.
std::vector<std::size_t> missing_points(const SweepOptions& options, const SweepJournal& journal);

/// Runs the missing points, in order, `options.workers` at a time, each in a process of its own. On a request to stop
/// unfinished runs are lost.
void run_points(const SweepOptions& options, SweepJournal& journal);

/// The same on the workers of the scheduler `options.scheduler`: each runs `options.worker_command` with `--point
/// NUMBER`, which calls answer_point(). Points of workers that are lost are run again by others. Throws Error if there is
/// no such scheduler or if workers run another program.
void run_points_by_scheduler(const SweepOptions& options, SweepJournal& journal);

/// Runs a point for a scheduler and prints the head of the sweep and the outcome, a line each.
void answer_point(const SweepOptions& options, std::size_t point);

}  // namespace picus::program
