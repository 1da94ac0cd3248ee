#include <picus/elements/solids/mesh.hpp>
#include <picus/error.hpp>
#include <support/message.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <limits>

namespace picus {
namespace {

using support::message_of;

Vec3 area_of(const HexahedralMesh& mesh, const CellFace& face) {
  const auto x = [&](std::size_t a) { return mesh.points[face[a]]; };
  return 0.5 * (x(2) - x(0)).cross(Vec3(x(3) - x(1)));
}

TEST(HexahedralMesh, BoxHasItsPointsCellsAndOutwardFaces) {
  const Vec3 size(2, 3, 5);
  const auto mesh = make_box_mesh({.size = size, .divisions = {2, 3, 4}, .origin = {1, 1, 1}});
  EXPECT_EQ(mesh.points.size(), 3U * 4 * 5);
  EXPECT_EQ(mesh.cells.size(), 2U * 3 * 4);
  EXPECT_EQ(mesh.points.front(), Vec3(1, 1, 1));
  EXPECT_EQ(mesh.points.back(), Vec3(3, 4, 6));
  const Vec3 areas(15, 10, 6);
  for (Index i = 0; i < 3; ++i) {
    for (const char side : {'-', '+'}) {
      const std::string set = {"xyz"[i], side};
      Vec3 area = Vec3::Zero();
      for (const CellFace& face : mesh.faces(set)) area += area_of(mesh, face);
      EXPECT_LT((area - (side == '+' ? 1 : -1) * areas[i] * Vec3::Unit(i)).norm(), 1e-12) << set;
      const double end = side == '+' ? 1 + size[i] : 1;
      for (const Index place : mesh.points_of(set)) {
        EXPECT_NEAR(mesh.points[place][i], end, 1e-12) << set;
      }
    }
  }
  EXPECT_EQ(mesh.points_of("x+").size(), 4U * 5);
  EXPECT_EQ(mesh.boundary().size(), 2U * (2 * 3 + 3 * 4 + 2 * 4));
  EXPECT_NO_THROW(mesh.check());
}

TEST(HexahedralMesh, BoundaryIsClosed) {
  const auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 2, 2}});
  Vec3 sum = Vec3::Zero();
  for (const CellFace& face : mesh.boundary()) sum += area_of(mesh, face);
  EXPECT_LT(sum.norm(), 1e-14);
}

TEST(HexahedralMesh, FindsPointsByNameAndPlace) {
  auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {2, 1, 1}});
  mesh.cell_sets["left"] = {0};
  mesh.point_sets["corner"] = {0};
  EXPECT_EQ(mesh.points_of("corner"), std::vector<Index>{0});
  EXPECT_EQ(mesh.points_of("left").size(), 8U);
  EXPECT_EQ(mesh.points_where([](const Vec3& X) { return X.x() == 0.5; }).size(), 4U);
}

TEST(HexahedralMesh, RefusesToChooseBetweenSetsOfOneName) {
  auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}});
  mesh.face_sets["1"] = mesh.faces("x-");
  mesh.cell_sets["1"] = {0};
  EXPECT_EQ(message_of<ModelError>([&] { static_cast<void>(mesh.points_of("1")); }),
            "mesh \"box\" has several sets \"1\", of faces and of cells; give them different names");
  EXPECT_EQ(mesh.faces("1").size(), 1U);
  EXPECT_EQ(mesh.cells_of("1").size(), 1U);
}

TEST(HexahedralMesh, OffersTheNearestName) {
  auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}});
  mesh.face_sets["inlet"] = {};
  EXPECT_EQ(message_of<ModelError>([&] { static_cast<void>(mesh.faces("inlte")); }),
            "mesh \"box\" has no set of faces \"inlte\" (did you mean \"inlet\"?)");
  EXPECT_EQ(message_of<ModelError>([&] { static_cast<void>(mesh.points_of("Inlet2")); }),
            "mesh \"box\" has no set \"Inlet2\" (did you mean \"inlet\"?)");
  EXPECT_EQ(message_of<ModelError>([&] { static_cast<void>(mesh.cells_of("steel")); }),
            "mesh \"box\" has no set of cells \"steel\"");
}

TEST(HexahedralMesh, RefusesWhatIsNoBox) {
  const auto refusal = [](const BoxMesh& box) { return message_of<ModelError>([&] { make_box_mesh(box); }); };
  EXPECT_EQ(refusal({.size = {1, 0, 1}, .divisions = {1, 1, 1}}),
            "mesh \"box\": size[1] is 0 m, must be positive");
  EXPECT_EQ(refusal({.size = {1, 1, 1}, .divisions = {1, 1, 0}}),
            "mesh \"box\": divisions[2] is 0, must be at least 1");
  EXPECT_EQ(refusal({.size = {1, 1, 1}, .divisions = {100000, 100000, 1}}),
            "mesh \"box\": 20000400002 points are more than can be numbered");
}

TEST(HexahedralMesh, CheckFindsPlacesThatAreNot) {
  auto mesh = make_box_mesh({.size = {1, 1, 1}, .divisions = {1, 1, 1}});
  mesh.cells[0][3] = 8;
  EXPECT_EQ(message_of<ModelError>([&] { mesh.check(); }),
            "mesh \"box\": cells[0] refers to 8, must lie between 0 and 7");
  mesh.cells[0][3] = 2;
  mesh.cell_sets["a"] = {-1};
  EXPECT_EQ(message_of<ModelError>([&] { mesh.check(); }),
            "mesh \"box\": cell set \"a\" refers to -1, must lie between 0 and 0");
}

}  // namespace
}  // namespace picus
