/// Time of a step in one thread as a function of the size of the model, and the part spent in factorisation and
/// solution of the matrices:
///
///     bench_large_models [chain|beams|solids|factorization|floor [DIVISIONS]]      (all of them unless one is named)
///
/// chain           bodies on spherical joints, swinging under gravity
/// beams           a clamped rubber beam that falls under gravity
/// solids          a block of hexahedra on a shaken floor, by each linear solver
/// factorization   the largest block with a new CHOLMOD factorisation in each Newton iteration
/// floor           the cube falling, and hitting a floor with friction; the last column is the peak memory of the
///                program so far, so run a single size, with DIVISIONS, to get its own
///
/// inner: iterations of iterative linear solvers, summed over all sub-problems.

#include "linear_times.hpp"
#include "scenes.hpp"
#include <picus/models/flexible_cube.hpp>
#include <picus/models/study/thread_clock.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>
#include <sys/resource.h>

namespace {

using namespace picus;
using models::thread_seconds;

void print_head() {
  fmt::print("{:<14} {:>8} {:>9} {:>20} {:>8} {:>10} {:>11} {:>7} {:>7} {:>7} {:>9} {:>9} {:>7} {:>7}\n",
             "model", "elements", "unknowns", "solver", "start s", "ms/step", "us/element", "solves",
             "factor.", "inner", "factor ms", "solve ms", "ratio", "MB");
}

/// Peak memory of this program so far, MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(std::string_view name, const Model& model, SchemeOptions options,
             const DecoupledNsgaOptions& own, Index elements, int steps) {
  std::string solver;
  options.wrap_linear_solver = [&](std::unique_ptr<LinearSolver> inner) {
    if (solver.empty()) solver = inner->name();
    return inner;
  };
  Profile profile(thread_seconds);
  const double begin = thread_seconds();
  System system(model);
  system.set_profile(&profile);
  DecoupledNsga integrator(options, own);
  State state = integrator.start(system);
  const double start = thread_seconds() - begin;
  integrator.step(state);

  const bench::LinearTimes first = bench::linear_times(profile);
  struct Counts {
    std::int64_t factors = 0, inner = 0;
  };
  const auto count = [&] {
    Counts sum;
    for (int i = 0; i < 3; ++i) {
      const LinearSolverStatistics& of = integrator.linear_statistics(i);
      sum.factors += of.factorizations + of.refactorizations;
      sum.inner += of.iterations;
    }
    return sum;
  };
  const Counts before = count();
  int iterations = 0;
  const double loop = thread_seconds();
  for (int i = 0; i < steps; ++i) {
    for (const SubproblemReport& report : integrator.step(state).subproblems) iterations += report.iterations;
  }
  const double step = (thread_seconds() - loop) / steps;
  const Counts after = count();
  const bench::LinearTimes times = bench::linear_times(profile) - first;
  fmt::print(
      "{:<14} {:>8} {:>9} {:>20} {:>8.2f} {:>10.3f} {:>11.2f} {:>7.2f} {:>7.2f} {:>7.1f} {:>9.2f} {:>9.2f} "
      "{:>7.2f} {:>7.0f}\n",
      name, elements, system.free_dofs().size(), solver, start, 1e3 * step, 1e6 * step / elements,
      static_cast<double>(iterations) / steps, static_cast<double>(after.factors - before.factors) / steps,
      static_cast<double>(after.inner - before.inner) / steps, 1e3 * times.factorize / steps,
      1e3 * times.solve / steps, step * steps / (times.factorize + times.solve), peak_memory());
  std::fflush(stdout);
}

void chain(Index bodies) {
  measure("chain", bench::make_chain(bodies), {.step = 1e-3}, {}, bodies,
          std::max<Index>(10, 20000 / bodies));
}

void beams(Index elements, TangentReuse reuse) {
  measure(reuse == TangentReuse::never ? "beams, newton" : "beams", bench::make_cantilever(elements),
          {.step = 1e-3}, {.reuse = reuse}, elements, std::max<Index>(20, 50000 / elements));
}

void block(Index divisions, double h, LinearSolverKind kind, TangentReuse reuse, int steps) {
  const Model model = bench::make_block(divisions);
  measure(fmt::format("block, {:g} s", h), model, {.step = h, .linear_solver = kind}, {.reuse = reuse},
          divisions * divisions * divisions, steps);
}

/// The soft cube of Galvez 2020, section 3.3.4, with friction: far above the floor, or about to hit it.
void floor(Index divisions, bool is_flight) {
  const models::FlexibleCube parameters{
      .divisions = divisions, .mu = 0.3, .height = is_flight ? 1.0 : 1e-5, .sideways = 0.1, .downward = 0.1};
  const Model model = models::make_flexible_cube(parameters);
  measure(is_flight ? "cube, flight" : "cube, floor", model, {.step = 1e-3}, {},
          divisions * divisions * divisions, 10);
}

}  // namespace

int main(int argc, char** argv) {
  const ThreadLimit one_thread(1);
  const std::string asked = argc > 1 ? argv[1] : "";
  const auto wants = [&](std::string_view part) { return asked.empty() || asked == part; };
  try {
    print_head();
    if (wants("chain")) {
      for (const Index bodies : {10, 100, 1000, 10000, 100000}) chain(bodies);
    }
    if (wants("beams")) {
      for (const Index elements : {10, 100, 1000, 10000}) beams(elements, TangentReuse::automatic);
      beams(10000, TangentReuse::never);
    }
    if (wants("solids")) {
      for (const Index divisions : {5, 10, 20}) block(divisions, 1e-4, LinearSolverKind::automatic, {}, 40);
      for (const Index divisions : {10, 20}) block(divisions, 1e-4, LinearSolverKind::cholmod, {}, 40);
      block(20, 1e-3, LinearSolverKind::automatic, TangentReuse::automatic, 10);
      block(20, 1e-3, LinearSolverKind::cholmod, TangentReuse::automatic, 10);
    }
    if (wants("floor")) {
      for (const Index divisions : {10, 20, 40}) {
        if (argc > 2 && std::to_string(divisions) != argv[2]) continue;
        for (const bool is_flight : {true, false}) floor(divisions, is_flight);
      }
    }
    if (wants("factorization")) {
      for (const double h : {1e-4, 1e-3}) block(20, h, LinearSolverKind::cholmod, TangentReuse::never, 3);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_large_models: {}\n", error.what());
    return 1;
  }
  return 0;
}
