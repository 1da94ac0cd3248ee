/// The effect of the scaling c of k = p = c m on the solver: iterations and fallbacks of the woodpecker (case II,
/// h = 1e-4) for c from 1e-4 to 1e2, both variants: `bench_scaling`.

#include <picus/models/woodpecker.hpp>
#include <picus/simulate.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace {

using namespace picus;

void measure(std::string_view name, models::Woodpecker::Variant variant) {
  const Model model = models::make_woodpecker({.variant = variant});
  for (const double scaling : {1e-4, 1e-2, 1e-1, 1.0, 3.0, 1e1, 1e2}) {
    DecoupledNsga integrator({.step = 1e-4, .scaling = scaling});
    const RunSummary summary = simulate(model, integrator, {.until = 1.5});
    const auto mean = [&](std::size_t i) {
      return static_cast<double>(summary.subproblems[i].iterations) / static_cast<double>(summary.steps);
    };
    fmt::print("{:<12} {:>8} {:>6.2f} {:>6} {:>6.2f} {:>6} {:>10} {:>10}\n", name, scaling, mean(1),
               summary.subproblems[1].worst_iterations, mean(2), summary.subproblems[2].worst_iterations,
               summary.fallbacks[0], summary.fallbacks[1] + summary.fallbacks[2] + summary.fallbacks[3]);
  }
}

}  // namespace

int main() {
  try {
    fmt::print("{:<12} {:>8} {:>6} {:>6} {:>6} {:>6} {:>10} {:>10}\n", "variant", "c", "pos.", "max", "vel.",
               "max", "fallback 1", "others");
    measure("rigid-links", models::Woodpecker::Variant::rigid_links);
    measure("body-points", models::Woodpecker::Variant::body_points);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_scaling: {}\n", error.what());
    return 1;
  }
  return 0;
}
