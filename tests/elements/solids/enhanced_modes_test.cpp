#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <support/dense_algebra.hpp>
#include <support/evaluate.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace picus {
namespace {

using enum HexahedronFormulation;

/// A brick of E = 1 Pa.
struct Brick {
  Brick(const Vec3& size, HexahedronFormulation formulation, double nu,
        SolidLaw law = SolidLaw::saint_venant_kirchhoff) {
    for (std::size_t a = 0; a < 8; ++a) {
      nodes[a] =
          model.add_point(fmt::format("{}", a), {.position = solids::corner(a).cwiseProduct(size) / 2});
    }
    element = &*model.add<Hexahedron>(
        {.name = "brick",
         .nodes = nodes,
         .material = {.youngs_modulus = 1, .poissons_ratio = nu, .density = 1, .law = law},
         .formulation = formulation});
  }
  Eigen::MatrixXd stiffness(const Configuration& q) const {
    const Vector v = Vector::Zero(24);
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(24, 24);
    return support::filled(24, 24, [&](auto K) { element->tangents({q, v, 0.0}, K, support::storage(C)); });
  }
  /// Energy of the field u(X) = (X Y, -X^2/2, 0) times k: pure bending by the curvature k.
  double bending_energy(double k) const {
    Configuration q = model.initial_configuration();
    for (const PointNode& node : nodes) {
      const Vec3 X = q.position(node);
      q.position(node) += k * Vec3(X.x() * X.y(), -X.x() * X.x() / 2, 0);
    }
    return element->potential_energy(q, 0);
  }

  Model model{"m"};
  std::array<PointNode, 8> nodes;
  const Hexahedron* element = nullptr;
};

TEST(EnhancedModes, OneVolumetricModeIsLeftForAnIncompressibleMaterial) {
  // Of the 18 straining modes of a cube only the volumetric one may grow with the bulk modulus, which is 1e7 here;
  // all others remain of the order of the shear modulus. (Andelfinger and Ramm 1993)
  const auto stiff_modes = [](HexahedronFormulation formulation) {
    const Brick cube({1, 1, 1}, formulation, 0.5 - 1e-7 / 6);
    const Vector values = support::symmetric_eigenvalues(cube.stiffness(cube.model.initial_configuration()));
    return (values.array() > 100).count();
  };
  EXPECT_EQ(stiff_modes(enhanced), 1);
  EXPECT_EQ(stiff_modes(full), 7);
}

TEST(EnhancedModes, BendingIsExactForASlenderBrick) {
  // Small curvature of a brick of 20 x 1 x 1 m: 1/2 E I k^2 L, without the effect of Poisson's ratio. The strains of
  // the enhanced brick differ only by terms in k^2.
  const double k = 1e-6;
  const double exact = 0.5 * k * k * 20.0 / 12;
  const double width = 20;
  EXPECT_NEAR(Brick({width, 1, 1}, enhanced, 0).bending_energy(k) / exact, 1.0, 1e-4);
  // The shear that causes locking: u_x,y = X is strain, 1/2 G int X^2 k^2 dV of it, (G/E) (L/h)^2 = 200 times the
  // bending.
  EXPECT_NEAR(Brick({width, 1, 1}, full, 0).bending_energy(k) / exact, 1 + 0.5 * width * width,
              1e-3 * width * width);
}

TEST(EnhancedModes, NeoHookeIsMinimalWithRespectToTheModes) {
  // The condensed energy is below the compatible one, by less for small strains.
  for (const double k : {1e-3, 1e-2, 0.1, 0.3}) {
    const Brick compatible({2, 1, 1}, full, 0.3, SolidLaw::neo_hooke);
    const Brick relaxed({2, 1, 1}, enhanced, 0.3, SolidLaw::neo_hooke);
    EXPECT_LT(relaxed.bending_energy(k), 0.9 * compatible.bending_energy(k)) << k;
    EXPECT_GT(relaxed.bending_energy(k), 0.2 * compatible.bending_energy(k)) << k;
  }
}

}  // namespace
}  // namespace picus
