/// Time per step of bodies that fall into a box and settle there:
///
///     bench_heaps [balls|boxes|mixed] [COUNT] [SECONDS] [THREADS]      (one thread)
///
/// Friction 0.3, no restitution, h = 1 ms, bodies of about 0.1 m. A line for each eighth of the time: CPU time, wall time, contacts listed and
/// closed, iterations of position and velocity problem, remedies, the least gap at its end and the largest speed.

#include <picus/elements/bodies/inertia_tensors.hpp>
#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/contacts_between.hpp>
#include <picus/elements/forces/add_gravity.hpp>
#include <picus/error.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>
#include <picus/stepper.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace picus;

constexpr double diameter = 0.1;
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

void fill(Model& model, std::string_view kind, int count) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  constexpr double pitch = 1.3 * diameter;
  std::vector<MassPoint> bodies;
  const auto at = [&](int i) {
    return pitch * (i - 0.5 * (side - 1)) + 0.05 * diameter * uniform(generator);
  };
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("body[{}]", i);
    const double size = diameter * (1.0 + 0.1 * uniform(generator));
    const bool is_ball = kind == "balls" || (kind == "mixed" && i % 3 != 2);
    const Vec3 box = 0.65 * Vec3(size, size, size);
    const double mass = 1000.0 * (is_ball ? 0.5236 * size * size * size : box.prod());
    const double x = at(i % side), y = at(i / side % side);
    const Vec3 turn(uniform(generator), uniform(generator), uniform(generator));
    const FrameNode node = model.add_frame(
        name, {.position = {x, y, 0.8 * diameter + pitch * (i / side / side)}, .rotation = so3::exp(turn)});
    model.add<RigidBody>({.name = name + " mass",
                          .node = node,
                          .mass = mass,
                          .inertia = is_ball ? inertia::sphere(mass, size / 2) : inertia::box(mass, box)});
    const Shape shape = is_ball ? Shape(shapes::Ball{size / 2}) : Shape(shapes::Box{box});
    model.add<Surface>({.name = name, .of = shape, .on = node});
    bodies.push_back({node, mass});
  }
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}});
  const double half = 0.5 * side * pitch + 0.05 * diameter;
  for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    model.add<Surface>(
        {.name = fmt::format("wall {} {}", n.x(), n.y()), .of = shapes::HalfSpace{n}, .position = -half * n});
  }
  model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  add_gravity(model, {.name = "gravity", .acceleration = {0, 0, -9.81}, .bodies = bodies});
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
  Model model;
  fill(model, kind, count);
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
