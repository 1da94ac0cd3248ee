/// Poisson's law of impact: closed forms, all states of several contacts, and no gain of energy.

#include "impacts.hpp"
#include <picus/solvers/contact/poisson_impact.hpp>
#include <support/impact_states.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace picus::poisson_impact_test {
namespace {

using solvers::Impact;
using solvers::PoissonImpact;
using solvers::PoissonReport;

Vector impulses(const Impact& impact) {
  Vector P;
  PoissonImpact law;
  EXPECT_TRUE(law.solve(impact, P).converged);
  return P;
}

/// A ball on the ground, along the normal and one tangent.
Impact ball_on_ground(double e, double mu, double u_N, double u_T) {
  Impact impact{
      .contacts = {{.rows = 2, .mu = mu, .e = e}}, .W = Eigen::Vector2d(1.0, 3.5).asDiagonal(), .u_0 = {}};
  impact.u_0 = Eigen::Vector2d(u_N, u_T);
  return impact;
}

// The row moves with its mean velocity after the compression, and the impulses of the expansion are e times the same.
TEST(PoissonImpact, ARowOfBallsExpandsAsItWasCompressed) {
  for (const double e : {0.0, 0.3, 1.0}) {
    for (std::size_t n = 2; n <= 5; ++n) {
      const BallRow row = equal_balls(n);
      Vector expected = Vector::Constant(count_of(row.mass), (1 + e) / static_cast<double>(n));
      expected[0] -= e;
      EXPECT_LT((row.after(impulses(row.impact(e))) - expected).norm(), 1e-11) << n << " " << e;
    }
  }
}

// Slides throughout, with all of the impulse (1 + e) m u; or stops, with the impulse that rolling takes.
TEST(PoissonImpact, FrictionOfABallObeysCoulombsLaw) {
  const Vector slides = impulses(ball_on_ground(0.6, 0.1, -2.0, 5.0));
  EXPECT_NEAR(slides[0], 3.2, 1e-11);
  EXPECT_NEAR(slides[1], -0.32, 1e-11);
  const Vector stops = impulses(ball_on_ground(0.6, 0.5, -2.0, 0.7));
  EXPECT_NEAR(stops[0], 3.2, 1e-11);
  EXPECT_NEAR(stops[1], -0.2, 1e-11);
  // Stops in the expansion only: 2 mu < 1.4 / 3.5 < 3.2 mu.
  const Vector later = impulses(ball_on_ground(0.6, 0.15, -2.0, 1.4));
  EXPECT_NEAR(later[1], -0.4, 1e-11);
}

// Normal and tangential motion are coupled: sliding with u_N = 0 and sliding in the expansion by hand.
TEST(PoissonImpact, PhasesOfAnEccentricBody) {
  Impact impact{.contacts = {{.rows = 2, .mu = 0.2, .e = 0.5}},
                .W = Eigen::MatrixXd(2, 2),
                .u_0 = Eigen::Vector2d(-1, 2)};
  impact.W << 2.0, 0.8, 0.8, 3.0;
  const double P_C = 1.0 / (2.0 - 0.2 * 0.8);
  const double u_T = 2.0 + (0.8 - 0.2 * 3.0) * 1.5 * P_C;
  ASSERT_GT(u_T, 0);
  const Vector P = impulses(impact);
  EXPECT_NEAR(P[0], 1.5 * P_C, 1e-11);
  EXPECT_NEAR(P[1], -0.3 * P_C, 1e-11);
}

// Where friction reverses, the expansion may return more energy than was lost: then its impulses are reduced.
TEST(PoissonImpact, NeverGainsEnergy) {
  support::Random random(7);
  PoissonImpact law;
  Vector P;
  double energy = 0.0;
  int unsolved = 0, limited = 0;
  for (int k = 0; k < 100000; ++k) {
    const Impact impact = random_impact(random, energy);
    if (!(impact.approach() > 0)) continue;
    const PoissonReport report = law.solve(impact, P);
    unsolved += report.converged ? 0 : 1;
    limited += report.converged && report.restored < 1 ? 1 : 0;
    ASSERT_LT(impact.energy_change(P), 1e-12 * energy) << k;
    if (!report.converged) continue;
    const Vector u = impact.u_0 + impact.W * P;
    for (const solvers::ImpactContact& contact : impact.contacts) {
      const Index n = contact.first_row;
      ASSERT_GT(u[n], -1e-8) << k;
      ASSERT_LE(P.segment(n + 1, contact.rows - 1).norm(), contact.mu * P[n] + 1e-8) << k;
    }
  }
  EXPECT_EQ(unsolved, 0);
  EXPECT_GT(limited, 0);
}

/// Contacts with one friction direction on a body or a mechanism with the given number of degrees of freedom.
support::PlanarContacts random_planar_contacts(support::Random& random, Index count, Index components) {
  const Eigen::MatrixXd G = random.matrix(2 * count, components);
  support::PlanarContacts contacts{
      .W = G * G.transpose(), .u_0 = G * random.vector(components), .mu = {}, .e = {}};
  for (Index i = 0; i < count; ++i) {
    contacts.mu.push_back(random.uniform(0, 1.5));
    contacts.e.push_back(random.uniform(0, 1));
  }
  return contacts;
}

Impact impact_of(const support::PlanarContacts& contacts) {
  Impact impact{.contacts = {}, .W = contacts.W, .u_0 = contacts.u_0};
  for (Index i = 0; i < count_of(contacts.mu); ++i)
    impact.contacts.push_back({.first_row = 2 * i, .rows = 2, .mu = contacts.mu[i], .e = contacts.e[i]});
  return impact;
}

// Rates and impulses of two and of three contacts, in all states of sticking and sliding in both phases.
TEST(PoissonImpact, SeveralContactsAreInAStateOfTheEnumeration) {
  support::Random random(9);
  PoissonImpact law;
  Vector P;
  int compared = 0;
  for (int k = 0; k < 3000; ++k) {
    const Index count = k % 10 == 0 ? 3 : 2;
    const support::PlanarContacts contacts = random_planar_contacts(random, count, 2 * count);
    const Impact impact = impact_of(contacts);
    if (!(impact.approach() > 0.05)) continue;
    const PoissonReport report = law.solve(impact, P);
    ASSERT_TRUE(report.converged) << k;
    if (report.restored < 1) continue;
    const std::vector<Vector> all = support::impulses_after_poisson(contacts);
    ASSERT_FALSE(all.empty()) << k;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vector& exact : all) nearest = std::min(nearest, (impact.W * (P - exact)).norm());
    ASSERT_LT(nearest, 1e-8 * impact.u_0.norm()) << k << ", " << all.size() << " solutions";
    ++compared;
  }
  EXPECT_GT(compared, 1500);
}

// A body in a plane with two contacts has a motion less than they have rows: their impulses are not unique if both stick.
TEST(PoissonImpact, CompressionOfABodyWithTwoContactsObeysTheLaw) {
  support::Random random(10);
  PoissonImpact law;
  Vector P;
  for (int k = 0; k < 20000; ++k) {
    support::PlanarContacts contacts = random_planar_contacts(random, 2, k % 4 == 0 ? 2 : 3);
    contacts.e = {0.0, 0.0};
    const Impact impact = impact_of(contacts);
    if (!(impact.approach() > 0)) continue;
    ASSERT_TRUE(law.solve(impact, P).converged) << k;
    const Vector u = contacts.u_0 + contacts.W * P;
    const double speed = contacts.u_0.norm();
    for (Index i = 0; i < 2; ++i) {
      const Index N = 2 * i, T = N + 1;
      const double bound = contacts.mu[i] * P[N];
      const double slack = 1e-7 * speed / contacts.W(N, N);
      ASSERT_GE(P[N], -slack) << k;
      ASSERT_GE(u[N], -1e-8 * speed) << k;
      ASSERT_LE(std::min(u[N] / speed, P[N] * contacts.W(N, N) / speed), 1e-7) << k;
      ASSERT_LE(std::abs(P[T]), bound + slack) << k;
      if (std::abs(u[T]) > 1e-7 * speed) {
        ASSERT_NEAR(P[T], u[T] > 0 ? -bound : bound, slack) << k;
      }
    }
  }
}

}  // namespace
}  // namespace picus::poisson_impact_test
