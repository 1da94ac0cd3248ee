/// Edges of triangle meshes and of solids that are sharper than 90 degrees. Their normals may point away from one of
/// their faces by more than 90 degrees.

#include "meshes.hpp"
#include <picus/elements/solids/solid.hpp>
#include <picus/models/surface_depth.hpp>
#include <picus/solvers/integrators/schemes.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace picus::sharp_edges_test {
namespace {

enum class Made { box, hull, mesh, capsule };

Shape shape_of(Made made, const shapes::Mesh& mesh) {
  if (made == Made::mesh) return mesh;
  return shapes::Hull{.points = mesh.points};
}

/// With its top at z = 0, whose border at x = 0 is an edge of this angle (rad).
shapes::Mesh make_undercut_table(double angle) {
  constexpr double height = 0.2;
  const double back = height / std::tan(angle);
  shapes::Mesh table = make_prism({{0, 0}, {-1, 0}, {-1, -height}, {-back, -height}}, 0.6);
  // From the plane x, y of the section to x, z.
  for (Vec3& x : table.points) x = Vec3(x.x(), -x.z(), x.y());
  return table;
}

const Vec3 bar_size(0.5, 0.06, 0.05);

/// A bar at rest on the table, two fifths of it beyond the border.
FrameNode add_bar(Scene& scene, Made made) {
  const FrameNode node =
      scene.add_body("bar", 1.0, inertia::box(1.0, bar_size), {.position = {-0.05, 0, bar_size.z() / 2}});
  if (made == Made::capsule) {
    scene.model.add<Surface>({.name = "bar",
                              .of = shapes::Capsule{0.45, bar_size.z() / 2},
                              .on = node,
                              .rotation = so3::exp(Vec3(0, std::numbers::pi / 2, 0))});
  } else if (made == Made::box) {
    scene.model.add<Surface>({.name = "bar", .of = shapes::Box{bar_size}, .on = node});
  } else {
    scene.model.add<Surface>({.name = "bar", .of = shape_of(made, make_box_mesh(bar_size)), .on = node});
  }
  return node;
}

void expect_rest(const Scene& scene, double tolerance) {
  DecoupledNsga integrator({.step = 1e-3});
  const Seen seen = run(scene, integrator, 0.15);
  const Configuration& start = scene.model.initial_configuration();
  const FrameNode& bar = scene.bodies[0];
  EXPECT_LT((seen.state.q.position(bar) - start.position(bar)).norm(), tolerance);
  EXPECT_LT(so3::log(seen.state.q.rotation(bar) * start.rotation(bar).transpose()).norm(), tolerance);
  EXPECT_EQ(seen.search.misses, 0);
}

// Its centre of mass is above the table: by statics it rests, whatever the shape below the top.
TEST(SharpEdges, CarryABarWhoseCentreIsOnTheTable) {
  for (const double degrees : {20.0, 45.0, 60.0, 75.0, 89.0, 90.0, 120.0}) {
    for (const Made table : {Made::hull, Made::mesh}) {
      for (const Made bar : {Made::box, Made::hull, Made::mesh, Made::capsule}) {
        SCOPED_TRACE(fmt::format("{} degrees, table {}, bar {}", degrees, int(table), int(bar)));
        Scene scene;
        add_bar(scene, bar);
        scene.model.add<Surface>(
            {.name = "table", .of = shape_of(table, make_undercut_table(degrees * std::numbers::pi / 180))});
        scene.add_weights();
        scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
        expect_rest(scene, 1e-9);
      }
    }
  }
}

// The table is one element, whose nodes are fixed.
TEST(SharpEdges, OfSolidsCarryABar) {
  for (const double degrees : {60.0, 75.0, 120.0}) {
    for (const Made bar : {Made::box, Made::hull}) {
      SCOPED_TRACE(fmt::format("{} degrees, bar {}", degrees, int(bar)));
      Scene scene;
      add_bar(scene, bar);
      const double back = 0.2 / std::tan(degrees * std::numbers::pi / 180);
      auto mesh = make_box_mesh(BoxMesh{.size = {1, 0.6, 0.2},
                                        .divisions = {1, 1, 1},
                                        .origin = {-1, -0.3, -0.2},
                                        .map = [&](const Vec3& x) -> Vec3 {
                                          const bool is_undercut = x.x() > -0.5 && x.z() < -0.1;
                                          return x - (is_undercut ? back : 0.0) * Vec3::UnitX();
                                        }});
      mesh.face_sets["all"] = mesh.boundary();
      const Solid table = add_solid(
          scene.model, mesh,
          {.name = "table", .material = {.youngs_modulus = 1e6, .poissons_ratio = 0.3, .density = 1000}});
      for (const PointNode& node : table.nodes())
        scene.model.fix(node, {Component::x, Component::y, Component::z});
      scene.model.add<Surface>({.name = "table", .of = shapes::Faces{table.faces("all")}});
      scene.add_weights();
      scene.model.add<ContactsBetween>({.name = "all", .mu = 0.5});
      expect_rest(scene, 1e-9);
    }
  }
}

shapes::Mesh make_tetrahedron(double a) {
  return {.points = {{a, a, a}, {a, -a, -a}, {-a, a, -a}, {-a, -a, a}},
          .triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
}

/// Two bodies that fly into each other.
Scene make_collision(const Shape& first, const Shape& second, unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&] { return std::uniform_real_distribution<>(-1, 1)(generator); };
  const auto vector = [&](double x, double y, double z) {
    const double a = random(), b = random(), c = random();
    return Vec3(x * a, y * b, z * c);
  };
  Scene scene;
  const Vec3 apart = Vec3(0, 0, 0.35) + vector(0.08, 0.08, 0);
  const auto add = [&](const std::string& name, const Shape& shape, double mass, double side) {
    const Mat3 R = so3::exp(vector(3, 3, 3));
    const FrameNode node = scene.add_body(name, mass, 3e-3 * mass * Mat3::Identity(),
                                          {.position = 0.5 * side * apart,
                                           .rotation = R,
                                           .velocity = vector(0.3, 0.3, 0) - Vec3(0, 0, 1.5 * side),
                                           .angular_velocity = vector(6, 6, 6)});
    scene.model.add<Surface>({.name = name, .of = shape, .on = node});
  };
  add("first", first, 1.0, -1);
  add("second", second, 1.5, 1);
  scene.model.add<ContactsBetween>({.name = "all"});
  return scene;
}

// The depth is sampled from the geometry alone; within a step of 3 mm contacts pass from feature to feature.
TEST(SharpEdges, TetrahedraAndBoxesThatCollideDoNotEnterEachOther) {
  const shapes::Mesh tetrahedron = make_tetrahedron(0.1), box = make_box_mesh(Vec3(0.2, 0.14, 0.1));
  for (const auto& [first, second] : {std::pair(Made::hull, Made::mesh), std::pair(Made::mesh, Made::hull),
                                      std::pair(Made::mesh, Made::mesh)}) {
    for (unsigned seed = 1000; seed < 1020; ++seed) {
      SCOPED_TRACE(fmt::format("tetrahedron {}, box {}, seed {}", int(first), int(second), seed));
      const Scene scene = make_collision(shape_of(first, tetrahedron), shape_of(second, box), seed);
      const models::SurfaceSampler sampler(scene.model, 10);
      DecoupledNsga integrator({.step = 1e-3});
      double depth = 0;
      const Seen seen =
          run(scene, integrator, 0.2, [&](const Stepper&, const State& state, const StepReport&) {
            if (state.step % 10 == 0) depth = std::max(depth, sampler.deepest(state.q).depth);
          });
      EXPECT_LT(depth, 1e-5);
      EXPECT_EQ(seen.search.misses, 0);
    }
  }
}

}  // namespace
}  // namespace picus::sharp_edges_test
