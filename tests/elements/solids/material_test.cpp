#include <picus/elements/solids/material.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

namespace picus {
namespace {

using solids::matrix_of_stress;
using solids::Vec6;
using support::expect_near;

template <class Law>
class SolidLawTest : public ::testing::Test {};
using Laws = ::testing::Types<solids::SaintVenantKirchhoff, solids::NeoHooke>;
TYPED_TEST_SUITE(SolidLawTest, Laws);

TYPED_TEST(SolidLawTest, StressIsTheDerivativeOfTheEnergy) {
  const TypeParam law{.lambda = 1.3, .mu = 0.7};
  support::Random random(1);
  for (int i = 0; i < 10; ++i) {
    const Vec6 E = random.vector(6, 0.15);
    const Vec6 dE = random.vector(6);
    EXPECT_NEAR(law.respond(E).S.dot(dE),
                support::derivative([&](double s) { return law.energy(E + s * dE); }),
                support::difference_tolerance);
  }
}

TYPED_TEST(SolidLawTest, TangentIsTheDerivativeOfTheStress) {
  const TypeParam law{.lambda = 1.3, .mu = 0.7};
  support::Random random(2);
  for (int i = 0; i < 10; ++i) {
    const Vec6 E = random.vector(6, 0.15);
    const Vec6 dE = random.vector(6);
    const auto at = law.respond(E);
    Vec6 half = dE;
    half.tail<3>() /= 2;
    const Mat3 dE_matrix = matrix_of_stress(half);
    const Mat3 change = at.lambda * (at.A * dE_matrix).trace() * at.A + 2 * at.mu * at.A * dE_matrix * at.A;
    const Vec6 expected = support::derivative([&](double s) -> Vec6 { return law.respond(E + s * dE).S; });
    expect_near(solids::stress_of_matrix(change), expected, support::difference_tolerance, "dS");
  }
}

TYPED_TEST(SolidLawTest, IsHookesLawForSmallStrains) {
  // Uniaxial stress in terms of E and nu: strains (1, -nu, -nu) e give the stress E e, up to terms of order e^2.
  const SolidMaterial material{.youngs_modulus = 3.0, .poissons_ratio = 0.25, .density = 1};
  const TypeParam law{.lambda = material.lambda(), .mu = material.mu()};
  const double e = 1e-7;
  Vec6 E = Vec6::Zero();
  E.head<3>() = e * Vec3(1, -0.25, -0.25);
  Vec6 expected = Vec6::Zero();
  expected[0] = 3.0 * e;
  EXPECT_LT((law.respond(E).S - expected).norm(), 10 * e * e);
}

TEST(NeoHooke, IsNotANumberWhereNoDeformationLeads) {
  const solids::NeoHooke law{.lambda = 1.0, .mu = 1.0};
  Vec6 E = Vec6::Zero();
  E[0] = -0.6;  // C_11 = -0.2
  EXPECT_TRUE(law.respond(E).S.array().isNaN().all());
  EXPECT_TRUE(std::isnan(law.energy(E)));
}

}  // namespace
}  // namespace picus
