#include <picus/solvers/contact/augmented_law.hpp>
#include <support/differences.hpp>
#include <support/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace picus {
namespace {

using support::Random;

/// Relative motion and multipliers of one contact.
struct Point {
  Vector y, P;
};

Vector residual(const ContactCone& cone, const Point& at) {
  Vector r(cone.rows);
  contact_residual(cone, at.y.data(), at.P.data(), r.data());
  return r;
}
ContactState state(const ContactCone& cone, const Point& at) {
  Vector r(cone.rows);
  return contact_residual(cone, at.y.data(), at.P.data(), r.data());
}

ContactCone cone_of(Index rows, double mu, double k = 1.0, double p = 1.0) {
  return {.rows = rows, .mu = mu, .k = k, .p = p};
}

/// A unit vector of rows - 1 components.
Vector random_direction(Random& random, Index rows) {
  Vector tau = random.vector(rows - 1);
  while (rows > 1 && tau.norm() < 0.1) tau = random.vector(rows - 1);
  return rows > 1 ? Vector(tau.normalized()) : tau;
}

Point point_of(double y_n, const Vector& y_t, double P_n, const Vector& P_t) {
  Point point{Vector(1 + y_t.size()), Vector(1 + P_t.size())};
  point.y << y_n, y_t;
  point.P << P_n, P_t;
  return point;
}

/// A solution of Signorini's and Coulomb's conditions in the requested state.
Point random_solution(Random& random, const ContactCone& cone, ContactState wanted) {
  const Vector tau = random_direction(random, cone.rows);
  const Vector none = 0.0 * tau;
  const double P_n = random.uniform(0.1, 2);
  switch (wanted) {
    case ContactState::gap:
      return point_of(random.uniform(0.1, 2), random.vector(cone.rows - 1), 0, none);
    case ContactState::stick:
      return point_of(0, none, P_n, random.uniform(0, 0.9) * cone.mu * P_n * tau);
    default:
      return point_of(0, -random.uniform(0.1, 2) * tau, P_n, cone.mu * P_n * tau);
  }
}

constexpr std::array all_states = {ContactState::gap, ContactState::stick, ContactState::slip};

// Contacts with two tangents have a specialised evaluation; a direction that is zero, which stands for an unknown one, is
// evaluated in the general way.
TEST(AugmentedLaw, OfTwoTangentsIsThatOfAnyNumber) {
  Random random(11);
  const std::array<double, 3> unknown{};
  std::array<int, 3> counts{};
  for (int sample = 0; sample < 2000; ++sample) {
    ContactCone cone =
        cone_of(3, sample % 5 == 0 ? 0.0 : 0.3, random.uniform(0.1, 2), random.uniform(0.1, 2));
    cone.is_candidate = sample % 7 != 0;
    Point at{random.vector(3), random.vector(3)};
    if (sample % 3 == 0) at.P.tail(2) *= 0.1, at.y.tail(2) *= 0.1;
    if (sample % 11 == 0) at.P.setZero();
    if (sample % 22 == 0) at.y.tail(2).setZero();
    if (sample % 101 == 0) at.y[sample % 3] = std::numeric_limits<double>::quiet_NaN();
    const Vector r = residual(cone, at);
    const ContactState of_two = state(cone, at);
    cone.direction = unknown.data();
    ASSERT_EQ(of_two, state(cone, at)) << sample;
    ++counts[place_of(of_two)];
    const Vector general = residual(cone, at);
    for (Index i = 0; i < 3; ++i)
      ASSERT_TRUE(r[i] == general[i] || (std::isnan(r[i]) && std::isnan(general[i]))) << sample;
  }
  for (const int count : counts) EXPECT_GE(count, 100);
}

TEST(AugmentedLaw, ResidualVanishesAtSolutionsForAnyScaleAndPenalty) {
  Random random(1);
  for (int sample = 0; sample < 300; ++sample) {
    const double k = std::pow(10, random.uniform(-4, 4));
    const double p = std::pow(10, random.uniform(-4, 4));
    const Index rows = 1 + sample % 3;
    const ContactCone cone = cone_of(rows, 0.3, k, p);
    for (const ContactState wanted : all_states) {
      if (rows == 1 && wanted == ContactState::stick) continue;  // a contact without friction slips
      const Point solution = random_solution(random, cone, wanted);
      EXPECT_EQ(state(cone, solution), wanted);
      // Products of multipliers and k/p, each rounded a few times.
      EXPECT_LE(residual(cone, solution).norm(), 1e-15 * (k + k / p)) << "rows " << rows;
    }
  }
}

TEST(AugmentedLaw, ResidualVanishesAtSolutionsOnly) {
  Random random(2);
  for (int sample = 0; sample < 200; ++sample) {
    const double k = std::pow(10, random.uniform(-3, 3));
    const double p = std::pow(10, random.uniform(-3, 3));
    for (Index rows = 1; rows <= 3; ++rows) {
      const ContactCone cone = cone_of(rows, 0.3, k, p);
      const auto refuses = [&](const Point& point, const char* what) {
        const double scale = std::min({k, k / p, k * point.y.norm(), k / p * point.P.norm()});
        EXPECT_GT(residual(cone, point).norm(), 1e-3 * scale) << what << ", rows " << rows;
      };
      const Vector tau = random_direction(random, rows);
      const Vector none = 0.0 * tau;
      const double P_n = random.uniform(0.2, 1);
      const double y = random.uniform(0.2, 1);
      refuses(point_of(-y, none, P_n, none), "penetration");
      refuses(point_of(y, none, P_n, none), "force across a gap");
      refuses(point_of(y, none, -P_n, none), "adhesion across a gap");
      refuses(point_of(-y, none, -P_n, none), "adhesion in penetration");
      if (rows == 1) continue;
      refuses(point_of(0, none, P_n, 0.6 * P_n * tau), "friction beyond the cone");
      refuses(point_of(0, y * tau, P_n, 0.3 * P_n * tau), "friction along the slip");
      refuses(point_of(0, y * tau, P_n, none), "slip without friction");
      refuses(point_of(0, -y * tau, P_n, 0.1 * P_n * tau), "slip with too little friction");
      refuses(point_of(y, none, 0, 0.1 * tau), "friction across a gap");
    }
  }
}

TEST(AugmentedLaw, WithoutFrictionTheTangentialMultipliersVanish) {
  Random random(3);
  const ContactCone cone = cone_of(3, 0.0);
  const Point sliding = point_of(0, random.vector(2), 0.7, Vector::Zero(2));
  EXPECT_EQ(state(cone, sliding), ContactState::slip);
  EXPECT_EQ(residual(cone, sliding), Vector::Zero(3));
  const Point resting = point_of(0, Vector::Zero(2), 0.7, Vector::Zero(2));
  EXPECT_EQ(residual(cone, resting), Vector::Zero(3)) << "where the direction of slip is not defined";
  EXPECT_GT(residual(cone, point_of(0, random.vector(2), 0.7, Vector::Constant(2, 0.1))).norm(), 0.1);
}

TEST(AugmentedLaw, TiesCountAsClosedAndAsStick) {
  const ContactCone cone = cone_of(3, 0.5);
  EXPECT_EQ(state(cone, point_of(0, Vector::Zero(2), 0, Vector::Zero(2))), ContactState::stick);
  EXPECT_EQ(state(cone, point_of(0, Vector::Zero(2), 10, Eigen::Vector2d(3, 4))), ContactState::stick);
  EXPECT_EQ(state(cone, point_of(0, Vector::Zero(2), 10, Eigen::Vector2d(3, 4.0001))), ContactState::slip);
  EXPECT_EQ(state(cone_of(1, 0), point_of(0, {}, 0, {})), ContactState::slip);
  EXPECT_EQ(state(cone_of(1, 0), point_of(1e-300, {}, 0, {})), ContactState::gap);
}

TEST(AugmentedLaw, ADisabledContactIsHeldOpen) {
  Random random(4);
  ContactCone cone = cone_of(3, 0.4, 2.0, 5.0);
  cone.is_candidate = false;
  for (int sample = 0; sample < 20; ++sample) {
    const Point any{random.vector(3), random.vector(3)};
    EXPECT_EQ(state(cone, any), ContactState::gap);
    support::expect_near(residual(cone, any), -0.4 * any.P, 1e-15, "k/p P");
    const ContactEquations equations = contact_equations(cone, any.y.data(), any.P.data());
    EXPECT_EQ(Eigen::Map<const Mat3>(equations.D.data()), Mat3::Zero());
  }
}

TEST(AugmentedLaw, DerivativesAreExactInEachState) {
  Random random(5);
  std::array<int, 3> seen{};
  for (int sample = 0; sample < 600; ++sample) {
    const Index rows = 1 + sample % 3;
    const double mu = sample % 7 == 0 ? 0.0 : random.uniform(0.1, 1.5);
    const double k = random.uniform(0.5, 2);
    const ContactCone cone = cone_of(rows, mu, k, random.uniform(0.5, 2));
    const Point at{random.vector(rows), random.vector(rows)};
    const Vector xi = at.P - cone.p * at.y;
    const double length = xi.tail(rows - 1).norm();
    // Two difference steps away from the kinks, and from the apex where the direction varies fast.
    if (std::abs(xi[0]) < 0.05 || std::abs(length - mu * xi[0]) < 0.05) continue;
    if (rows == 3 && length < 0.3) continue;

    const ContactEquations equations = contact_equations(cone, at.y.data(), at.P.data());
    ++seen[place_of(equations.state)];
    EXPECT_EQ(equations.state, state(cone, at));
    EXPECT_EQ(Vector(Eigen::Map<const Vector>(equations.r.data(), rows)), residual(cone, at));
    Eigen::MatrixXd D(rows, rows);
    Eigen::MatrixXd E(rows, rows);
    for (Index i = 0; i < rows; ++i) {
      const Vector e = Vector::Unit(rows, i);
      D.col(i) = support::derivative([&](double s) { return residual(cone, {at.y + s * e, at.P}); });
      E.col(i) = support::derivative([&](double s) { return residual(cone, {at.y, at.P + s * k * e}); });
    }
    // tau turns within |xi_T| >= 0.3, so that its fifth derivative times step^4 may reach 1e-9.
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.D.data(), rows, rows), D, 1e-8, "dr/dy");
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.E.data(), rows, rows), E, 1e-8, "dr/dx");
  }
  for (const int count : seen) EXPECT_GT(count, 30);
}

/// Below the apex P_N is that of the apex, and friction has its bound.
TEST(AugmentedLaw, AnApexIsTheLeastNormalMultiplierWithExactDerivatives) {
  Random random(6);
  std::array<int, 4> seen{};
  for (int sample = 0; sample < 800; ++sample) {
    const Index rows = 1 + sample % 3;
    ContactCone cone =
        cone_of(rows, random.uniform(0.1, 1.5), random.uniform(0.5, 2), random.uniform(0.5, 2));
    cone.apex = random.uniform(0.1, 1.0);
    const Point at{random.vector(rows), random.vector(rows)};
    const Vector xi = at.P - cone.p * at.y;
    const double length = xi.tail(rows - 1).norm();
    const double bound = cone.mu * std::max(xi[0], cone.apex);
    if (std::abs(xi[0] - cone.apex) < 0.05 || std::abs(length - bound) < 0.05) continue;
    if (rows == 3 && length < 0.3) continue;
    const bool presses = xi[0] > cone.apex, sticks = rows > 1 && length < bound;
    ++seen[(presses ? 2U : 0U) + (sticks ? 1U : 0U)];

    const ContactEquations equations = contact_equations(cone, at.y.data(), at.P.data());
    EXPECT_EQ(equations.state, sticks ? ContactState::stick : ContactState::slip);
    const double normal = presses ? -cone.k * at.y[0] : -cone.k / cone.p * (at.P[0] - cone.apex);
    EXPECT_EQ(equations.r[0], normal);
    Eigen::MatrixXd D(rows, rows);
    Eigen::MatrixXd E(rows, rows);
    for (Index i = 0; i < rows; ++i) {
      const Vector e = Vector::Unit(rows, i);
      D.col(i) = support::derivative([&](double t) { return residual(cone, {at.y + t * e, at.P}); });
      E.col(i) = support::derivative([&](double t) { return residual(cone, {at.y, at.P + t * cone.k * e}); });
    }
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.D.data(), rows, rows), D, 1e-8, "dr/dy");
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.E.data(), rows, rows), E, 1e-8, "dr/dx");
  }
  for (const int count : seen) EXPECT_GT(count, 30);
}

/// Rolling sticks and slips independently, under the same bound.
TEST(AugmentedLaw, RollingHasAConeOfItsOwnWithExactDerivatives) {
  Random random(8);
  std::array<int, 4> seen{};
  for (int sample = 0; sample < 800; ++sample) {
    const Index sliding = 1 + sample % 3;
    const Index rolling = 1 + sample % 2;
    const Index rows = 1 + sliding + rolling;
    const double mu = random.uniform(0.3, 1.5);
    const double k = random.uniform(0.5, 2);
    ContactCone cone = cone_of(rows, mu, k, random.uniform(0.5, 2));
    cone.rolling_rows = rolling;
    const Point at{random.vector(rows), random.vector(rows)};
    const Vector xi = at.P - cone.p * at.y;
    const double slides = xi.segment(1, sliding).norm();
    const double rolls = xi.tail(rolling).norm();
    if (xi[0] < 0.05 || std::abs(slides - mu * xi[0]) < 0.05 || std::abs(rolls - mu * xi[0]) < 0.05) continue;
    if (slides < 0.3 || rolls < 0.3) continue;
    const bool is_slipping = slides > mu * xi[0];
    const bool is_rolling = rolls > mu * xi[0];
    ++seen[(is_slipping ? 1U : 0U) + (is_rolling ? 2U : 0U)];
    const ContactEquations equations = contact_equations(cone, at.y.data(), at.P.data());
    EXPECT_EQ(equations.state, is_slipping ? ContactState::slip : ContactState::stick);
    const Vector r = Eigen::Map<const Vector>(equations.r.data(), rows);
    EXPECT_EQ(r, residual(cone, at));
    const Vector bound = cone.k / cone.p * (mu * xi[0] / rolls * xi.tail(rolling) - at.P.tail(rolling));
    support::expect_near(r.tail(rolling), is_rolling ? bound : Vector(-cone.k * at.y.tail(rolling)), 1e-14,
                         "rolling");
    Eigen::MatrixXd D(rows, rows);
    Eigen::MatrixXd E(rows, rows);
    for (Index i = 0; i < rows; ++i) {
      const Vector e = Vector::Unit(rows, i);
      D.col(i) = support::derivative([&](double s) { return residual(cone, {at.y + s * e, at.P}); });
      E.col(i) = support::derivative([&](double s) { return residual(cone, {at.y, at.P + s * k * e}); });
    }
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.D.data(), rows, rows), D, 1e-8, "dr/dy");
    support::expect_near(Eigen::Map<const Eigen::MatrixXd>(equations.E.data(), rows, rows), E, 1e-8, "dr/dx");
  }
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(AugmentedLaw, TheProximalTermActsOnActiveRowsOnly) {
  Random random(6);
  for (const ContactState wanted : all_states) {
    ContactCone cone = cone_of(3, 0.4);
    const Point at = random_solution(random, cone, wanted);
    const ContactEquations plain = contact_equations(cone, at.y.data(), at.P.data());
    cone.epsilon = 0.25;
    const ContactEquations proximal = contact_equations(cone, at.y.data(), at.P.data());
    EXPECT_EQ(plain.r, proximal.r);
    EXPECT_EQ(plain.D, proximal.D);
    const Mat3 change = Eigen::Map<const Mat3>(proximal.E.data()) - Eigen::Map<const Mat3>(plain.E.data());
    Vec3 expected = Vec3::Zero();
    if (wanted == ContactState::stick) expected.setConstant(-0.25);
    if (wanted == ContactState::slip) expected[0] = -0.25;
    EXPECT_EQ(change, Mat3(expected.asDiagonal()));
  }
}

TEST(AugmentedLaw, MotionThatIsNotANumberStaysVisible) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double mu : {0.0, 0.4}) {
    for (Index rows = 1; rows <= 3; ++rows) {
      for (Index i = 0; i < rows; ++i) {
        Point closed = point_of(0, Vector::Zero(rows - 1), 1, Vector::Zero(rows - 1));
        closed.y[i] = nan;
        EXPECT_FALSE(residual(cone_of(rows, mu), closed).allFinite()) << "row " << i << " of " << rows;
      }
    }
  }
}

}  // namespace
}  // namespace picus
