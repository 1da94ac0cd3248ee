// The position of the origin, and bodies spinning elsewhere, do not affect any motion.

#include <picus/models/moved_scene.hpp>
#include <picus/solvers/integrators/schemes.hpp>
#include <picus/system.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace picus::far_away_test {
namespace {

constexpr double size = models::MovedScene::size;
constexpr double h = 1e-3;

/// Positions relative to the shifted origin, and rotations, at some instants; the deepest gap of closed contacts.
struct Outcome {
  std::vector<Vec3> positions;
  std::vector<Mat3> rotations;
  double deepest = 0.0;
  int fallbacks = 0;
  int iterations = 0;
};

Outcome run(const std::string& scheme, const Vec3& place, bool has_wheel) {
  const Model scene =
      models::make_moved_scene({.x = place.x(), .y = place.y(), .z = place.z(), .has_wheel = has_wheel});
  const System system(scene);
  const auto integrator = make_integrator(scheme, {.step = h});
  State state = integrator->start(system);
  Outcome result;
  Vector gaps(system.contact_row_count());
  for (int k = 0; k < 600; ++k) {
    const StepReport report = integrator->step(state);
    for (const int used : report.fallbacks) result.fallbacks += used;
    for (const auto& one : report.subproblems) result.iterations += one.iterations;
    system.evaluate_gaps(state.q, state.q, gaps);
    for (const auto& contact : system.contacts())
      result.deepest = std::max(result.deepest, -gaps[contact.first_row]);
    if (k % 50 != 49) continue;
    for (const char* name : {"a", "b", "bob"}) {
      const Node node = scene.find_node(name);
      result.positions.push_back(state.q.position(node) - place);
      result.rotations.push_back(state.q.rotation(node));
    }
  }
  return result;
}

class FarAway : public testing::TestWithParam<const char*> {};

TEST_P(FarAway, AModelMovesAsAtTheOrigin) {
  const Outcome near = run(GetParam(), Vec3::Zero(), false);
  struct Case {
    Vec3 place;
    bool has_wheel;
  };
  for (const Case& one : {Case{Vec3::Zero(), true}, Case{{1e6, 0, 0}, false}, Case{{-6e5, 5e5, 6e5}, true}}) {
    const Outcome far = run(GetParam(), one.place, one.has_wheel);
    const double rounding = std::numeric_limits<double>::epsilon() * one.place.norm();
    double apart = 0;
    for (std::size_t i = 0; i < near.positions.size(); ++i) {
      apart = std::max(apart, (near.positions[i] - far.positions[i]).norm() / size);
      apart = std::max(apart, (near.rotations[i] - far.rotations[i]).norm());
    }
    EXPECT_LE(apart, 1e-6) << one.place.transpose() << " with wheel " << one.has_wheel;
    if (std::string_view(GetParam()) == "ds") {
      EXPECT_LE(far.deepest, std::max(1e-9 * size, 4 * rounding)) << one.place.transpose();
    }
    EXPECT_EQ(far.fallbacks, near.fallbacks);
    EXPECT_LE(far.iterations, near.iterations + near.iterations / 10);
    RecordProperty("apart_" + std::to_string(std::lround(one.place.norm())), std::to_string(apart));
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, FarAway,
                         testing::Values("ds", "cs", "dsn", "ds-np", "ds-a", "moreau-jean", "chen", "newmark",
                                         "hht", "mixed:base=bathe"));

}  // namespace
}  // namespace picus::far_away_test
