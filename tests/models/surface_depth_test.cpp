/// The check of penetration by sampling, on surfaces whose depth is known.

#include <picus/elements/bodies/rigid_body.hpp>
#include <picus/elements/contacts/surface.hpp>
#include <picus/elements/solids/solid.hpp>
#include <picus/models/mesh_bodies.hpp>
#include <picus/models/surface_depth.hpp>
#include <picus/so3.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace picus::models {
namespace {

constexpr double depth = 1e-3;  // m

/// A surface on a frame of its own.
void add_surface(Model& model, const std::string& name, const Shape& shape, const Vec3& position,
                 const Mat3& rotation = Mat3::Identity()) {
  const FrameNode node = model.add_frame(name, {.position = position, .rotation = rotation});
  model.add<RigidBody>({.name = name + " body", .node = node, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add<Surface>({.name = name, .of = shape, .on = node});
}

SurfaceDepth deepest(const Model& model, int n = 6) {
  return SurfaceSampler(model, n).deepest(model.initial_configuration());
}

/// The shapes whose lowest point is at z = 0, about the z axis.
struct Lowest {
  std::string name;
  Shape shape;
  Vec3 position;
  Mat3 rotation = Mat3::Identity();
};

std::vector<Lowest> shapes_on_plane() {
  const double r = 0.1;
  const Mat3 on_corner =
      so3::exp(Vec3(std::atan(std::sqrt(2.0)), 0, 0)) * so3::exp(Vec3(0, 0, std::numbers::pi / 4));
  const double tilt =
      0.5;  // of a cylinder, about x: the lowest point of its rim is at a quarter turn of its own
  return {{"ball", shapes::Ball{r}, {0, 0, r}},
          {"capsule", shapes::Capsule{0.3, r}, {0, 0, 0.15 + r}},
          {"box", shapes::Box{{0.2, 0.2, 0.2}}, {0, 0, 0.1}},
          {"corner", shapes::Box{{0.2, 0.2, 0.2}}, {0, 0, 0.1 * std::sqrt(3.0)}, on_corner},
          {"cylinder", shapes::Cylinder{0.3, r}, {0, 0, 0.15}},
          {"leaning",
           shapes::Cylinder{0.3, r},
           {0, 0, 0.15 * std::cos(tilt) + r * std::sin(tilt)},
           so3::exp(Vec3(tilt, 0, 0))},
          {"cone", shapes::Cone{.length = 0.3, .bottom_radius = 0.0, .top_radius = r}, {0, 0, 0.15}},
          {"prism", make_prism(make_circle({0, 0}, r, 7), 0.2), {0, 0, 0.1}}};
}

TEST(SurfaceDepth, OfAllShapesIsTheDepthOfTheirLowestPoint) {
  for (const Lowest& one : shapes_on_plane()) {
    for (const bool is_in : {true, false}) {
      SCOPED_TRACE(one.name + (is_in ? " in" : " above"));
      for (const bool in_box : {false, true}) {
        Model model;
        if (in_box)
          model.add<Surface>({.name = "below", .of = shapes::Box{{2, 2, 0.4}}, .position = {0, 0, -0.2}});
        else
          model.add<Surface>({.name = "below", .of = shapes::HalfSpace{}});
        const double down = is_in ? depth : -depth;
        add_surface(model, one.name, one.shape, one.position - Vec3(0, 0, down), one.rotation);
        const SurfaceDepth found = deepest(model);
        EXPECT_NEAR(found.depth, is_in ? depth : 0.0, 1e-12);
        if (!is_in) continue;
        EXPECT_EQ(found.point_of, one.name);
        EXPECT_EQ(found.inside, "below");
      }
    }
  }
}

// A box corner in a ball, a capsule, a cylinder and a closed mesh from the side.
TEST(SurfaceDepth, OfACornerIsThatInTheOtherShape) {
  const double r = 0.3;
  const std::vector<std::pair<std::string, Shape>> others = {
      {"ball", shapes::Ball{r}},
      {"capsule", shapes::Capsule{0.5, r}},
      {"cylinder", shapes::Cylinder{0.5, r}},
      {"prism", make_prism({{-r, -r}, {r, -r}, {r, r}, {-r, r}}, 0.5)}};
  const Mat3 corner_along_x =
      so3::exp(Vec3(0, 0, std::numbers::pi / 4)) * so3::exp(Vec3(0, std::atan(std::sqrt(0.5)), 0));
  for (const auto& [name, shape] : others) {
    SCOPED_TRACE(name);
    Model model;
    add_surface(model, name, shape, Vec3::Zero());
    const Vec3 to_corner = corner_along_x * Vec3(-0.05, -0.05, -0.05);
    // The nearest corner of the box is at x = r - depth on the x axis, whichever way the box is turned.
    add_surface(model, "box", shapes::Box{{0.1, 0.1, 0.1}}, Vec3(r - depth, 0, 0) - to_corner,
                corner_along_x);
    const SurfaceDepth found = deepest(model);
    EXPECT_GE(found.depth, depth * (1 - 1e-9));
    EXPECT_TRUE(found.inside == name || found.point_of == name);
  }
}

TEST(SurfaceDepth, OfDeformableBodiesFollowsTheirNodes) {
  Model model;
  std::vector<Solid> solids;
  for (const double z : {0.0, 1.0}) {
    const std::string name = z == 0 ? "lower" : "upper";
    auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 2, 2}, .origin = {0, 0, z}});
    mesh.face_sets["all"] = mesh.boundary();
    solids.push_back(add_solid(
        model, mesh, {.name = name, .material = {.youngs_modulus = 1e6, .poissons_ratio = 0, .density = 1}}));
    model.add<Surface>({.name = name, .of = shapes::Faces{solids.back().faces("all")}});
  }
  EXPECT_LT(deepest(model).depth, 1e-15);
  Configuration q = model.initial_configuration();
  Vector down = Vector::Zero(model.velocity_count());
  for (const PointNode& node : solids[1].nodes()) down[node.v + 2] = -depth;
  Configuration moved = q;
  retract(model.nodes(), q, down, moved);
  EXPECT_NEAR(SurfaceSampler(model).deepest(moved).depth, depth, 1e-12);
}

TEST(SurfaceDepth, BelowTerrainIsInside) {
  shapes::Mesh terrain{.is_closed = false};
  terrain.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  terrain.triangles = {{0, 1, 2}, {0, 2, 3}};
  Model model;
  model.add<Surface>({.name = "terrain", .of = terrain});
  add_surface(model, "ball", shapes::Ball{0.1}, {0.3, 0.1, 0.1 - depth});
  EXPECT_NEAR(deepest(model).depth, depth, 1e-12);
}

TEST(SurfaceDepth, LeavesOutSurfacesOfOneBody) {
  Model model;
  const FrameNode node = model.add_frame("body", {});
  model.add<RigidBody>({.name = "mass", .node = node, .mass = 1.0, .inertia = Mat3::Identity()});
  model.add<Surface>({.name = "one", .of = shapes::Ball{0.1}, .on = node});
  model.add<Surface>({.name = "other", .of = shapes::Box{{0.2, 0.2, 0.2}}, .on = node});
  model.add<Surface>({.name = "table", .of = shapes::Box{{1, 1, 1}}, .position = {0, 0, -3}});
  model.add<Surface>({.name = "floor", .of = shapes::HalfSpace{}, .position = {0, 0, -2}});
  EXPECT_EQ(deepest(model).depth, 0.0);
}

}  // namespace
}  // namespace picus::models
