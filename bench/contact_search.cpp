/// Times of the broad phase of a contact search: building a tree of boxes, refitting it, searching it for pairs.

#include "random_boxes.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace {

using namespace picus;

void report(benchmark::State& state, const Pairs& pairs) {
  state.counters["pairs"] = benchmark::Counter(static_cast<double>(pairs.size()));
}

void build(benchmark::State& state) {
  const Boxes boxes = loose_heap(static_cast<Index>(state.range(0)));
  BoxTree tree;
  for (auto _ : state) tree.build(boxes);
}
BENCHMARK(build)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);

/// All boxes have moved by up to a twentieth of their size.
void refit(benchmark::State& state) {
  std::array<Boxes, 2> boxes;
  boxes.fill(loose_heap(static_cast<Index>(state.range(0))));
  Places places;
  for (Box& box : boxes[1]) box.translate(places.within(0.05));
  BoxTree tree;
  tree.build(boxes[0]);
  Index turn = 0;
  for (auto _ : state) tree.refit(boxes[turn ^= 1]);
}
BENCHMARK(refit)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);

void pairs_of_a_heap(benchmark::State& state) {
  BoxTree tree;
  tree.build(loose_heap(static_cast<Index>(state.range(0))));
  Pairs pairs;
  for (auto _ : state) tree.find_pairs(pairs);
  report(state, pairs);
}
BENCHMARK(pairs_of_a_heap)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);

/// Boxes in a random walk of up to a tenth of their size per step: the tree degrades and is rebuilt from time to
/// time.
void step_of_a_heap(benchmark::State& state) {
  Boxes boxes = loose_heap(static_cast<Index>(state.range(0)));
  Places places;
  BoxTree tree;
  tree.build(boxes);
  Pairs pairs;
  for (auto _ : state) {
    state.PauseTiming();
    for (Box& box : boxes) box.translate(places.within(0.1));
    state.ResumeTiming();
    tree.refit(boxes);
    tree.find_pairs(pairs);
  }
  report(state, pairs);
}
BENCHMARK(step_of_a_heap)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);

/// Boxes that touch their neighbours in a row along an axis, in any order: bisecting along any other axis separates
/// none.
void pairs_of_a_row(benchmark::State& state) {
  const auto count = static_cast<Index>(state.range(0));
  Boxes boxes;
  for (Index i = 0; i < count; ++i) boxes.push_back(cube({1.0 * i, 0, 0}, 0.5));
  std::shuffle(boxes.begin(), boxes.end(), std::mt19937());
  BoxTree tree;
  tree.build(boxes);
  Pairs pairs;
  for (auto _ : state) tree.find_pairs(pairs);
  report(state, pairs);
}
BENCHMARK(pairs_of_a_row)->Arg(100000)->Unit(benchmark::kMillisecond);

/// A step of 100 bodies on a terrain of 100352 triangles.
void bodies_on_a_terrain(benchmark::State& state) {
  constexpr Index edge = 224;
  const auto point = [](double x, double y) {
    return Vec3(x, y, 3 * std::sin(0.1 * x) * std::cos(0.13 * y));
  };
  Boxes triangles;
  for (Index i = 0; i < edge; ++i) {
    for (Index j = 0; j < edge; ++j) {
      for (const Vec3& corner : {point(i, j), point(i + 1, j + 1)}) {
        triangles.push_back(Box(corner).extend(point(i + 1, j)).extend(point(i, j + 1)));
      }
    }
  }
  Places places;
  Boxes bodies;
  for (Index i = 0; i < 100; ++i)
    bodies.push_back(cube(point(places.between(5, 215), places.between(5, 215)), 0.7));
  BoxTree terrain;
  terrain.build(triangles);
  BoxTree moving;
  moving.build(bodies);
  Pairs pairs;
  for (auto _ : state) {
    moving.refit(bodies);
    moving.find_pairs(terrain, pairs);
  }
  report(state, pairs);
}
BENCHMARK(bodies_on_a_terrain)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
