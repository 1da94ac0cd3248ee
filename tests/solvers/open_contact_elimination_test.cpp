#include <picus/solvers/linear/open_contact_elimination.hpp>
#include <support/dense.hpp>
#include <support/random.hpp>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include <limits>

namespace picus::open_contact_elimination_test {

using solvers::OpenContactElimination;

namespace {

using support::Random;

constexpr Index free_count = 20;
constexpr Index contact_count = 12;
constexpr Index size = free_count + 3 * contact_count;

/// A system of contacts with three rows: [A B; C E], with C = 0 and E diagonal for open contacts.
struct Contacts {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  SparseMatrix sparse;

  Contacts(Random& random, const std::vector<bool>& is_closed) {
    for (Index i = 0; i < free_count; ++i) {
      matrix(i, i) = random.uniform(4, 6);
      if (i > 0) matrix(i, i - 1) = random.uniform(-1, 1);
    }
    for (Index row = free_count; row < size; ++row) {
      const std::size_t contact = (row - free_count) / 3;
      matrix(row, row) = is_closed[contact] ? 1e-6 : random.uniform(0.5, 2);
      for (Index k = 0; k < 4; ++k) {
        const Index dof = (5 * row + 3 * k) % free_count;
        matrix(dof, row) = random.uniform(0.5, 1.5);
        if (is_closed[contact]) matrix(row, dof) = random.uniform(0.5, 1.5);
      }
    }
    // The pattern contains all contacts, whatever their states.
    PatternBuilder builder(size);
    for (Index row = 0; row < size; ++row) {
      for (Index column = 0; column < size; ++column) {
        const bool is_possible = row < free_count || column < free_count || row == column;
        if (is_possible) builder.add(row, column);
      }
    }
    sparse = builder.compress();
    for (Index column = 0; column < size; ++column) {
      for (Index k = sparse.column_start[column]; k < sparse.column_start[column + 1]; ++k)
        sparse.values[k] = matrix(sparse.row[k], column);
    }
  }
};

std::vector<bool> none() {
  return std::vector<bool>(contact_count, false);
}

/// The backward error |A x - b|/(|A| |x|), which does not depend on the condition number of A. Measured: 2e-14.
void expect_solution(LinearSolver& solver, const Eigen::MatrixXd& A, Random& random) {
  const Vector b = random.vector(size);
  Vector x = b;
  solver.solve(std::span(x.data(), size));
  const double norm = A.cwiseAbs().rowwise().sum().maxCoeff();
  EXPECT_LE((A * x - b).lpNorm<Eigen::Infinity>(), 1e-12 * norm * x.lpNorm<Eigen::Infinity>());
}

TEST(OpenContactElimination, SolvesWhateverIsClosed) {
  Random random{5};
  OpenContactElimination solver;
  solver.analyze(Contacts(random, none()).sparse, 3 * contact_count);
  for (int change = 0; change < 30; ++change) {
    std::vector<bool> is_closed = none();
    Index closed = 0;
    for (std::size_t c = 0; c < is_closed.size(); ++c) {
      is_closed[c] = closed < 6 && random.uniform(0, 1) < 0.4;
      if (is_closed[c]) ++closed;
    }
    for (int again = 0; again < 2; ++again) {
      const Contacts contacts(random, is_closed);
      ASSERT_TRUE(solver.factorize(contacts.sparse));
      EXPECT_EQ(solver.rest_size(), free_count + 3 * closed);
      expect_solution(solver, contacts.matrix, random);
    }
  }
}

TEST(OpenContactElimination, KeepsNothingFromOneMatrixToTheNext) {
  Random random{6};
  std::vector<bool> is_closed = none();
  is_closed[3] = is_closed[8] = true;
  const Contacts first(random, none());
  const Contacts second(random, is_closed);
  const Vector b = random.vector(size);
  OpenContactElimination with_past;
  with_past.analyze(first.sparse, 3 * contact_count);
  ASSERT_TRUE(with_past.factorize(first.sparse));
  ASSERT_TRUE(with_past.factorize(second.sparse));
  OpenContactElimination fresh;
  fresh.analyze(second.sparse, 3 * contact_count);
  ASSERT_TRUE(fresh.factorize(second.sparse));
  Vector x = b;
  Vector y = b;
  with_past.solve(std::span(x.data(), size));
  fresh.solve(std::span(y.data(), size));
  EXPECT_EQ(x, y);
}

TEST(OpenContactElimination, RefusesSingularAndInfiniteMatrices) {
  Random random{7};
  OpenContactElimination solver;
  Contacts contacts(random, none());
  solver.analyze(contacts.sparse, 3 * contact_count);
  const auto spoil = [&](Index row, Index column, double value) {
    SparseMatrix spoilt = contacts.sparse;
    spoilt.values[spoilt.find(row, column)] = value;
    return spoilt;
  };
  EXPECT_FALSE(solver.factorize(spoil(free_count, free_count, 0.0)));
  EXPECT_FALSE(solver.factorize(spoil(0, free_count, std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(solver.factorize(spoil(0, 0, std::numeric_limits<double>::infinity())));
  ASSERT_TRUE(solver.factorize(contacts.sparse));  // a refusal has no after-effects
  expect_solution(solver, contacts.matrix, random);
}

TEST(OpenContactElimination, IsTheAutomaticChoiceForManyContacts) {
  PatternBuilder builder(1400);
  for (Index i = 0; i < 1400; ++i) builder.add(i, i);
  const SparseMatrix pattern = builder.compress();
  const auto name = [&](LinearSolverKind kind, Index rows) {
    return std::string(make_linear_solver(kind, pattern, false, rows)->name());
  };
  EXPECT_EQ(name(LinearSolverKind::automatic, 1200), "UMFPACK without open contacts");
  EXPECT_EQ(name(LinearSolverKind::automatic, 600), "KLU");
  EXPECT_EQ(name(LinearSolverKind::klu, 1200), "KLU");
}

}  // namespace
}  // namespace picus::open_contact_elimination_test
