#include <picus/solvers/contact/projected_gauss_seidel.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <optional>

namespace picus::projected_gauss_seidel_test {
namespace {

using support::Random;

/// A linear contact problem y = b + A P.
struct Problem {
  std::vector<ContactCone> cones;
  Eigen::MatrixXd A;
  Vector b;
};

/// Contacts with 1 + directions rows each on a random system of `dofs` components: A = G G^T.
Problem random_problem(Random& random, int contacts, Index rows, Index dofs, double mu) {
  Problem problem;
  for (Index c = 0; c < contacts; ++c) {
    problem.cones.push_back({.rows = rows, .first_row = c * rows, .mu = mu});
  }
  const Eigen::MatrixXd G = random.matrix(contacts * rows, dofs);
  problem.A = G * G.transpose();
  problem.b = G * random.vector(dofs);  // so that a motion free of contacts exists
  return problem;
}

/// What Signorini's and Coulomb's conditions are violated by, relative to the size of b.
double violation(const Problem& problem, const Vector& P) {
  const Vector y = problem.b + problem.A * P;
  double worst = 0;
  for (const ContactCone& cone : problem.cones) {
    const Index n = cone.first_row;
    if (!cone.enabled) {
      worst = std::max(worst, P.segment(n, cone.rows).lpNorm<Eigen::Infinity>());
      continue;
    }
    worst = std::max({worst, -y[n], -P[n], std::abs(y[n] * P[n])});
    if (cone.rows == 1) continue;
    const Vector slip = y.segment(n + 1, cone.rows - 1);
    const Vector friction = P.segment(n + 1, cone.rows - 1);
    const double limit = cone.mu * P[n];
    worst = std::max(worst, friction.norm() - limit);
    // Maximum dissipation: -P_T . y_T = mu P_N |y_T|, which also gives stick inside the cone.
    worst = std::max(worst, std::abs(friction.dot(slip) + limit * slip.norm()));
  }
  return worst / std::max(1.0, problem.b.norm());
}

Vector solve(const Problem& problem, const Vector& start) {
  Vector P = start;
  solve_gauss_seidel(problem.cones, problem.A, problem.b, P, {.max_sweeps = 20000, .tolerance = 1e-13});
  return P;
}
Vector solve(const Problem& problem) {
  return solve(problem, Vector::Zero(problem.b.size()));
}

/// All ways for planar or frictionless contacts to be open, stuck, or slipping either way; the solutions of
/// the linear equations of each that satisfy all conditions.
std::vector<Vector> enumerate(const Problem& problem) {
  const auto count = problem.cones.size();
  const Index size = static_cast<Index>(problem.b.size());
  const int states = problem.cones[0].rows == 1 ? 2 : 4;
  std::vector<Vector> solutions;
  for (int code = 0; code < std::pow(states, count); ++code) {
    Eigen::MatrixXd equations = Eigen::MatrixXd::Identity(size, size);
    Vector right = Vector::Zero(size);
    int rest = code;
    for (const ContactCone& cone : problem.cones) {
      const int state = rest % states;  // 0 open, 1 closed or stuck, 2 and 3 slipping
      rest /= states;
      const Index n = cone.first_row;
      const auto closed = [&](Index row) {
        equations.row(row) = problem.A.row(row);
        right[row] = -problem.b[row];
      };
      if (state == 0) continue;
      closed(n);
      if (cone.rows == 1) continue;
      if (state == 1) closed(n + 1);
      if (state >= 2) equations(n + 1, n) = state == 2 ? cone.mu : -cone.mu;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(equations);
    if (!lu.isInvertible()) continue;
    const Vector P = lu.solve(right);
    if (violation(problem, P) < 1e-10) solutions.push_back(P);
  }
  return solutions;
}

/// Sweeps converge linearly and stop when P changes by 1e-13 in one; the error left is that over one minus
/// their contraction. Measured: 1.2e-11.
constexpr double tolerance = 1e-10;

TEST(ProjectedGaussSeidel, SatisfiesTheContactConditions) {
  Random random(12);
  for (int sample = 0; sample < 200; ++sample) {
    const int contacts = 1 + sample % 6;
    const auto rows = static_cast<Index>(1 + sample % 3);
    const Index dofs = 3 * contacts * rows;
    const Problem problem = random_problem(random, contacts, rows, dofs, random.uniform(0, 0.8));
    EXPECT_LE(violation(problem, solve(problem)), tolerance) << contacts << " contacts of " << rows;
  }
}

TEST(ProjectedGaussSeidel, SatisfiesThemWithMoreRowsThanTheSystemHasComponents) {
  Random random(13);
  for (int sample = 0; sample < 100; ++sample) {
    const Problem problem = random_problem(random, 4, 3, 6, 0.3);  // twelve rows on a rigid body
    EXPECT_LE(violation(problem, solve(problem)), tolerance);
  }
}

TEST(ProjectedGaussSeidel, AgreesWithEnumerationForOneAndTwoContacts) {
  Random random(14);
  int unique = 0;
  for (int sample = 0; sample < 400; ++sample) {
    const int contacts = 1 + sample % 2;
    const auto rows = static_cast<Index>(1 + sample / 2 % 2);
    const Problem problem = random_problem(random, contacts, rows, 3 * contacts * rows, 0.3);
    const std::vector<Vector> solutions = enumerate(problem);
    ASSERT_FALSE(solutions.empty()) << "friction is small enough for a solution";
    if (solutions.size() > 1) continue;  // neighbouring states that meet in one solution, or several
    ++unique;
    EXPECT_LE((solve(problem) - solutions[0]).norm(), tolerance * std::max(1.0, solutions[0].norm()));
  }
  EXPECT_GE(unique, 380);
}

TEST(ProjectedGaussSeidel, FindsTheSameFromAnyStart) {
  Random random(15);
  for (int sample = 0; sample < 50; ++sample) {
    const Problem problem = random_problem(random, 2, 3, 18, 0.2);
    const Vector from_zero = solve(problem);
    const Vector from_elsewhere = solve(problem, random.vector(problem.b.size(), 10));
    EXPECT_LE((from_zero - from_elsewhere).norm(), tolerance * std::max(1.0, from_zero.norm()));
  }
}

TEST(ProjectedGaussSeidel, KeepsDisabledContactsAtZero) {
  Random random(16);
  Problem problem = random_problem(random, 3, 3, 27, 0.4);
  problem.cones[1].enabled = false;
  const Vector P = solve(problem, random.vector(9));
  EXPECT_EQ(Vec3(P.segment<3>(3)), Vec3::Zero());
  EXPECT_LE(violation(problem, P), tolerance);
}

TEST(ProjectedGaussSeidel, TakesRowsThatNothingCanMove) {
  // A normal row and a friction row without compliance: the multiplier is not determined and stays.
  Problem problem{{{.rows = 2, .first_row = 0, .mu = 0.5}}, Eigen::Matrix2d::Zero(), Vector::Zero(2)};
  EXPECT_EQ(solve(problem), Vector::Zero(2));
  problem.A(0, 0) = 2;
  problem.b[0] = -1;
  EXPECT_EQ(solve(problem), Vector(Eigen::Vector2d(0.5, 0)));
}

TEST(ProjectedGaussSeidel, ReportsItsSweeps) {
  Random random(17);
  const Problem problem = random_problem(random, 3, 3, 27, 0.4);
  Vector P = Vector::Zero(9);
  EXPECT_EQ(solve_gauss_seidel(problem.cones, problem.A, problem.b, P, {.max_sweeps = 2}), 2);
  const int sweeps = solve_gauss_seidel(problem.cones, problem.A, problem.b, P);
  EXPECT_LT(sweeps, GaussSeidelOptions{}.max_sweeps);
  EXPECT_LE(solve_gauss_seidel(problem.cones, problem.A, problem.b, P), 2) << "already solved";
}

}  // namespace
}  // namespace picus::projected_gauss_seidel_test
