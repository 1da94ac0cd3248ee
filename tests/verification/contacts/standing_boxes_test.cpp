/// Towers and pyramids of boxes whose contacts are detected stand still.

#include "boxes.hpp"
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace picus::standing_boxes_test {
namespace {

/// Boxes at rest stay at rest, in few iterations: for 10 s in full tests, otherwise for `steps` steps.
void expect_to_stay(const Scene& scene, const std::string& scheme, double h, int steps) {
  SCOPED_TRACE(fmt::format("{}, h = {} s", scheme, h));
  const bool is_full = std::getenv("PICUS_FULL_TESTS") != nullptr;
  const auto integrator = make_integrator(scheme, {.step = h});
  const Seen seen = run(scene, *integrator, is_full ? 10.0 : steps * h);
  const Configuration& start = scene.model.initial_configuration();
  double drift = 0;
  for (const FrameNode& body : scene.bodies)
    drift = std::max(drift, (seen.state.q.position(body) - start.position(body)).norm());
  EXPECT_LT(drift, 1e-9);
  EXPECT_EQ(seen.fallbacks, 0);
  EXPECT_LE(seen.worst_iterations, 10);  // 5 at most in the first steps, from multipliers of the start
  EXPECT_EQ(seen.search.misses, 0);
  EXPECT_EQ(seen.search.repeats, 0);
  EXPECT_EQ(seen.search.changes, 0);  // the initial list is that of all steps
  // The accelerations of ds-a contain the contact forces, which redundant contacts share in many ways; those of ds do not.
  const double largest = seen.state.acceleration.lpNorm<Eigen::Infinity>();
  if (scheme == "ds-a")
    EXPECT_LT(largest, 1e-6);
  else
    EXPECT_NEAR(largest, 9.81, 1e-6);
}

// Exactly above each other every corner meets a corner, and boxes that are rotated and displaced have crossing edges.
TEST(StandingBoxes, TowersOfTwentyBoxesStay) {
  for (const double disorder : {0.0, 0.1}) {
    Scene scene;
    scene.add_floor();
    for (int i = 0; i < 20; ++i) {
      const double side = disorder * std::sin(12.9 * i);
      scene.add_box(fmt::format("box[{}]", i), Vec3(1, 1, 1),
                    {.position = {side, disorder * std::cos(7.1 * i), 0.5 + i},
                     .rotation = so3::exp(Vec3(0, 0, 5 * side))});
    }
    scene.add_weights();
    scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
    SCOPED_TRACE(disorder);
    for (const double h : {1e-2, 1e-3}) {
      for (const char* scheme : {"ds", "ds-a"}) expect_to_stay(scene, scheme, h, 100);
    }
  }
}

TEST(StandingBoxes, PyramidOfTwentyOneBoxesStays) {
  Scene scene;
  scene.add_floor();
  int number = 0;
  for (int row = 0; row < 6; ++row) {
    for (int i = 0; i < 6 - row; ++i) {
      scene.add_box(fmt::format("box[{}]", number++), Vec3(1, 1, 1),
                    {.position = {1.05 * i + 0.525 * row, 0, 0.5 + row}});
    }
  }
  scene.add_weights();
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
  for (const double h : {1e-2, 1e-3}) {
    for (const char* scheme : {"ds", "ds-a"}) expect_to_stay(scene, scheme, h, 50);
  }
}

}  // namespace
}  // namespace picus::standing_boxes_test
