#include <picus/elements/contacts/shapes/edge_crossing.hpp>
#include <picus/elements/contacts/shapes/triangle_mesh.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace picus::triangle_mesh_test {
namespace {

using support::message_of;
using Faces = std::vector<std::array<Index, 4>>;

TEST(TriangleMesh, KnowsWhatIsBesideEachSide) {
  // 1 - 3 - 5
  // | 0 | 1 |
  // 0 - 2 - 4
  const auto mesh = TriangleMesh::of_quadrilaterals(Faces{{0, 2, 3, 1}, {2, 4, 5, 3}}, 6);
  ASSERT_EQ(mesh.triangles.size(), 4U);
  ASSERT_EQ(mesh.edges.size(), 7U);
  int shared = 0;
  for (Index t = 0; t < 4; ++t) {
    for (Index k = 0; k < 3; ++k) {
      const auto& [edge, neighbour] = mesh.sides[t][k];
      const Index from = mesh.triangles[t][k];
      const Index to = mesh.triangles[t][(k + 1) % 3];
      if (edge < 0) {
        EXPECT_EQ(neighbour, t ^ 1);
      } else {
        const auto& [ends, triangles] = mesh.edges[edge];
        const bool is_left = ends == std::array<Index, 2>{from, to};
        EXPECT_TRUE(is_left || (ends == std::array<Index, 2>{to, from}));
        EXPECT_EQ(triangles[is_left ? 0 : 1], t);
        EXPECT_EQ(triangles[is_left ? 1 : 0], neighbour);
        shared += neighbour >= 0 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(shared, 2);
  EXPECT_EQ(mesh.triangles_at[2].size(), 3U);
}

TEST(TriangleMesh, RefusesFacesThatDoNotFit) {
  const auto refusal = [](const Faces& faces) {
    return message_of<ModelError>([&] { TriangleMesh::of_quadrilaterals(faces, 8); });
  };
  EXPECT_EQ(refusal({{0, 1, 2, 1}}), "face 0 has a node twice");
  EXPECT_EQ(refusal({{0, 2, 3, 1}, {2, 3, 5, 4}}), "faces 0 and 1 have their outsides on different sides");
  EXPECT_EQ(refusal({{0, 2, 3, 1}, {2, 4, 5, 3}, {3, 2, 6, 7}}),
            "faces 0 and 2 meet at an edge with a third one");
}

TEST(TriangleMesh, PointIsOverATriangleOrNearestToASideOrACorner) {
  const std::array<Vec3, 3> triangle = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0, 2, 0)};
  using Part = NearestOnTriangle::Part;
  const auto over = find_nearest(triangle, {0.5, 0.5, -0.3});
  EXPECT_EQ(over.part, Part::inside);
  EXPECT_NEAR(over.height, -0.3, 1e-15);
  EXPECT_EQ(over.normal, Vec3(0, 0, 1));
  const auto side = find_nearest(triangle, {1, -3, 4});
  EXPECT_EQ(side.part, Part::side);
  EXPECT_EQ(side.index, 0);
  EXPECT_NEAR(side.distance, 5.0, 1e-15);
  EXPECT_NEAR(side.height, 4.0, 1e-15);
  const auto corner = find_nearest(triangle, {-1, 4, 0});
  EXPECT_EQ(corner.part, Part::corner);
  EXPECT_EQ(corner.index, 2);
}

// An edge of a mesh along x, convex, and an edge along y above or below it.
TEST(TriangleMesh, EdgeCrossesFromOutside) {
  const double s = std::sqrt(0.5);
  const EdgeOfFaces ridge{{-1, 0, 0}, {1, 0, 0}, {Vec3(0, s, s), Vec3(0, -s, s)}};
  const auto across = [&](double x, double z) {
    return EdgeOfFaces{{x, -1, z}, {x, 1, z}, {Vec3(s, 0, -s), Vec3(-s, 0, -s)}};
  };
  const auto above = find_edge_crossing(across(0.2, 0.1), 0.0, ridge);
  ASSERT_TRUE(above);
  EXPECT_NEAR(above->gap, 0.1, 1e-15);
  EXPECT_NEAR((above->normal - Vec3(0, 0, 1)).norm(), 0, 1e-15);
  EXPECT_FALSE(above->is_along);  // e_a x e_b = y x x
  EXPECT_NEAR(find_edge_crossing(across(0.2, -0.1), 0.0, ridge)->gap, -0.1, 1e-15);
  EXPECT_FALSE(find_edge_crossing(across(0.95, -0.1), 0.0, ridge));  // the exit at the end is nearer
  EXPECT_FALSE(find_edge_crossing(across(1.1, 0.1), 0.0, ridge));
  // From below, with the outside of the other edge facing away.
  EdgeOfFaces turned = across(0.2, 0.1);
  for (Vec3& normal : turned.normals) normal = -normal;
  EXPECT_FALSE(find_edge_crossing(turned, 0.0, ridge));
  // A capsule has no adjacent faces.
  EXPECT_NEAR(find_edge_crossing({{0.2, -1, 0.1}, {0.2, 1, 0.1}}, 0.03, ridge)->gap, 0.07, 1e-15);
}

// The lower edge of one plate, 2 mm thick, above the upper one of another, 1 mm thick, and the two on the far sides.
TEST(TriangleMesh, EdgesOfThinPlatesCrossOnTheSidesThatFaceEachOther) {
  const auto along_x = [](double z, double up) {  // with the plate at y > 0
    return EdgeOfFaces{{up, 0, z}, {-up, 0, z}, {Vec3(0, -1, 0), Vec3(0, 0, up)}, {0.1, 0.5e-3}};
  };
  const auto along_y = [](double z, double up) {  // with the plate at x > 0
    return EdgeOfFaces{{0, -up, z}, {0, up, z}, {Vec3(-1, 0, 0), Vec3(0, 0, up)}, {0.1, 1e-3}};
  };
  for (const double gap : {5e-3, 0.0, -0.4e-3, -0.7e-3, -5e-3}) {
    const EdgeOfFaces lower = along_y(gap, -1), upper = along_y(2e-3 + gap, 1);
    const EdgeOfFaces top = along_x(0, 1), bottom = along_x(-1e-3, -1);
    const auto touch = find_edge_crossing(lower, 0.0, top);
    EXPECT_EQ(touch.has_value(), gap > -0.5e-3) << gap;
    EXPECT_NEAR(touch ? touch->gap : gap, gap, 1e-15);
    const auto beyond = find_edge_crossing(upper, 0.0, bottom);
    EXPECT_EQ(beyond.has_value(), gap < -2.5e-3) << gap;
    EXPECT_EQ(are_beyond(lower, top, false), gap < -0.5e-3) << gap;
    EXPECT_EQ(are_beyond(upper, bottom, true), gap > -2.5e-3) << gap;
  }
}

// An edge of 40 degrees along x, touched from a direction 130 degrees from one of its faces.
TEST(TriangleMesh, EdgeCrossesASharpOneBelowOneOfItsFaces) {
  const auto at = [](double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return Vec3(0, std::sin(angle), std::cos(angle));
  };
  const EdgeOfFaces ridge{{-1, 0, 0}, {1, 0, 0}, {at(70), at(-70)}};
  const auto across = [&](double degrees, double height, double half_length) {
    const Vec3 middle = Vec3(0.2, 0, 0) + height * at(degrees);
    const Vec3 along = half_length * at(degrees + 90);
    return EdgeOfFaces{middle - along, middle + along};
  };
  for (const double degrees : {-69.0, -60.0, 0.0, 60.0, 69.0}) {
    for (const double height : {0.1, 1e-6, -1e-6, -0.1}) {
      const auto found = find_edge_crossing(across(degrees, height, 0.5), 0.0, ridge);
      ASSERT_TRUE(found) << degrees << " degrees, " << height;
      EXPECT_NEAR(found->gap, height, 1e-15);
      EXPECT_NEAR((found->normal - at(degrees)).norm(), 0, 1e-12);
    }
  }
  EXPECT_FALSE(find_edge_crossing(across(75, 0.1, 0.5), 0.0, ridge));
  EXPECT_FALSE(find_edge_crossing(across(60, -0.04, 0.03), 0.0, ridge));  // ends beside the body
}

// Two faces that meet at 22 degrees. A corner above the upper one, and turned to the lower one only, is on the inner
// side of that, but not in the body.
TEST(TriangleMesh, PointOutsideASharpEdgeIsNotInside) {
  const std::vector<Vec3> x = {{0, -1, 0}, {0, 1, 0}, {-2, 0, 0}, {-2, 0, 0.8}};
  TriangleMesh mesh;
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
  mesh.sides.resize(2);
  mesh.triangles_at.resize(4);
  mesh.depths = {1.0, 1.0};
  const std::vector<PlacedTriangle> placed = {{0, {x[0], x[2], x[1]}}, {1, {x[0], x[1], x[3]}}};
  const Vec3 top = find_nearest(placed[1].corners, Vec3::Zero()).normal;
  TouchingPoint point{.position = Vec3(-0.4, 0, 0.16) + 0.01 * top, .normals = {Vec3::UnitZ()}};
  const MeshCandidateOptions options{.reach = 0.1, .size = 1.0};
  EXPECT_TRUE(find_mesh_candidates(mesh, placed, point, options).empty());
  point.position -= 0.02 * top;
  EXPECT_EQ(find_mesh_candidates(mesh, placed, point, options).size(), 1U);
}

}  // namespace
}  // namespace picus::triangle_mesh_test
