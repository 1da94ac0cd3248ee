/// Times of one evaluation of the hexahedron.

#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

using namespace picus;

/// Many elements, so that their data come from main memory as in a run.
struct Block {
  static constexpr int count = 512;

  explicit Block(const benchmark::State& state) {
    const auto formulation =
        state.range(0) == 0 ? HexahedronFormulation::full : HexahedronFormulation::enhanced;
    const auto law = state.range(1) == 0 ? SolidLaw::saint_venant_kirchhoff : SolidLaw::neo_hooke;
    for (int i = 0; i < count; ++i) {
      std::array<PointNode, 8> nodes;
      for (std::size_t a = 0; a < 8; ++a) {
        nodes[a] = model.add_point(fmt::format("node {} {}", i, a), {.position = solids::corner(a)});
      }
      elements.push_back(model.add<Hexahedron>(
          {.name = fmt::format("cube[{}]", i),
           .nodes = nodes,
           .material = {.youngs_modulus = 1.0, .poissons_ratio = 0.3, .density = 1.0, .law = law},
           .formulation = formulation,
           .damping_time = state.range(2) == 0 ? 0.0 : 1e-3}));
    }
    q = model.initial_configuration();
    v = Vector::Random(model.velocity_count());
    retract(model.nodes(), q, 0.05 * v, q);
  }

  Model model;
  std::vector<Handle<Hexahedron>> elements;
  Configuration q;
  Vector v;
};

void force(benchmark::State& state) {
  const Block block(state);
  std::array<double, 24> f;
  std::size_t i = 0;
  for (auto _ : state) {
    f.fill(0);
    block.elements[i]->force({block.q, block.v, 0.0}, f);
    benchmark::DoNotOptimize(f.data());
    i = (i + 1) % Block::count;
  }
}

void tangents(benchmark::State& state) {
  const Block block(state);
  std::array<double, 576> K;
  std::array<double, 576> C;
  std::size_t i = 0;
  for (auto _ : state) {
    K.fill(0);
    C.fill(0);
    block.elements[i]->tangents({block.q, block.v, 0.0}, K, C);
    benchmark::DoNotOptimize(K.data());
    benchmark::DoNotOptimize(C.data());
    i = (i + 1) % Block::count;
  }
}

void variants(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"enhanced", "neo_hooke", "damped"});
  for (const int enhanced : {0, 1}) {
    benchmark->Args({enhanced, 0, 0})->Args({enhanced, 1, 0})->Args({enhanced, 0, 1});
  }
}
BENCHMARK(force)->Apply(variants);
BENCHMARK(tangents)->Apply(variants);

}  // namespace

BENCHMARK_MAIN();
