#include <picus/solvers/contact/contact_solver.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>
#include <support/random.hpp>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace picus::contact_solver_test {

using solvers::ContactNewton;
using solvers::ContactProximal;
using solvers::ContactSolver;
using solvers::DelassusOperator;
using solvers::DelassusProblem;
using solvers::GaussSeidel;
using solvers::InteriorPointSolver;
using solvers::make_contact_cones;
using solvers::make_contact_weights;
using solvers::make_delassus_operator;
using solvers::make_sparse_matrix;
using solvers::solve_interior_point;

namespace {

using support::Random;

/// Contacts between bodies of six components and unit mass, or between one of them and the ground: y = b + W P.
struct Problem {
  std::vector<ContactCone> cones;
  DelassusOperator W;
  Vector b, weight;
  Eigen::MatrixXd dense;

  /// The largest weighted residual of the law, with y from the dense matrix.
  double residual(const Vector& P) const {
    const Vector y = b + dense * P;
    double worst = 0.0;
    std::array<double, max_contact_rows> r{};
    for (const ContactCone& cone : cones) {
      contact_residual(cone, &y[cone.first_row], &P[cone.first_row], r.data());
      for (Index i = 0; i < cone.rows; ++i)
        worst = std::max(worst, std::abs(r[i]) * weight[cone.first_row + i]);
    }
    return worst;
  }
};

/// A contact-free motion exists, and unit tolerances are `tolerance` of the speeds.
Problem random_problem(Random& random, int bodies, int contacts, Index rows, double mu,
                       double tolerance = 1e-8) {
  Problem problem;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(contacts * rows, 6 * bodies);
  for (Index c = 0; c < contacts; ++c) {
    const Index one = c % bodies;
    const Index other = (one + 1 + c / bodies) % (bodies + 1);  // the last one is the ground
    const Eigen::MatrixXd arm = random.matrix(rows, 6);
    G.block(c * rows, 6 * one, rows, 6) = arm;
    if (other < bodies && other != one) G.block(c * rows, 6 * other, rows, 6) = -random.matrix(rows, 6);
  }
  problem.dense = G * G.transpose();
  problem.b = G * random.vector(6 * bodies);
  problem.weight = Vector::Constant(contacts * rows, 1.0 / tolerance);
  for (Index c = 0; c < contacts; ++c) {
    problem.cones.push_back({.rows = rows, .first_row = c * rows, .mu = mu});
    problem.W.add_contact(rows);
    for (Index d = 0; d < contacts; ++d) {
      const Eigen::MatrixXd block = problem.dense.block(c * rows, d * rows, rows, rows);
      if (!block.isZero(0.0)) problem.W.add_to(d, rows) += block;
    }
  }
  return problem;
}

}  // namespace

TEST(GaussSeidelSweeps, ReachTenDigitsWhereContactsAreIndependent) {
  Random random(3);
  for (int k = 0; k < 10; ++k) {
    const Problem problem = random_problem(random, 60, 80, 3, 0.3, 1e-10);
    Vector P = Vector::Zero(problem.b.size());
    GaussSeidel sweeps;
    const auto report =
        sweeps.solve({problem.cones, problem.W, problem.b, problem.weight}, P, {.max_sweeps = 400});
    EXPECT_TRUE(report.converged) << report.residual;
    // Later contacts of the last sweep move earlier ones by less than they did.
    EXPECT_LT(problem.residual(P), 10.0);
  }
}

TEST(GaussSeidelSweeps, EndAtAResidualThatSufficesWhereAFewDoNotReachTheTolerance) {
  Random random(3);
  const Problem problem = random_problem(random, 60, 80, 3, 0.3, 1e-10);
  const DelassusProblem data{problem.cones, problem.W, problem.b, problem.weight};
  constexpr double sufficient = 1e6;
  Vector P = Vector::Zero(problem.b.size());
  GaussSeidel sweeps;
  const auto rough = sweeps.solve(data, P, {.max_sweeps = 400, .sufficient_residual = sufficient});
  EXPECT_TRUE(rough.converged);
  EXPECT_GT(rough.sweeps, 10);
  EXPECT_GT(rough.residual, 1.0);
  EXPECT_LE(rough.residual, sufficient);
  // From a solution a single sweep confirms it, whatever else would suffice.
  sweeps.solve(data, P, {.max_sweeps = 400});
  const auto confirmed = sweeps.solve(data, P, {.max_sweeps = 400, .sufficient_residual = sufficient});
  EXPECT_TRUE(confirmed.converged);
  EXPECT_LE(confirmed.residual, 1.0);
  EXPECT_LE(confirmed.sweeps, 2);
}

TEST(ContactNewtonIteration, GoesFromARoughSolutionToRounding) {
  Random random(4);
  int converged = 0;
  for (int k = 0; k < 10; ++k) {
    const Problem problem = random_problem(random, 30, 40, 3, 0.3, 1e-10);
    Vector P = Vector::Zero(problem.b.size());
    GaussSeidel sweeps;
    Vector rough = 1e-8 * problem.weight;  // 1e-2 of the speeds
    sweeps.solve({problem.cones, problem.W, problem.b, rough}, P);
    ContactNewton newton;
    const auto report = newton.solve({problem.cones, problem.W, problem.b, problem.weight}, P);
    EXPECT_NEAR(report.residual, problem.residual(P), 1e-3 * report.residual + 1e-3);
    converged += report.converged ? 1 : 0;
  }
  EXPECT_GE(converged, 8) << "of ten: Newton's iteration may cycle";
}

TEST(ContactProximalPoints, GoFromARoughSolutionOfRedundantContactsToATenThousandth) {
  Random random(8);
  for (const double mu : {0.2, 0.5}) {
    const Problem problem = random_problem(random, 10, 80, 3, mu);
    Vector P = Vector::Zero(problem.b.size());
    GaussSeidel sweeps;
    const Vector rough = 1e-7 * problem.weight;  // 0.1 of the speeds
    sweeps.solve({problem.cones, problem.W, problem.b, rough}, P);
    const double start = problem.residual(P);
    ContactProximal proximal;
    const auto report = proximal.solve({problem.cones, problem.W, problem.b, problem.weight}, P);
    EXPECT_NEAR(report.residual, problem.residual(P), 1e-3 * report.residual + 1e-3);
    EXPECT_LT(report.residual, 1e-4 * start) << mu;
    EXPECT_LE(report.iterations, 60);
    EXPECT_EQ(report.converged, report.residual <= 1.0);
  }
}

TEST(DelassusBlocks, ShiftTheirDiagonals) {
  Random random(9);
  Problem problem = random_problem(random, 5, 8, 3, 0.3);
  for (Index c = 0; c < 8; ++c) problem.W.shift_diagonal(c, 1.0 + c);
  Eigen::MatrixXd expected = problem.dense;
  for (Index i = 0; i < 24; ++i) expected(i, i) += 1.0 + i / 3;
  EXPECT_LT((problem.W.dense() - expected).norm(), 1e-12);
}

TEST(ContactSolution, IsFoundAlsoOfRedundantContacts) {
  Random random(5);
  for (const double mu : {0.0, 0.2, 0.8}) {
    // 240 rows on 60 components.
    const Problem problem = random_problem(random, 10, 80, 3, mu);
    Vector P = Vector::Zero(problem.b.size());
    ContactSolver solver;
    const auto report = solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P);
    EXPECT_TRUE(report.converged) << mu << ": " << report.residual;
    EXPECT_LE(problem.residual(P), 10.0) << mu;
  }
}

TEST(ContactSolution, BeginsWithTheGuessGiven) {
  Random random(6);
  const Problem problem = random_problem(random, 30, 40, 3, 0.3);
  Vector P = Vector::Zero(problem.b.size());
  ContactSolver solver;
  solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P,
               {.tolerance = 0.1, .acceptable_residual = 0.1});
  const auto again = solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P);
  EXPECT_TRUE(again.converged);
  EXPECT_LE(again.sweeps, 2);
}

TEST(ContactSolution, GoesOnAsMultipliersHaveChangedWhereThatHelps) {
  Random random(21);
  Problem problem = random_problem(random, 30, 60, 3, 0.3);
  const Vector step = 1e-5 * problem.b.cwiseAbs().maxCoeff() * random.vector(problem.b.size());
  ContactSolver solver;
  std::vector<Vector> solutions;
  Vector P = Vector::Zero(problem.b.size());
  for (int k = 0; k < 2; ++k, problem.b += step) {
    solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P, {.tolerance = 1e-2});
    solutions.push_back(P);
  }
  const auto sweeps_with = [&](const Vector* expected_change) {
    Vector next = P;
    const auto report = solver.solve({problem.cones, problem.W, problem.b, problem.weight}, next,
                                     {.expected_change = expected_change});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(problem.residual(next), 10.0);
    return report.sweeps;
  };
  const Vector change = solutions[1] - solutions[0], wrong = -10 * change;
  const int without = sweeps_with(nullptr);
  EXPECT_LT(sweeps_with(&change), 0.5 * without);
  EXPECT_LE(sweeps_with(&wrong), without + 1);
}

// One solver is used for problems of all sizes, and for those that contain NaN.
TEST(ContactSolution, KeepsWhatItWasGivenWhereNothingIsANumber) {
  Random random(12);
  ContactSolver solver;
  for (const int contacts : {40, 25, 60}) {
    Problem problem = random_problem(random, 30, contacts, 3, 0.3);
    problem.b[3] = std::nan("");
    const Vector given = Vector::Constant(problem.b.size(), 0.25);
    Vector P = given;
    EXPECT_FALSE(solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P).converged);
    ASSERT_EQ(P.size(), given.size());
    EXPECT_EQ(P, given);
    const Vector change = Vector::Constant(P.size(), 1e-3);
    EXPECT_FALSE(
        solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P, {.expected_change = &change})
            .converged);
    EXPECT_EQ(P, given);
    problem.b[3] = 0.0;
    EXPECT_TRUE(solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P).converged);
  }
}

TEST(ContactSolution, IsNotFoundOfContactsThatNothingMoves) {
  ContactSolver solver;
  for (const Index rows : {1, 3}) {
    for (const Index contacts : {1, 20}) {
      Problem problem;
      for (Index c = 0; c < contacts; ++c) {
        problem.cones.push_back({.rows = rows, .first_row = c * rows, .mu = 0.3});
        problem.W.add_contact(rows);
      }
      problem.b = Vector::Constant(contacts * rows, -1.0);
      problem.weight = Vector::Constant(contacts * rows, 1e8);
      Vector P = Vector::Zero(contacts * rows);
      EXPECT_FALSE(solver.solve({problem.cones, problem.W, problem.b, problem.weight}, P).converged);
      EXPECT_TRUE(P.allFinite());
    }
  }
}

TEST(SparseInteriorPoint, AgreesWithTheDenseOne) {
  Random random(7);
  const Problem problem = random_problem(random, 12, 15, 3, 0.4);
  Vector dense = Vector::Zero(problem.b.size()), sparse = dense;
  EXPECT_TRUE(solve_interior_point(problem.cones, problem.dense, problem.b, dense).converged);
  EXPECT_TRUE(InteriorPointSolver().solve(problem.cones, problem.W, problem.b, sparse).converged);
  const double difference = (problem.dense * (dense - sparse)).norm();
  // Missed where BLAS rounds as on some processors: 1.4e-7 (and up to 8.7e-7 with the seeds 1 to 24).
  if (!(difference < 1e-7 * problem.b.norm()))
    RecordProperty("missed_agreement", std::to_string(difference / problem.b.norm()));
  // In the norm of W each is within the square root of twice its gap P z of the solution, as if friction were
  // associated.
  const auto distance = [&](const Vector& P) {
    const Vector y = problem.b + problem.dense * P;
    double gap = 0.0;
    for (const ContactCone& cone : problem.cones) {
      const Vec3 z = y.segment<3>(cone.first_row);
      gap += P.segment<3>(cone.first_row).dot(z) + P[cone.first_row] * cone.mu * z.tail<2>().norm();
    }
    return std::sqrt(2 * std::max(gap, 0.0));
  };
  EXPECT_LE(difference, std::sqrt(problem.dense.norm()) * (distance(dense) + distance(sparse)));
}

TEST(SparseInteriorPoint, LeavesOutWhatIsDisabledAndTakesContactsOfAllSizes) {
  Random random(8);
  Problem problem = random_problem(random, 12, 15, 3, 0.4);
  problem.cones[3].is_candidate = false;
  problem.cones[4].mu = 0.0;
  Vector dense = Vector::Ones(problem.b.size()), sparse = dense;
  EXPECT_TRUE(solve_interior_point(problem.cones, problem.dense, problem.b, dense).converged);
  EXPECT_TRUE(InteriorPointSolver().solve(problem.cones, problem.W, problem.b, sparse).converged);
  EXPECT_TRUE(sparse.segment(9, 3).isZero(0.0));
  EXPECT_TRUE(sparse.segment(13, 2).isZero(0.0));
  EXPECT_LT((problem.dense * (dense - sparse)).norm(), 1e-7 * problem.b.norm());
}

/// What a solver keeps from one problem does not change the next: of another pattern, of other sizes, of fewer contacts.
TEST(SparseInteriorPoint, FindsTheSameWhateverItHasSolvedBefore) {
  Random random(12);
  std::vector<Problem> problems;
  for (const auto& [bodies, contacts, rows] :
       std::vector<std::array<int, 3>>{{12, 15, 3}, {20, 30, 3}, {12, 15, 2}, {5, 6, 3}})
    problems.push_back(random_problem(random, bodies, contacts, rows, 0.4));
  problems.push_back(problems[0]);
  problems.back().cones[2].is_candidate = false;
  problems.push_back(problems[0]);
  problems.back().cones[5].mu = 0.0;
  InteriorPointSolver reused;
  for (int round = 0; round < 2; ++round) {
    for (const Problem& problem : problems) {
      Vector first = Vector::Zero(problem.b.size()), again = first;
      EXPECT_TRUE(InteriorPointSolver().solve(problem.cones, problem.W, problem.b, first).converged);
      EXPECT_TRUE(reused.solve(problem.cones, problem.W, problem.b, again).converged);
      EXPECT_EQ(first, again);
    }
  }
}

TEST(SparseContacts, GoThereAndBack) {
  Random random(11);
  const Problem problem = random_problem(random, 12, 25, 3, 0.4);
  const SparseMatrix matrix = make_sparse_matrix(problem.W);
  ASSERT_EQ(matrix.size, problem.dense.cols());
  for (Index column = 0; column < matrix.size; ++column) {
    for (Index row = 0; row < matrix.size; ++row) {
      const Index place = matrix.find(row, column);
      EXPECT_EQ(place < 0 ? 0.0 : matrix.values[place], problem.dense(row, column));
    }
  }
  const DelassusOperator W = make_delassus_operator(matrix, 3);
  EXPECT_EQ(W.dense(), problem.dense);
  const auto cones = make_contact_cones(W, Vector::Constant(25, 0.4));
  ASSERT_EQ(cones.size(), 25U);
  EXPECT_EQ(cones[4].first_row, 12);
  EXPECT_EQ(cones[4].mu, 0.4);
  EXPECT_NEAR(cones[4].k, 3.0 / problem.dense.diagonal().segment(12, 3).sum(), 1e-15);
  EXPECT_NEAR(make_contact_weights(cones, 1e-3)[14], 1e3 / cones[4].k, 1e-9);
}

TEST(DelassusBlocks, AreThoseOfTheDenseMatrix) {
  Random random(9);
  const Problem problem = random_problem(random, 12, 25, 3, 0.4);
  EXPECT_EQ(problem.W.dense(), problem.dense);
  const Vector P = random.vector(problem.b.size());
  const Vector y = problem.b + problem.dense * P;
  std::array<double, 3> part{};
  for (Index c = 0; c < problem.W.contact_count(); ++c) {
    problem.W.evaluate(c, problem.b, P, part.data());
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(part[i], y[3 * c + i], 1e-13 * y.norm());
  }
}

}  // namespace picus::contact_solver_test
