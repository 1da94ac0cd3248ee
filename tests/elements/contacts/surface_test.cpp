#include <picus/elements/contacts/surface.hpp>
#include <picus/so3.hpp>
#include <support/message.hpp>

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace picus::surface_test {
namespace {

using support::message_of;

class SurfaceTest : public ::testing::Test {
 protected:
  std::string refusal(Surface::Parameters parameters) {
    parameters.name = "s";
    return message_of<ModelError>([&] { model.add<Surface>(parameters); });
  }
  Model model{"m"};
  FrameNode body =
      model.add_frame("body", {.position = {1, 2, 3}, .rotation = so3::exp(Vec3(0.3, 0.1, 0.7))});
  PointNode point = model.add_point("point");
};

TEST_F(SurfaceTest, ConsistsOfVerticesEdgesAndConvexBodiesInTheAxesOfItsNode) {
  const Mat3 Q = so3::exp(Vec3(0.2, -0.4, 0.9));
  const Vec3 X(0.1, 0.2, 0.3);
  const auto box = model.add<Surface>(
      {.name = "box", .of = shapes::Box{{2, 4, 6}}, .on = body, .position = X, .rotation = Q});
  ASSERT_NE(box->polytope(), nullptr);
  EXPECT_EQ(box->vertices().size(), 8U);
  EXPECT_EQ(box->radius(), 0.0);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_TRUE(box->vertices()[i].on_frame());
    EXPECT_EQ(box->vertices()[i].offset, box->polytope()->vertices[i]);
    const Vec3 in_box = Q.transpose() * (box->vertices()[i].offset - X);
    EXPECT_NEAR((in_box.cwiseAbs() - Vec3(1, 2, 3)).norm(), 0.0, 1e-14);
  }
  for (const Polytope::Face& face : box->polytope()->faces) {
    for (const Index i : face.vertices)
      EXPECT_NEAR(face.normal.dot(box->polytope()->vertices[i]), face.offset, 1e-14);
  }

  const auto capsule = model.add<Surface>(
      {.name = "capsule", .of = shapes::Capsule{.length = 2, .radius = 0.5}, .on = body, .rotation = Q});
  EXPECT_EQ(capsule->polytope(), nullptr);
  EXPECT_EQ(capsule->edges(), (std::vector<std::array<Index, 2>>{{0, 1}}));
  EXPECT_NEAR((capsule->vertices()[1].offset - Q.col(2)).norm(), 0.0, 1e-15);

  const auto ground =
      model.add<Surface>({.name = "ground", .of = shapes::HalfSpace{{0, 0, 2}}, .position = X});
  EXPECT_TRUE(ground->is_half_space());
  EXPECT_NEAR(ground->polytope()->faces[0].offset, X.z(), 1e-16);
  const auto bead = model.add<Surface>({.name = "bead", .of = shapes::Ball{0.1}, .on = point});
  EXPECT_EQ(bead->vertices()[0].node, point);
  const auto points = model.add<Surface>({.name = "points", .of = shapes::Points{{point}}});
  EXPECT_EQ(points->vertices().size(), 1U);
  const auto rope = model.add<Surface>(
      {.name = "rope", .of = shapes::Rope{{body, model.add_frame("next"), model.add_frame("last")}, 0.01}});
  EXPECT_EQ(rope->edges().size(), 2U);
}

TEST_F(SurfaceTest, OfFacesHasEachNodeAndEachEdgeOnce) {
  std::vector<PointNode> nodes;
  for (int i = 0; i < 6; ++i)
    nodes.push_back(model.add_point("n" + std::to_string(i), {.position = {i / 2.0, 1.0 * (i % 2), 0}}));
  const QuadrilateralNodes left = {nodes[0], nodes[2], nodes[3], nodes[1]};
  const QuadrilateralNodes right = {nodes[2], nodes[4], nodes[5], nodes[3]};
  const auto faces = model.add<Surface>({.name = "faces", .of = shapes::Faces{{left, right}}});
  EXPECT_EQ(faces->vertices().size(), 6U);
  EXPECT_EQ(faces->edges().size(), 7U);
  EXPECT_EQ(faces->radius(), 0.0);
  ASSERT_NE(faces->mesh(), nullptr);
  EXPECT_EQ(faces->mesh()->triangles.size(), 4U);
  EXPECT_EQ(faces->polytope(), nullptr);
  EXPECT_FALSE(faces->body().valid());
  EXPECT_EQ(refusal({.of = shapes::Faces{}}), "surface \"s\": it has no faces");
  EXPECT_EQ(refusal({.of = shapes::Faces{{left}}, .on = body}),
            "surface \"s\": a set of faces has nodes of its own, and is on no other");
  EXPECT_EQ(refusal({.of = shapes::Faces{{left, {nodes[3], nodes[5], nodes[4], nodes[2]}}}}),
            "surface \"s\": faces 0 and 1 have their outsides on different sides");
}

// Drawn as cells with the volume of a polygon of 24 corners, within the outline of the search.
TEST_F(SurfaceTest, CylinderIsDrawnAsCells) {
  const auto can = model.add<Surface>({.name = "can", .of = shapes::Cylinder{0.4, 0.1}, .on = body});
  const auto points = can->points();
  double volume = 0;
  for (const auto& cell : can->hexahedra()) {
    const auto at = [&](std::size_t i) { return points[cell[i]].offset; };
    const Vec3 base = (at(1) - at(0)).cross(at(2) - at(0)) + (at(2) - at(0)).cross(at(3) - at(0));
    EXPECT_GT(base.z(), 0);
    volume += 0.5 * base.dot(at(4) - at(0));
  }
  EXPECT_NEAR(volume, 0.4 * 12 * 0.01 * std::sin(std::numbers::pi / 12), 1e-15);
  ASSERT_NE(can->round_solid(), nullptr);
  for (const MaterialPoint& point : can->outline()) EXPECT_GE(point.offset.head<2>().norm(), 0.1);
}

// The triangles of a picture enclose the body, with their outsides out: 6 V = sum of a . (b x c).
TEST_F(SurfaceTest, HullsAndMeshesAreDrawnAsTriangles) {
  const auto volume = [](const Surface& surface) {
    double sum = 0;
    const auto points = surface.points();
    for (const auto& [a, b, c] : surface.triangles())
      sum += points[a].offset.dot(points[b].offset.cross(points[c].offset)) / 6;
    return sum;
  };
  const Vec3 x(0.3, -0.2, 1.0);
  const Mat3 R = so3::exp(Vec3(0.4, -1.0, 0.2));
  const shapes::Mesh tetrahedron{.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                 .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const std::vector<Vec3> prism = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 2}, {0, 1, 2}};
  const auto add = [&](const Shape& shape) {
    return model.add<Surface>({.name = "s" + std::to_string(model.elements().size()),
                               .of = shape,
                               .on = body,
                               .position = x,
                               .rotation = R});
  };
  EXPECT_NEAR(volume(*add(shapes::Hull{prism})), 1.0, 1e-14);
  EXPECT_NEAR(volume(*add(tetrahedron)), 1.0 / 6, 1e-14);
  EXPECT_TRUE(add(shapes::Box{{1, 2, 3}})->triangles().empty()) << "it is drawn as a cell";
  EXPECT_TRUE(add(shapes::HalfSpace{})->triangles().empty());
  EXPECT_TRUE(add(shapes::Ball{1.0})->triangles().empty());
}

TEST_F(SurfaceTest, RefusesWhatIsNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal({.of = shapes::Ball{0}}), "surface \"s\": radius is 0 m, must be positive");
  EXPECT_EQ(refusal({.of = shapes::Box{{1, -1, 1}}}), "surface \"s\": size is -1 m, must be positive");
  EXPECT_EQ(refusal({.of = shapes::Capsule{1, nan}}),
            "surface \"s\": radius is nan m, must be a finite number");
  EXPECT_EQ(refusal({.of = shapes::Cylinder{1, 0}}), "surface \"s\": radius is 0 m, must be positive");
  EXPECT_EQ(refusal({.of = shapes::Cylinder{-1, 1}}), "surface \"s\": length is -1 m, must be positive");
  EXPECT_EQ(refusal({.of = shapes::Cone{0, 1}}), "surface \"s\": length is 0 m, must be positive");
  EXPECT_EQ(refusal({.of = shapes::Cone{1, -1}}),
            "surface \"s\": bottom_radius is -1 m, must not be negative");
  EXPECT_EQ(refusal({.of = shapes::Cone{1, 1, -1}}),
            "surface \"s\": top_radius is -1 m, must not be negative");
  EXPECT_EQ(refusal({.of = shapes::Cone{1, 0, 0}}), "surface \"s\": bottom_radius and top_radius are both 0");
  EXPECT_EQ(refusal({.of = shapes::Ball{1}, .on = point, .position = {1, 0, 0}}),
            "surface \"s\": it has a position on a point node, which has no axes");
  EXPECT_EQ(refusal({.of = shapes::Box{{1, 1, 1}}, .on = point}),
            "surface \"s\": on is a point node, must be a frame");
  EXPECT_EQ(refusal({.of = shapes::Ball{1}, .on = model.add_scalar("scalar")}),
            "surface \"s\": on is a scalar node, must be a frame or a point");
  EXPECT_EQ(refusal({.of = shapes::Ball{1}, .rotation = 2 * Mat3::Identity()}),
            "surface \"s\": rotation is no rotation");
  EXPECT_EQ(refusal({.of = shapes::Rope{{body}, 0.1}}), "surface \"s\": it has fewer than two nodes");
  EXPECT_EQ(refusal({.of = shapes::Rope{{body, body}, 0.1}}), "surface \"s\": node \"body\" follows itself");
  EXPECT_EQ(refusal({.of = shapes::Rope{{body, body}, 0.1}, .on = body}),
            "surface \"s\": a rope has nodes of its own, and is on no other");
  EXPECT_EQ(refusal({.of = shapes::Points{}}), "surface \"s\": it has no nodes");
  EXPECT_THAT(refusal({.of = shapes::Hull{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)}}}),
              ::testing::StartsWith("surface \"s\": "));
  EXPECT_THAT(refusal({.of = shapes::HalfSpace{{0, 0, 0}}}), ::testing::StartsWith("surface \"s\": "));
  Model other("other");
  EXPECT_THAT(refusal({.of = shapes::Ball{1}, .on = other.add_frame("stranger")}),
              ::testing::HasSubstr("surface \"s\""));
}

}  // namespace
}  // namespace picus::surface_test
