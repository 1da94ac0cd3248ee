/// The broad phase of the Flexible Collision Library (a dynamic tree of boxes) and BoxTree on the same boxes: the heaps
/// of contact_search.cpp. Built where FCL is installed (Debian: libfcl-dev).

#include "random_boxes.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace picus;

class PicusTree {
 public:
  explicit PicusTree(const Boxes& boxes) { tree_.build(boxes); }
  void move(const Boxes& boxes) { tree_.refit(boxes); }
  void find(Pairs& pairs) { tree_.find_pairs(pairs); }

 private:
  BoxTree tree_;
};

class FclTree {
 public:
  explicit FclTree(const Boxes& boxes) {
    for (const Box& box : boxes) {
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(std::make_shared<fcl::Boxd>(box.sizes()),
                                                                 fcl::Matrix3d::Identity(), box.center()));
      all_.push_back(objects_.back().get());
    }
    numbers_.resize(boxes.size());
    std::iota(numbers_.begin(), numbers_.end(), 0);
    for (std::size_t i = 0; i < objects_.size(); ++i) objects_[i]->setUserData(&numbers_[i]);
    manager_.registerObjects(all_);
    manager_.setup();
  }
  void move(const Boxes& boxes) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      objects_[i]->setTranslation(boxes[i].center());
      objects_[i]->computeAABB();
    }
    manager_.update();
  }
  /// Ascending, as those of BoxTree are: the order in which contacts are summed must not depend on the tree.
  void find(Pairs& pairs) {
    pairs.clear();
    manager_.collide(&pairs, add);
    std::ranges::sort(pairs);
  }

 private:
  static Index number_of(const fcl::CollisionObjectd& object) {
    return *static_cast<const Index*>(object.getUserData());
  }
  static bool add(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* pairs) {
    const auto [i, k] = std::minmax({number_of(*a), number_of(*b)});
    static_cast<Pairs*>(pairs)->push_back({i, k});
    return false;  // go on
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::vector<fcl::CollisionObjectd*> all_;
  std::vector<Index> numbers_;  ///< to which the objects point
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

template <class Tree>
void build(benchmark::State& state) {
  const Boxes boxes = loose_heap(static_cast<Index>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(Tree(boxes));
}

/// All boxes have moved by up to a twentieth of their size.
template <class Tree>
void refit(benchmark::State& state) {
  std::array<Boxes, 2> boxes;
  boxes.fill(loose_heap(static_cast<Index>(state.range(0))));
  Places places;
  for (Box& box : boxes[1]) box.translate(places.within(0.05));
  Tree tree(boxes[0]);
  Index turn = 0;
  for (auto _ : state) tree.move(boxes[turn ^= 1]);
}

template <class Tree>
void pairs_of_a_heap(benchmark::State& state) {
  const Boxes boxes = loose_heap(static_cast<Index>(state.range(0)));
  Tree tree(boxes);
  Pairs pairs;
  for (auto _ : state) tree.find(pairs);
  Pairs expected;
  PicusTree(boxes).find(expected);
  if (pairs != expected) state.SkipWithError("other pairs than those of BoxTree");
  state.counters["pairs"] = benchmark::Counter(static_cast<double>(pairs.size()));
}

/// Boxes in a random walk of up to a tenth of their size per step.
template <class Tree>
void step_of_a_heap(benchmark::State& state) {
  Boxes boxes = loose_heap(static_cast<Index>(state.range(0)));
  Places places;
  Tree tree(boxes);
  Pairs pairs;
  for (auto _ : state) {
    state.PauseTiming();
    for (Box& box : boxes) box.translate(places.within(0.1));
    state.ResumeTiming();
    tree.move(boxes);
    tree.find(pairs);
  }
  state.counters["pairs"] = benchmark::Counter(static_cast<double>(pairs.size()));
}

BENCHMARK(build<PicusTree>)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(build<FclTree>)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(refit<PicusTree>)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(refit<FclTree>)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(pairs_of_a_heap<PicusTree>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(pairs_of_a_heap<FclTree>)->RangeMultiplier(10)->Range(1000, 100000)->Unit(benchmark::kMillisecond);
BENCHMARK(step_of_a_heap<PicusTree>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(step_of_a_heap<FclTree>)
    ->RangeMultiplier(10)
    ->Range(1000, 100000)
    ->Iterations(50)
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
