#pragma once

/// Independent tasks on several threads.

#include <functional>
#include <vector>

namespace picus::models {

/// Runs all tasks on up to `workers` threads, started in order. If tasks throw, the others still run, and the
/// exception of the first of them in order is rethrown at the end. `threads` threads share the loops of each run
/// (System); 0: all cores.
void run_side_by_side(const std::vector<std::function<void()>>& tasks, unsigned workers, int threads = 1);

/// The number of cores, at least 1.
unsigned available_workers();

}  // namespace picus::models
