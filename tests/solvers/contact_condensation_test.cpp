// Condensation to the contacts against dense matrices, while values, candidates and couplings change.

#include <picus/solvers/subproblems/contact_condensation.hpp>
#include <support/random.hpp>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

namespace picus::contact_condensation_test {
namespace {

using solvers::CondensationPattern;
using solvers::ContactCondensation;
using support::Random;

/// Four nodes of six, six, three and six unknowns with contacts between neighbours, and of the last node with the
/// ground; any two nodes may be coupled. Contacts have three rows but the second, which has one.
class Chain : public ContactProblem {
 public:
  static constexpr std::array<Index, 5> starts = {0, 6, 12, 15, 21};
  static constexpr Index free = starts.back();

  explicit Chain(Random& random) : random_(&random) {
    for (Index c = 0; c < 4; ++c) {
      cones_.push_back({.rows = c == 1 ? 1 : 3, .first_row = rows_, .mu = 0.3, .k = 0.5 + c});
      rows_ += cones_.back().rows;
    }
    PatternBuilder pattern(size());
    for (Index c = 0; c < size(); ++c) {
      for (Index r = 0; r < size(); ++r) {
        if (r < free || c < free || r == c) pattern.add(r, c);
      }
    }
    matrix_ = pattern.compress();
    P_ = random.vector(rows_);
    y_ = random.vector(rows_);
    change_values();
  }

  /// New masses, gradients and scales in the same structure.
  void change_values() {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size(), size());
    for (std::size_t n = 0; n < 4; ++n) {
      for (std::size_t m = 0; m < 4; ++m) {
        if (n != m && !couples(n, m)) continue;
        const Index height = starts[n + 1] - starts[n], width = starts[m + 1] - starts[m];
        dense.block(starts[n], starts[m], height, width) = random_->matrix(height, width);
        if (n == m) dense.block(starts[n], starts[n], height, height).diagonal().array() += 5.0;
      }
    }
    for (std::size_t c = 0; c < 4; ++c) {
      cones_[c].k = random_->uniform(0.5, 2);
      for (std::size_t n = c; n < std::min<std::size_t>(c + 2, 4); ++n) {
        for (Index i = starts[n]; i < starts[n + 1]; ++i) {
          for (Index row = 0; row < cones_[c].rows; ++row) {
            dense(i, free + cones_[c].first_row + row) = random_->uniform(-1, 1);
            dense(free + cones_[c].first_row + row, i) = random_->uniform(-1, 1);
          }
        }
      }
    }
    for (Index c = 0; c < size(); ++c) {
      for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k)
        matrix_.values[k] = dense(matrix_.row[k], c);
    }
  }
  void couple(std::size_t a, std::size_t b, bool are_coupled) { coupled_[a][b] = are_coupled; }
  void set_candidate(std::size_t contact, bool is_candidate) { cones_[contact].is_candidate = is_candidate; }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size(), size());
    for (Index c = 0; c < size(); ++c) {
      for (Index k = matrix_.column_start[c]; k < matrix_.column_start[c + 1]; ++k)
        dense(matrix_.row[k], c) = matrix_.values[k];
    }
    return dense;
  }
  Index rows() const { return rows_; }

  Index size() const override { return free + rows_; }
  ResidualNorm evaluate(Vector& /*r*/) override { return {}; }
  const SparseMatrix& tangent() override { return matrix_; }
  void advance(const Vector& /*dx*/, double /*factor*/) override {}
  const Threads* threads() const override { return nullptr; }
  void set_restitution(Restitution /*restitution*/) override {}
  bool has_restitution() const override { return false; }
  void set_scaling(double /*scaling*/, double /*regularization*/) override {}
  std::string describe(Index /*unknown*/) const override { return {}; }
  std::span<const ContactCone> cones() const override { return cones_; }
  const Vector& contact_multipliers() const override { return P_; }
  void set_contact_multipliers(const Vector& P) override { P_ = P; }
  const Vector& contact_motion() const override { return y_; }
  double weight(Index /*unknown*/) const override { return 1.0; }
  std::span<const Index> node_starts() const override { return starts; }
  const SparseMatrix& tangent_with(ContactRows /*rows*/) override { return matrix_; }
  Index contact_unknown(Index contact_row) const override { return free + contact_row; }
  double fixed_multiplier_row(Index /*contact_row*/, double dP) const override { return -dP; }
  void contact_response(const Vector& /*dx*/, Vector& /*response*/) override {}

 private:
  bool couples(std::size_t n, std::size_t m) const { return coupled_[std::min(n, m)][std::max(n, m)]; }

  Random* random_;
  Index rows_ = 0;
  std::vector<ContactCone> cones_;
  std::array<std::array<bool, 4>, 4> coupled_{};
  SparseMatrix matrix_;
  Vector P_, y_;
};

/// W, dx and y of the candidate contacts as the header states them.
void expect_exact(Chain& chain, ContactCondensation& condensation, Random& random) {
  ASSERT_TRUE(condensation.factorize(chain));
  const Eigen::MatrixXd all = chain.dense();
  const Index n = Chain::free;
  Vector scale(chain.rows());
  std::vector<Index> rows;  // of candidates
  for (const ContactCone& cone : chain.cones()) {
    for (Index i = cone.first_row; i < cone.first_row + cone.rows; ++i) {
      scale[i] = cone.k;
      if (cone.is_candidate) rows.push_back(i);
    }
  }
  const Eigen::MatrixXd S = all.topLeftCorner(n, n);
  const Eigen::MatrixXd B = all.topRightCorner(n, chain.rows()) * scale.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd C = scale.cwiseInverse().asDiagonal() * -all.bottomLeftCorner(chain.rows(), n);
  const Eigen::MatrixXd W = -C * S.inverse() * B;

  std::vector<Index> chosen(condensation.contacts().size());
  std::iota(chosen.begin(), chosen.end(), Index{0});
  for (int time = 0; time < 2; ++time) {
    EXPECT_LE((condensation.make_operator(chosen).dense() - W(rows, rows)).norm(), 1e-13 * W.norm());
  }
  const Eigen::MatrixXd some = condensation.make_operator(std::array{chosen.back(), chosen.front()}).dense();
  const Index last = condensation.contacts().back().first_row,
              first = condensation.contacts().front().first_row;
  EXPECT_NEAR(some(0, 0), W(last, last), 1e-13 * W.norm());
  EXPECT_NEAR(some(0, condensation.contacts().back().rows), W(last, first), 1e-13 * W.norm());

  const Vector r = random.vector(chain.size());
  Vector dP = Vector::Zero(chain.rows());
  for (const Index row : rows) dP[row] = random.uniform(-1, 1);
  Vector dx, y = random.vector(chain.rows());
  condensation.solve(r, dP, dx);
  const Vector dz = -S.lu().solve(r.head(n) + B * dP);
  EXPECT_LE((dx.head(n) - dz).norm(), 1e-13 * (1 + dz.norm()));
  EXPECT_LE((dx.tail(chain.rows()) - dP.cwiseQuotient(scale)).norm(), 1e-15 * (1 + dP.norm()));
  const Vector expected = y + C * dz;
  condensation.add_motion(dx, y);
  for (const Index row : rows) EXPECT_NEAR(y[row], expected[row], 1e-12);
}

TEST(ContactCondensation, AgreesWithDenseMatricesHoweverTheProblemChanges) {
  Random random(7);
  Chain chain(random);
  ContactCondensation condensation;
  const auto repeat = [&] {
    expect_exact(chain, condensation, random);
    chain.change_values();
    expect_exact(chain, condensation, random);
  };
  repeat();
  chain.couple(0, 2, true);
  chain.change_values();
  repeat();
  chain.set_candidate(1, false);
  repeat();
  chain.couple(0, 2, false);
  chain.couple(1, 3, true);
  chain.change_values();
  repeat();
  chain.set_candidate(1, true);
  chain.set_candidate(3, false);
  repeat();
  chain.couple(1, 3, false);
  chain.set_candidate(3, true);
  chain.change_values();
  repeat();
}

TEST(ContactCondensation, ForgetsOtherProblems) {
  Random random(8);
  Chain one(random), other(random);
  other.couple(0, 1, true);
  other.set_candidate(0, false);
  other.change_values();
  ContactCondensation condensation;
  for (Chain* chain : {&one, &other, &one}) {
    SCOPED_TRACE(chain == &one ? "first" : "second");
    expect_exact(*chain, condensation, random);
    // Not only to rounding: runs that go on from a checkpoint have no earlier problems.
    ContactCondensation fresh;
    ASSERT_TRUE(fresh.factorize(*chain));
    const std::array<Index, 3> chosen = {2, 0, 1};
    EXPECT_EQ(fresh.make_operator(chosen).dense(), condensation.make_operator(chosen).dense());
  }
}

TEST(ContactCondensation, FindsTheStructureAgainOnlyWhereItChanges) {
  Random random(9);
  Chain chain(random);
  CondensationPattern pattern;
  ASSERT_TRUE(pattern.update(chain, chain.tangent()));
  EXPECT_EQ(pattern.parts().size(), 4u);
  const auto version = pattern.version();
  chain.change_values();
  ASSERT_TRUE(pattern.update(chain, chain.tangent()));
  EXPECT_EQ(pattern.version(), version);
  chain.couple(2, 3, true);
  chain.change_values();
  ASSERT_TRUE(pattern.update(chain, chain.tangent()));
  EXPECT_EQ(pattern.version(), version + 1);
  EXPECT_EQ(pattern.parts().size(), 3u);
  chain.set_candidate(2, false);
  ASSERT_TRUE(pattern.update(chain, chain.tangent()));
  EXPECT_EQ(pattern.version(), version + 2);
  ASSERT_TRUE(pattern.update(chain, chain.tangent()));
  EXPECT_EQ(pattern.version(), version + 2);
}

}  // namespace
}  // namespace picus::contact_condensation_test
