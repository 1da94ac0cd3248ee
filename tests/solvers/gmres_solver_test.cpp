// GMRES for systems with contacts, which are eliminated first.

#include "box_on_rod.hpp"
#include "runs.hpp"
#include <picus/solvers/contact/augmented_law.hpp>
#include <picus/solvers/linear/gmres_solver.hpp>
#include <support/dense.hpp>
#include <support/message.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <limits>

namespace picus::gmres_solver_test {

using solvers::GmresSolver;

namespace {

using support::Random;
using support::sparse;

/// The values of K on the pattern of `matrix`.
SparseMatrix with_values(SparseMatrix matrix, const Eigen::MatrixXd& K) {
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index k = matrix.column_start[c]; k < matrix.column_start[c + 1]; ++k)
      matrix.values[k] = K(matrix.row[k], c);
  }
  return matrix;
}

/// A chain of point nodes, 3 components each, of masses about 1, whose first nodes touch a face. Optionally the face
/// belongs to an additional body of 6 components, which is the last.
struct Chain {
  Index nodes = 12;
  Index contacts = 8;
  double stiffness = 1.0;
  double skew = 0.05;  ///< unsymmetric part of S
  bool has_moving_face = false;
  Index joint_rows = 0;      ///< between nodes without contact
  bool shares_node = false;  ///< the last contact belongs to the first node

  Index body() const { return 3 * nodes; }
  Index free() const { return 3 * nodes + (has_moving_face ? 6 : 0); }
  Index multipliers() const { return free() + joint_rows; }

  /// The states of contact i: gap, stick, slip and so on, with 1, 2 and 3 rows in turn.
  static Index rows(Index i) { return 1 + (i / 3) % 3; }

  Eigen::MatrixXd matrix(Random& random) const {
    Index size = multipliers();
    for (Index i = 0; i < contacts; ++i) size += rows(i);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size);
    for (Index i = 0; i < nodes; ++i) {
      K.block<3, 3>(3 * i, 3 * i) += random.uniform(1, 2) * Mat3::Identity();
      if (i + 1 == nodes) continue;
      const Vec3 d = random.direction();
      const Mat3 spring =
          stiffness * (d * d.transpose() + 0.3 * Mat3::Identity()) + skew * stiffness * so3_hat(d);
      K.block<3, 3>(3 * i, 3 * i) += spring;
      K.block<3, 3>(3 * i + 3, 3 * i + 3) += spring;
      K.block<3, 3>(3 * i, 3 * i + 3) -= spring;
      K.block<3, 3>(3 * i + 3, 3 * i) -= spring;
    }
    if (has_moving_face)
      K.block(body(), body(), 6, 6) += 5 * Eigen::MatrixXd::Identity(6, 6) + 0.2 * random.matrix(6, 6);
    for (Index j = 0; j < joint_rows; ++j) {
      const Index c = 3 * (nodes - 2) + j;
      K(c, free() + j) = K(free() + j, c) = -1;
      K(c + 3, free() + j) = K(free() + j, c + 3) = 1;
      K(free() + j, free() + j) = -1e-8;
    }
    Index first = multipliers();
    for (Index i = 0; i < contacts; ++i) {
      const Index m = rows(i);
      const Index node = shares_node && i + 1 == contacts ? 0 : i;
      Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m, size);
      const Mat3 axes = random.rotation();
      G.middleCols<3>(3 * node) = axes.topRows(m);
      if (has_moving_face) G.middleCols(body(), 6) = random.matrix(m, 6);
      const ContactCone cone{.rows = m, .mu = 0.4, .k = 1.5, .p = 1.5, .epsilon = 1e-8};
      const std::array<double, 3> y{0, 0.1, -0.2};
      const std::array<std::array<double, 3>, 3> P{{{-1, 0, 0}, {1, 0, 0}, {1, 3, 1}}};
      const ContactEquations equations = contact_equations(cone, y.data(), P[i % 3].data());
      K.middleCols(first, m) -= cone.k * G.transpose();
      K.middleRows(first, m) += Eigen::Map<const Eigen::MatrixXd>(equations.D.data(), m, m) * G;
      K.block(first, first, m, m) += Eigen::Map<const Eigen::MatrixXd>(equations.E.data(), m, m);
      first += m;
    }
    return K;
  }

  Index contact_rows(const Eigen::MatrixXd& K) const { return rows_of(K) - multipliers(); }

  /// The entries of an assembled matrix: whole blocks of contacts, whatever their state.
  SparseMatrix pattern(const Eigen::MatrixXd& K) const {
    Eigen::MatrixXd full = K;
    Index first = multipliers();
    for (Index i = 0; i < contacts; ++i) {
      full.block(first, first, rows(i), rows(i)).setOnes();
      first += rows(i);
    }
    return with_values(sparse(full, true), K);
  }

  static Mat3 so3_hat(const Vec3& d) {
    Mat3 hat;
    hat << 0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0;
    return hat;
  }
};

class GmresTest : public testing::Test {
 protected:
  /// Relative difference from the solution by dense LU.
  double error(LinearSolver& solver, const Eigen::MatrixXd& K) {
    const Vector b = random.vector(K.rows());
    const Vector exact = K.fullPivLu().solve(b);
    Vector x = b;
    solver.solve(std::span(x.data(), x.size()));
    return (x - exact).norm() / exact.norm();
  }
  Random random{5};
};

constexpr double accuracy = 1e-10;
/// For the solution, whose residual is `accuracy` of b; the condition number of these matrices is below 1e4.
constexpr double solution_accuracy = 1e4 * accuracy;

TEST_F(GmresTest, SolvesWithContactsInAllStates) {
  const Chain chain;
  GmresSolver solver(accuracy);
  for (int change = 0; change < 5; ++change) {
    const Eigen::MatrixXd K = chain.matrix(random);
    const SparseMatrix matrix = chain.pattern(K);
    if (change == 0) solver.analyze(matrix, chain.contact_rows(K));
    ASSERT_TRUE(solver.factorize(matrix));
    EXPECT_LE(error(solver, K), solution_accuracy);
    EXPECT_LE(error(solver, K), solution_accuracy);
  }
  EXPECT_EQ(solver.statistics().factorizations, 0);
  EXPECT_EQ(solver.statistics().refactorizations, 5);
  EXPECT_EQ(solver.statistics().solves, 10);
}

TEST_F(GmresTest, SolvesAsAccuratelyAsAskedOnce) {
  const Chain chain;
  GmresSolver solver(accuracy);
  const Eigen::MatrixXd K = chain.matrix(random);
  solver.analyze(chain.pattern(K), chain.contact_rows(K));
  ASSERT_TRUE(solver.factorize(chain.pattern(K)));
  EXPECT_TRUE(solver.sweeps());
  const auto iterations = [&] {
    const std::int64_t before = solver.statistics().iterations;
    Vector x = Vector::LinSpaced(K.rows(), -1, 2);
    solver.solve(std::span(x.data(), x.size()));
    return solver.statistics().iterations - before;
  };
  const std::int64_t all = iterations();
  solver.set_accuracy(1e-2);
  EXPECT_LE(iterations(), all / 2);  // two digits of ten
  EXPECT_EQ(iterations(), all);
  solver.set_accuracy(1e-14);  // no better than that of its construction
  EXPECT_EQ(iterations(), all);
}

TEST_F(GmresTest, FollowsAContactFromStateToState) {
  Chain chain;
  chain.contacts = 9;
  GmresSolver solver(accuracy);
  Eigen::MatrixXd K = chain.matrix(random);
  solver.analyze(chain.pattern(K), chain.contact_rows(K));
  ASSERT_TRUE(solver.factorize(chain.pattern(K)));
  // Contact 6 (three rows) opens: its rows become diagonal.
  const SparseMatrix pattern = chain.pattern(K);
  const Index first = chain.multipliers() + 9;
  K.middleRows(first, 3).setZero();
  for (Index i = 0; i < 3; ++i) K(first + i, first + i) = -1.5;
  const SparseMatrix open = with_values(pattern, K);
  ASSERT_TRUE(solver.factorize(open));
  EXPECT_LE(error(solver, K), solution_accuracy);
}

TEST_F(GmresTest, TakesNewRowsOfContactsAlone) {
  for (const bool has_moving_face : {false, true}) {
    Chain chain;
    chain.has_moving_face = has_moving_face;
    Eigen::MatrixXd K = chain.matrix(random);
    const SparseMatrix first = chain.pattern(K);
    GmresSolver solver(accuracy), whole(accuracy);
    for (GmresSolver* one : {&solver, &whole}) {
      one->analyze(first, chain.contact_rows(K));
      ASSERT_TRUE(one->factorize(first));
    }
    for (int change = 0; change < 3; ++change) {
      const Eigen::MatrixXd other = chain.matrix(random);
      K.rightCols(chain.contact_rows(K)) = other.rightCols(chain.contact_rows(K));
      K.bottomRows(chain.contact_rows(K)) = other.bottomRows(chain.contact_rows(K));
      const SparseMatrix changed = with_values(first, K);
      ASSERT_TRUE(solver.factorize_trailing(changed));
      ASSERT_TRUE(whole.factorize(changed));
      Vector x = random.vector(K.rows());
      Vector expected = x;
      solver.solve(std::span(x.data(), x.size()));
      whole.solve(std::span(expected.data(), expected.size()));
      EXPECT_EQ(x, expected);
    }
    EXPECT_EQ(solver.statistics().factorizations, 0);
    EXPECT_EQ(solver.statistics().refactorizations, 4);
  }
}

TEST_F(GmresTest, SolvesWithAFaceThatMoves) {
  Chain chain;
  chain.has_moving_face = true;
  GmresSolver solver(accuracy);
  for (int change = 0; change < 3; ++change) {
    const Eigen::MatrixXd K = chain.matrix(random);
    if (change == 0) solver.analyze(chain.pattern(K), chain.contact_rows(K));
    ASSERT_TRUE(solver.factorize(chain.pattern(K)));
    EXPECT_LE(error(solver, K), solution_accuracy);
  }
  EXPECT_EQ(solver.statistics().factorizations, 0);
}

TEST_F(GmresTest, SolvesWithoutContacts) {
  Chain chain;
  chain.contacts = 0;
  const Eigen::MatrixXd K = chain.matrix(random);
  GmresSolver solver(accuracy);
  solver.analyze(chain.pattern(K), 0);
  ASSERT_TRUE(solver.factorize(chain.pattern(K)));
  EXPECT_LE(error(solver, K), solution_accuracy);
  Vector zero = Vector::Zero(K.rows());
  solver.solve(std::span(zero.data(), zero.size()));
  EXPECT_EQ(zero.norm(), 0);
}

TEST_F(GmresTest, GroupsContactsThatShareANode) {
  Chain chain;
  chain.shares_node = true;
  const Eigen::MatrixXd K = chain.matrix(random);
  GmresSolver solver(accuracy);
  solver.analyze(chain.pattern(K), chain.contact_rows(K));
  ASSERT_TRUE(solver.factorize(chain.pattern(K)));
  EXPECT_LE(error(solver, K),
            1e-6);  // the two contacts of the node are distinguished by their regularisation, 1e-8
  EXPECT_EQ(solver.statistics().factorizations, 0);
}

TEST_F(GmresTest, SolvesWithMultipliersThatPushNothing) {
  // For a friction direction in which the node is fixed only its own equation remains.
  Chain chain;
  Eigen::MatrixXd K = chain.matrix(random);
  const Index first = chain.multipliers() + 9;
  ASSERT_EQ(Chain::rows(6), 3);
  K.row(first + 2).setZero();
  K.col(first + 2).setZero();
  K(first + 2, first + 2) = -1e-8;
  GmresSolver solver(accuracy);
  solver.analyze(chain.pattern(K), chain.contact_rows(K));
  ASSERT_TRUE(solver.factorize(chain.pattern(K)));
  Vector b = random.vector(K.rows());
  b[first + 2] = 0;
  const Vector exact = K.fullPivLu().solve(b);
  solver.solve(std::span(b.data(), b.size()));
  EXPECT_LE((b - exact).norm(), solution_accuracy * exact.norm());
  EXPECT_EQ(solver.statistics().factorizations, 0);
}

TEST_F(GmresTest, LeavesLargeGroupsToADirectSolver) {
  // A single node with four contacts, of 12 rows in all.
  constexpr Index rows = 12;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3 + rows, 3 + rows);
  K.topLeftCorner(3, 3).setIdentity();
  Eigen::MatrixXd pattern = Eigen::MatrixXd::Ones(3 + rows, 3 + rows);
  for (Index contact = 0; contact < 4; ++contact) {
    const Mat3 axes = random.rotation();
    K.block<3, 3>(0, 3 + 3 * contact) = -axes.transpose();
    K.block<3, 3>(3 + 3 * contact, 0) = -axes;
  }
  K.bottomRightCorner(rows, rows).diagonal().setConstant(-0.1);
  pattern.bottomRightCorner(rows, rows).setZero();
  for (Index i = 3; i < 3 + rows; i += 3) pattern.block<3, 3>(i, i).setOnes();
  const SparseMatrix matrix = with_values(sparse(pattern), K);
  GmresSolver solver(accuracy);
  solver.analyze(matrix, rows);
  ASSERT_TRUE(solver.factorize(matrix));
  EXPECT_LE(error(solver, K), 1e-12);  // the condition number is below 100
  EXPECT_EQ(solver.statistics().factorizations, 1);
  EXPECT_EQ(solver.statistics().iterations, 0);
}

TEST_F(GmresTest, TakesOlderFactorsWithMultipliersOfJoints) {
  Chain chain;
  chain.joint_rows = 3;
  GmresSolver solver(accuracy);
  for (int change = 0; change < 4; ++change) {
    Random same(3);
    Eigen::MatrixXd K = chain.matrix(same);
    K.diagonal().head(30).array() += 0.02 * change;
    if (change == 0) solver.analyze(chain.pattern(K), chain.contact_rows(K));
    ASSERT_TRUE(solver.factorize(chain.pattern(K)));
    EXPECT_LE(error(solver, K), solution_accuracy);
  }
  EXPECT_EQ(solver.statistics().factorizations, 1);
  EXPECT_GT(solver.statistics().iterations, 3);
}

TEST_F(GmresTest, TakesFactorsForStiffSystemsAndRenewsThem) {
  Chain chain;
  chain.nodes = 100;
  chain.contacts = 30;
  chain.stiffness = 1e5;
  GmresSolver solver(accuracy);
  Random same(3);
  const Eigen::MatrixXd first = chain.matrix(same);
  solver.analyze(chain.pattern(first), chain.contact_rows(first));
  ASSERT_TRUE(solver.factorize(chain.pattern(first)));
  // Stiff springs between light nodes: a condition number of 1e9.
  EXPECT_LE(error(solver, first), 1e9 * 1e-16 * 1e3);
  EXPECT_EQ(solver.statistics().factorizations, 1);
  for (int change = 0; change < 6; ++change) {
    Random other(10 + static_cast<unsigned>(change));
    const Eigen::MatrixXd K = chain.matrix(other);
    ASSERT_TRUE(solver.factorize(chain.pattern(K)));
    EXPECT_LE(error(solver, K), 1e9 * accuracy);
  }
  EXPECT_GE(solver.statistics().factorizations, 3);  // nothing of the old springs is kept
}

TEST_F(GmresTest, RefusesWhatIsNotFiniteAndGoesOn) {
  const Chain chain;
  const Eigen::MatrixXd K = chain.matrix(random);
  const SparseMatrix matrix = chain.pattern(K);
  GmresSolver solver(accuracy);
  solver.analyze(matrix, chain.contact_rows(K));
  ASSERT_TRUE(solver.factorize(matrix));
  SparseMatrix broken = matrix;
  broken.values[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solver.factorize(broken));
  ASSERT_TRUE(solver.factorize(matrix));
  EXPECT_LE(error(solver, K), solution_accuracy);
}

TEST_F(GmresTest, IsTakenForLargeDensePatternsWithContacts) {
  constexpr Index size = 4000;
  PatternBuilder builder(size);
  for (Index c = 0; c < size; ++c) {
    for (Index r = std::max(0, c - 30); r < std::min(size, c + 30); ++r) builder.add(r, c);
  }
  const SparseMatrix pattern = builder.compress();
  EXPECT_EQ(make_linear_solver(LinearSolverKind::automatic, pattern, false, 30)->name(), "GMRES");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::automatic, pattern)->name(), "UMFPACK");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::automatic, pattern, true)->name(), "conjugate gradients");
  EXPECT_EQ(make_linear_solver(LinearSolverKind::umfpack, pattern, false, 30)->name(), "UMFPACK");
}

TEST_F(GmresTest, ServesBodiesOnJointsWhoseContactsAreRedundant) {
  const BoxOnRod box;
  const System system(box.model);
  DecoupledNsga direct({.step = 2e-3});
  DecoupledNsga iterative({.step = 2e-3, .linear_solver = LinearSolverKind::gmres});
  int changes = 0;
  std::vector<ContactState> states(4);
  const State a = run(system, direct, 300, [&](const State& state, const StepReport&) {
    if (states != state.contact_state) ++changes;
    states = state.contact_state;
  });
  const State b = run(system, iterative, 300, [&](const State&, const StepReport& report) {
    for (const int count : report.fallbacks) EXPECT_EQ(count, 0);
  });
  EXPECT_GE(changes, 10);
  EXPECT_EQ(a.contact_state, b.contact_state);
  // Both solve each step to 1e-8 of its motion, and 300 steps accumulate that.
  EXPECT_LE((a.v - b.v).norm(), 1e-5 * std::max(1.0, a.v.norm()));
}

}  // namespace
}  // namespace picus::gmres_solver_test
