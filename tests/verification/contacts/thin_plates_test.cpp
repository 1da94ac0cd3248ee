/// Plates that fall on each other, thinner than their motion in a step or than a thousandth of their width: they come to
/// rest in a stack, whether they are convex bodies or meshes.

#include "meshes.hpp"
#include <picus/solvers/integrators/decoupled_nsga.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace picus::thin_plates_test {
namespace {

enum class Kind { box, hull, mesh };

Shape shape_of(Kind kind, const Vec3& size) {
  if (kind == Kind::box) return shapes::Box{size};
  if (kind == Kind::mesh) return make_box_mesh(size);
  shapes::Hull hull;
  for (int i = 0; i < 8; ++i)
    hull.points.emplace_back(
        size.cwiseProduct(Vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5)));
  return hull;
}

/// Three steel plates of 1 m, tilted and displaced, above a floor with this orientation.
Scene fall_of_plates(Kind kind, double thickness, const Mat3& Q) {
  Scene scene;
  const Vec3 size(1, 0.8, thickness);
  const double mass = 8000 * size.prod();
  for (int i = 0; i < 3; ++i) {
    const std::string name = fmt::format("plate[{}]", i);
    const FrameNode node = scene.add_body(name, mass, inertia::box(mass, size),
                                          {.position = Q * Vec3(0.02 * i, 0.01 * i, 0.05 + 0.06 * i),
                                           .rotation = Q * so3::exp(Vec3(0.03 * i, -0.02 * i, 0.1 * i))});
    scene.sizes.back() = size;
    scene.model.add<Surface>({.name = name, .of = shape_of(kind, size), .on = node});
  }
  scene.model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .rotation = Q});
  scene.model.add<ContactsBetween>({.name = "all", .mu = 0.3});
  scene.add_weights(Q * Vec3(0, 0, -g));
  return scene;
}

// In a step of 10 ms the second one falls by 12 mm, twelve times its thickness. Edges of a far side are no obstacles,
// and both sides of a plate are distinguished.
TEST(ThinPlates, ComeToRestInAStack) {
  for (const Kind kind : {Kind::box, Kind::hull, Kind::mesh}) {
    for (const double thickness : {1e-2, 1e-3}) {
      for (const double h : {1e-2, 2e-3}) {
        for (const Mat3& Q : {Mat3(Mat3::Identity()), so3::exp(Vec3(0.7, -1.1, 0.4))}) {
          SCOPED_TRACE(fmt::format("kind {}, {} m, h = {} s, turned {}", static_cast<int>(kind), thickness, h,
                                   !Q.isIdentity()));
          const Scene scene = fall_of_plates(kind, thickness, Q);
          DecoupledNsga integrator({.step = h});
          double depth = 0;
          const Seen seen =
              run(scene, integrator, 0.4, [&](const Stepper&, const State& state, const StepReport&) {
                depth = std::max(depth, sampled_depth(scene, state.q));
              });
          EXPECT_LT(depth, 1e-9);
          EXPECT_LT(seen.penetration, 1e-9);
          EXPECT_EQ(seen.search.misses, 0);
          EXPECT_LE(seen.search.repeats, 20);
          EXPECT_LE(seen.fallbacks, 1);
          for (int i = 0; i < 3; ++i) {
            const FrameNode& plate = scene.bodies[i];
            const double height = (Q.transpose() * seen.state.q.position(plate)).z();
            EXPECT_NEAR(height, (i + 0.5) * thickness, 1e-9);
            EXPECT_LT(seen.state.v.segment<6>(plate.v).norm(), 1e-6);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace picus::thin_plates_test
