/// The law of impact after Liu, Zhao and Brogliato, against another integration of the equations over the impulse, and
/// closed forms. Rows of balls against Hertz' contacts: verification/contacts/impact_laws_test.

#include "impacts.hpp"
#include <picus/solvers/contact/lzb_impact.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace picus::lzb_impact_test {
namespace {

using solvers::Impact;
using solvers::LzbImpact;

Vector impulses(const Impact& impact, double exponent = 1.5) {
  Vector P;
  LzbImpact law;
  EXPECT_TRUE(law.solve(impact, exponent, P).ended);
  return P;
}

double distance(const Vector& v, const std::vector<double>& expected) {
  return (v - Eigen::Map<const Vector>(expected.data(), count_of(expected))).norm();
}

TEST(LzbImpact, OneContactGivesBackItsPartOfTheSpeed) {
  for (const double e : {0.0, 0.05, 0.5, 0.9, 1.0}) {
    const BallRow row{{1.0, 3.0}, {1.0, -0.5}};
    const Vector v = row.after(impulses(row.impact(e)));
    EXPECT_NEAR(v[1] - v[0], 1.5 * e, 1e-9) << e;
    EXPECT_NEAR(v[0] + 3 * v[1], -0.5, 1e-12) << e;
  }
}

// Hinch and Saint-Jean (1999): the first ball of a long row after Hertz comes back with 0.071 of its speed.
TEST(LzbImpact, TheFirstBallOfALongRowComesBack) {
  const BallRow row = equal_balls(12);
  EXPECT_NEAR(row.after(impulses(row.impact(1.0)))[0], -0.071, 5e-4);
}

// With linear contacts the three balls vibrate until the first contact opens,
//     v_1 = 1/3 + 1/2 cos(w t) + 1/6 cos(sqrt(3) w t),
// and the other two part with the energy that is left.
TEST(LzbImpact, ThreeBallsWithLinearContacts) {
  const double w = std::sqrt(3.0);
  const auto force = [&](double t) { return 0.5 * std::sin(t) + w / 6 * std::sin(w * t); };
  double low = 1.0, high = 3.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (force(middle) > 0 ? low : high) = middle;
  }
  const double v_1 = 1.0 / 3 + 0.5 * std::cos(low) + std::cos(w * low) / 6;
  const double mean = 0.5 * (1 - v_1);
  // Momentum and energy: v_2 + v_3 = 1 - v_1, v_2^2 + v_3^2 = 1 - v_1^2.
  const double half = std::sqrt(0.5 * (1 - v_1 * v_1) - mean * mean);
  const BallRow row = equal_balls(3);
  EXPECT_LT(distance(row.after(impulses(row.impact(1.0), 1.0)), {v_1, mean - half, mean + half}), 1e-4);
}

/// The equations of the law over the impulse of the contact with the largest energy, by small steps. A contact without
/// energy begins with a small one: the equations have two solutions there.
Vector over_the_impulse(const Impact& impact, double exponent, double step) {
  Vector u = impact.u_0, P = Vector::Zero(u.size()), E = P, dP = P;
  const double power = exponent / (exponent + 1);
  while (true) {
    bool goes_on = false;
    Index first = 0;
    for (Index i = 0; i < u.size(); ++i) {
      if (E[i] <= 0 && u[i] < -1e-7) E[i] = 1e-13;
      goes_on = goes_on || E[i] > 0;
      if (E[i] > E[first]) first = i;
    }
    if (!goes_on) return P;
    for (Index i = 0; i < u.size(); ++i) {
      const double ratio = std::max(E[i], 0.0) / E[first];
      dP[i] = step *
              std::pow(impact.contacts[i].stiffness / impact.contacts[first].stiffness, 1 / (exponent + 1)) *
              std::pow(ratio, power);
    }
    const Vector u_next = u + impact.W * dP;
    for (Index i = 0; i < u.size(); ++i) {
      const double e = impact.contacts[i].e;
      const double mean = 0.5 * (u[i] + u_next[i]);
      E[i] -= (mean < 0 ? 1.0 : 1.0 / (e * e)) * mean * dP[i];
      if (E[i] < 1e-14 && u_next[i] > 0) E[i] = 0.0;
    }
    P += dP;
    u = u_next;
  }
}

TEST(LzbImpact, AgreesWithTheEquationsOverTheImpulse) {
  const BallRow row{{1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}};
  for (const double e : {0.5, 0.8, 0.95}) {
    for (const double stiffness : {0.3, 1.0, 5.0}) {
      const Impact impact = row.impact(e, {1.0, stiffness});
      EXPECT_LT((row.after(impulses(impact)) - row.after(over_the_impulse(impact, 1.5, 2e-5))).norm(), 2e-3)
          << e << " " << stiffness;
    }
  }
}

TEST(LzbImpact, FrictionOfABallObeysCoulombsLaw) {
  Impact impact{.contacts = {{.rows = 3, .mu = 0.1, .e = 0.6}},
                .W = Eigen::Vector3d(1.0, 3.5, 3.5).asDiagonal(),
                .u_0 = Eigen::Vector3d(-2, 3, 4)};
  EXPECT_LT((impulses(impact) - Eigen::Vector3d(3.2, -0.192, -0.256)).norm(), 1e-6);
  impact.contacts[0].mu = 0.9;
  EXPECT_LT((impulses(impact) - Eigen::Vector3d(3.2, -3 / 3.5, -4 / 3.5)).norm(), 1e-6);
}

// A body with one degree of freedom: normal and tangential motion are the same.
TEST(LzbImpact, APendulumThatIsWedgedByFrictionStops) {
  Impact impact{.contacts = {{.rows = 3, .mu = 2.0, .e = 0.5}}, .W = Eigen::MatrixXd(3, 3), .u_0 = {}};
  const Eigen::Vector3d G(0.5, 0.8, 0.1);
  impact.W = G * G.transpose();
  impact.u_0 = -G;
  const Vector P = impulses(impact);
  EXPECT_LT((impact.u_0 + impact.W * P).norm(), 1e-4);
}

TEST(LzbImpact, NeverGainsEnergy) {
  support::Random random(11);
  LzbImpact law;
  Vector P;
  double energy = 0.0;
  const int count = std::getenv("PICUS_FULL_TESTS") != nullptr ? 100000 : 1000;
  int unended = 0;
  for (int k = 0; k < count; ++k) {
    const Impact impact = random_impact(random, energy);
    if (!(impact.approach() > 0)) continue;
    const bool ended = law.solve(impact, 1.5, P).ended;
    unended += ended ? 0 : 1;
    ASSERT_LT(impact.energy_change(P), 1e-13 * energy) << k;
    for (const solvers::ImpactContact& contact : impact.contacts) {
      const Index n = contact.first_row;
      ASSERT_GE(P[n], 0.0) << k;
      ASSERT_LE(P.segment(n + 1, contact.rows - 1).norm(), contact.mu * P[n] * (1 + 1e-12)) << k;
      if (ended) {
        ASSERT_GE(impact.u_0[n] + impact.W.row(n).dot(P), -1.1e-5 * impact.approach()) << k;
      }
    }
  }
  EXPECT_LT(unended, count / 30);
}

}  // namespace
}  // namespace picus::lzb_impact_test
