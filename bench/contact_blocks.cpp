/// The time of a step of a flexible cube with many frictional contacts, and where it goes:
///
///     bench_contact_blocks [SOLVER [DIVISIONS]]      auto, umfpack, klu; 10 and 20 divisions unless one is given
///
/// The cube of Galvez 2020, section 3.3.4 (E = 90 Pa, nu = 0.3, 1 kg/m3, 0.1 m, Saint Venant-Kirchhoff), of 10 x 10 x 10
/// and 20 x 20 x 20 hexahedra. It touches down on a plane with friction (mu = 0.3), tilted a little, moving sideways and
/// turning: some of the nodes of the bottom are open, some stick and some slip.

#include "timing_solver.hpp"
#include <picus/picus.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace picus;
using bench::Clock;
using bench::seconds_since;

constexpr double side = 0.1;      // m
constexpr double gravity = 9.81;  // m/s2
constexpr double friction = 0.3;
constexpr double tilt = 0.01;       // rad: one edge comes first
constexpr double clearance = 1e-4;  // m, below that edge
constexpr double fall = -0.5;       // m/s
constexpr double sideways = 0.3;    // m/s
constexpr double turning = 6.0;     // rad/s, about the vertical through a corner

Model make_cube(Index divisions) {
  Model model("cube");
  const auto mesh =
      make_box_mesh({.size = Vec3::Constant(side), .divisions = {divisions, divisions, divisions}});
  const Solid cube = add_solid(model, mesh,
                               {.name = "cube",
                                .material = {.youngs_modulus = 90, .poissons_ratio = 0.3, .density = 1},
                                .formulation = HexahedronFormulation::full,
                                .velocity = {sideways, 0, fall},
                                .angular_velocity = {0, 0, turning}});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -gravity}, .bodies = cube.mass_points()});
  // The floor is tilted instead of the cube; the corner at the origin is the lowest.
  const Vec3 normal = Vec3(tilt, tilt / 2, 1).normalized();
  add_surface_contacts(model, {.name = "floor",
                               .nodes = cube.nodes("z-"),
                               .face = {.point = -clearance * normal, .normal = normal},
                               .mu = friction});
  return model;
}

struct Options {
  LinearSolverKind solver = LinearSolverKind::automatic;
  Index divisions = 0;  ///< 0: all
};

void print_head() {
  fmt::print(
      "{:>8} {:>8} {:>7} {:>5} {:>20} {:>8} {:>9} | {:>6} {:>6} {:>6} | {:>7} {:>7} | {:>9} {:>9} {:>6} | "
      "{:>12}\n",
      "elements", "unknowns", "h", "steps", "solver", "start s", "ms/step", "smooth", "posit.", "veloc.",
      "factor.", "inner", "factor ms", "solve ms", "share", "gap/stk/slp");
}

/// Times are CPU times as long as the dense kernels keep to one thread (OPENBLAS_NUM_THREADS=1, OMP_THREAD_LIMIT=1).
void measure(Index divisions, double h, LinearSolverKind kind, int steps) {
  const Model model = make_cube(divisions);
  const System system(model);
  bench::LinearTimes times;
  std::string solver;
  DecoupledNsga integrator(
      {.step = h, .linear_solver = kind, .wrap_linear_solver = [&](std::unique_ptr<LinearSolver> inner) {
         solver = inner->name();  // that of the velocity problem comes last
         return std::make_unique<bench::TimingSolver>(std::move(inner), times);
       }});
  const auto begin = Clock::now();
  State state = integrator.start(system);
  const double start = seconds_since(begin);

  times = {};
  const auto sum = [&](auto&& member) {
    std::int64_t total = 0;
    for (int i = 0; i < 3; ++i) total += integrator.linear_statistics(i).*member;
    return total;
  };
  const std::int64_t factorizations = sum(&LinearSolverStatistics::factorizations);
  const std::int64_t inner = sum(&LinearSolverStatistics::iterations);
  std::array<int, 3> iterations{};
  std::array<int, 3> states{};
  const auto loop = Clock::now();
  for (int i = 0; i < steps; ++i) {
    const StepReport report = integrator.step(state);
    for (std::size_t k = 0; k < 3; ++k) iterations[k] += report.subproblems[k].iterations;
    for (const ContactState contact : state.contact_state) ++states[static_cast<std::size_t>(contact)];
    for (const int count : report.fallbacks) {
      if (count > 0) fmt::print("a fallback in step {}\n", i + 1);
    }
  }
  const double seconds = seconds_since(loop);
  const double n = steps;
  fmt::print(
      "{:>8} {:>8} {:>7g} {:>5} {:>20} {:>8.2f} {:>9.2f} | {:>6.2f} {:>6.2f} {:>6.2f} | {:>7.2f} {:>7.1f} | "
      "{:>9.2f} "
      "{:>9.2f} {:>6.2f} | {:>4.0f}/{:.0f}/{:.0f}\n",
      divisions * divisions * divisions, system.free_dofs().size() + state.contact_rate.size(), h, steps,
      solver, start, 1e3 * seconds / n, iterations[0] / n, iterations[1] / n, iterations[2] / n,
      static_cast<double>(sum(&LinearSolverStatistics::factorizations) - factorizations) / n,
      static_cast<double>(sum(&LinearSolverStatistics::iterations) - inner) / n, 1e3 * times.factorize / n,
      1e3 * times.solve / n, (times.factorize + times.solve) / seconds, states[0] / n, states[1] / n,
      states[2] / n);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string word = argc > 1 ? argv[1] : "auto";
  const int divisions = argc > 2 ? std::stoi(argv[2]) : 0;
  const LinearSolverKind kind = word == "klu"       ? LinearSolverKind::klu
                                : word == "gmres"   ? LinearSolverKind::gmres
                                : word == "umfpack" ? LinearSolverKind::umfpack
                                                    : LinearSolverKind::automatic;
  const int divided = argc > 3 ? std::stoi(argv[3]) : 1;
  try {
    print_head();
    for (const Index n : {10, 20}) {
      if (divisions != 0 && divisions != n) continue;
      measure(n, 1e-4, kind, 60 / divided);
      measure(n, 1e-3, kind, 20 / divided);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_contact_blocks: {}\n", error.what());
    return 1;
  }
  return 0;
}
