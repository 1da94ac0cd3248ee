#include <picus/elements/forces/add_gravity.hpp>
#include <picus/elements/solids/solid.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

namespace picus::solid_test {
namespace {

using support::message_of;

const SolidMaterial steel{.youngs_modulus = 2e11, .poissons_ratio = 0.3, .density = 7800};
const SolidMaterial rubber{
    .youngs_modulus = 1e6, .poissons_ratio = 0.49, .density = 1000, .law = SolidLaw::neo_hooke};

class SolidTest : public ::testing::Test {
 protected:
  std::string refusal(const SolidParameters& parameters) {
    return message_of<ModelError>([&] { add_solid(model, mesh, parameters); });
  }

  Model model{"m"};
  HexahedralMesh mesh = make_box_mesh({.size = {2, 1, 1}, .divisions = {4, 2, 2}});
};

TEST_F(SolidTest, BecomesNodesAndElements) {
  const Solid block =
      add_solid(model, mesh, {.name = "block", .material = steel, .angular_velocity = {0, 0, 3}});
  EXPECT_EQ(block.nodes().size(), mesh.points.size());
  EXPECT_EQ(block.elements().size(), mesh.cells.size());
  EXPECT_EQ(model.node_name(block.nodes()[7]), "block[7]");
  EXPECT_EQ(block.elements()[3]->name(), "block[3]");
  EXPECT_NEAR(block.volume(), 2, 1e-14);
  EXPECT_NEAR(block.mass(), 2 * 7800, 1e-10);
  // Corner (2, 1, 1) rotates about z.
  const PointNode last = block.nodes().back();
  EXPECT_EQ(model.initial_velocity()[last.v], -3);
  EXPECT_EQ(model.initial_velocity()[last.v + 1], 6);
}

TEST_F(SolidTest, FacesAndFixationsFollowTheSets) {
  const Solid block = add_solid(model, mesh, {.name = "block", .material = steel});
  EXPECT_EQ(block.faces("x+").size(), 4U);
  for (const QuadrilateralNodes& face : block.faces("x+")) {
    for (const PointNode& node : face) EXPECT_EQ(model.initial_configuration().position(node).x(), 2);
  }
  block.fix(model, "x-");
  int fixed = 0;
  for (Index dof = 0; dof < model.velocity_count(); ++dof) fixed += model.is_fixed(dof) ? 1 : 0;
  EXPECT_EQ(fixed, 3 * 9);
}

TEST_F(SolidTest, SetsOfCellsHaveMaterialsOfTheirOwn) {
  mesh.cell_sets["core"] = {0, 1, 2};
  const Solid block =
      add_solid(model, mesh, {.name = "block", .material = steel, .material_of = {{"core", rubber}}});
  EXPECT_NEAR(block.mass(), (13 * 7800 + 3 * 1000) * 2.0 / 16, 1e-9);
}

TEST_F(SolidTest, GravityPullsWithTheWeightInTheCentreOfMass) {
  const Solid block = add_solid(model, mesh, {.name = "block", .material = steel});
  const Vec3 g(1, -9.81, 2);
  const auto gravity =
      add_gravity(model, {.name = "gravity", .acceleration = g, .bodies = block.mass_points()});
  EXPECT_EQ(gravity.size(), 2U);  // 45 nodes, 32 per element
  EXPECT_EQ(gravity[1]->name(), "gravity[1]");
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  const Configuration& q = model.initial_configuration();
  for (const auto& element : gravity) {
    const Vector f = support::force(*element, q, Vector::Zero(model.velocity_count()));
    for (std::size_t i = 0; i < element->nodes().size(); ++i) {
      const Vec3 F = f.segment<3>(3 * i);
      force += F;
      moment += q.position(element->nodes()[i]).cross(F);
    }
  }
  const double mass = 2 * 7800;
  EXPECT_LT((force - mass * g).norm(), 1e-10 * mass);
  EXPECT_LT((moment - Vec3(1, 0.5, 0.5).cross(mass * g)).norm(), 1e-10 * mass);
}

TEST_F(SolidTest, FindsItsPoints) {
  const HexahedralMesh skew =
      make_box_mesh({.size = {2, 1, 1}, .divisions = {4, 2, 2}, .map = [](const Vec3& x) {
                       return Vec3(x[0] + 0.2 * x[1] * x[2], x[1] - 0.1 * x[0] * x[0], x[2]);
                     }});
  const Solid block = add_solid(model, skew, {.name = "block", .material = steel});
  const Vector at_rest = Vector::Zero(model.velocity_count());
  const auto place = [&](const ContinuumPoint& point) -> Vec3 {
    EXPECT_TRUE(point.element.role->contains(point.xi));
    return support::filled(19, 1,
                           [&](auto values) {
                             point.element.role->observe_point(
                                 point.xi, {model.initial_configuration(), at_rest, 0.0}, values);
                           })
        .block<3, 1>(0, 0);
  };
  for (const Vec3& X : {Vec3(0.9, 0.4, 0.3), Vec3(1.77, 0.3, 0.9), skew.points.front(), skew.points.back()}) {
    EXPECT_LT((place(block.point(X)) - X).norm(), 1e-12);
  }
  EXPECT_EQ(message_of<ModelError>([&] {
              (void)block.point({2, -0.5, 0.5});
            }),
            "solid of mesh \"box\": the point (2, -0.5, 0.5) m is in none of its elements");
}

TEST_F(SolidTest, RefusesWhatIsWrong) {
  EXPECT_EQ(refusal({.name = "s"}), "solid \"s\": youngs_modulus is 0 Pa, must be positive");
  EXPECT_EQ(refusal({.name = "s", .material = steel, .material_of = {{"kore", rubber}}}),
            "mesh \"box\" has no set of cells \"kore\"");
  mesh.points.push_back(Vec3::Zero());
  EXPECT_EQ(refusal({.name = "s", .material = steel}),
            "solid \"s\": point 45 of mesh \"box\" belongs to no cell");
  mesh.points.pop_back();
  mesh.points[0] = {1.5, 1.5, 1.5};
  EXPECT_EQ(
      refusal({.name = "s", .material = steel}),
      "hexahedron \"s[0]\": turned inside out: at nodes[0], \"s[0]\", its volume element is -1 m3, must be "
      "positive");
  mesh.cells.clear();
  EXPECT_EQ(refusal({.name = "s", .material = steel}), "solid \"s\": mesh \"box\" has no cells");
}

}  // namespace
}  // namespace picus::solid_test
