/// Time per step for bodies that fall into a box and settle there:
///
///     bench_heaps [balls|boxes|mixed] [COUNT] [SECONDS] [THREADS]      (one thread)
///
/// Friction 0.3, no restitution, h = 1 ms, bodies of about 0.1 m. One line for each eighth of the time: CPU time,
/// wall time, contacts listed and closed, iterations of position and velocity problem, remedies, the smallest gap at
/// its end and the largest speed.

#include "scenes.hpp"
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <numeric>
#include <string>
#include <string_view>

namespace {

using namespace picus;

constexpr double step_size = 1e-3;
constexpr int windows = 8;

double time_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double cpu_time() {
  return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

double least_gap(const Stepper& stepper, const State& state) {
  const System& system = stepper.system();
  Vector gaps(system.contact_row_count());
  system.evaluate_gaps(state.q, state.q, gaps);
  double least = 1.0;
  for (const auto& contact : system.contacts()) least = std::min(least, gaps[contact.first_row]);
  return least;
}

void run(std::string_view kind, int count, double seconds, int threads) {
  const Model model = bench::make_heap(kind, count);
  DecoupledNsga integrator({.step = step_size});
  const double begin = cpu_time();
  Stepper stepper(model, integrator, threads);
  State state = stepper.start();
  fmt::print("{} {}, start {:.3f} s\n", count, kind, cpu_time() - begin);
  fmt::print("{:>7} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9} {:>9} {:>10} {:>9}\n", "t/s", "ms/step", "wall",
             "listed", "closed", "position", "velocity", "remedies", "gap/m", "speed");
  const long steps = std::lround(seconds / step_size);
  long done = 0;
  for (int window = 1; window <= windows; ++window) {
    const double before = cpu_time();
    const double wall_before = time_of(CLOCK_MONOTONIC);
    const long first = done;
    double listed = 0, closed = 0, position = 0, velocity = 0;
    long remedies = 0;
    for (; done < steps * window / windows; ++done) {
      const StepReport report = stepper.step(state);
      listed += static_cast<double>(stepper.system().contacts().size());
      closed += static_cast<double>(report.closed_contacts);
      position += report.subproblems[1].iterations;
      velocity += report.subproblems[2].iterations;
      remedies += std::accumulate(report.fallbacks.begin(), report.fallbacks.end(), 0L);
    }
    const auto n = static_cast<double>(done - first);
    fmt::print("{:7.3f} {:9.3f} {:9.3f} {:8.1f} {:8.1f} {:9.2f} {:9.2f} {:9} {:10.1e} {:9.2e}\n", state.time,
               1e3 * (cpu_time() - before) / n, 1e3 * (time_of(CLOCK_MONOTONIC) - wall_before) / n,
               listed / n, closed / n, position / n, velocity / n, remedies, least_gap(stepper, state),
               state.v.lpNorm<Eigen::Infinity>());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc > 1 ? argv[1] : "balls";
  const int count = argc > 2 ? std::atoi(argv[2]) : 100;
  const double seconds = argc > 3 ? std::atof(argv[3]) : 1.5;
  const int threads = argc > 4 ? std::atoi(argv[4]) : 1;
  if ((kind != "balls" && kind != "boxes" && kind != "mixed") || count < 1 ||
      !(seconds >= windows * step_size) || threads < 1) {
    fmt::print(stderr, "bench_heaps [balls|boxes|mixed] [COUNT] [SECONDS] [THREADS]\n");
    return 2;
  }
  try {
    run(kind, count, seconds, threads);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_heaps: {}\n", error.what());
    return 1;
  }
  return 0;
}
