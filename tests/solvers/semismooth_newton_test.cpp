#include <picus/solvers/newton/semismooth_newton.hpp>
#include <support/dense.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace picus::semismooth_newton_test {
namespace {

/// Equations in dense form, with the history of a solve.
class DenseProblem : public NonlinearProblem {
 public:
  using Function = std::function<Vector(const Vector&)>;
  using Jacobian = std::function<Eigen::MatrixXd(const Vector&)>;

  DenseProblem(Vector start, Function f, Jacobian df, double tolerance = 1e-12)
      : x(std::move(start)), f_(std::move(f)), df_(std::move(df)), tolerance_(tolerance) {
    matrix_ = support::sparse(Eigen::MatrixXd::Ones(x.size(), x.size()));
  }

  Index size() const override { return count_of(x); }
  ResidualNorm evaluate(Vector& r) override {
    r = f_(x);
    evaluated.push_back(x);
    ResidualNorm norm;
    norm.square = (r / tolerance_).squaredNorm();
    norm.worst = r.hasNaN() ? r.sum() : (r / tolerance_).lpNorm<Eigen::Infinity>();
    return norm;
  }
  const SparseMatrix& tangent() override {
    tangent_at.push_back(x);
    matrix_.values.assign(matrix_.values.size(), 0.0);
    Eigen::Map<Eigen::MatrixXd>(matrix_.values.data(), x.size(), x.size()) = df_(x);
    return matrix_;
  }
  void advance(const Vector& dx, double factor) override { x += factor * dx; }

  Vector x;
  std::vector<Vector> evaluated;   ///< every iterate that was evaluated
  std::vector<Vector> tangent_at;  ///< the iterates from which a step was made

 private:
  Function f_;
  Jacobian df_;
  double tolerance_;
  SparseMatrix matrix_;
};

NewtonReport solve(DenseProblem& problem, const NewtonOptions& options = {}) {
  const auto solver = make_linear_solver(LinearSolverKind::klu, problem.tangent());
  solver->analyze(problem.tangent());
  problem.tangent_at.clear();
  NewtonWorkspace work(problem.size());
  return solve_newton(problem, *solver, options, work);
}

Vector one(double value) {
  return Vector::Constant(1, value);
}
DenseProblem scalar_problem(double start, double (*f)(double), double (*df)(double)) {
  return {one(start), [f](const Vector& x) { return one(f(x[0])); },
          [df](const Vector& x) -> Eigen::MatrixXd { return one(df(x[0])); }};
}

/// x^2 + y^2 = 4, x y = 1.
DenseProblem circle_and_hyperbola(double x, double y) {
  return {Eigen::Vector2d(x, y),
          [](const Vector& z) -> Vector {
            return Eigen::Vector2d(z[0] * z[0] + z[1] * z[1] - 4, z[0] * z[1] - 1);
          },
          [](const Vector& z) -> Eigen::MatrixXd {
            return (Eigen::Matrix2d() << 2 * z[0], 2 * z[1], z[1], z[0]).finished();
          }};
}

/// sgn(x) sqrt(|x|): from every point a Newton step leads to its mirror image, for ever.
DenseProblem mirrored(double start) {
  return scalar_problem(
      start, [](double x) { return std::copysign(std::sqrt(std::abs(x)), x); },
      [](double x) { return 0.5 / std::sqrt(std::abs(x)); });
}

TEST(SemismoothNewton, ACycleEndsWithItsPatience) {
  for (const int patience : {1, 4, 7}) {
    DenseProblem problem = mirrored(0.3);
    const NewtonReport report =
        solve(problem, {.max_iterations = 25, .full_steps = 25, .patience = patience});
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, patience);
    EXPECT_NEAR(std::abs(problem.x[0]), 0.3, 1e-12);
  }
}

TEST(SemismoothNewton, PatienceEndsNothingThatContracts) {
  DenseProblem plain = circle_and_hyperbola(2.5, 1.0);
  DenseProblem impatient = circle_and_hyperbola(2.5, 1.0);
  const NewtonReport report = solve(impatient, {.patience = 3});
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 3);
  EXPECT_EQ(report.iterations, solve(plain).iterations);
}

TEST(SemismoothNewton, ConvergesQuadraticallyOnASmoothProblem) {
  DenseProblem problem = circle_and_hyperbola(2.5, 1.0);
  const NewtonReport report = solve(problem);
  ASSERT_TRUE(report.converged);
  EXPECT_LE(report.residual.worst, 1.0);
  const double x = (std::sqrt(6) + std::sqrt(2)) / 2;
  const Vector exact = Eigen::Vector2d(x, 1 / x);
  EXPECT_LE((problem.x - exact).norm(), 1e-12);
  int checked = 0;
  for (std::size_t k = 0; k + 1 < problem.evaluated.size(); ++k) {
    const double before = (problem.evaluated[k] - exact).norm();
    const double after = (problem.evaluated[k + 1] - exact).norm();
    if (before > 0.5 || after < 1e-15) continue;
    // |J^-1| is about 0.3 here, and the second derivatives are at most 2.
    EXPECT_LE(after, 1.0 * before * before) << "iteration " << k;
    ++checked;
  }
  EXPECT_GE(checked, 3);
  EXPECT_EQ(report.line_searches, 0);
}

TEST(SemismoothNewton, SolvesLinearEquationsInOneIteration) {
  const Eigen::Matrix2d A = (Eigen::Matrix2d() << 2, 1, -1, 3).finished();
  DenseProblem problem(
      Eigen::Vector2d(5, -7), [&](const Vector& x) -> Vector { return A * x - Eigen::Vector2d(1, 2); },
      [&](const Vector&) -> Eigen::MatrixXd { return A; });
  const NewtonReport report = solve(problem);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 1);
}

/// f = atan(x - 3), whose Newton steps diverge from a start more than 1.4 from the root.
DenseProblem far_from_root() {
  return scalar_problem(
      -1.0, [](double x) { return std::atan(x - 3); }, [](double x) { return 1 / (1 + (x - 3) * (x - 3)); });
}

TEST(SemismoothNewton, TakesTheBetterOfTwoStartsWhereTheFirstIsPoor) {
  const Vector to_other = one(4.5);
  DenseProblem problem = far_from_root();
  const double first_worst = std::atan(4.0) / 1e-12;
  ASSERT_TRUE(
      solve(problem, {.other_guess = &to_other, .poor_guess_residual = 0.99 * first_worst}).converged);
  EXPECT_EQ(problem.tangent_at.front()[0], 3.5);

  DenseProblem content = far_from_root();
  solve(content, {.max_iterations = 1, .other_guess = &to_other, .poor_guess_residual = 1.01 * first_worst});
  EXPECT_EQ(content.tangent_at.front()[0], -1.0) << "the first start is not poor";

  const Vector to_worse = one(-5.0);
  DenseProblem back = far_from_root();
  solve(back, {.max_iterations = 1, .other_guess = &to_worse, .poor_guess_residual = 0.0});
  EXPECT_EQ(back.tangent_at.front()[0], -1.0) << "the other one is worse";
}

/// x - 1 with a rounding error `noise` wherever it is evaluated, and the level reported by the problem.
class NoisyProblem : public DenseProblem {
 public:
  NoisyProblem(double noise, double level)
      : DenseProblem(
            one(5), [noise](const Vector& x) -> Vector { return x - one(1) + one(noise); },
            [](const Vector&) -> Eigen::MatrixXd { return one(1); }),
        noise_(noise),
        level_(level) {}
  ResidualNorm evaluate(Vector& r) override {
    ResidualNorm norm = DenseProblem::evaluate(r);
    if (std::abs(r[0]) < 2 * std::abs(noise_)) r[0] = noise_;  // it decreases no further
    norm.worst = std::abs(r[0]) / 1e-12;
    norm.square = norm.worst * norm.worst;
    norm.over_rounding = std::abs(r[0]) / level_;
    return norm;
  }

 private:
  double noise_, level_;
};

TEST(SemismoothNewton, EndsAtTheLevelOfRoundingWhereItIsTold) {
  constexpr double noise = 1e-9;
  NoisyProblem within(noise, 2 * noise);
  const NewtonReport stagnated = solve(within, {.stagnation = 0.25});
  EXPECT_TRUE(stagnated.converged);
  EXPECT_TRUE(stagnated.stagnated);
  EXPECT_GT(stagnated.residual.worst, 1.0) << "the report tells the residual as it is";
  EXPECT_LE(stagnated.residual.over_rounding, 1.0);

  NoisyProblem beyond(noise, 0.5 * noise);
  EXPECT_FALSE(solve(beyond, {.stagnation = 0.25}).converged) << "more than rounding leaves";
  NoisyProblem untold(noise, 2 * noise);
  const NewtonReport failed = solve(untold);
  EXPECT_FALSE(failed.converged);
  EXPECT_FALSE(failed.stagnated);
}

TEST(SemismoothNewton, ReusesATangentAsLongAsItContracts) {
  DenseProblem problem = circle_and_hyperbola(2.1, 0.6);
  const auto solver = make_linear_solver(LinearSolverKind::klu, problem.tangent());
  solver->analyze(problem.tangent());
  NewtonWorkspace work(problem.size());
  NewtonOptions options{.reuses_tangent = true, .good_contraction = 0.2, .good_iterations = 20};
  problem.tangent_at.clear();
  ASSERT_TRUE(solve_newton(problem, *solver, options, work).converged);
  const std::size_t first = problem.tangent_at.size();

  problem.x += Eigen::Vector2d(1e-3, 1e-3);  // the factors are still good enough
  const NewtonReport near = solve_newton(problem, *solver, options, work);
  EXPECT_TRUE(near.converged);
  EXPECT_GE(near.iterations, 2);
  EXPECT_EQ(problem.tangent_at.size(), first);

  problem.x += Eigen::Vector2d(2, -0.5);  // here they are not
  EXPECT_TRUE(solve_newton(problem, *solver, options, work).converged);
  const std::size_t second = problem.tangent_at.size();
  EXPECT_GT(second, first);

  options.good_iterations = 1;
  problem.x += Eigen::Vector2d(1e-3, 1e-3);  // takes more than one, so that the next starts with new factors
  EXPECT_TRUE(solve_newton(problem, *solver, options, work).converged);
  EXPECT_EQ(problem.tangent_at.size(), second);
  problem.x += Eigen::Vector2d(1e-3, 1e-3);
  EXPECT_TRUE(solve_newton(problem, *solver, options, work).converged);
  EXPECT_EQ(problem.tangent_at.size(), second + 1);
}

TEST(SemismoothNewton, LeavesASolutionAlone) {
  DenseProblem problem = scalar_problem(
      0, [](double x) { return std::sin(x); }, [](double) { return 0.0; });
  const NewtonReport report = solve(problem);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(problem.tangent_at.empty()) << "no matrix is needed";
}

TEST(SemismoothNewton, FindsTheRightPieceOfAPiecewiseLinearProblem) {
  // max(x, 0) - 0.1 max(-x, 0) = 0.7: the slope changes at zero, and the start is on the wrong side.
  DenseProblem problem = scalar_problem(
      -3, [](double x) { return (x > 0 ? x : 0.1 * x) - 0.7; }, [](double x) { return x > 0 ? 1.0 : 0.1; });
  const NewtonReport report = solve(problem);
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(problem.x[0], 0.7, 1e-15);
  EXPECT_EQ(report.iterations, 2) << "one to change the piece, one to solve on it";
}

DenseProblem arctan(double start) {
  return scalar_problem(
      start, [](double x) { return std::atan(x); }, [](double x) { return 1 / (1 + x * x); });
}

TEST(SemismoothNewton, LineSearchSavesWhatFullStepsLose) {
  // Full steps diverge from |x| > 1.39.
  for (const double start : {1.5, 3.0, -10.0}) {
    DenseProblem lost = arctan(start);
    EXPECT_FALSE(solve(lost, {.max_iterations = 25, .full_steps = 25}).converged) << start;
    DenseProblem saved = arctan(start);
    const NewtonReport report = solve(saved, {.max_iterations = 25, .full_steps = 0});
    EXPECT_TRUE(report.converged) << start;
    EXPECT_GT(report.line_searches, 0);
    EXPECT_NEAR(saved.x[0], 0.0, 1e-12);
  }
}

TEST(SemismoothNewton, TheFirstFullStepsAreNotSearched) {
  DenseProblem problem = arctan(2.0);
  const NewtonReport report = solve(problem, {.max_iterations = 3, .full_steps = 3});
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.line_searches, 0);
  EXPECT_EQ(problem.evaluated.size(), 4u);
}

TEST(SemismoothNewton, LineSearchDecreasesTheResidualInEveryIteration) {
  DenseProblem problem = circle_and_hyperbola(0.3, 0.2);
  const NewtonReport report = solve(problem, {.max_iterations = 25, .full_steps = 0});
  EXPECT_TRUE(report.converged);
  ASSERT_GT(report.line_searches, 0) << "nothing to test";
  double before = std::numeric_limits<double>::infinity();
  DenseProblem again = circle_and_hyperbola(0, 0);
  for (const Vector& iterate : problem.tangent_at) {
    again.x = iterate;
    Vector r;
    const double square = again.evaluate(r).square;
    EXPECT_LT(square, before);
    before = square;
  }
}

/// A barrier lies between 0 and 1, beyond which the residual is twice that at 0, and between there and the root, 3.
DenseProblem behind_barriers() {
  return scalar_problem(
      0, [](double x) { return x == 0   ? 1.0
                               : x == 1 ? 2.0
                               : x < 3  ? 100.0
                                        : 3 - x; },
      [](double) { return -1.0; });
}

TEST(SemismoothNewton, GrowthIsFollowedAsLongAsTheWatchdogAllows) {
  DenseProblem followed = behind_barriers();
  EXPECT_TRUE(solve(followed, {.full_steps = 0, .watchdog = 2}).converged);
  EXPECT_EQ(followed.x[0], 3.0);
  DenseProblem ended = behind_barriers();
  const NewtonReport report = solve(ended, {.full_steps = 0, .watchdog = 1});
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(ended.x[0], 0.0) << "goes back to where the line search started";
}

TEST(SemismoothNewton, AWrongTangentEndsTheSolveWhereItsSearchStarted) {
  // The sign is wrong: each step moves away from the root, whatever its length.
  for (const int full_steps : {0, 3}) {
    DenseProblem problem = scalar_problem(
        1, [](double x) { return x; }, [](double) { return -1.0; });
    const NewtonReport report = solve(problem, {.max_iterations = 100, .full_steps = full_steps});
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, full_steps + NewtonOptions().watchdog);
    EXPECT_NEAR(problem.x[0], std::exp2(full_steps), 1e-12);
    EXPECT_NEAR(report.residual.worst, 1e12 * std::exp2(full_steps), 1.0)
        << "the report is that of this iterate";
  }
}

TEST(SemismoothNewton, NoSolveEndsAtALargerResidualThanTheOneItsSearchStartedFrom) {
  // Wherever it is evaluated, the tangent is multiplied by other random numbers: about every second step leads uphill.
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  int failed = 0, gone_back = 0;
  for (int k = 0; k < 500; ++k) {
    DenseProblem problem(
        Eigen::Vector2d(2 * number(random), 2 * number(random)),
        [](const Vector& z) -> Vector {
          return Eigen::Vector2d(z[0] * z[0] + z[1] * z[1] - 4, z[0] * z[1] - 1);
        },
        [&](const Vector& z) -> Eigen::MatrixXd {
          return (Eigen::Matrix2d() << 2 * z[0] * number(random), 2 * z[1] * number(random),
                  z[1] * number(random), z[0] * number(random))
              .finished();
        });
    const int full_steps = k % 4;
    const NewtonReport report = solve(problem, {.max_iterations = 30, .full_steps = full_steps});
    if (report.converged) continue;
    ++failed;
    Vector r;
    const auto square_at = [&](const Vector& x) {
      DenseProblem there = circle_and_hyperbola(x[0], x[1]);
      return there.evaluate(r).square;
    };
    EXPECT_NEAR(report.residual.square, square_at(problem.x), 1e-9 * report.residual.square);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = full_steps; i < problem.tangent_at.size(); ++i)
      best = std::min(best, square_at(problem.tangent_at[i]));
    EXPECT_LE(report.residual.square, best * (1 + 1e-9)) << k;
    gone_back += problem.x != problem.tangent_at.back() ? 1 : 0;
  }
  EXPECT_GT(failed, 100);
  EXPECT_GT(gone_back, 20);
}

TEST(SemismoothNewton, NanIsNeverAccepted) {
  // The first full step from 5 leads to x < 0, where the logarithm is not defined.
  const auto log = [](double x) { return std::log(x); };
  const auto slope = [](double x) { return 1 / x; };
  for (const int full_steps : {0, 5}) {
    DenseProblem problem = scalar_problem(5, log, slope);
    const NewtonReport report = solve(problem, {.max_iterations = 25, .full_steps = full_steps});
    EXPECT_TRUE(report.converged) << "a shorter step is defined";
    EXPECT_GT(report.line_searches, 0);
    EXPECT_NEAR(problem.x[0], 1.0, 1e-12);
  }
}

TEST(SemismoothNewton, GivesUpWhereEverythingIsNan) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  DenseProblem start = scalar_problem(
      1, [](double) { return std::sqrt(-1.0); }, [](double) { return 1.0; });
  NewtonReport report = solve(start);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);

  DenseProblem beyond = scalar_problem(
      1, [](double x) { return x == 1 ? 1.0 : std::sqrt(-1.0); }, [](double) { return 1.0; });
  report = solve(beyond);
  EXPECT_FALSE(report.converged);
  EXPECT_FALSE(report.residual.worst <= 1.0);

  // One equation is solved and the other is not defined: together they are not solved.
  DenseProblem half(
      Eigen::Vector2d::Zero(), [&](const Vector&) -> Vector { return Eigen::Vector2d(nan, 0); },
      [](const Vector&) -> Eigen::MatrixXd { return Eigen::Matrix2d::Identity(); });
  EXPECT_FALSE(solve(half).converged);
}

TEST(SemismoothNewton, GivesUpOnASingularTangent) {
  DenseProblem problem = scalar_problem(
      0, [](double x) { return x * x + 1; }, [](double x) { return 2 * x; });
  const NewtonReport report = solve(problem);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(problem.x[0], 0.0);
}

TEST(SemismoothNewton, StopsAtTheIterationLimit) {
  for (const int limit : {1, 2, 3}) {
    DenseProblem problem = circle_and_hyperbola(2.5, 1.0);
    const NewtonReport report = solve(problem, {.max_iterations = limit});
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, limit);
    EXPECT_GT(report.residual.worst, 1.0) << "the residual reached is reported";
  }
}

}  // namespace
}  // namespace picus::semismooth_newton_test
