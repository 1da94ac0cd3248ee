// Frictional contact problems in FCLIB format: those of the collection, those written here, and those that are
// refused.

#include "../../src/results/hdf5_file.hpp"
#include <picus/error.hpp>
#include <picus/friction_problem.hpp>
#include <support/message.hpp>
#include <support/random.hpp>
#include <support/result_reader.hpp>
#include <support/scratch_folder.hpp>

#include <Eigen/Dense>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <optional>

namespace picus::support::friction_problem_test {
namespace {

using results::Hdf5File;
using testing::EndsWith;
using Numbers = std::vector<double>;

Eigen::MatrixXd dense(const SparseMatrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.size, matrix.size);
  for (Index column = 0; column < matrix.size; ++column) {
    for (Index k = matrix.column_start[column]; k < matrix.column_start[column + 1]; ++k)
      result(matrix.row[k], column) += matrix.values[k];
  }
  return result;
}

SparseMatrix sparse(const Eigen::MatrixXd& matrix) {
  SparseMatrix result;
  result.size = columns_of(matrix);
  std::vector<Index> starts{0}, rows;
  for (Index column = 0; column < result.size; ++column) {
    for (Index row = 0; row < result.size; ++row) {
      if (matrix(row, column) == 0) continue;
      rows.push_back(row);
      result.values.push_back(matrix(row, column));
    }
    starts.push_back(count_of(rows));
  }
  result.column_start = std::move(starts);
  result.row = std::move(rows);
  return result;
}

enum class Storage : std::uint8_t { triplets, columns, rows };

/// Data sets of a file under construction.
struct Draft {
  std::map<std::string, Numbers> numbers;

  void add_matrix(const std::string& name, const Eigen::MatrixXd& matrix, Storage storage) {
    const bool by_rows = storage == Storage::rows;
    const Eigen::MatrixXd lines = by_rows ? matrix.transpose() : matrix;
    Numbers p, i, x, column;
    p.push_back(0);
    for (Index c = 0; c < lines.cols(); ++c) {
      for (Index r = 0; r < lines.rows(); ++r) {
        if (lines(r, c) == 0) continue;
        i.push_back(r);
        x.push_back(lines(r, c));
        column.push_back(c);
      }
      p.push_back(static_cast<double>(i.size()));
    }
    const bool has_triplets = storage == Storage::triplets;
    numbers[name + "/m"] = {static_cast<double>(matrix.rows())};
    numbers[name + "/n"] = {static_cast<double>(matrix.cols())};
    numbers[name + "/nz"] = {has_triplets ? static_cast<double>(x.size()) : by_rows ? -2.0 : -1.0};
    numbers[name + "/p"] = has_triplets ? column : p;
    numbers[name + "/i"] = i;
    numbers[name + "/x"] = x;
  }
  void add(const std::string& name, const Vector& values) {
    numbers[name] = Numbers(values.begin(), values.end());
  }
  void write(const std::filesystem::path& path) const {
    Hdf5File file(path, true);
    for (const auto& [name, values] : numbers) {
      if (name.ends_with("/x") || name.find("vectors") != std::string::npos) {
        file.write_array<double>(name, values);
        continue;
      }
      const std::vector<std::int32_t> integers(values.begin(), values.end());
      file.write_array<std::int32_t>(name, integers);
    }
    file.close();
  }
};

class FrictionProblems : public testing::Test {
 protected:
  /// Two contacts, with an unsymmetric W.
  Draft local(Storage storage = Storage::columns) {
    Draft draft;
    draft.numbers["fclib_local/spacedim"] = {3};
    draft.add_matrix("fclib_local/W", W, storage);
    draft.add("fclib_local/vectors/q", q);
    draft.add("fclib_local/vectors/mu", mu);
    return draft;
  }
  Draft global() {
    Draft draft;
    draft.numbers["fclib_global/spacedim"] = {3};
    draft.add_matrix("fclib_global/M", M, Storage::triplets);
    draft.add_matrix("fclib_global/H", H, Storage::rows);
    draft.add("fclib_global/vectors/f", f);
    draft.add("fclib_global/vectors/w", q);
    draft.add("fclib_global/vectors/mu", mu);
    return draft;
  }
  FrictionProblem read(const Draft& draft) {
    draft.write(path);
    return read_friction_problem(path);
  }
  /// What is said of a file, after its name.
  std::string refusal(const Draft& draft) {
    draft.write(path);
    const std::string message = message_of<FileError>([&] { read_friction_problem(path); });
    const std::string begin = "cannot read file \"" + path.string() + "\": ";
    EXPECT_EQ(message.substr(0, begin.size()), begin);
    return message.substr(std::min(begin.size(), message.size()));
  }

  ScratchFolder folder;
  std::filesystem::path path = folder / "problem.hdf5";
  Random random{1};
  Eigen::MatrixXd W = random.matrix(6, 6);
  Eigen::MatrixXd H = random.matrix(5, 6);
  Eigen::MatrixXd M = [this] {
    const Eigen::MatrixXd G = random.matrix(5, 5);
    return Eigen::MatrixXd(G * G.transpose() + Eigen::MatrixXd::Identity(5, 5));
  }();
  Vector q = random.vector(6), f = random.vector(5);
  Vector mu = Vector::Constant(2, 0.4);
};

TEST_F(FrictionProblems, AreTheSameInEveryStorage) {
  W(0, 4) = W(3, 1) = 0.0;
  for (const Storage storage : {Storage::triplets, Storage::columns, Storage::rows}) {
    const FrictionProblem problem = read(local(storage));
    EXPECT_EQ(problem.dimension, 3);
    EXPECT_EQ(dense(problem.W), W);
    EXPECT_EQ(problem.q, q);
    EXPECT_EQ(problem.mu, mu);
    EXPECT_EQ(problem.r.size(), 0);
  }
}

TEST_F(FrictionProblems, MayHaveRoomForMoreEntriesAndSomeTwice) {
  Draft draft = local();
  for (const char* const list : {"i", "x"}) draft.numbers[std::string("fclib_local/W/") + list].push_back(99);
  EXPECT_EQ(dense(read(draft).W), W);
  draft = local(Storage::triplets);
  draft.numbers["fclib_local/W/nz"] = {37};
  draft.numbers["fclib_local/W/p"].push_back(2);
  draft.numbers["fclib_local/W/i"].push_back(3);
  draft.numbers["fclib_local/W/x"].push_back(0.5);
  W(3, 2) += 0.5;
  EXPECT_EQ(dense(read(draft).W), W);
}

TEST_F(FrictionProblems, InGlobalFormAreCondensed) {
  const FrictionProblem problem = read(global());
  const Eigen::MatrixXd motion = M.inverse() * H;
  EXPECT_LT((dense(problem.W) - H.transpose() * motion).norm(), 1e-12);
  EXPECT_LT((problem.q - (q + motion.transpose() * f)).norm(), 1e-13);
}

TEST_F(FrictionProblems, AreReadAsTheyWereWritten) {
  FrictionProblem problem{.W = sparse(W),
                          .q = q,
                          .mu = mu,
                          .r = random.vector(6),
                          .title = "Two contacts",
                          .description = "of random numbers"};
  write_friction_problem(path, problem, false);
  const FrictionProblem again = read_friction_problem(path);
  EXPECT_EQ(again.dimension, 3);
  EXPECT_EQ(dense(again.W), W);
  EXPECT_EQ(again.q, q);
  EXPECT_EQ(again.mu, mu);
  EXPECT_EQ(again.r, problem.r);
  EXPECT_EQ(again.title, "Two contacts");
  EXPECT_EQ(again.description, "of random numbers");
  // In the layout that FCLIB reads: by rows, and with the rates of the solution.
  const ResultReader file(path);
  EXPECT_EQ(file.numbers("fclib_local/W/nz"), Numbers{-2});
  EXPECT_EQ(file.numbers("fclib_local/W/nzmax"), Numbers{36});
  const Numbers x = file.numbers("fclib_local/W/x");
  for (int k = 0; k < 6; ++k) EXPECT_EQ(x[k], W(0, k));
  const Numbers u = file.numbers("solution/u");
  const Vector expected = W * problem.r + q;
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(u[k], expected[k], 1e-14);
  EXPECT_EQ(message_of<FileError>([&] { write_friction_problem(path, problem, false); }),
            "file \"" + path.string() + "\" exists; allow overwriting (--force) to replace it");
}

TEST_F(FrictionProblems, OfTheCollectionAreThoseOfItsNumbers) {
  struct Expected {
    const char* file;
    int contacts;
    double mu;  // of the first contact
    const char* title;
  };
  for (const Expected& expected :
       {Expected{"LMGC_100_PR_PerioBox-i00361-60-03000", 60, 0.5, "LMGC dump in hdf5"},
        Expected{"Box_Stacks-i0122-82-5", 82, 0.3, "Box_stacks"},
        Expected{"spheres-in-a-box-98-i10000-256-10", 256, 0.1, "SpheresBox"},
        Expected{"Capsules-i125-1213", 286, 0.7, "Capsules"},
        Expected{"Spheres-i099-356-679", 356, 0.7, "Spheres Tower"}}) {
    const std::filesystem::path name =
        std::filesystem::path(PICUS_FCLIB) / (std::string(expected.file) + ".hdf5");
    SCOPED_TRACE(name);
    const FrictionProblem problem = read_friction_problem(name);
    ASSERT_EQ(problem.mu.size(), expected.contacts);
    EXPECT_EQ(problem.mu[0], expected.mu);
    EXPECT_EQ(problem.title, expected.title);
    EXPECT_EQ(problem.r.size(), 0);
    ASSERT_EQ(problem.q.size(), 3 * expected.contacts);
    // u for random impulses, from the numbers in the file.
    const ResultReader file(name);
    const Vector r = random.vector(problem.q.size());
    Vector u;
    const auto vector = [&](const std::string& list) {
      const Numbers numbers = file.numbers(list);
      return Vector(Eigen::Map<const Vector>(numbers.data(), count_of(numbers)));
    };
    if (file.has("fclib_local")) {
      u = vector("fclib_local/vectors/q");
      const Numbers p = file.numbers("fclib_local/W/p"), i = file.numbers("fclib_local/W/i"),
                    x = file.numbers("fclib_local/W/x");
      ASSERT_EQ(file.numbers("fclib_local/W/nz"), Numbers{-2});
      for (Index row = 0; row < count_of(u); ++row) {
        for (auto k = static_cast<std::size_t>(p[row]); k < static_cast<std::size_t>(p[row + 1]); ++k)
          u[row] += x[k] * r[static_cast<Index>(i[k])];
      }
    } else {
      Vector v = vector("fclib_global/vectors/f");
      u = vector("fclib_global/vectors/w");
      const Numbers p = file.numbers("fclib_global/H/p"), i = file.numbers("fclib_global/H/i"),
                    x = file.numbers("fclib_global/H/x");
      for (std::size_t k = 0; k < x.size(); ++k)
        v[static_cast<Index>(i[k])] += x[k] * r[static_cast<Index>(p[k])];
      // Every mass matrix is diagonal.
      const Numbers row = file.numbers("fclib_global/M/i"), M_x = file.numbers("fclib_global/M/x");
      ASSERT_EQ(row, file.numbers("fclib_global/M/p"));
      for (std::size_t k = 0; k < row.size(); ++k) v[static_cast<Index>(row[k])] /= M_x[k];
      for (std::size_t k = 0; k < x.size(); ++k)
        u[static_cast<Index>(p[k])] += x[k] * v[static_cast<Index>(i[k])];
    }
    EXPECT_LT((dense(problem.W) * r + problem.q - u).norm(), 1e-13 * u.norm());
  }
}

TEST_F(FrictionProblems, ThatDoNotFitAreRefusedByName) {
  const auto with = [](Draft draft, const std::string& name, std::optional<Numbers> numbers) {
    if (numbers)
      draft.numbers[name] = *numbers;
    else
      draft.numbers.erase(name);
    return draft;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(with({}, "other", Numbers{1})),
            "it has no problem of FCLIB's format (fclib_local or fclib_global)");
  EXPECT_EQ(refusal(with(local(), "fclib_local/spacedim", std::nullopt)),
            "it has no data set fclib_local/spacedim");
  EXPECT_EQ(refusal(with(local(), "fclib_local/spacedim", Numbers{4})),
            "fclib_local/spacedim is 4, not 2 or 3");
  EXPECT_EQ(refusal(with(local(), "fclib_local/spacedim", Numbers{3, 3})),
            "its data set fclib_local/spacedim has 2 integers, not 1");
  EXPECT_EQ(refusal(with(local(), "fclib_local/vectors/mu", Numbers{0.1, -0.1})),
            "fclib_local/vectors/mu is negative");
  EXPECT_EQ(refusal(with(local(), "fclib_local/vectors/mu", Numbers{0.1})),
            "its data set fclib_local/vectors/q has 6 numbers for 1 contacts");
  EXPECT_EQ(refusal(with(local(), "fclib_local/vectors/q", Numbers{1, 2, 3, 4, 5, nan})),
            "its data set fclib_local/vectors/q has values that are not finite");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/m", Numbers{5})),
            "its matrix fclib_local/W has 5 rows and 6 columns, not 6 and 6");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/nz", Numbers{-3})),
            "its matrix fclib_local/W is stored in an unknown way: nz is -3");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/nz", Numbers{7})),
            "its matrix fclib_local/W has an entry in row 1 and column 6");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/nz", Numbers{9})),
            "its data set fclib_local/W/p has 7 integers, not 9");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/p", Numbers{0, 6, 12, 10, 24, 30, 36})),
            "its data set fclib_local/W/p does not ascend from 0");
  EXPECT_EQ(refusal(with(local(), "fclib_local/W/p", Numbers{0, 6, 12, 18, 24, 30, 37})),
            "its matrix fclib_local/W has 37 entries, but 36 places and 36 values");
  Draft draft = local();
  draft.numbers["fclib_local/W/i"][7] = 6;
  EXPECT_EQ(refusal(draft), "its matrix fclib_local/W has an entry in row 6 and column 1");
  draft.numbers["fclib_local/W/i"][7] = -1;
  EXPECT_EQ(refusal(draft), "its matrix fclib_local/W has an entry in row -1 and column 1");
  draft = local();
  draft.add_matrix("fclib_local/V", W, Storage::columns);
  EXPECT_EQ(refusal(draft), "it has bilateral constraints (fclib_local/V), which are not read here");
  draft = global();
  draft.add_matrix("fclib_global/G", H, Storage::columns);
  EXPECT_EQ(refusal(draft), "it has bilateral constraints (fclib_global/G), which are not read here");
  draft = global();
  draft.add_matrix("fclib_global/M", -M, Storage::columns);
  EXPECT_EQ(refusal(draft), "its matrix fclib_global/M is not positive definite");
  draft.add_matrix("fclib_global/M", 1e-300 * Eigen::MatrixXd::Identity(5, 5), Storage::columns);
  draft.add("fclib_global/vectors/f", 1e20 * f);
  EXPECT_EQ(refusal(draft), "its matrix fclib_global/M is too small");
  M(2, 1) += 0.1;
  EXPECT_EQ(refusal(global()), "its matrix fclib_global/M is not symmetric");
  draft = global();
  std::erase_if(draft.numbers,
                [](const auto& entry) { return entry.first.find("/H/") != std::string::npos; });
  EXPECT_EQ(refusal(draft), "it has no matrix fclib_global/H");
  EXPECT_THAT(message_of<FileError>([&] { read_friction_problem(folder / "none.hdf5"); }),
              EndsWith("none.hdf5\": No such file or directory"));
}

}  // namespace
}  // namespace picus::support::friction_problem_test
