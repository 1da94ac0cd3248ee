#include <picus/elements/beams/beam.hpp>
#include <picus/so3.hpp>
#include <support/dense_algebra.hpp>
#include <support/differences.hpp>
#include <support/evaluate.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/rigid_motion.hpp>
#include <support/section_point.hpp>
#include <support/tangents.hpp>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace picus::beam_test {
namespace {

using support::expect_near;
using support::message_of;
using support::SectionPoint;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Rounding of some hundred operations on numbers of order one to ten.
constexpr double rounding = 1e-13;

/// A curved and twisted beam between arbitrarily rotated nodes, with a fully coupled section.
class BeamTest : public ::testing::Test {
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
  Handle<Beam> add(const std::string& name, const Section& section) {
    return model.add<Beam>({.name = name, .a = a, .b = b, .section = section, .axes_a = A, .axes_b = B});
  }
  Configuration random_configuration() {
    return support::moved(model, start, random.vector(model.velocity_count(), 0.5));
  }
  /// A beam as users define it: from one node to the other, d1 along z, EA = 100 and so on.
  Beam::Parameters straight() const {
    return {.name = "B", .a = a, .b = b, .section = plain, .orientation = Vec3::UnitZ()};
  }
  std::string refusal(const Beam::Parameters& parameters) {
    return message_of<ModelError>([&] { model.add<Beam>(parameters); });
  }

  support::Random random{5};
  Vec3 x_a = random.vec3();
  Vec3 x_b = x_a + Vec3(1, 0.2, -0.3);
  Mat3 A = support::rotation_between(Vec3::UnitX(), x_b - x_a) * so3::exp(Vec3(0.5, -0.2, 0.1));
  Mat3 B = A * so3::exp(Vec3(0.4, 0.3, -0.3));
  Model model{"m"};
  FrameNode a = model.add_frame("a", {.position = x_a, .rotation = random.rotation()});
  FrameNode b = model.add_frame("b", {.position = x_b, .rotation = random.rotation()});
  const Configuration& start = model.initial_configuration();
  const Vector rest = Vector::Zero(12);
  Section plain = Section::constants(
      {.EA = 100, .GA1 = 30, .GA2 = 40, .GJ = 2, .EI1 = 3, .EI2 = 5, .mass = 2, .I1 = 0.1, .I2 = 0.2});
};

TEST_F(BeamTest, DerivativesAreExact) {
  // Nodes within 0.5 m and 1 rad of the start, so that the sections stay less than pi apart and the ninth derivatives
  // small enough for the differences.
  for (unsigned i = 0; i < 4; ++i) {
    const TangentCheckOptions options = {.seed = i, .length = 0.5, .angle = 1.0};
    support::expect_exact_tangents(model, *add("elastic" + std::to_string(i), coupled_section(false)),
                                   options);
    support::expect_exact_tangents(model, *add("damped" + std::to_string(i), coupled_section(true)), options);
  }
  support::expect_exact_tangents(model, *model.add<Beam>(straight()), {.length = 0.5, .angle = 1.0});
}

TEST_F(BeamTest, DerivativesAreExactWhereTheSectionsAreAligned) {
  // The small angles of fine meshes.
  support::expect_exact_tangents(model, *model.add<Beam>(straight()), {.length = 1e-2, .angle = 1e-2});
}

TEST_F(BeamTest, StaysUnstrainedInEveryRigidMotion) {
  const auto beam = add("beam", coupled_section(false));
  for (int i = 0; i < 20; ++i) {
    const Configuration q = support::RigidMotion(random)(model, start);
    expect_near(beam->strain(q), Vec6::Zero(), rounding, "strain");
    expect_near(support::force(*beam, q, rest), Vector::Zero(12), rounding, "force");
    EXPECT_NEAR(beam->potential_energy(q, 0), 0, rounding);
  }
}

TEST_F(BeamTest, IsTheSameForEveryObserver) {
  const auto beam = add("beam", coupled_section(true));
  for (int i = 0; i < 20; ++i) {
    const Configuration q = random_configuration();
    const Vector v = random.vector(12);
    const support::RigidMotion motion(random);
    const Configuration seen = motion(model, q);
    EXPECT_NEAR(beam->potential_energy(seen, 0), beam->potential_energy(q, 0), rounding);
    expect_near(beam->strain(seen), beam->strain(q), rounding, "strain");
    expect_near(support::force(*beam, seen, motion.velocity(model, v)),
                motion.turn(*beam) * support::force(*beam, q, v), rounding, "force");
  }
}

TEST_F(BeamTest, DoesNotDependOnTheAxesOfItsNodes) {
  // The same beam between nodes with other axes: forces rotate with them.
  const Section section = coupled_section(true);
  const auto beam = add("beam", section);
  const Mat3 turn_a = random.rotation();
  const Mat3 turn_b = random.rotation();
  Model other;
  const auto c = other.add_frame("c", {.position = x_a, .rotation = start.rotation(a) * turn_a});
  const auto d = other.add_frame("d", {.position = x_b, .rotation = start.rotation(b) * turn_b});
  const auto same =
      other.add<Beam>({.name = "same", .a = c, .b = d, .section = section, .axes_a = A, .axes_b = B});
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(12, 12);
  turn.block<3, 3>(3, 3) = turn_a;
  turn.block<3, 3>(9, 9) = turn_b;
  const Vector increment = random.vector(12, 0.5);
  const Vector v = random.vector(12);
  const Configuration q = support::moved(model, start, turn * increment);
  const Configuration p = support::moved(other, other.initial_configuration(), increment);
  expect_near(support::force(*beam, q, turn * v), turn * support::force(*same, p, v), rounding, "force");
  expect_near(support::mass(*beam, q), turn * support::mass(*same, p) * turn.transpose(), rounding, "mass");
}

TEST_F(BeamTest, IsTheSameFromEitherEnd) {
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
  const auto back = model.add<Beam>(
      {.name = "back", .a = b, .b = a, .section = turned, .axes_a = B * round, .axes_b = A * round});
  const Configuration q = random_configuration();
  const Vector v = random.vector(12);
  Vector swapped(12);
  swapped << support::force(*back, q, v).tail<6>(), support::force(*back, q, v).head<6>();
  expect_near(support::force(*beam, q, v), swapped, rounding, "force");
}

TEST_F(BeamTest, InternalForcesBalance) {
  const auto beam = add("beam", coupled_section(true));
  Section light = coupled_section(true);
  light.inertia.setZero();
  const auto massless = add("massless", light);
  const Configuration q = random_configuration();
  expect_near(support::resultant(*beam, q, support::force(*beam, q, rest)), Vector::Zero(6), rounding,
              "at rest");
  // Damping has no resultant either; gyroscopic forces do, as they are the rate of a momentum.
  const Vector f = support::force(*massless, q, random.vector(12));
  expect_near(support::resultant(*massless, q, f), Vector::Zero(6), rounding, "damping");
}

TEST_F(BeamTest, MeasuresElongationShearTwistAndBending) {
  Model own;
  const Section section = plain;
  const auto c = own.add_frame("c");
  const auto d = own.add_frame("d", {.position = {2, 0, 0}});
  const auto beam = own.add<Beam>({.name = "beam", .a = c, .b = d, .section = section});
  EXPECT_EQ(beam->length(), 2.0);
  const double s = 0.3;
  // Without rotation, rho is the distance; with it, the arc whose curvature is Theta/L: d = T(Theta)^T rho.
  for (int kind = 0; kind < 6; ++kind) {
    const Vec6 strain = s * Vec6::Unit(kind);
    const Vec3 theta = 2 * strain.tail<3>();
    const Vec3 rho = 2 * (Vec3::UnitX() + strain.head<3>());
    Configuration q = own.initial_configuration();
    q.position(d) = so3::tangent(theta).transpose() * rho;
    q.rotation(d) = so3::exp(theta);
    expect_near(beam->strain(q), strain, rounding, "strain");
    expect_near(beam->resultant({q, rest, 0}), section.stiffness * strain, rounding, "resultant");
    EXPECT_NEAR(beam->potential_energy(q, 0), 0.5 * 2 * s * s * section.stiffness(kind, kind), rounding);
  }
}

TEST_F(BeamTest, TakesTheShorterWayRoundPastHalfATurn) {
  Model own;
  const auto c = own.add_frame("c");
  const auto d = own.add_frame("d", {.position = {2, 0, 0}});
  const auto beam = own.add<Beam>({.name = "beam", .a = c, .b = d, .section = plain});
  const auto bent = [&](double angle) {
    Configuration q = own.initial_configuration();
    q.position(d) = so3::tangent(angle * Vec3::UnitZ()).transpose() * Vec3(2, 0, 0);
    q.rotation(d) = so3::exp(angle * Vec3::UnitZ());
    return q;
  };
  const double pi = std::numbers::pi;
  for (const double angle : {3.0, 3.14, pi - 1e-12}) {
    expect_near(beam->strain(bent(angle)), angle / 2 * Vec6::Unit(5), rounding, "strain");
  }
  EXPECT_NEAR(beam->strain(bent(3.2))[5], (3.2 - 2 * pi) / 2, rounding);
  EXPECT_TRUE(support::force(*beam, bent(pi), rest).allFinite());
}

TEST_F(BeamTest, DampingIsTheRateOfTheStrain) {
  const Section section = coupled_section(true);
  const auto beam = add("beam", section);
  const Configuration q = random_configuration();
  const Vector v = random.vector(12);
  const Vector rate =
      support::derivative([&](double t) -> Vector { return beam->strain(support::moved(model, q, t * v)); });
  const Vector expected = section.stiffness * beam->strain(q) + section.damping * rate;
  expect_near(beam->resultant({q, v, 0}), expected, support::difference_tolerance, "resultant");
  // A rigid motion is not damped, and any other loses energy.
  const Vec3 omega = random.vec3();
  Vector rigid(12);
  rigid << omega.cross(q.position(a)), q.rotation(a).transpose() * omega, omega.cross(q.position(b)),
      q.rotation(b).transpose() * omega;
  expect_near(beam->resultant({q, rigid, 0}), section.stiffness * beam->strain(q), rounding, "rigid");
  Vector elastic = Vector::Zero(12);
  beam->conservative_force(q, 0, {elastic.data(), 12});
  EXPECT_LT(v.dot(support::force(*beam, q, v) - elastic), 0);
}

TEST_F(BeamTest, SumsToTheMassOfTheBeam) {
  for (const BeamMass kind : {BeamMass::consistent, BeamMass::lumped}) {
    Beam::Parameters parameters = straight();
    parameters.name = kind == BeamMass::lumped ? "lumped" : "consistent";
    parameters.mass = kind;
    const auto beam = model.add<Beam>(parameters);
    EXPECT_TRUE(beam->has_constant_mass());
    const double m = 2.0 * (x_b - x_a).norm();
    const Eigen::MatrixXd M = support::mass(*beam, start);
    Vector ones = Vector::Zero(12);
    ones[1] = ones[7] = 1;
    EXPECT_NEAR(ones.dot(M * ones), m, rounding);
    EXPECT_NEAR(M(0, 0), kind == BeamMass::lumped ? m / 2 : m / 3, rounding);
    // A rod that rotates about its midpoint: consistent mass represents the linear field exactly, m L^2/12.
    Vector turn = Vector::Zero(12);
    turn[0] = -0.5;
    turn[6] = 0.5;
    EXPECT_NEAR(turn.dot(M * turn), kind == BeamMass::lumped ? m / 4 : m / 12, rounding);
    EXPECT_DOUBLE_EQ(beam->mass_points()[0].mass + beam->mass_points()[1].mass, m);
    EXPECT_EQ(beam->mass_points()[0].point.node, a);
    EXPECT_EQ(beam->mass_points()[1].point.node, b);
    // Rotational inertia (I1 + I2, I1, I2) L about (t, d1, d2).
    const Vector moments = Eigen::SelfAdjointEigenSolver<Mat3>(Mat3(M.block<3, 3>(3, 3))).eigenvalues();
    expect_near(moments, (x_b - x_a).norm() / 2 * Vec3(0.1, 0.2, 0.3), rounding, "inertia");
  }
}

TEST_F(BeamTest, LeavesOutWhatVanishes) {
  Section section = plain;
  const auto gyroscopic = add("gyroscopic", section);
  EXPECT_TRUE(gyroscopic->traits().depends_on_velocity);
  EXPECT_TRUE(gyroscopic->traits().is_conservative);
  section.inertia.setZero();
  const auto massless = add("massless", section);
  EXPECT_FALSE(massless->traits().depends_on_velocity);
  section.damping(1, 1) = 1.0;
  const auto damped = add("damped", section);
  EXPECT_TRUE(damped->traits().depends_on_velocity);
  EXPECT_FALSE(damped->traits().is_conservative);
  EXPECT_FALSE(damped->traits().is_load);
}

TEST_F(BeamTest, ReportsStrainAndSectionForce) {
  const auto beam = add("beam", coupled_section(true));
  const auto quantities = beam->quantities();
  ASSERT_EQ(quantities.size(), 2u);
  EXPECT_EQ(quantities[0].name, "strain");
  EXPECT_EQ(quantities[1].name, "section_force");
  EXPECT_EQ(quantities[0].size() + quantities[1].size(), 12);
  const Configuration q = random_configuration();
  const Vector v = random.vector(12);
  Vector values = Vector::Zero(12);
  beam->observe({q, v, 0}, {values.data(), 12});
  EXPECT_EQ(values.head<6>(), beam->strain(q));
  EXPECT_EQ(values.tail<6>(), beam->resultant({q, v, 0}));
}

TEST_F(BeamTest, KnowsTheMotionOfEachPoint) {
  const auto beam = add("beam", coupled_section(true));
  for (int i = 0; i < 5; ++i) {
    const Configuration q = random_configuration();
    const Vector v = random.vector(12);
    const Vec3 offset(0, 0.3, -0.2);
    const auto end = [&](const FrameNode& node, const Mat3& axes) -> Vec3 {
      return q.position(node) + q.rotation(node) * start.rotation(node).transpose() * axes * offset;
    };
    expect_near(SectionPoint(*beam, {0, 0.3, -0.2}, q, v).position, end(a, A), rounding, "first end");
    expect_near(SectionPoint(*beam, {1, 0.3, -0.2}, q, v).position, end(b, B), rounding, "last end");
    for (const double s : {0.0, 0.3, 0.8, 1.0}) {
      const Vec3 xi(s, 0.3, -0.2);
      const SectionPoint point(*beam, xi, q, v);
      const auto place = [&](double t) -> Vec3 {
        return SectionPoint(*beam, xi, support::moved(model, q, t * v), v).position;
      };
      expect_near(point.velocity, support::derivative(place), support::difference_tolerance, "velocity");
      EXPECT_EQ(point.strain, beam->strain(q));
      EXPECT_EQ(point.force, beam->resultant({q, v, 0.0}));
    }
  }
}

/// Bent into an arc, with d1 and d2 rotated relative to its plane: every fibre is an arc of known length.
TEST_F(BeamTest, StretchesItsFibresAsBendingDoes) {
  Model bent("bent");
  const Vec3 d1(0, 0.6, 0.8);
  const FrameNode first = bent.add_frame("first");
  const FrameNode last = bent.add_frame("last", {.position = {2, 0, 0}});
  const auto beam =
      bent.add<Beam>({.name = "beam", .a = first, .b = last, .section = plain, .orientation = d1});
  constexpr double turn = 1.2;
  const double radius = 2 / turn;
  Configuration q = bent.initial_configuration();
  q.position(last) = radius * Vec3(std::sin(turn), 1 - std::cos(turn), 0);
  q.rotation(last) = so3::exp(turn * Vec3::UnitZ());
  const double y = 0.1;
  const double z = 0.07;
  const Vec3 offset = y * d1 + z * Vec3::UnitX().cross(d1);  // at the start
  for (const double s : {0.0, 0.25, 0.9}) {
    const SectionPoint point(*beam, {s, y, z}, q, Vector::Zero(12));
    const Vec3 on_axis = radius * Vec3(std::sin(s * turn), 1 - std::cos(s * turn), 0);
    expect_near(point.position, on_axis + so3::exp(s * turn * Vec3::UnitZ()) * offset, rounding, "place");
    EXPECT_NEAR(point.axial_strain, (radius - offset.y()) * turn / 2 - 1, rounding);
  }
}

TEST_F(BeamTest, HasNoPointsBeyondItsEnds) {
  const auto beam = add("beam", plain);
  EXPECT_TRUE(beam->contains({0, 5, -5}));
  EXPECT_TRUE(beam->contains({1, 0, 0}));
  EXPECT_FALSE(beam->contains({1.001, 0, 0}));
  EXPECT_FALSE(beam->contains({-0.001, 0, 0}));
  EXPECT_FALSE(beam->contains({0.5, nan, 0}));
  EXPECT_FALSE(beam->contains({nan, 0, 0}));
}

TEST_F(BeamTest, IsDrawnAsALine) {
  const auto beam = add("beam", plain);
  ASSERT_EQ(beam->points().size(), 2u);
  EXPECT_EQ(beam->points()[1].node, b);
  EXPECT_EQ(beam->polylines(), (std::vector<std::vector<Index>>{{0, 1}}));
}

TEST_F(BeamTest, RefusesEndsThatNoBeamHas) {
  Beam::Parameters p = straight();
  p.b = a;
  EXPECT_EQ(refusal(p), "beam \"B\": a and b are the same node");
  p.b = model.add_frame("c", {.position = x_a});
  EXPECT_EQ(refusal(p), "beam \"B\": nodes a and b are at the same place");
  p.b = {};
  EXPECT_EQ(refusal(p), "beam \"B\": b is not a node of model \"m\"");
  p = straight();
  p.orientation = x_a - x_b;
  EXPECT_EQ(refusal(p), "beam \"B\": orientation is parallel to the beam");
  p.orientation = Vec3::Zero();
  EXPECT_EQ(refusal(p), "beam \"B\": orientation has zero length");
  p = straight();
  p.axes_a = A;
  EXPECT_EQ(refusal(p), "beam \"B\": of axes_a and axes_b only one is given");
  p.axes_b = 2 * B;
  EXPECT_EQ(refusal(p), "beam \"B\": axes_b is not a proper orthogonal matrix");
  p.axes_b = nan * B;
  EXPECT_EQ(refusal(p), "beam \"B\": axes_b is not a proper orthogonal matrix");
  p.axes_b = A * so3::exp(Vec3(3.1, 0, 0));
  EXPECT_EQ(refusal(p), "beam \"B\": its ends are turned against each other by 3.1 rad, must be less than 3");
  p.axes_a = A * so3::exp(Vec3(0, 2, 0));
  p.axes_b = p.axes_a;
  EXPECT_EQ(refusal(p), "beam \"B\": the first section axis does not point along the beam from a to b");
}

TEST_F(BeamTest, RefusesSectionsThatCannotBe) {
  const auto with = [&](auto change) {
    Beam::Parameters p = straight();
    change(p.section);
    return refusal(p);
  };
  EXPECT_EQ(with([](Section& s) { s = {}; }), "beam \"B\": section stiffness(0, 0) is 0, must be positive");
  EXPECT_EQ(with([](Section& s) { s.stiffness(3, 3) = -1; }),
            "beam \"B\": section stiffness(3, 3) is -1, must be positive");
  EXPECT_EQ(with([](Section& s) { s.stiffness(3, 4) = nan; }),
            "beam \"B\": section stiffness(3, 4) is nan, must be a finite number");
  EXPECT_EQ(with([](Section& s) { s.stiffness(3, 4) = 1; }),
            "beam \"B\": section stiffness is not symmetric");
  EXPECT_EQ(with([](Section& s) { s.stiffness(3, 4) = s.stiffness(4, 3) = 3; }),
            "beam \"B\": section stiffness is not positive definite");
  EXPECT_EQ(with([](Section& s) { s.damping(2, 2) = -1; }),
            "beam \"B\": section damping(2, 2) is -1, must not be negative");
  EXPECT_EQ(with([](Section& s) {
              s.damping.setIdentity();
              s.damping(0, 1) = s.damping(1, 0) = 3;
            }),
            "beam \"B\": section damping has a negative eigenvalue");
  EXPECT_EQ(with([](Section& s) {
              s.inertia.setIdentity();
              s.inertia(1, 2) = s.inertia(2, 1) = 3;
            }),
            "beam \"B\": section inertia has a negative principal moment");
  EXPECT_EQ(with([](Section& s) { s.mass = -1; }),
            "beam \"B\": section mass is -1 kg/m, must not be negative");
  EXPECT_EQ(with([](Section& s) { s.inertia(1, 1) = -1; }),
            "beam \"B\": section inertia(1, 1) is -1 kg m, must not be negative");
}

TEST_F(BeamTest, TellsWhenItsEndsAreTurnedTooFar) {
  Section section = coupled_section(false);
  const Handle<Beam> beam =
      model.add<Beam>({.name = "B", .a = a, .b = b, .section = section, .axes_a = A, .axes_b = A});
  Configuration q = model.initial_configuration();
  const Mat3 R = q.rotation(b);
  for (const double turn : {0.1, 2.99, 3.2}) {
    q.rotation(b) = A * so3::exp(turn * random.direction()) * A.transpose() * R;
    const std::string fault = beam->fault(q);
    if (turn < 3) {
      EXPECT_EQ(fault, "");
    } else {  // beyond pi the shorter way round is the other one: 2 pi - 3.2
      EXPECT_EQ(fault,
                "has its ends turned against each other by 3.083 rad, must be less than 3: more elements are "
                "needed");
    }
  }
}

}  // namespace
}  // namespace picus::beam_test
