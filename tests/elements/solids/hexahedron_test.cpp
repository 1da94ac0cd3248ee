#include <picus/elements/solids/hexahedron.hpp>
#include <picus/elements/solids/hexahedron_shape.hpp>
#include <picus/so3.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/tangents.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace picus::hexahedron_test {
namespace {

using enum HexahedronFormulation;
using enum SolidLaw;
using support::expect_near;

/// Rounding of a few hundred operations on numbers of order one.
constexpr double rounding = 1e-13;

struct Kind {
  HexahedronFormulation formulation;
  SolidLaw law;
  double damping_time;
};

class HexahedronTest : public ::testing::TestWithParam<Kind> {
 protected:
  /// A brick with edges of about one metre, distorted by up to 0.15 m.
  HexahedronTest() {
    for (std::size_t a = 0; a < 8; ++a) {
      nodes[a] = model.add_point(
          fmt::format("node[{}]", a),
          {.position = solids::corner(a).cwiseProduct(Vec3(1.2, 1.0, 0.8)) / 2 + random.vec3(0.15)});
    }
  }
  Handle<Hexahedron> add(bool lumped_mass = false) {
    const auto [formulation, law, damping_time] = GetParam();
    return model.add<Hexahedron>(
        {.name = lumped_mass ? "lumped" : "brick",
         .nodes = nodes,
         .material = {.youngs_modulus = 2.0, .poissons_ratio = 0.3, .density = 1.5, .law = law},
         .formulation = formulation,
         .lumped_mass = lumped_mass,
         .damping_time = damping_time});
  }
  Configuration mapped(const Mat3& F, const Vec3& shift = Vec3::Zero()) const {
    Configuration q = start;
    for (const PointNode& node : nodes) q.position(node) = F * start.position(node) + shift;
    return q;
  }
  Configuration disturbed(double scale) { return support::moved(model, start, random.vector(24, scale)); }
  Eigen::MatrixXd stiffness(const Hexahedron& element, const Configuration& q) const {
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(24, 24);
    return support::filled(24, 24, [&](auto K) {
      element.tangents({q, at_rest, 0.0}, K, support::storage(C));
    });
  }
  Vector observed(const Hexahedron& element, const Configuration& q) const {
    return support::filled(8, 1, [&](auto values) { element.observe({q, at_rest, 0.0}, values); });
  }
  bool is_damped() const { return GetParam().damping_time > 0; }

  /// Second Piola-Kirchhoff stress and energy density, from the textbook formulas in C.
  std::pair<Mat3, double> law_by_textbook(const Mat3& F) const {
    const double lambda = 2.0 * 0.3 / (1.3 * 0.4);
    const double mu = 2.0 / 2.6;
    const Mat3 C = F.transpose() * F;
    const Mat3 I = Mat3::Identity();
    if (GetParam().law == saint_venant_kirchhoff) {
      const Mat3 E = (C - I) / 2;
      return {lambda * E.trace() * I + 2 * mu * E, lambda / 2 * E.trace() * E.trace() + mu * (E * E).trace()};
    }
    const double ln_J = std::log(F.determinant());
    return {mu * (I - C.inverse()) + lambda * ln_J * C.inverse(),
            mu / 2 * (C.trace() - 3) - mu * ln_J + lambda / 2 * ln_J * ln_J};
  }

  support::Random random{3};
  Model model{"m"};
  std::array<PointNode, 8> nodes = {};
  const Configuration& start = model.initial_configuration();
  const Vector at_rest = Vector::Zero(24);
};

TEST_P(HexahedronTest, DerivativesAreExact) {
  // Corners move by up to a tenth of an edge, far from a collapse of the volume.
  support::expect_exact_tangents(model, *add(), {.length = 0.1});
}

TEST_P(HexahedronTest, RigidMotionGivesNoStress) {
  const auto brick = add();
  for (int i = 0; i < 5; ++i) {
    const support::RigidMotion motion(random);
    const Configuration q = motion(model, start);
    expect_near(support::force(*brick, q, at_rest), at_rest, rounding, "force");
    expect_near(observed(*brick, q), Vector::Zero(8), rounding, "stress and energy");
    // Spinning does not activate the viscosity either.
    const Vec3 spin = random.vec3();
    Vector v = at_rest;
    for (const PointNode& node : nodes) v.segment<3>(node.v) = spin.cross(q.position(node));
    expect_near(support::force(*brick, q, v), at_rest, 10 * rounding, "force while spinning");
  }
}

TEST_P(HexahedronTest, IsTheSameForEveryObserver) {
  const auto brick = add();
  const Configuration q = disturbed(0.15);
  const Vector v = random.vector(24);
  const support::RigidMotion motion(random);
  const Configuration seen = motion(model, q);
  const Eigen::MatrixXd turn = motion.turn(*brick);
  EXPECT_NEAR(brick->potential_energy(seen, 0), brick->potential_energy(q, 0), rounding);
  expect_near(support::force(*brick, seen, turn * v), turn * support::force(*brick, q, v), 10 * rounding,
              "force");
  expect_near(stiffness(*brick, seen), turn * stiffness(*brick, q) * turn.transpose(), 10 * rounding,
              "stiffness");
}

TEST_P(HexahedronTest, InternalForcesBalance) {
  const auto brick = add();
  const Configuration q = disturbed(0.15);
  const Vector f = support::force(*brick, q, random.vector(24));
  EXPECT_GT(f.norm(), 0.01);
  expect_near(support::resultant(*brick, q, f), Vector::Zero(6), 10 * rounding, "resultant");
}

TEST_P(HexahedronTest, HomogeneousDeformationIsExactInADistortedElement) {
  const auto brick = add();
  const Mat3 F = random.rotation() * (Mat3::Identity() + 0.2 * random.matrix(3, 3));
  const auto [S, W] = law_by_textbook(F);
  const Mat3 sigma = F * S * F.transpose() / F.determinant();
  const Vector values = observed(*brick, mapped(F, {1, 2, 3}));
  expect_near(values.head(6), solids::stress_of_matrix(sigma), 10 * rounding, "stress");
  const Mat3 deviator = sigma - sigma.trace() / 3 * Mat3::Identity();
  EXPECT_NEAR(values[6], std::sqrt(1.5 * (deviator * deviator).trace()), 10 * rounding);
  EXPECT_NEAR(values[7], W, 10 * rounding);
  EXPECT_NEAR(brick->potential_energy(mapped(F), 0), W * brick->volume(), 10 * rounding);
}

TEST_P(HexahedronTest, KnowsStrainAndStressOfEachPoint) {
  const auto brick = add();
  const Mat3 F = random.rotation() * (Mat3::Identity() + 0.2 * random.matrix(3, 3));
  const Vec3 shift(1, 2, 3);
  const Mat3 E = (F.transpose() * F - Mat3::Identity()) / 2;
  const Mat3 sigma = F * law_by_textbook(F).first * F.transpose() / F.determinant();
  const auto reported = [&](const Vec3& xi, const Configuration& q, const Vector& v) -> Vector {
    return support::filled(19, 1, [&](auto values) { brick->observe_point(xi, {q, v, 0.0}, values); });
  };
  for (const Vec3& xi : {Vec3(0, 0, 0), Vec3(1, -1, 1), Vec3(0.3, -0.7, 0.2)}) {
    const Vec3 X = reported(xi, start, at_rest).head<3>();
    const Vector values = reported(xi, mapped(F, shift), at_rest);
    expect_near(values.head(3), F * X + shift, rounding, "position");
    expect_near(values.segment(6, 6), solids::strain_of_matrix(E), 10 * rounding, "strain");
    expect_near(values.segment(12, 6), solids::stress_of_matrix(sigma), 10 * rounding, "stress");
    const Mat3 deviator = sigma - sigma.trace() / 3 * Mat3::Identity();
    EXPECT_NEAR(values[18], std::sqrt(1.5 * (deviator * deviator).trace()), 10 * rounding);

    const Configuration q = disturbed(0.1);
    const Vector v = random.vector(24);
    const auto place = [&](double t) -> Vec3 {
      return reported(xi, support::moved(model, q, t * v), v).head<3>();
    };
    expect_near(reported(xi, q, v).segment(3, 3), support::derivative(place), support::difference_tolerance,
                "velocity");
  }
  expect_near(reported(solids::corner(6), start, at_rest).head(3), start.position(nodes[6]), rounding,
              "corner");
  EXPECT_TRUE(brick->contains({1, -1, 1}));
  EXPECT_FALSE(brick->contains({1.001, 0, 0}));
  EXPECT_FALSE(brick->contains({0, std::numeric_limits<double>::quiet_NaN(), 0}));
}

/// If strain and stress vary, their integrals are those that the element reports.
TEST_P(HexahedronTest, MeanStressIsThatOfItsPoints) {
  const auto brick = add();
  const Configuration q = disturbed(0.1);
  const Vector v = random.vector(24);
  solids::Corners x;
  for (std::size_t a = 0; a < 8; ++a) x.row(a) = q.position(nodes[a]).transpose();
  Vector mean = Vector::Zero(6);
  double volume = 0;
  for (std::size_t g = 0; g < 8; ++g) {
    const Vec3 xi = solids::gauss_point(g);
    const double part = solids::jacobian(x, xi).determinant();
    mean += part * support::filled(19, 1, [&](auto values) {
                     brick->observe_point(xi, {q, v, 0.0}, values);
                   }).block<6, 1>(12, 0);
    volume += part;
  }
  const Vector whole = support::filled(8, 1, [&](auto values) { brick->observe({q, v, 0.0}, values); });
  expect_near(mean / volume, whole.head(6), 10 * rounding, "stress");
}

TEST_P(HexahedronTest, HasSixZeroModesAlsoWhenStretchedAndCompressed) {
  const auto brick = add();
  double softest = 0;
  for (const double stretch : {1.0, 1.3, 0.9}) {
    Mat3 F = Mat3::Identity();
    F(1, 1) = stretch;
    const Eigen::MatrixXd K = stiffness(*brick, mapped(F));
    if (stretch == 1.0) {
      // Twelve orders of magnitude lie between rounding and the softest mode.
      const Vector values = support::symmetric_eigenvalues(K);
      expect_near(values.head(6), Vector::Zero(6), rounding, "rigid motions");
      softest = values[6];
      EXPECT_GT(softest, 0.01);
    } else {
      // Under stress rotation is not a zero mode of the element alone: only translations are. Apart from rigid
      // motions the stiffness remains positive, so that no hourglass mode is hidden.
      Eigen::MatrixXd rigid(24, 6);
      for (std::size_t a = 0; a < 8; ++a) {
        const auto row = static_cast<Index>(3 * a);
        rigid.block<3, 3>(row, 0) = Mat3::Identity();
        rigid.block<3, 3>(row, 3) = so3::skew(mapped(F).position(nodes[a]));
      }
      const Eigen::MatrixXd Q = rigid.householderQr().householderQ();
      const Eigen::MatrixXd strained = Q.rightCols(18).transpose() * K * Q.rightCols(18);
      EXPECT_GT(support::symmetric_eigenvalues(strained)[0], 0.1 * softest) << "stretch " << stretch;
    }
  }
}

TEST_P(HexahedronTest, MassIsThatOfTheVolume) {
  const auto brick = add();
  const auto lumped = add(true);
  const Eigen::MatrixXd M = support::mass(*brick, start);
  const double mass = 1.5 * brick->volume();
  // Translations: the total mass; the mass matrix gives linear fields their exact inertia.
  for (Index i = 0; i < 3; ++i) {
    Vector direction = at_rest;
    for (Index a = 0; a < 8; ++a) direction[3 * a + i] = 1;
    EXPECT_NEAR(direction.dot(M * direction), mass, rounding);
    EXPECT_NEAR(direction.dot(support::mass(*lumped, start) * direction), mass, rounding);
    Vector expected = at_rest;
    for (Index a = 0; a < 8; ++a) expected[3 * a + i] = brick->nodal_masses()[a];
    expect_near(M * direction, expected, rounding, "nodal masses");
  }
  EXPECT_GT(support::symmetric_eigenvalues(M)[0], 0.001);
  EXPECT_TRUE(support::mass(*lumped, start).isDiagonal(0.0));
}

TEST_P(HexahedronTest, ViscosityTakesEnergy) {
  const auto brick = add();
  EXPECT_EQ(brick->traits().is_conservative, !is_damped());
  EXPECT_EQ(brick->traits().depends_on_velocity, is_damped());
  if (!is_damped()) return;
  for (int i = 0; i < 10; ++i) {
    const Configuration q = disturbed(0.15);
    const Vector v = random.vector(24);
    const Vector viscous = support::force(*brick, q, v) - support::force(*brick, q, at_rest);
    EXPECT_LT(v.dot(viscous), -0.01);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, HexahedronTest,
    ::testing::Values(Kind{full, saint_venant_kirchhoff, 0}, Kind{full, neo_hooke, 0},
                      Kind{enhanced, saint_venant_kirchhoff, 0}, Kind{enhanced, neo_hooke, 0},
                      Kind{full, saint_venant_kirchhoff, 0.7}, Kind{enhanced, saint_venant_kirchhoff, 0.7}),
    [](const auto& test) {
      return fmt::format("{}{}{}", test.param.formulation == full ? "Full" : "Enhanced",
                         test.param.law == neo_hooke ? "NeoHooke" : "SaintVenantKirchhoff",
                         test.param.damping_time > 0 ? "Damped" : "");
    });

}  // namespace
}  // namespace picus::hexahedron_test
