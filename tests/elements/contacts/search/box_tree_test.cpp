#include <picus/elements/contacts/search/box_tree.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

namespace picus::box_tree_test {
namespace {

using support::message_of;
using support::Random;
using testing::HasSubstr;
using Pairs = std::vector<std::array<Index, 2>>;
using Boxes = std::vector<Box>;

// The required result of the search, by definition: in order, each pair once.
Pairs all_pairs(const Boxes& boxes) {
  Pairs pairs;
  for (Index i = 0; i < count_of(boxes); ++i) {
    for (Index j = i + 1; j < count_of(boxes); ++j) {
      if (!boxes[i].isEmpty() && !boxes[j].isEmpty() && boxes[i].intersects(boxes[j]))
        pairs.push_back({i, j});
    }
  }
  return pairs;
}
Pairs all_pairs(const Boxes& a, const Boxes& b) {
  Pairs pairs;
  for (Index i = 0; i < count_of(a); ++i) {
    for (Index j = 0; j < count_of(b); ++j) {
      if (!a[i].isEmpty() && !b[j].isEmpty() && a[i].intersects(b[j])) pairs.push_back({i, j});
    }
  }
  return pairs;
}
Pairs pairs_of(const BoxTree& tree) {
  Pairs pairs = {{7, 7}};  // will be replaced
  tree.find_pairs(pairs);
  return pairs;
}
Pairs pairs_of(const BoxTree& tree, const BoxTree& other) {
  Pairs pairs = {{7, 7}};
  tree.find_pairs(other, pairs);
  return pairs;
}
BoxTree tree_of(const Boxes& boxes) {
  BoxTree tree;
  tree.build(boxes);
  return tree;
}

Vec3 grid_point(Index i, Index j, Index k) {
  return {1.0 * i, 1.0 * j, 1.0 * k};
}

Box box_around(const Vec3& center, const Vec3& half) {
  return {center - half, center + half};
}

// About six overlaps per box.
Boxes loose_heap(Index count, Random& random, const Vec3& origin = Vec3::Zero()) {
  const double edge = std::cbrt(count * 8.0 / 6.0);
  Boxes boxes;
  for (Index i = 0; i < count; ++i) {
    boxes.push_back(box_around(origin + random.vec3(edge / 2), Vec3::Constant(random.uniform(0.35, 0.65))));
  }
  return boxes;
}

struct Scene {
  std::string name;
  Boxes boxes;
};

std::vector<Scene> scenes() {
  Random random(1);
  std::vector<Scene> result = {{"none", {}}, {"one", {box_around({1, 2, 3}, {1, 1, 1})}}};
  for (const Index count : {2, 3, 4, 5, 6, 7, 8, 9, 400}) {
    result.push_back({"heap of " + std::to_string(count), loose_heap(count, random)});
  }
  result.push_back({"far away", loose_heap(400, random, {1e6, -1e6, 1e6})});
  const auto add = [&](const std::string& name, Index count, auto&& make) {
    Boxes boxes;
    for (Index i = 0; i < count; ++i) boxes.push_back(make(i));
    result.push_back({name, boxes});
  };
  const auto cube = [](const Vec3& center, double half) { return box_around(center, Vec3::Constant(half)); };
  add("six decades", 600, [&](Index) { return cube(random.vec3(10), std::pow(10, random.uniform(-5, 1))); });
  add("lengths of six decades", 600, [&](Index) {
    return box_around(random.vec3(10),
                      random.vec3(3).unaryExpr([](double x) { return std::pow(10, x - 2); }));
  });
  add("clusters", 600, [&](Index i) { return cube(Vec3(1e3 * (i % 5), 0, 0) + random.vec3(1), 0.1); });
  add("flat", 400, [&](Index i) {
    Vec3 half = random.vec3().cwiseAbs();
    half[i % 3] = 0;
    return box_around(random.vec3(3), half);
  });
  add("points on a lattice", 400, [](Index i) { return Box(grid_point(i % 4, i / 4 % 4, i / 16 % 4)); });
  add("row", 400, [&](Index i) { return cube(grid_point(i * 37 % 400, 0, 0), 0.5); });
  add("layer", 400, [&](Index i) { return cube(grid_point(i % 20, 0, i / 20), 0.5); });
  add("diagonal", 400, [&](Index i) { return cube(Vec3::Constant(i), 0.5); });
  add("all the same", 60, [&](Index) { return cube({1, 2, 3}, 0.5); });
  add("all overlapping", 60, [&](Index) { return cube(random.vec3(1), 1); });
  add("apart", 60, [&](Index i) { return cube(grid_point(i % 4, i / 4 % 4, i / 16), 0.49); });
  add("widest", 20,
      [&](Index i) { return cube(random.vec3(10), i % 4 ? 1 : std::numeric_limits<double>::max()); });
  add("with empty ones", 200, [&](Index i) {
    if (i % 3 == 0) return Box();                                    // as Eigen constructs it
    if (i % 3 == 1) return Box(Vec3(-9, -9, 0.5), Vec3(9, 9, 0.4));  // inverted along a single axis
    return cube(random.vec3(3), 0.5);
  });
  add("empty ones", 9, [](Index) { return Box(); });
  return result;
}

TEST(BoxTree, FindsWhatOverlaps) {
  for (const Scene& scene : scenes())
    EXPECT_EQ(pairs_of(tree_of(scene.boxes)), all_pairs(scene.boxes)) << scene.name;
}

TEST(BoxTree, FindsWhatOverlapsBetweenTwoTrees) {
  const std::vector<Scene> all = scenes();
  std::vector<BoxTree> trees;
  for (const Scene& scene : all) trees.push_back(tree_of(scene.boxes));
  for (Index a = 0; a < count_of(all); ++a) {
    for (Index b = 0; b < count_of(all); ++b) {
      EXPECT_EQ(pairs_of(trees[a], trees[b]), all_pairs(all[a].boxes, all[b].boxes))
          << all[a].name << ", " << all[b].name;
    }
  }
}

TEST(BoxTree, LeavesOutPairsOfOneGroup) {
  Random random(7);
  for (const Scene& scene : scenes()) {
    for (const Index count : {1, 2, 5}) {
      std::vector<Index> groups;
      for (std::size_t i = 0; i < scene.boxes.size(); ++i)
        groups.push_back(static_cast<Index>(std::floor(random.uniform(-1, count))));
      Pairs expected = all_pairs(scene.boxes);
      std::erase_if(expected, [&](const auto& pair) {
        return groups[pair[0]] >= 0 && groups[pair[0]] == groups[pair[1]];
      });
      BoxTree tree;
      tree.build(scene.boxes, groups);
      EXPECT_EQ(pairs_of(tree), expected) << scene.name << ", " << count << " groups";
      for (int i = 0; i < 40; ++i) tree.refit(scene.boxes);  // builds it anew at times
      EXPECT_EQ(pairs_of(tree), expected) << scene.name << ", " << count << " groups";
      EXPECT_EQ(pairs_of(tree, tree), all_pairs(scene.boxes, scene.boxes)) << scene.name;
    }
  }
}

TEST(BoxTree, FindsWhatOverlapsOneBox) {
  Random random(8);
  std::vector<Index> found;
  for (const Scene& scene : scenes()) {
    const BoxTree tree = tree_of(scene.boxes);
    for (int i = 0; i < 20; ++i) {
      const Box box = box_around(random.vec3(6), random.vec3(2).cwiseAbs());
      std::vector<Index> expected;
      for (const auto& [one, j] : all_pairs({box}, scene.boxes)) expected.push_back(j);
      tree.find_overlapping(box, found);
      EXPECT_EQ(found, expected) << scene.name;
    }
    tree.find_overlapping(Box(), found);
    EXPECT_TRUE(found.empty());
  }
}

TEST(BoxTree, TheScenesOverlapAsTheyAreMeantTo) {
  for (const Scene& scene : scenes()) {
    const std::size_t count = scene.boxes.size();
    const std::size_t pairs = all_pairs(scene.boxes).size();
    if (scene.name.starts_with("all")) {
      EXPECT_EQ(pairs, count * (count - 1) / 2) << scene.name;
    } else if (scene.name == "row" || scene.name == "diagonal") {
      EXPECT_EQ(pairs, count - 1) << scene.name;
    } else if (scene.name == "apart" || scene.name == "empty ones" || count < 2) {
      EXPECT_EQ(pairs, 0U) << scene.name;
    } else if (count >= 100) {
      EXPECT_GT(pairs, 10U) << scene.name;
      EXPECT_LT(pairs, count * count / 4) << scene.name;
    }
  }
}

TEST(BoxTree, TouchingIsOverlappingToTheLastBit) {
  // At 1e6 m one bit is 1.2e-10 m.
  for (const double x : {0.0, 1.0, 1e6, -1e6}) {
    const double above = std::nextafter(x, 1e9);
    const Vec3 one(1, 1, 1);
    const Box left(Vec3(x, 0, 0) - one, Vec3(x, 1, 1));
    EXPECT_EQ(pairs_of(tree_of({left, Box(Vec3(x, 1, 1), Vec3(x, 1, 1) + one)})).size(), 1U) << x;
    EXPECT_EQ(pairs_of(tree_of({left, Box(Vec3(above, 1, 1), Vec3(x, 1, 1) + one)})).size(), 0U) << x;
  }
}

TEST(BoxTree, RefitFindsWhatOverlapsAfterAnyMotion) {
  for (Scene& scene : scenes()) {
    Random random(2);
    BoxTree tree = tree_of(scene.boxes);
    for (const double distance : {0.0, 1e-3, 0.1, 1.0, 100.0, 0.1, 1e6}) {
      for (Box& box : scene.boxes) {
        if (!box.isEmpty()) box.translate(random.vec3(distance));
      }
      tree.refit(scene.boxes);
      EXPECT_EQ(pairs_of(tree), all_pairs(scene.boxes)) << scene.name << ", moved by " << distance;
    }
  }
}

TEST(BoxTree, RefitFollowsBoxesThatMixGrowVanishAndReturn) {
  Random random(3);
  Boxes boxes = loose_heap(300, random);
  BoxTree tree = tree_of(boxes);
  for (Index step = 0; step < 60; ++step) {
    for (Box& box : boxes) {
      if (random.uniform(0, 1) < 0.05) {
        box = Box();
      } else if (random.uniform(0, 1) < 0.05) {
        box = box_around(random.vec3(4), Vec3::Constant(std::pow(10, random.uniform(-3, 0.3))));
      } else if (!box.isEmpty()) {
        box.translate(random.vec3(0.3));
      }
    }
    tree.refit(boxes);
    EXPECT_EQ(pairs_of(tree), all_pairs(boxes)) << step;
    EXPECT_EQ(pairs_of(tree), pairs_of(tree_of(boxes))) << step;
  }
}

TEST(BoxTree, TakesAnotherNumberOfBoxes) {
  Random random(4);
  BoxTree tree;
  EXPECT_TRUE(pairs_of(tree).empty());
  EXPECT_TRUE(pairs_of(tree, tree).empty());
  for (const Index count : {5, 50, 1, 0, 7}) {
    const Boxes first = loose_heap(count, random);
    tree.build(first);
    EXPECT_EQ(pairs_of(tree), all_pairs(first));
    const Boxes second = loose_heap(count + 3, random);
    tree.refit(second);
    EXPECT_EQ(pairs_of(tree), all_pairs(second));
  }
}

TEST(BoxTree, WithItselfEachBoxIsItsOwnPartner) {
  Random random(5);
  const Boxes boxes = loose_heap(100, random);
  const BoxTree tree = tree_of(boxes);
  EXPECT_EQ(pairs_of(tree, tree), all_pairs(boxes, boxes));
}

TEST(BoxTree, Moves) {
  Random random(6);
  const Boxes boxes = loose_heap(100, random);
  BoxTree tree = tree_of(boxes);
  BoxTree moved = std::move(tree);
  EXPECT_EQ(pairs_of(moved), all_pairs(boxes));
  tree = std::move(moved);
  EXPECT_EQ(pairs_of(tree), all_pairs(boxes));
}

TEST(BoxTree, RefusesBoundsThatAreNotFinite) {
  const Boxes good(3, box_around({0, 0, 0}, {1, 1, 1}));
  BoxTree tree = tree_of(good);
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {infinity, nan}) {
    for (Index k = 0; k < 6; ++k) {
      Boxes bad = good;
      (k < 3 ? bad[1].min()[k] : bad[1].max()[k - 3]) = k < 3 ? -value : value;
      EXPECT_THAT(message_of<ModelError>([&] { tree.build(bad); }),
                  HasSubstr("contact search: box 1 is not finite"));
      EXPECT_THAT(message_of<ModelError>([&] { tree.refit(bad); }), HasSubstr("box 1 is not finite"));
      EXPECT_EQ(pairs_of(tree), all_pairs(good));  // unchanged
    }
  }
}

TEST(BoxTree, SeparateTreesWorkInThreadsOfTheirOwn) {
  std::array<Pairs, 4> found;
  const auto search = [&](Index thread) {
    Random random(8);
    Boxes boxes = loose_heap(500, random);
    BoxTree tree = tree_of(boxes);
    for (Index step = 0; step < 20; ++step) {
      for (Box& box : boxes) box.translate(random.vec3(0.3));
      tree.refit(boxes);
      tree.find_pairs(found[thread]);
    }
  };
  std::vector<std::thread> threads;
  for (Index thread = 0; thread < count_of(found); ++thread) threads.emplace_back(search, thread);
  for (std::thread& thread : threads) thread.join();
  for (const Pairs& pairs : found) EXPECT_EQ(pairs, found[0]);
  EXPECT_GT(found[0].size(), 500U);
}

}  // namespace
}  // namespace picus::box_tree_test
