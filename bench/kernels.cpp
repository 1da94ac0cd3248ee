/// Times of the inner loops: rotations, element evaluations, assembly, one step.

#include <picus/kkt_assembler.hpp>
#include <picus/models/woodpecker.hpp>
#include <picus/so3.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <benchmark/benchmark.h>

namespace {

using namespace picus;

void so3_exp(benchmark::State& state) {
  Vec3 psi(0.1, -0.2, 0.3);
  for (auto _ : state) benchmark::DoNotOptimize(so3::exp(psi));
}
BENCHMARK(so3_exp);

void so3_tangent(benchmark::State& state) {
  Vec3 psi(0.1, -0.2, 0.3);
  for (auto _ : state) benchmark::DoNotOptimize(so3::tangent(psi));
}
BENCHMARK(so3_tangent);

void so3_log(benchmark::State& state) {
  const Mat3 R = so3::exp({0.1, -0.2, 0.3});
  for (auto _ : state) benchmark::DoNotOptimize(so3::log(R));
}
BENCHMARK(so3_log);

models::Woodpecker parameters(const benchmark::State& state) {
  using Variant = models::Woodpecker::Variant;
  return {.variant = state.range(0) == 0 ? Variant::body_points : Variant::rigid_links};
}

void constraint_gradients(benchmark::State& state) {
  const Model model = models::make_woodpecker(parameters(state));
  const System system(model);
  Gradients G = system.make_constraint_gradients();
  for (auto _ : state) {
    system.evaluate_gradients(model.initial_configuration(), 0.0, G);
    benchmark::DoNotOptimize(G.values.data());
  }
}
BENCHMARK(constraint_gradients)->ArgName("links")->Arg(0)->Arg(1);

void kkt_assembly(benchmark::State& state) {
  const Model model = models::make_woodpecker(parameters(state));
  const System system(model);
  const MassMatrix mass(system);
  const Chart chart(system);
  KktAssembler kkt(system, mass, KktAssembler::Rows::bilateral);
  Gradients G = system.make_constraint_gradients();
  const Configuration& q = model.initial_configuration();
  system.evaluate_gradients(q, 0.0, G);
  const Vector k = Vector::Ones(system.row_count());
  for (auto _ : state) {
    kkt.begin(mass);
    kkt.add_constraint_geometric_stiffness(q, 0.0, k, 1.0, chart);
    kkt.add_constraint_columns(G, k);
    kkt.add_constraint_rows(G, k, chart);
    kkt.regularize(k);
    benchmark::DoNotOptimize(kkt.matrix().values.data());
  }
}
BENCHMARK(kkt_assembly)->ArgName("links")->Arg(0)->Arg(1);

void woodpecker_step(benchmark::State& state) {
  const Model model = models::make_woodpecker(parameters(state));
  const System system(model);
  DecoupledNsga integrator({.step = 1e-4});
  State at = integrator.start(system);
  for (auto _ : state) benchmark::DoNotOptimize(integrator.step(at));
}
BENCHMARK(woodpecker_step)->ArgName("links")->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
