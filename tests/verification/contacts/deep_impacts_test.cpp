/// Round bodies that hit meshes in steps in which they move by up to three quarters of their length.

#include "meshes.hpp"
#include "rounds.hpp"
#include <picus/models/surface_depth.hpp>
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace picus::deep_impacts_test {
namespace {

/// A cylinder or cone above the plane z = 0.
struct Fall {
  std::string name;
  bool is_cone = false;
  Vec3 turned = Vec3::Zero();  ///< rotation vector
  double motion = 0.0;         ///< in a step, m
  double phase = 0.0;          ///< of the touch within its step
};

std::vector<Fall> falls() {
  std::vector<Fall> all;
  for (const double motion : {0.05, 0.15, 0.3}) {
    for (const double phase : {0.1, 0.5, 0.9}) {
      all.push_back({"standing", false, Vec3::Zero(), motion, phase});
      all.push_back({"lying", false, Vec3(1.5707963267948966, 0, 0), motion, phase});
      all.push_back({"tilted", false, Vec3(0.5, 0.3, 0), motion, phase});
      all.push_back({"cone", true, Vec3(0.2, -0.1, 0), motion, phase});
      all.push_back({"tip", true, Vec3(3.0, 0.1, 0), motion, phase});
    }
  }
  return all;
}

constexpr double radius = 0.15, length = 0.4, h = 1e-3;

/// The lowest point of the body, with its node at the origin.
double lowest_of(const Fall& fall, const Mat3& R) {
  const Vec3 up = R.transpose() * Vec3::UnitZ();
  const double across = radius * up.head<2>().norm();
  if (!fall.is_cone) return -(length / 2 * std::abs(up.z()) + across);
  return std::min(-length / 4 * up.z() - across, 3 * length / 4 * up.z());
}

/// Adds the body; it touches z = 0 at `phase` of its third step.
void add_faller(RoundScene& scene, const Fall& fall) {
  const Mat3 R = so3::exp(fall.turned);
  const FrameStart start{.position = Vec3(0.013, 0.021, (2 + fall.phase) * fall.motion - lowest_of(fall, R)),
                         .rotation = R,
                         .velocity = Vec3(0, 0, -fall.motion / h)};
  fall.is_cone ? scene.add_cone("body", 1.0, radius, length, start)
               : scene.add_cylinder("body", 1.0, radius, length, start);
}

struct Outcome {
  double depth = 0.0;  ///< largest after a step, relative to the sizes
  double speed = 0.0;  ///< at the end, m/s
};

Outcome outcome_of(const RoundScene& scene) {
  const models::SurfaceSampler sampler(scene.model, 12);
  DecoupledNsga integrator({.step = h});
  Outcome outcome;
  run(scene, integrator, 12 * h, [&](const Stepper&, const State& state, const StepReport&) {
    outcome.depth = std::max(outcome.depth, sampler.deepest(state.q).relative);
    outcome.speed = state.v[scene.bodies[0].v + 2];
  });
  return outcome;
}

/// A floor of many triangles at z = 0.
shapes::Mesh make_grid() {
  constexpr Index cells = 12;
  shapes::Mesh mesh{.is_closed = false};
  for (Index i = 0; i <= cells; ++i) {
    for (Index k = 0; k <= cells; ++k)
      mesh.points.emplace_back(1.0 * i / cells - 0.5, 1.0 * k / cells - 0.5, 0);
  }
  for (Index i = 0; i < cells; ++i) {
    for (Index k = 0; k < cells; ++k) {
      const Index a = i * (cells + 1) + k, b = a + cells + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

// A plastic impact: whatever the step, the body has not passed the surface after it, and its lowest point stops.
TEST(DeepImpacts, OnARigidMesh) {
  for (const bool is_grid : {false, true}) {
    for (const Fall& fall : falls()) {
      RoundScene scene;
      if (is_grid) {
        scene.model.add<Surface>({.name = "grid", .of = make_grid()});
      } else {
        scene.model.add<Surface>(
            {.name = "block", .of = make_box_mesh(Vec3(1, 1, 0.5)), .position = Vec3(0, 0, -0.25)});
      }
      add_faller(scene, fall);
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
      const Outcome outcome = outcome_of(scene);
      EXPECT_LT(outcome.depth, 1e-6) << fall.name << " " << fall.motion << " " << fall.phase << " "
                                     << is_grid;
      EXPECT_GT(outcome.speed, -0.9 * fall.motion / h)
          << fall.name << " " << fall.motion << " " << fall.phase;
    }
  }
}

}  // namespace
}  // namespace picus::deep_impacts_test
