// Shared work in the solvers gives bitwise identical results for any number of threads.

#include <picus/solvers/contact/gauss_seidel.hpp>
#include <picus/solvers/contact/sparse_contacts.hpp>
#include <picus/solvers/linear/conjugate_gradient_solver.hpp>
#include <picus/solvers/linear/gmres_solver.hpp>
#include <picus/solvers/linear/sweep_schedule.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <random>

namespace picus::solvers {
namespace {

std::shared_ptr<const Threads> eager(int count) {
  const ThreadLimit limit(count, true);
  return Threads::make(0, 1);
}

/// Three components per node on a grid of n x n x n nodes, each coupled to its 26 neighbours; diagonally dominant.
SparseMatrix grid_matrix(Index n) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto node = [n](Index i, Index j, Index k) { return i + n * (j + n * k); };
  PatternBuilder pattern(3 * n * n * n);
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        for (Index kk = std::max(k - 1, 0); kk <= std::min(k + 1, n - 1); ++kk) {
          for (Index jj = std::max(j - 1, 0); jj <= std::min(j + 1, n - 1); ++jj) {
            for (Index ii = std::max(i - 1, 0); ii <= std::min(i + 1, n - 1); ++ii) {
              for (Index a = 0; a < 9; ++a)
                pattern.add(3 * node(i, j, k) + a / 3, 3 * node(ii, jj, kk) + a % 3);
            }
          }
        }
      }
    }
  }
  SparseMatrix matrix = pattern.compress();
  for (Index c = 0; c < matrix.size; ++c) {
    for (Index e = matrix.column_start[c]; e < matrix.column_start[c + 1]; ++e) {
      const Index r = matrix.row[e];
      matrix.values[e] = r == c  ? 100.0 + uniform(generator)
                         : r < c ? matrix.values[matrix.find(c, r)]
                                 : uniform(generator);
    }
  }
  for (Index c = 0; c < matrix.size; ++c) {  // symmetric
    for (Index e = matrix.column_start[c]; e < matrix.column_start[c + 1]; ++e) {
      if (matrix.row[e] < c) matrix.values[e] = matrix.values[matrix.find(c, matrix.row[e])];
    }
  }
  return matrix;
}

Vector random_vector(Index size) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector b(size);
  for (double& value : b) value = uniform(generator);
  return b;
}

template <class Solver>
Vector solution_of(const SparseMatrix& matrix, const Threads* threads) {
  Solver solver(1e-6, threads);
  solver.analyze(matrix, 0);
  EXPECT_TRUE(solver.factorize(matrix));
  Vector b = random_vector(matrix.size);
  solver.solve(std::span(b.data(), b.size()));
  EXPECT_GT(solver.statistics().iterations, 1);
  return b;
}

TEST(ThreadedSolvers, SweepsWaitForWhatTheyNeed) {
  const SparseMatrix matrix = grid_matrix(9);
  std::vector<Index> diagonal;
  for (Index c = 0; c < matrix.size; ++c) diagonal.push_back(matrix.find(c, c));
  for (const int count : {2, 3, 8}) {
    const auto threads = eager(count);
    SweepSchedule schedule;
    schedule.build(threads.get(), matrix, diagonal);
    ASSERT_TRUE(schedule.is_parallel());
    std::vector<std::atomic<int>> visits(matrix.size);
    std::atomic<int> too_early = 0;
    const auto check = [&](Index line, int sweep, bool is_forward) {
      for (Index e = matrix.column_start[line]; e < matrix.column_start[line + 1]; ++e) {
        const Index other = matrix.row[e];
        if ((is_forward ? other < line : other > line) && visits[other] != sweep) ++too_early;
      }
      ++visits[line];
    };
    for (int sweep = 1; sweep <= 20; sweep += 2) {
      schedule.forward([&](Index first, Index last) {
        for (Index line = first; line < last; ++line) check(line, sweep, true);
      });
      schedule.backward([&](Index first, Index last) {
        for (Index line = last; line-- > first;) check(line, sweep + 1, false);
      });
    }
    EXPECT_EQ(too_early, 0);
    for (const auto& count_of_line : visits) EXPECT_EQ(count_of_line, 20);
  }
}

TEST(ThreadedSolvers, IterationsHaveTheSameBits) {
  const SparseMatrix matrix = grid_matrix(9);
  const Vector conjugate = solution_of<ConjugateGradientSolver>(matrix, nullptr);
  const Vector residual = solution_of<GmresSolver>(matrix, nullptr);
  for (const int count : {2, 3, 8}) {
    const auto threads = eager(count);
    EXPECT_EQ(solution_of<ConjugateGradientSolver>(matrix, threads.get()), conjugate) << count;
    EXPECT_EQ(solution_of<GmresSolver>(matrix, threads.get()), residual) << count;
  }
}

/// A layer of n x n balls that touch their neighbours and the floor: contacts along x, y and z.
struct Layer {
  explicit Layer(Index n) {
    struct Contact {
      Index a, b;  // balls; -1: the floor
    };
    std::vector<Contact> contacts;
    for (Index i = 0; i < n * n; ++i) {
      contacts.push_back({i, -1});
      if (i % n + 1 < n) contacts.push_back({i, i + 1});
      if (i + n < n * n) contacts.push_back({i, i + n});
    }
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto random = [&] {
      return Eigen::Matrix3d(Eigen::Matrix3d::NullaryExpr([&] { return uniform(generator); }));
    };
    // W = G G^T with blocks of a random G keeps it positive.
    std::vector<std::array<Eigen::Matrix3d, 2>> G;
    for (std::size_t c = 0; c < contacts.size(); ++c) G.push_back({random(), random()});
    for (Index c = 0; c < count_of(contacts); ++c) {
      W.add_contact(3);
      const std::array own = {contacts[c].a, contacts[c].b};
      for (Index o = 0; o < count_of(contacts); ++o) {
        const std::array others = {contacts[o].a, contacts[o].b};
        for (std::size_t k = 0; k < 2; ++k) {
          for (std::size_t l = 0; l < 2; ++l) {
            if (own[k] >= 0 && own[k] == others[l]) W.add_to(o, 3) += G[c][k] * G[o][l].transpose();
          }
        }
      }
      W.shift_diagonal(c, 2.0);
    }
    cones = make_contact_cones(W, Vector::Constant(W.contact_count(), 0.3));
    weight = make_contact_weights(cones, 1e-8);
    b = random_vector(W.row_count());
  }
  Vector solve(const Threads* threads, GaussSeidelReport& report) const {
    Vector P = Vector::Zero(b.size());
    report = GaussSeidel().solve({cones, W, b, weight}, P, {.threads = threads});
    return P;
  }

  DelassusOperator W;
  std::vector<ContactCone> cones;
  Vector weight, b;
};

TEST(ThreadedSolvers, SweepsOverContactsHaveTheSameBits) {
  const Layer layer(15);
  ContactOrder order;
  order.build(layer.W);
  ASSERT_TRUE(order.has_colours());
  GaussSeidelReport alone, shared;
  const Vector P = layer.solve(nullptr, alone);
  EXPECT_TRUE(alone.converged);
  for (const int count : {2, 3, 8}) {
    EXPECT_EQ(layer.solve(eager(count).get(), shared), P) << count;
    EXPECT_EQ(shared.sweeps, alone.sweeps);
  }
}

TEST(ThreadedSolvers, ContactsOfOneColourDoNotMoveEachOther) {
  const Layer layer(15);
  ContactOrder order;
  order.build(layer.W);
  std::vector<std::atomic<int>> inside(layer.W.contact_count());
  std::atomic<int> together = 0;
  std::vector<std::atomic<int>> visits(layer.W.contact_count());
  const auto threads = eager(4);
  for (int repeat = 0; repeat < 20; ++repeat) {
    order.visit(threads.get(), [&](std::size_t, Index contact) {
      inside[contact] = 1;
      ++visits[contact];
      for (const auto& block : layer.W.blocks(contact)) {
        if (block.contact != contact && inside[block.contact] != 0) ++together;
      }
      inside[contact] = 0;
    });
  }
  EXPECT_EQ(together, 0);
  for (const auto& count : visits) EXPECT_EQ(count, 20);
}

/// If there are few contacts they are visited in order.
TEST(ThreadedSolvers, FewContactsHaveNoColours) {
  const Layer layer(5);
  ContactOrder order;
  order.build(layer.W);
  EXPECT_FALSE(order.has_colours());
  std::vector<Index> visited;
  order.visit(nullptr, [&](std::size_t, Index contact) { visited.push_back(contact); });
  EXPECT_TRUE(std::ranges::is_sorted(visited));
  EXPECT_EQ(count_of(visited), layer.W.contact_count());
}

}  // namespace
}  // namespace picus::solvers
