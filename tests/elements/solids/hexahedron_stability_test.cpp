/// Meshes under strong homogeneous strain: the material must become unstable before the elements do.

#include <picus/elements/solids/solid.hpp>
#include <support/dense_algebra.hpp>
#include <support/evaluate.hpp>
#include <support/solid_statics.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

struct Case {
  HexahedronFormulation formulation;
  SolidLaw law;
  double poissons_ratio;
};

class HexahedronStabilityTest : public ::testing::TestWithParam<Case> {
 protected:
  /// A cube of 3 x 3 x 3 elements of E = 1 Pa that slides between two lubricated plates.
  HexahedronStabilityTest() {
    const auto [formulation, law, nu] = GetParam();
    cube = add_solid(model, make_box_mesh({.size = {1, 1, 1}, .divisions = {3, 3, 3}}),
                     {.name = "cube",
                      .material = {.youngs_modulus = 1, .poissons_ratio = nu, .density = 1, .law = law},
                      .formulation = formulation});
    for (const char* side : {"x-", "x+"}) {
      for (const PointNode& node : cube.nodes(side)) model.fix(node, {Component::x});
    }
  }
  /// Stretched along x, with lateral stretches such that the lateral stress vanishes.
  Configuration stretched(double stretch) const {
    Configuration q = model.initial_configuration();
    const Vector v = Vector::Zero(model.velocity_count());
    double low = 0.6;
    double high = 1.4;
    for (int i = 0; i < 60; ++i) {
      const double side = (low + high) / 2;
      for (const PointNode& node : cube.nodes()) {
        q.position(node) =
            Vec3(stretch, side, side).cwiseProduct(model.initial_configuration().position(node));
      }
      const Vector values = support::filled(8, 1, [&](auto storage) {
        cube.elements()[0]->observe({q, v, 0.0}, storage);
      });
      (values[1] > 0 ? high : low) = side;
    }
    return q;
  }
  /// The smallest eigenvalue of K apart from the three motions in the plane of the plates, which remain free: no
  /// stress acts in that plane.
  double softest_mode(const Configuration& q) const {
    const Eigen::MatrixXd K = support::free_stiffness(System(model), q);
    const Vector values = support::symmetric_eigenvalues(K);
    EXPECT_LT(std::abs(values[0]) + std::abs(values[1]) + std::abs(values[2]), 1e-10);
    return values[3];
  }

  Model model{"m"};
  Solid cube;
};

TEST_P(HexahedronStabilityTest, NoHourglassUnderCompressionOrTension) {
  const double reference = softest_mode(model.initial_configuration());
  EXPECT_GT(reference, 0.01);
  // The Saint Venant-Kirchhoff law itself becomes unstable at 0.7.
  const double strongest = GetParam().law == SolidLaw::neo_hooke ? 0.7 : 0.8;
  for (const double stretch : {strongest, 0.85, 1.2, 1.5}) {
    const Configuration q = stretched(stretch);
    // Homogeneous, hence in equilibrium except at the plates.
    EXPECT_LT(support::free_force(System(model), q).norm(), 1e-10) << stretch;
    EXPECT_GT(softest_mode(q), 0.2 * reference) << stretch;
  }
}

using enum HexahedronFormulation;
using enum SolidLaw;
INSTANTIATE_TEST_SUITE_P(All, HexahedronStabilityTest,
                         ::testing::Values(Case{full, saint_venant_kirchhoff, 0.3},
                                           Case{full, neo_hooke, 0.3},
                                           Case{enhanced, saint_venant_kirchhoff, 0.3},
                                           Case{enhanced, neo_hooke, 0.3}, Case{enhanced, neo_hooke, 0.49}));

}  // namespace
}  // namespace picus
