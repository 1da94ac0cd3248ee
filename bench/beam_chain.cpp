/// Time per element and step of a cantilever of many beam elements that swings down under gravity.
///
///     bench_beam_chain [ELEMENTS...]

#include <picus/elements/beams/beam_builder.hpp>
#include <picus/elements/forces/gravity.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace picus;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void measure(int elements) {
  Model model("cantilever");
  const BeamMaterial rubber = {.E = 5e6, .nu = 0.45, .density = 1100};
  const auto beam = make_beam(
      model,
      {.name = "beam", .section = Section::circle(0.02, rubber), .to = Vec3(1, 0, 0), .elements = elements});
  model.fix(beam.first());
  // One element of gravity has room for 16 frames.
  const std::vector<MassPoint> points = beam.mass_points();
  for (std::size_t i = 0; i < points.size(); i += 16) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(i);
    const auto count = static_cast<std::ptrdiff_t>(std::min<std::size_t>(16, points.size() - i));
    model.add<Gravity>({.name = fmt::format("gravity[{}]", i / 16),
                        .acceleration = {0, -9.81, 0},
                        .bodies = std::vector<MassPoint>(first, first + count)});
  }
  const System system(model);
  DecoupledNsga integrator({.step = 1e-3});
  const auto begin = Clock::now();
  State state = integrator.start(system);
  const double start = seconds_since(begin);
  const int steps = std::max(5, 20000 / elements);
  int iterations = 0;
  const auto loop = Clock::now();
  for (int i = 0; i < steps; ++i) {
    for (const SubproblemReport& report : integrator.step(state).subproblems) iterations += report.iterations;
  }
  const double per_step = seconds_since(loop) / steps;
  fmt::print("{:8d} {:10.3f} {:12.3f} {:12.2f} {:10.2f} {:10.4f}\n", elements, start, 1e3 * per_step,
             1e6 * per_step / elements, static_cast<double>(iterations) / steps,
             state.q.position(beam.last()).y());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::stoi(argv[i]));
  if (sizes.empty()) sizes = {10, 100, 1000, 10000};
  fmt::print("{:>8} {:>10} {:>12} {:>12} {:>10} {:>10}\n", "elements", "start s", "ms/step", "us/element",
             "solves", "tip y");
  for (const int elements : sizes) measure(elements);
}
