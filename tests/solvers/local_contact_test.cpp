#include <picus/solvers/contact/local_contact.hpp>
#include <support/random.hpp>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace picus::local_contact_test {

using solvers::solve_local;
using support::Random;

TEST(LocalContact, SolvesItsEquationsInEveryState) {
  Random random(1);
  std::array<int, 3> seen{};
  for (const Index rows : {1, 2, 3, 4}) {
    for (int k = 0; k < 300; ++k) {
      const Eigen::MatrixXd G = random.matrix(rows, 6);
      Eigen::MatrixXd W = G * G.transpose();
      if (k % 3 == 0) W += 0.02 * random.matrix(rows, rows);  // mean columns make it unsymmetric
      const Vector b = random.vector(rows);
      const ContactCone cone{
          .rows = rows, .mu = rows == 1 ? 0.0 : random.uniform(0.0, 1.5), .k = 0.7, .p = 0.7};
      Vector P = random.vector(rows);
      solve_local(cone, W.data(), b.data(), P.data());
      const Vector y = b + W * P;
      std::array<double, max_contact_rows> r{};
      const ContactState state = contact_residual(cone, y.data(), P.data(), r.data());
      ++seen[place_of(state)];
      // The tangential matrix has eigenvalues down to 1e-3 of W: 1e-11 is 1e4 roundings.
      for (Index i = 0; i < rows; ++i) EXPECT_NEAR(r[i], 0.0, 1e-11) << rows << " rows, case " << k;
    }
  }
  for (const int count : seen) EXPECT_GT(count, 50) << "open, sticking and sliding ones";
}

TEST(LocalContact, ResistsRollingAfterAFewTurns) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const Eigen::MatrixXd G = random.matrix(5, 12);
    const Eigen::MatrixXd W = G * G.transpose();
    const Vector b = random.vector(5);
    const ContactCone cone{.rows = 5, .mu = 0.4, .rolling_rows = 2};
    Vector P = Vector::Zero(5);
    // Sliding and rolling are solved alternately.
    for (int turn = 0; turn < 400; ++turn) solve_local(cone, W.data(), b.data(), P.data());
    const Vector y = b + W * P;
    std::array<double, max_contact_rows> r{};
    contact_residual(cone, y.data(), P.data(), r.data());
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(r[i], 0.0, 1e-8) << k;
  }
}

// Balls on planes, in which sliding and rolling are coupled by their rotation: one call is enough, whether they stick,
// slide, roll, do both, or lift off.
TEST(LocalContact, SolvesBallsThatResistRollingAtOnce) {
  Random random(3);
  std::array<int, 3> seen{};
  int rolls = 0, rests = 0;
  for (const bool drills : {false, true}) {
    for (const Index directions : {1, 2}) {
      for (int k = 0; k < 200; ++k) {
        const double r = 0.03, J = 0.4 * r * r, arm = 0.1 * r;  // for a unit mass
        const Index drilling = drills && directions == 2 ? 1 : 0;
        const Index rows = 1 + 2 * directions + drilling;
        Eigen::MatrixXd G = Eigen::MatrixXd::Zero(rows, 6);  // normal z: u, then omega
        G(0, 2) = 1;
        for (Index d = 0; d < directions; ++d) {
          const Index axis = d == 0 ? 4 : 3;
          G(1 + d, d) = 1;
          G(1 + d, axis) = d == 0 ? -r : r;
          G(1 + directions + drilling + d, axis) = d == 0 ? arm : -arm;
        }
        if (drilling > 0) G(1 + directions, 5) = arm;
        Eigen::VectorXd inverse(6);
        inverse << 1, 1, 1, 1 / J, 1 / J, 1 / J;
        const Eigen::MatrixXd W = G * inverse.asDiagonal() * G.transpose();
        Vector motion = random.vector(6);
        motion[2] -= 0.5;
        motion.tail(3) /= r;
        const Vector b = (k % 4 == 0 ? 0.02 : 1.0) * (G * motion) -
                         (k % 4 == 0 ? Vector(Vector::Unit(rows, 0)) : Vector(Vector::Zero(rows)));
        const ContactCone cone{.rows = rows, .mu = 0.4, .rolling_rows = directions};
        Vector P = random.vector(rows);
        solve_local(cone, W.data(), b.data(), P.data());
        const Vector y = b + W * P;
        std::array<double, max_contact_rows> residual{};
        const ContactState state = contact_residual(cone, y.data(), P.data(), residual.data());
        ++seen[place_of(state)];
        if (state != ContactState::gap) ++(y.tail(directions).norm() > 1e-9 ? rolls : rests);
        for (Index i = 0; i < rows; ++i) EXPECT_NEAR(residual[i], 0.0, 1e-9) << rows << " rows, case " << k;
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 20) << "open, sticking and sliding ones";
  EXPECT_GT(rolls, 50);
  EXPECT_GT(rests, 50);
}

/// With an apex as well: the law holds, at the apex and above it.
TEST(LocalContact, WithAnApexSatisfiesTheLaw) {
  Random random(31);
  int at_apex = 0, above = 0;
  for (int sample = 0; sample < 400; ++sample) {
    const Index rows = 1 + sample % 3;
    const Eigen::MatrixXd arm = random.matrix(rows, 6);
    const Eigen::MatrixXd W = arm * arm.transpose();
    const ContactCone cone{.rows = rows, .mu = random.uniform(0, 0.3), .apex = random.uniform(0.05, 0.5)};
    const Vector b = random.vector(rows);
    Vector P = Vector::Zero(rows), r(rows);
    solve_local(cone, W.data(), b.data(), P.data());
    const Vector y = b + W * P;
    contact_residual(cone, y.data(), P.data(), r.data());
    EXPECT_LT(r.norm(), 1e-12) << sample;
    EXPECT_GE(P[0], cone.apex);
    ++(P[0] > cone.apex ? above : at_apex);
  }
  EXPECT_GT(at_apex, 50);
  EXPECT_GT(above, 50);
}

TEST(LocalContact, CarriesNothingWhenDisabledAndKeepsWhatNothingMoves) {
  const std::array<double, 9> nothing{};
  const std::array<double, 3> b = {-1, 0.5, 0.2};
  std::array<double, 3> P = {2, 0, 0};
  solve_local({.rows = 3, .mu = 0.0}, nothing.data(), b.data(), P.data());
  EXPECT_EQ(P[0], 2.0);
  solve_local({.rows = 3, .mu = 0.3, .is_candidate = false}, nothing.data(), b.data(), P.data());
  EXPECT_EQ(P[0], 0.0);
}

}  // namespace picus::local_contact_test
