#include <picus/elements/solids/solid.hpp>
#include <picus/so3.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/random.hpp>
#include <support/solid_statics.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace picus {
namespace {

using support::expect_near;

/// A cube of 3 x 3 x 3 hexahedra whose interior points are displaced at random by up to a tenth of an edge.
HexahedralMesh distorted_cube() {
  support::Random random(7);
  return make_box_mesh({.size = {1, 1, 1}, .divisions = {3, 3, 3}, .map = [&](const Vec3& X) -> Vec3 {
                          const bool is_inside = (X.array() > 0.01).all() && (X.array() < 0.99).all();
                          return is_inside ? Vec3(X + random.vec3(0.08)) : X;
                        }});
}

class PatchTest : public ::testing::TestWithParam<std::tuple<HexahedronFormulation, SolidLaw>> {};

TEST_P(PatchTest, FiniteConstantStrainIsExact) {
  const auto [formulation, law] = GetParam();
  Model model("patch");
  const Solid cube =
      add_solid(model, distorted_cube(),
                {.name = "cube",
                 .material = {.youngs_modulus = 1.0, .poissons_ratio = 0.35, .density = 1.0, .law = law},
                 .formulation = formulation});
  Mat3 F;
  F << 1.1, 0.15, -0.05, 0.02, 0.9, 0.1, 0.0, -0.08, 1.05;
  F = so3::exp({0.8, -1.0, 0.5}) * F;

  // The boundary is displaced according to F; equilibrium must displace the interior points accordingly.
  Configuration q = model.initial_configuration();
  std::vector<PointNode> boundary;
  for (const char* set : {"x-", "x+", "y-", "y+", "z-", "z+"}) {
    for (const PointNode& node : cube.nodes(set)) {
      if (std::find(boundary.begin(), boundary.end(), node) != boundary.end()) continue;
      boundary.push_back(node);
      model.fix(node);
    }
  }
  ASSERT_EQ(cube.nodes().size() - boundary.size(), 8U);
  for (const PointNode& node : cube.nodes()) q.position(node) = F * q.position(node);
  Configuration displaced = q;
  support::Random random(8);
  for (const PointNode& node : cube.nodes()) {
    if (std::find(boundary.begin(), boundary.end(), node) == boundary.end()) {
      displaced.position(node) += random.vec3(0.02);
    }
  }
  const System system(model);
  for (int i = 0; i < 12; ++i) {
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(support::free_stiffness(system, displaced));
    retract(model.nodes(), displaced,
            support::natural(system, solver.solve(support::free_force(system, displaced))), displaced);
  }
  for (const PointNode& node : cube.nodes()) {
    // Rounding of positions of order one.
    expect_near(displaced.position(node), q.position(node), 1e-13, "point inside");
  }

  // The same Cauchy stress everywhere.
  const Vector at_rest = Vector::Zero(system.velocity_count());
  Vector first(8);
  for (const auto& element : cube.elements()) {
    const Vector values = support::filled(8, 1, [&](auto storage) {
      element->observe({q, at_rest, 0.0}, storage);
    });
    if (element.index() == 0) first = values;
    expect_near(values, first, 1e-13, element->name());
  }
  EXPECT_GT(first[6], 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    All, PatchTest,
    ::testing::Combine(::testing::Values(HexahedronFormulation::full, HexahedronFormulation::enhanced),
                       ::testing::Values(SolidLaw::saint_venant_kirchhoff, SolidLaw::neo_hooke)));

}  // namespace
}  // namespace picus
