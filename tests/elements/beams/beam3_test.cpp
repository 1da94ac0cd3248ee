#include <picus/elements/beams/beam3.hpp>
#include <picus/elements/beams/tangent_map.hpp>
#include <picus/so3.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/section_point.hpp>
#include <support/tangents.hpp>

#include <gtest/gtest.h>

namespace picus::beam3_test {
namespace {

using support::expect_near;
using support::message_of;
using support::SectionPoint;

/// Rounding of some hundred operations on numbers of order one to ten.
constexpr double rounding = 1e-13;

TEST(TangentMap, AgreesWithTheFunctionsOfTheGroup) {
  support::Random random(3);
  for (const double size : {0.0, 1e-9, 1e-3, 0.1, 1.0, 1.9}) {
    const Vec3 phi = size * random.direction();
    const Vec3 b = random.vec3();
    const Vec3 m = random.vec3();
    const TangentMap map(phi);
    expect_near(map.rotation(), so3::exp(phi), 1e-15, "rotation");
    expect_near(map.matrix(), so3::tangent(phi), 1e-15, "matrix");
    expect_near(map.derivative(b), so3::tangent_derivative(phi, b), 1e-15, "derivative");
    // T^T(phi) = T(-phi).
    expect_near(map.transposed_derivative(m), -so3::tangent_derivative(-phi, m), 1e-15, "transposed");
    const Mat3 bend = map.second_derivative(m, b);
    expect_near(bend, bend.transpose(), 1e-15, "symmetry");
    for (int i = 0; i < 3; ++i) {
      const auto slope = [&](double s) -> Vector {
        return so3::tangent_derivative(phi + s * Vec3::Unit(i), b).transpose() * m;
      };
      expect_near(bend.col(i), support::derivative(slope), 1e-11, "second derivative");
    }
  }
}

/// A curved and twisted beam between arbitrarily rotated nodes, with a fully coupled section.
class Beam3Test : public ::testing::Test {
 protected:
  Section coupled_section(bool is_damped) {
    Section section;
    const Mat6 X = random.matrix(6, 6);
    const Mat6 Y = random.matrix(6, 6);
    const Mat3 J = random.matrix(3, 3);
    section.stiffness = X * X.transpose() + Mat6::Identity();
    if (is_damped) section.damping = Y * Y.transpose();
    section.mass = 2.0;
    section.inertia = J * J.transpose();
    return section;
  }
  Handle<Beam3> add(const std::string& name, const Section& section) {
    return model.add<Beam3>({.name = name,
                             .a = a,
                             .middle = middle,
                             .b = b,
                             .section = section,
                             .axes_a = A,
                             .axes_middle = M,
                             .axes_b = B});
  }
  Configuration random_configuration() {
    return support::moved(model, start, random.vector(model.velocity_count(), 0.5));
  }
  Beam3::Parameters straight() {
    return {.name = "B",
            .a = straight_a,
            .middle = straight_middle,
            .b = straight_b,
            .section = plain,
            .orientation = Vec3::UnitZ()};
  }
  std::string refusal(const Beam3::Parameters& parameters) {
    return message_of<ModelError>([&] { model.add<Beam3>(parameters); });
  }

  support::Random random{5};
  Vec3 x_a = random.vec3();
  Vec3 x_m = x_a + Vec3(0.5, 0.2, -0.1);
  Vec3 x_b = x_a + Vec3(1, 0.2, -0.3);
  Mat3 M = support::rotation_between(Vec3::UnitX(), x_b - x_a) * so3::exp(Vec3(0.5, -0.1, 0.1));
  Mat3 A = M * so3::exp(Vec3(-0.2, 0.1, 0.3));
  Mat3 B = M * so3::exp(Vec3(0.4, 0.3, -0.3));
  Model model{"m"};
  FrameNode a = model.add_frame("a", {.position = x_a, .rotation = random.rotation()});
  FrameNode middle = model.add_frame("middle", {.position = x_m, .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = x_b, .rotation = random.rotation()});
  FrameNode straight_a = model.add_frame("straight_a", {.rotation = random.rotation()});
  FrameNode straight_middle = model.add_frame("straight_middle", {.position = {0.5, 0, 0}});
  FrameNode straight_b = model.add_frame("straight_b", {.position = {1, 0, 0}});
  const Configuration& start = model.initial_configuration();
  const Vector rest = Vector::Zero(36);
  Section plain = Section::constants(
      {.EA = 100, .GA1 = 30, .GA2 = 40, .GJ = 2, .EI1 = 3, .EI2 = 5, .mass = 2, .I1 = 0.1, .I2 = 0.2});
};

TEST_F(Beam3Test, DerivativesAreExact) {
  // Rotated by at most 0.8 rad, so that the sections stay well below pi apart and the ninth derivatives small enough.
  for (unsigned i = 0; i < 3; ++i) {
    const TangentCheckOptions options = {.seed = i, .samples = 5, .length = 0.5, .angle = 0.8};
    support::expect_exact_tangents(model, *add("elastic" + std::to_string(i), coupled_section(false)),
                                   options);
    support::expect_exact_tangents(model, *add("damped" + std::to_string(i), coupled_section(true)), options);
  }
  support::expect_exact_tangents(model, *model.add<Beam3>(straight()), {.length = 0.5, .angle = 0.8});
}

TEST_F(Beam3Test, DerivativesAreExactWhereTheSectionsAreAligned) {
  // The small angles of fine meshes.
  support::expect_exact_tangents(model, *model.add<Beam3>(straight()), {.length = 1e-2, .angle = 1e-2});
}

TEST_F(Beam3Test, StaysUnstrainedInEveryRigidMotion) {
  const auto beam = add("beam", coupled_section(false));
  for (int i = 0; i < 20; ++i) {
    const Configuration q = support::RigidMotion(random)(model, start);
    for (const Vec6& strain : beam->strains(q)) expect_near(strain, Vec6::Zero(), rounding, "strain");
    expect_near(support::force(*beam, q, rest), Vector::Zero(18), rounding, "force");
    EXPECT_NEAR(beam->potential_energy(q, 0), 0, rounding);
  }
}

TEST_F(Beam3Test, IsTheSameForEveryObserver) {
  const auto beam = add("beam", coupled_section(true));
  for (int i = 0; i < 20; ++i) {
    const Configuration q = random_configuration();
    const Vector v = random.vector(36);
    const support::RigidMotion motion(random);
    const Configuration seen = motion(model, q);
    const double V = beam->potential_energy(q, 0);
    EXPECT_NEAR(beam->potential_energy(seen, 0), V, rounding * (1 + V));
    for (std::size_t g = 0; g < 2; ++g) {
      expect_near(beam->strains(seen)[g], beam->strains(q)[g], rounding, "strain");
    }
    expect_near(support::force(*beam, seen, motion.velocity(model, v)),
                motion.turn(*beam) * support::force(*beam, q, v), rounding, "force");
  }
}

TEST_F(Beam3Test, IsTheSameFromEitherEnd) {
  // Seen from b, with sections rotated by pi about d1, shear along d1 and curvature about d1 change sign.
  const Section section = coupled_section(true);
  const auto beam = add("beam", section);
  const Mat3 round = Vec3(-1, 1, -1).asDiagonal();
  Vec6 signs;
  signs << 1, -1, 1, 1, -1, 1;  // of strain components when s runs in the opposite direction
  Section turned = section;
  turned.stiffness = signs.asDiagonal() * section.stiffness * signs.asDiagonal();
  turned.damping = signs.asDiagonal() * section.damping * signs.asDiagonal();
  turned.inertia = round * section.inertia * round;
  const auto back = model.add<Beam3>({.name = "back",
                                      .a = b,
                                      .middle = middle,
                                      .b = a,
                                      .section = turned,
                                      .axes_a = B * round,
                                      .axes_middle = M * round,
                                      .axes_b = A * round});
  const Configuration q = random_configuration();
  const Vector v = random.vector(36);
  const Vector f = support::force(*back, q, v);
  Vector swapped(18);
  swapped << f.segment<6>(12), f.segment<6>(6), f.segment<6>(0);
  expect_near(support::force(*beam, q, v), swapped, rounding, "force");
}

TEST_F(Beam3Test, InternalForcesBalance) {
  Section light = coupled_section(true);
  light.inertia.setZero();
  const auto massless = add("massless", light);
  const Configuration q = random_configuration();
  const Vector f = support::force(*massless, q, random.vector(36));
  expect_near(support::resultant(*massless, q, f), Vector::Zero(6), rounding, "force and moment");
}

TEST_F(Beam3Test, MeasuresConstantStrainsOfAnySize) {
  // Constant twist and curvature k: x(s) = T(s k)^T s (1, 0, 0). The interpolated rotations are then exact, and so
  // are the strains of rotation; those of translation are accurate to third order in the rotation.
  const auto beam = model.add<Beam3>(straight());
  const double length = 1.0;
  for (const double size : {1.0, 0.5}) {
    const Vec3 k = size * Vec3(0.3, -0.4, 0.5);
    Configuration q = start;
    for (const auto& [node, s] : {std::pair(straight_a, 0.0), std::pair(straight_middle, 0.5 * length),
                                  std::pair(straight_b, length)}) {
      // d1 is z, d2 is -y.
      Mat3 axes;
      axes << 1, 0, 0, 0, 0, -1, 0, 1, 0;
      const Mat3 S = start.rotation(node).transpose() * axes;
      q.position(node) = axes * (so3::tangent(s * k).transpose() * Vec3(s, 0, 0));
      q.rotation(node) = axes * so3::exp(s * k) * S.transpose();
    }
    for (const Vec6& strain : beam->strains(q)) {
      expect_near(strain.tail<3>(), k, rounding, "curvature");
      EXPECT_LT(strain.head<3>().norm(), std::pow(k.norm(), 3) / 72);
    }
  }
  // Elongation and shear, without rotation.
  const Vec3 pull(0.3, -0.1, 0.2);
  Configuration q = start;
  q.position(straight_middle) += 0.5 * pull;
  q.position(straight_b) += pull;
  Vec6 expected;
  expected << 0.3, 0.2, 0.1, 0, 0, 0;
  for (const Vec6& strain : beam->strains(q)) expect_near(strain, expected, rounding, "strain");
  EXPECT_NEAR(beam->potential_energy(q, 0), 0.5 * expected.dot(plain.stiffness * expected), rounding);
}

TEST_F(Beam3Test, DampingIsTheRateOfTheStrain) {
  const Section section = coupled_section(true);
  const auto beam = add("beam", section);
  const Configuration q = random_configuration();
  const Vector v = random.vector(36);
  for (std::size_t g = 0; g < 2; ++g) {
    const Vector rate = support::derivative(
        [&](double t) -> Vector { return beam->strains(support::moved(model, q, t * v))[g]; });
    const Vector expected = section.stiffness * beam->strains(q)[g] + section.damping * rate;
    expect_near(beam->resultants({q, v, 0})[g], expected, support::difference_tolerance, "resultant");
  }
  // Any motion that is not rigid loses energy.
  Vector elastic = Vector::Zero(18);
  beam->conservative_force(q, 0, {elastic.data(), 18});
  EXPECT_LT(v.head<18>().dot(support::force(*beam, q, v) - elastic), 0);
}

TEST_F(Beam3Test, HasTheMassOfItsQuadraticMotions) {
  const auto beam = model.add<Beam3>(straight());
  EXPECT_TRUE(beam->has_constant_mass());
  EXPECT_NEAR(beam->length(), 1.0, rounding);
  const Eigen::MatrixXd mass = support::mass(*beam, start);
  Mat3 expected;
  expected << 4, 2, -1, 2, 16, 2, -1, 2, 4;
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const Mat3 block = 2.0 / 30 * expected(i, j) * Mat3::Identity();
      expect_near(mass.block<3, 3>(6 * i, 6 * j), block, rounding, "translation");
    }
    const Mat3 J = mass.block<3, 3>(6 * i + 3, 6 * i + 3);
    EXPECT_NEAR(J.trace(), (i == 1 ? 4.0 : 1.0) / 6 * 0.6, rounding);
  }
  const auto points = beam->mass_points();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points[0].mass, 2.0 / 6, rounding);
  EXPECT_NEAR(points[1].mass, 2.0 * 4 / 6, rounding);
  EXPECT_NEAR(points[2].mass, 2.0 / 6, rounding);
  EXPECT_EQ(points[1].point.node, straight_middle);

  auto p = straight();
  p.name = "lumped";
  p.mass = BeamMass::lumped;
  const Eigen::MatrixXd lumped = support::mass(*model.add<Beam3>(p), start);
  EXPECT_NEAR(lumped(0, 0), 2.0 / 6, rounding);
  EXPECT_NEAR(lumped(6, 6), 2.0 * 4 / 6, rounding);
  EXPECT_EQ(lumped(0, 6), 0.0);
}

TEST_F(Beam3Test, KeepsItsMassWithTheMiddleNodeOffTheMiddle) {
  // The linear density is that of the section everywhere: mass, centre and moment of a uniform rod.
  auto p = straight();
  p.middle = model.add_frame("off", {.position = {0.4, 0, 0}});
  const auto beam = model.add<Beam3>(p);
  const Eigen::MatrixXd mass = support::mass(*beam, start);
  Vector ones = Vector::Zero(18);
  Vector place = Vector::Zero(18);
  ones[1] = ones[7] = ones[13] = 1;
  place[7] = 0.4;
  place[13] = 1.0;
  EXPECT_NEAR(ones.dot(mass * ones), 2.0, rounding);
  EXPECT_NEAR(ones.dot(mass * place), 2.0 / 2, rounding);
  EXPECT_NEAR(place.dot(mass * place), 2.0 / 3, rounding);
}

TEST_F(Beam3Test, LeavesOutWhatVanishes) {
  Section section = plain;
  const auto gyroscopic = add("gyroscopic", section);
  EXPECT_TRUE(gyroscopic->traits().depends_on_velocity);
  EXPECT_TRUE(gyroscopic->traits().is_conservative);
  section.inertia.setZero();
  EXPECT_FALSE(add("massless", section)->traits().depends_on_velocity);
  section.damping(1, 1) = 1.0;
  const auto damped = add("damped", section);
  EXPECT_TRUE(damped->traits().depends_on_velocity);
  EXPECT_FALSE(damped->traits().is_conservative);
}

TEST_F(Beam3Test, ReportsStrainAndSectionForce) {
  const auto beam = add("beam", coupled_section(true));
  const auto quantities = beam->quantities();
  ASSERT_EQ(quantities.size(), 2u);
  EXPECT_EQ(quantities[0].name, "strain");
  EXPECT_EQ(quantities[1].name, "section_force");
  EXPECT_EQ(quantities[1].shape, (std::vector<Index>{2, 6}));
  const Configuration q = random_configuration();
  const Vector v = random.vector(36);
  Vector values = Vector::Zero(24);
  beam->observe({q, v, 0}, {values.data(), 24});
  for (std::size_t g = 0; g < 2; ++g) {
    const auto i = static_cast<Index>(6 * g);
    EXPECT_EQ(values.segment<6>(i), beam->strains(q)[g]);
    EXPECT_EQ(values.segment<6>(12 + i), beam->resultants({q, v, 0})[g]);
  }
  EXPECT_EQ(beam->points()[1].node, middle);
  EXPECT_EQ(beam->polylines(), (std::vector<std::vector<Index>>{{0, 1, 2}}));
}

TEST_F(Beam3Test, KnowsTheMotionOfEachPoint) {
  const auto beam = add("beam", coupled_section(true));
  for (int i = 0; i < 5; ++i) {
    const Configuration q = random_configuration();
    const Vector v = random.vector(model.velocity_count());
    const Vec3 offset(0, 0.3, -0.2);
    const auto at_node = [&](const FrameNode& node, const Mat3& axes) -> Vec3 {
      return q.position(node) + q.rotation(node) * start.rotation(node).transpose() * axes * offset;
    };
    expect_near(SectionPoint(*beam, {0, 0.3, -0.2}, q, v).position, at_node(a, A), rounding, "first end");
    expect_near(SectionPoint(*beam, {0.5, 0.3, -0.2}, q, v).position, at_node(middle, M), rounding, "middle");
    expect_near(SectionPoint(*beam, {1, 0.3, -0.2}, q, v).position, at_node(b, B), rounding, "last end");
    for (const double s : {0.0, 0.3, 0.8, 1.0}) {
      const Vec3 xi(s, 0.3, -0.2);
      const auto place = [&](double t) -> Vec3 {
        return SectionPoint(*beam, xi, support::moved(model, q, t * v), v).position;
      };
      expect_near(SectionPoint(*beam, xi, q, v).velocity, support::derivative(place),
                  support::difference_tolerance, "velocity");
    }
    for (const std::size_t g : {0U, 1U}) {
      const double s = (g == 0 ? -1 : 1) / std::sqrt(3.0);
      const SectionPoint point(*beam, {(1 + s) / 2, 0.3, -0.2}, q, v);
      expect_near(point.strain, beam->strains(q)[g], rounding, "strain");
      expect_near(point.force, beam->resultants({q, v, 0.0})[g], rounding, "section force");
    }
  }
}

/// The elongation of a fibre at a Gauss point is the rate at which its points move apart there.
TEST_F(Beam3Test, StretchesItsFibresAsItsStrainsSay) {
  const auto beam = model.add<Beam3>(straight());
  Configuration q = start;
  const auto place = [&](const FrameNode& node, const Vec3& x, const Vec3& turn) {
    q.position(node) = x;
    q.rotation(node) = so3::exp(turn) * start.rotation(node);
  };
  place(straight_a, {0.02, 0.03, 0}, {0, 0, -0.15});
  place(straight_middle, {0.5, 0, 0.01}, {0, 0, 0});
  place(straight_b, {1.03, 0.02, -0.04}, {0, 0.05, 0.2});
  for (const double s : {-1 / std::sqrt(3.0), 1 / std::sqrt(3.0)}) {
    const double y = 0.1;
    const double z = 0.2;
    const auto along = [&](double d) -> Vec3 {
      return SectionPoint(*beam, {(1 + s) / 2 + d, y, z}, q, rest).position;
    };
    const SectionPoint at(*beam, {(1 + s) / 2, y, z}, q, rest);
    const Vec3 tip = SectionPoint(*beam, {(1 + s) / 2, 0, 1}, q, rest).position;
    const Vec3 top = SectionPoint(*beam, {(1 + s) / 2, 1, 0}, q, rest).position;
    const Vec3 centre = SectionPoint(*beam, {(1 + s) / 2, 0, 0}, q, rest).position;
    const Vec3 t = (top - centre).cross(tip - centre);  // the normal of the section
    EXPECT_NEAR(at.axial_strain, t.dot(support::derivative(along)) - 1, support::difference_tolerance);
  }
}

TEST_F(Beam3Test, RefusesWhatIsNoBeam) {
  auto p = straight();
  p.middle = p.a;
  EXPECT_EQ(refusal(p), "beam \"B\": a and middle are the same node");
  p = straight();
  p.b = p.middle;
  EXPECT_EQ(refusal(p), "beam \"B\": middle and b are the same node");
  p.b = p.a;
  EXPECT_EQ(refusal(p), "beam \"B\": a and b are the same node");
  p = straight();
  p.middle = {};
  EXPECT_EQ(refusal(p), "beam \"B\": middle is not a node of model \"m\"");
  p.middle = model.add_frame("c", {.position = {1, 0, 0}});
  EXPECT_EQ(refusal(p), "beam \"B\": nodes middle and b are at the same place");
  p.middle = model.add_frame("d", {.position = {0.2, 0, 0}});
  EXPECT_EQ(refusal(p), "beam \"B\": middle is not between the quarter points of the line from a to b");
  p.middle = model.add_frame("e", {.position = {0.5, 0.01, 0}});
  EXPECT_EQ(refusal(p),
            "beam \"B\": middle is 0.01 of the length off the line from a to b, which needs axes_a, "
            "axes_middle and "
            "axes_b");
  p = straight();
  p.orientation = Vec3::UnitX();
  EXPECT_EQ(refusal(p), "beam \"B\": orientation is parallel to the beam");
  p = straight();
  p.axes_a = Mat3::Identity();
  EXPECT_EQ(refusal(p), "beam \"B\": of axes_a, axes_middle and axes_b only some are given");
  p.axes_middle = 2 * Mat3::Identity();
  p.axes_b = Mat3::Identity();
  EXPECT_EQ(refusal(p), "beam \"B\": axes_middle is not a proper orthogonal matrix");
  p.axes_middle = Mat3::Identity();
  p.axes_b = so3::exp(Vec3(3.1, 0, 0));
  EXPECT_EQ(refusal(p),
            "beam \"B\": the sections at b and middle are turned against each other by 3.1 rad, must be less "
            "than 3");
  p.axes_a = p.axes_middle = p.axes_b = so3::exp(Vec3(0, 2, 0));
  EXPECT_EQ(refusal(p), "beam \"B\": the first section axis does not point along the beam from a to b");
  p = straight();
  p.section.mass = -1;
  EXPECT_EQ(refusal(p), "beam \"B\": section mass is -1 kg/m, must not be negative");
}

TEST_F(Beam3Test, TellsWhichSectionsAreTurnedTooFar) {
  const Handle<Beam3> beam = model.add<Beam3>({.name = "B",
                                               .a = a,
                                               .middle = middle,
                                               .b = b,
                                               .section = coupled_section(false),
                                               .axes_a = M,
                                               .axes_middle = M,
                                               .axes_b = M});
  const auto fault_at = [&](const FrameNode& end, double turn) {
    Configuration q = start;
    q.rotation(end) = M * so3::exp(turn * random.direction()) * M.transpose() * start.rotation(end);
    return beam->fault(q);
  };
  const std::string tail =
      " and middle turned against each other by 3.05 rad, must be less than 3: more elements are needed";
  EXPECT_EQ(fault_at(a, 2.99) + fault_at(b, 2.99), "");
  EXPECT_EQ(fault_at(a, 3.05), "has the sections at a" + tail);
  EXPECT_EQ(fault_at(b, 3.05), "has the sections at b" + tail);
}

}  // namespace
}  // namespace picus::beam3_test
