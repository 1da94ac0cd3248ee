/// Times of one beam element: force, tangents, mass, with and without damping.

#include <picus/elements/beams/beam.hpp>
#include <picus/so3.hpp>

#include <benchmark/benchmark.h>

#include <array>

namespace {

using namespace picus;

/// A bent, twisted and spinning element whose nodes are rotated relative to its section axes.
struct Bent {
  explicit Bent(double relaxation_time) {
    const auto a = model.add_frame("a", {.rotation = so3::exp({0.3, -0.4, 0.5})});
    const auto b = model.add_frame("b", {.position = {0.1, 0, 0}, .rotation = so3::exp({-0.3, 0.2, 0.1})});
    const BeamMaterial steel = {.E = 2.1e11, .nu = 0.3, .density = 7850, .relaxation_time = relaxation_time};
    beam =
        &*model.add<Beam>({.name = "beam", .a = a, .b = b, .section = Section::rectangle(0.01, 0.02, steel)});
    q = model.initial_configuration();
    Vector increment(12);
    increment << 0, 0, 0, 0.1, 0.05, -0.1, 0.001, -0.003, 0.002, -0.02, 0.04, 0.1;
    retract(model.nodes(), q, increment, q);
    v = increment;
  }

  Model model;
  const Beam* beam = nullptr;
  Configuration q;
  Vector v;
};

void beam_force(benchmark::State& state) {
  const Bent bent(state.range(0) == 0 ? 0.0 : 1e-4);
  std::array<double, 12> f{};
  for (auto _ : state) {
    f.fill(0);
    bent.beam->force({bent.q, bent.v, 0.0}, f);
    benchmark::DoNotOptimize(f.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(beam_force)->ArgName("damped")->Arg(0)->Arg(1);

void beam_tangents(benchmark::State& state) {
  const Bent bent(state.range(0) == 0 ? 0.0 : 1e-4);
  std::array<double, 144> K{};
  std::array<double, 144> C{};
  for (auto _ : state) {
    K.fill(0);
    C.fill(0);
    bent.beam->tangents({bent.q, bent.v, 0.0}, K, C);
    benchmark::DoNotOptimize(K.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(beam_tangents)->ArgName("damped")->Arg(0)->Arg(1);

void beam_mass(benchmark::State& state) {
  const Bent bent(0.0);
  std::array<double, 144> M{};
  for (auto _ : state) {
    M.fill(0);
    bent.beam->mass(bent.q, M);
    benchmark::DoNotOptimize(M.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(beam_mass);

}  // namespace

BENCHMARK_MAIN();
