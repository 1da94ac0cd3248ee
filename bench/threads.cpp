/// Wall time of a step as a function of the number of threads, alternating, and the speed-up relative to one:
///
///     bench_threads [DIVISIONS] [THREADS]      (20 hexahedra along each edge; all cores)
///
/// flight   the soft cube of Galvez 2020, section 3.3.4, above the floor, h = 0.1 ms
/// floor    the same while it lands with friction
///
/// Medians of windows of ten steps. On a machine with other load, the CPU time of the main thread of the run (`own`)
/// is more meaningful than the wall time: it waits for the others no longer than they have work.

#include <picus/models/flexible_cube.hpp>
#include <picus/models/study/side_by_side.hpp>
#include <picus/models/study/thread_clock.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <vector>

namespace {

using namespace picus;
using Clock = std::chrono::steady_clock;

/// One of several runs that are advanced in turn.
struct Run {
  Run(const Model& model, int threads)
      : integrator({.step = 1e-4}), stepper(model, integrator, threads), state(stepper.start()) {}

  /// Advances the run, and records the mean time of a step, s.
  void advance(int steps) {
    const auto begin = Clock::now();
    const double own_begin = models::thread_seconds();
    for (int i = 0; i < steps; ++i) stepper.step(state);
    wall.push_back(std::chrono::duration<double>(Clock::now() - begin).count() / steps);
    own.push_back((models::thread_seconds() - own_begin) / steps);
  }

  DecoupledNsga integrator;
  Stepper stepper;
  State state;
  std::vector<double> wall, own;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void compare(std::string_view title, const models::FlexibleCube& parameters, int most) {
  constexpr int windows = 7;
  constexpr int steps = 10;
  const Model model = models::make_flexible_cube(parameters);
  std::vector<std::unique_ptr<Run>> runs;
  for (int threads = 1; threads <= most; ++threads) runs.push_back(std::make_unique<Run>(model, threads));
  for (int window = 0; window < windows; ++window) {
    for (const auto& run : runs) run->advance(steps);
  }
  const double wall_alone = median(runs[0]->wall);
  const double own_alone = median(runs[0]->own);
  for (int i = 0; i < most; ++i) {
    const double wall = median(runs[i]->wall);
    const double own = median(runs[i]->own);
    fmt::print("{:8} {:>9} {:>7} {:>9.2f} {:>8.2f} {:>9.2f} {:>8.2f}   {}\n", title,
               runs[i]->stepper.system().free_dofs().size(), i + 1, 1e3 * wall, wall_alone / wall, 1e3 * own,
               own_alone / own, runs[i]->state.v == runs[0]->state.v ? "same bits" : "OTHER BITS");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int divisions = argc > 1 ? std::atoi(argv[1]) : 20;
  const int most = argc > 2 ? std::atoi(argv[2]) : static_cast<int>(models::available_workers());
  if (divisions < 1 || most < 1) {
    fmt::print(stderr, "bench_threads [DIVISIONS] [THREADS]\n");
    return 2;
  }
  try {
    fmt::print("{:8} {:>9} {:>7} {:>9} {:>8} {:>9} {:>8}\n", "cube", "unknowns", "threads", "ms/step",
               "speed-up", "own", "speed-up");
    compare("flight", {.divisions = divisions, .sideways = 0.5, .downward = 0.5}, most);
    compare("floor", {.divisions = divisions, .mu = 0.3, .height = 1e-4, .downward = 2}, most);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_threads: {}\n", error.what());
    return 1;
  }
  return 0;
}
